#include "planner/perf/hfreduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace planner {

namespace {

/// GPUs that reduce among themselves before the host sees their data.
double gpus_per_bridge(const Node& node, const HfReduceOptions& options) {
  return options.nvlink_pairs && node.nvlink_bridges
             ? static_cast<double>(node.nvlink_bridges->gpus)
             : 1;
}

/// GDRCopy reads host memory once per NUMA node, into whose cache its GPUs' writes find it; where
/// bridges join GPUs of different NUMA nodes, each node needs only its GPUs' share.
double h2d_reads(const Node& node, const HfReduceOptions& options) {
  const double joined = gpus_per_bridge(node, options);
  if (options.memcpy_h2d) return static_cast<double>(node.accelerators) / joined;
  const bool across = !node.nvlink_bridges || node.nvlink_bridges->across_numa.value_or(true);
  return static_cast<double>(node.numa_nodes.value_or(1)) / (across ? joined : 1);
}

std::optional<BytesPerSecond> shared(std::optional<BytesPerSecond> bandwidth, double units) {
  if (!bandwidth || units == 0) return std::nullopt;
  return *bandwidth / units;
}

/// Units that a PCIe switch's port to the CPU carries in each direction: those of its GPUs, and of
/// the NICs behind the same switch, whose messages lie in host memory.
double switch_units(const Node& node, double joined, const TreeLoad& load) {
  const std::int64_t gpus = *node.pcie->gpus_per_switch;
  const std::int64_t switches = (node.accelerators + gpus - 1) / gpus;
  const std::int64_t nics = (node.nics + switches - 1) / switches;
  const double nic_share =
      node.nics > 0 ? static_cast<double>(nics) / static_cast<double>(node.nics) : 0;
  return static_cast<double>(gpus) / joined + nic_share * load.sent;
}

/// Units per direction through the busiest host bridge.
double host_bridge_units(const Node& node, double joined, const TreeLoad& load) {
  if (node.pcie->gpus_per_switch) return switch_units(node, joined, load);
  const auto& behind = node.pcie->gpus_per_host_bridge;
  return static_cast<double>(*std::max_element(behind.begin(), behind.end())) / joined;
}

std::vector<ReduceBound> bounds_of(const Node& node, const HfReduceOptions& options,
                                   const MemoryOperations& operations) {
  const TreeLoad load = busiest_node(options.nodes);
  const double gpus = static_cast<double>(node.accelerators);
  const double joined = gpus_per_bridge(node, options);
  const bool pairs = options.nvlink_pairs && node.nvlink_bridges;
  using R = ReduceResource;
  return {
      {R::host_memory, shared(node.host_memory_bandwidth, operations.total())},
      {R::network, shared(static_cast<double>(node.nics) * node.nic_bandwidth, load.sent)},
      // Both directions share the bridge: two GPUs on it move four units (§IV-D3).
      {R::host_bridge,
       shared(node.pcie->host_bridge_bandwidth, 2 * host_bridge_units(node, joined, load))},
      {R::pcie, shared(node.pcie->gpu_bandwidth,
                       node.pcie->gpus_per_switch ? switch_units(node, joined, load) : 1 / joined)},
      {R::cpu_reduce, shared(node.cpu_reduce_bandwidth, gpus / joined + load.added)},
      // A reduce-scatter and an all-gather among the joined GPUs.
      {R::nvlink,
       pairs ? shared(node.nvlink_bridges->bandwidth, 2 * (joined - 1) / joined) : std::nullopt},
      // One edge of each tree crosses, with half of the data each (§III-B).
      {R::zone_link, load.sent > 0 ? options.zone_bandwidth : std::nullopt},
  };
}

}  // namespace

TreeLoad busiest_node(std::optional<std::int64_t> nodes) {
  switch (nodes.value_or(4)) {
    case 1:
      return {};
    case 2:
      return {.sent = 1, .received = 1, .added = 0.5};
    case 3:
      return {.sent = 1.5, .received = 1.5, .added = 1};
    default:  // inner: one up and two down, leaf in the other tree: one up; half of the data each
      return {.sent = 2, .received = 2, .added = 1};
  }
}

std::int64_t tree_depth(std::int64_t nodes) {
  if (nodes < 2) return 0;
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(nodes - 1)));
}

MemoryOperations memory_operations(const Node& node, const HfReduceOptions& options) {
  const TreeLoad load = busiest_node(options.nodes);
  const double copies = static_cast<double>(node.accelerators) / gpus_per_bridge(node, options);
  return {.d2h_writes = copies,
          .reduce_reads = copies,
          .reduce_writes = 1,
          .network_reads = load.sent + load.added,
          .network_writes = load.received,
          .h2d_reads = h2d_reads(node, options)};
}

std::string_view name_of(ReduceResource resource) {
  switch (resource) {
    case ReduceResource::host_memory:
      return "host_memory";
    case ReduceResource::network:
      return "network";
    case ReduceResource::host_bridge:
      return "host_bridge";
    case ReduceResource::pcie:
      return "pcie";
    case ReduceResource::cpu_reduce:
      return "cpu_reduce";
    case ReduceResource::nvlink:
      return "nvlink";
    case ReduceResource::zone_link:
      return "zone_link";
  }
  return "";
}

std::optional<BytesPerSecond> HfReduceBounds::of(ReduceResource resource) const {
  for (const ReduceBound& bound : bounds) {
    if (bound.resource == resource) return bound.bandwidth;
  }
  return std::nullopt;
}

HfReduceBounds hfreduce_bounds(const Node& node, const HfReduceOptions& options) {
  HfReduceBounds result{.operations = memory_operations(node, options)};
  result.bounds = bounds_of(node, options, result.operations);
  std::vector<ReduceBound> tightest_first;
  for (const ReduceBound& bound : result.bounds) {
    if (bound.bandwidth) tightest_first.push_back(bound);
  }
  std::stable_sort(tightest_first.begin(), tightest_first.end(),
                   [](const auto& a, const auto& b) { return *a.bandwidth < *b.bandwidth; });
  result.bandwidth = *tightest_first.front().bandwidth;
  result.bottleneck = tightest_first.front().resource;
  if (tightest_first.size() > 1) result.next = tightest_first[1].resource;
  for (std::size_t i = 0; i + 1 < tightest_first.size(); ++i) {
    const BytesPerSecond reached = *tightest_first[i + 1].bandwidth;
    result.gains.push_back({.lifted = tightest_first[i].resource,
                            .bandwidth = reached,
                            .gain = reached / result.bandwidth - 1});
  }
  return result;
}

std::optional<BytesPerSecond> nccl_ring(const Node& node, std::optional<std::int64_t> gpus) {
  if (!node.pcie || !node.pcie->gpu_to_nic_bandwidth) return std::nullopt;
  if (gpus && *gpus <= node.accelerators) return std::nullopt;
  const double per_n = gpus ? 1 / static_cast<double>(*gpus) : 0;
  const BytesPerSecond to_network = std::min(*node.pcie->gpu_to_nic_bandwidth,
                                             static_cast<double>(node.nics) * node.nic_bandwidth);
  return std::min(to_network / (2 * (1 - per_n)), node.pcie->gpu_bandwidth / (2 - per_n));
}

PipelinedReduce pipelined_reduce(Bytes data, std::int64_t nodes, BytesPerSecond bandwidth,
                                 Seconds step_latency) {
  const double steps = 2 * static_cast<double>(tree_depth(nodes)) + 2;
  const Seconds transfer = data / bandwidth;
  const auto time_of = [&](double k) { return (k + steps - 1) * (step_latency + transfer / k); };
  constexpr double kMostChunks = 1e9;  // without a latency there is no best number
  const double best =
      step_latency.si() > 0 ? std::sqrt((steps - 1) * (transfer / step_latency)) : kMostChunks;
  const double below = std::clamp(std::floor(best), 1.0, kMostChunks);
  const double k = time_of(below + 1) < time_of(below) ? below + 1 : below;
  const Seconds time = time_of(k);
  return {.time = time, .chunks = static_cast<std::int64_t>(k), .bandwidth = data / time};
}

}  // namespace planner
