#include "planner/perf/storage.hpp"

#include <algorithm>

namespace planner {

namespace {

StorageRate tightest(std::vector<StorageBound> bounds) {
  StorageRate rate{.bounds = std::move(bounds)};
  for (const StorageBound& bound : rate.bounds) {
    if (!bound.bandwidth) continue;
    if (!rate.bottleneck.empty() && *bound.bandwidth >= rate.bandwidth) continue;
    rate.bandwidth = *bound.bandwidth;
    rate.bottleneck = bound.name;
  }
  return rate;
}

std::optional<BytesPerSecond> times(double count, std::optional<BytesPerSecond> each) {
  if (!each) return std::nullopt;
  return count * *each;
}

}  // namespace

StorageRates storage_rates(const StorageSystem& storage, const Node& client,
                           std::optional<std::int64_t> clients) {
  const auto nodes = static_cast<double>(storage.nodes);
  const auto copies = static_cast<double>(storage.copies);
  const double ssds = nodes * static_cast<double>(storage.ssds);
  const BytesPerSecond nics = nodes * static_cast<double>(storage.nics) * storage.nic_bandwidth;
  std::optional<BytesPerSecond> compute;
  if (clients) {
    compute =
        static_cast<double>(*clients) * static_cast<double>(client.nics) * client.nic_bandwidth;
  }
  return {.ssds = storage.nodes * storage.ssds,
          .usable = ssds * storage.ssd_capacity / copies,
          .read = tightest({{"storage_nics", nics},
                            {"ssds", times(ssds, storage.ssd_read_bandwidth)},
                            {"compute_nics", compute}}),
          .write = tightest({{"storage_nics", nics / copies},
                             {"ssds", times(ssds / copies, storage.ssd_write_bandwidth)},
                             {"compute_nics", compute}})};
}

CheckpointTime checkpoint_time(double parameters, std::int64_t nodes, const StorageSystem& storage,
                               const Node& node) {
  const Bytes size = kCheckpointBytesPerParameter * parameters * units::byte;
  const auto writers = static_cast<double>(nodes);
  const BytesPerSecond bound = storage_rates(storage, node, nodes).write.bandwidth;
  const auto gpus = static_cast<double>(node.accelerators);
  BytesPerSecond to_host = gpus * node.pcie->gpu_bandwidth;
  if (node.pcie->host_bridge_bandwidth) {
    const auto& behind = node.pcie->gpus_per_host_bridge;
    const auto most = static_cast<double>(*std::max_element(behind.begin(), behind.end()));
    to_host = std::min(to_host, gpus / most * *node.pcie->host_bridge_bandwidth);
  }
  // Each byte is written to host memory once.
  if (node.host_memory_bandwidth) to_host = std::min(to_host, *node.host_memory_bandwidth);
  CheckpointTime time{
      .size = size, .device_to_host = size / writers / to_host, .save = size / bound};
  if (storage.measured_node_write) {
    time.save_at_measured_rate = size / std::min(bound, writers * *storage.measured_node_write);
  }
  if (storage.checkpoint_interval) {
    time.interval_share =
        time.save_at_measured_rate.value_or(time.save) / *storage.checkpoint_interval;
  }
  return time;
}

}  // namespace planner
