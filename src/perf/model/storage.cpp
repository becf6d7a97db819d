#include "planner/perf/model/storage.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/model/pcie_load.hpp"

namespace planner::inline perf {

namespace {

StorageRate tightest(std::vector<StorageBound> bounds) {
  StorageRate rate{.bounds = std::move(bounds)};
  rate.bandwidth = rate.bounds.front().bandwidth.value();
  rate.bottleneck = rate.bounds.front().resource;
  for (const StorageBound& bound : rate.bounds) {
    if (!bound.bandwidth || *bound.bandwidth >= rate.bandwidth) continue;
    rate.bandwidth = *bound.bandwidth;
    rate.bottleneck = bound.resource;
  }
  return rate;
}

/// Rate at which all GPUs of a node together write to its host memory, each byte once.
BytesPerSecond device_to_host(const Node& node) {
  const PcieLayout& pcie = *node.pcie;
  const double gpus = real(node.accelerators);
  BytesPerSecond rate = gpus / real(gpus_per_port(pcie)) * pcie.gpu_bandwidth;
  if (pcie.host_bridge_bandwidth) {
    rate = std::min(rate, gpus / real(gpus_on_busiest_bridge(pcie)) * *pcie.host_bridge_bandwidth);
  }
  return node.host_memory_bandwidth ? std::min(rate, *node.host_memory_bandwidth) : rate;
}

std::optional<BytesPerSecond> times(double count, std::optional<BytesPerSecond> each) {
  if (!each) return std::nullopt;
  return count * *each;
}

}  // namespace

StorageRates storage_rates(const StorageSystem& storage, const Node& client,
                           std::optional<std::int64_t> clients) {
  using R = StorageResource;
  const double nodes = real(storage.nodes), copies = real(storage.copies);
  const double ssds = nodes * real(storage.ssds);
  const BytesPerSecond nics = nodes * real(storage.nics) * storage.nic_bandwidth;
  std::optional<BytesPerSecond> compute;
  if (clients) compute = real(*clients) * real(client.nics) * client.nic_bandwidth;
  return {.ssds = storage.nodes * storage.ssds,
          .usable = ssds * storage.ssd_capacity / copies,
          .read = tightest({{R::storage_nics, nics},
                            {R::ssds, times(ssds, storage.ssd_read_bandwidth)},
                            {R::compute_nics, compute}}),
          .write = tightest({{R::storage_nics, nics / copies},
                             {R::ssds, times(ssds / copies, storage.ssd_write_bandwidth)},
                             {R::compute_nics, compute}})};
}

CheckpointTime checkpoint_time(double parameters, std::int64_t nodes, const StorageSystem& storage,
                               const Node& node) {
  const Bytes size = kCheckpointBytesPerParameter * parameters * units::byte;
  const double writers = real(nodes);
  const BytesPerSecond bound = storage_rates(storage, node, nodes).write.bandwidth;
  CheckpointTime time{
      .size = size, .device_to_host = size / writers / device_to_host(node), .save = size / bound};
  if (storage.measured_node_write) {
    time.save_at_measured_rate = size / std::min(bound, writers * *storage.measured_node_write);
  }
  if (storage.checkpoint_interval) {
    time.interval_share =
        time.save_at_measured_rate.value_or(time.save) / *storage.checkpoint_interval;
  }
  return time;
}

}  // namespace planner::perf
