#include "planner/perf/hfreduce/hfreduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/core/real.hpp"
#include "planner/perf/model/pcie_load.hpp"

namespace planner::inline perf {

namespace {

/// GPUs that reduce among themselves before the host sees their data.
double gpus_per_bridge(const Node& node, const HfReduceOptions& options) {
  return options.nvlink_pairs && node.nvlink_bridges ? real(node.nvlink_bridges->gpus) : 1;
}

/// GDRCopy reads host memory once per NUMA node, into whose cache its GPUs' writes find it; where
/// bridges join GPUs of different NUMA nodes, each node needs only its GPUs' share (§IV-D3).
double h2d_reads(const Node& node, const HfReduceOptions& options) {
  const double joined = gpus_per_bridge(node, options);
  if (options.memcpy_h2d) return real(node.accelerators) / joined;
  const bool across = !node.nvlink_bridges || node.nvlink_bridges->across_numa.value_or(true);
  const double copies =
      std::max(real(std::min(*node.numa_nodes, node.accelerators)), options.groups);
  return copies / (across ? joined : 1);
}

std::optional<BytesPerSecond> shared(std::optional<BytesPerSecond> bandwidth, double units) {
  if (!bandwidth || units == 0) return std::nullopt;
  return *bandwidth / units;
}

/// Units that the busiest node moves for all groups.
TreeLoad busiest_of(const HfReduceOptions& options) {
  const TreeLoad one = busiest_in_double_tree(
      options.nodes ? real(*options.nodes) : std::numeric_limits<double>::infinity());
  return {.sent = options.groups * one.sent, .added = options.groups * one.added};
}

/// Units that a port of the CPU carries in each direction: those of `gpus` GPUs, and of the NICs
/// behind it, whose messages lie in host memory.
double port_units(const Node& node, std::int64_t gpus, std::int64_t ports, double joined,
                  const TreeLoad& load) {
  return real(gpus) / joined + nic_share_of_port(node, ports) * load.sent;
}

/// Units per direction through the busiest host bridge.
double host_bridge_units(const Node& node, double joined, const TreeLoad& load) {
  return port_units(node, gpus_on_busiest_bridge(*node.pcie),
                    std::ssize(node.pcie->gpus_per_host_bridge), joined, load);
}

/// Units per direction through a GPU's port of the CPU, a PCIe switch's where it has one.
double pcie_units(const Node& node, double joined, const TreeLoad& load) {
  const std::int64_t gpus = gpus_per_port(*node.pcie);
  return port_units(node, gpus, node.accelerators / gpus, joined, load);
}

using Bounds = std::array<ReduceBound, kReduceResources.size()>;

Bounds bounds_of(const Node& node, const HfReduceOptions& options,
                 const MemoryOperations& operations) {
  const TreeLoad load = busiest_of(options);
  const double joined = gpus_per_bridge(node, options);
  const bool pairs = options.nvlink_pairs && node.nvlink_bridges;
  const BytesPerSecond nics =
      options.network_bandwidth.value_or(real(node.nics) * node.nic_bandwidth);
  using R = ReduceResource;
  return {{
      {R::host_memory, shared(node.host_memory_bandwidth, operations.total())},
      {R::network, shared(nics, load.sent)},
      // Both directions share the bridge: two GPUs on it move four units (§IV-D3).
      {R::host_bridge,
       shared(node.pcie->host_bridge_bandwidth, 2 * host_bridge_units(node, joined, load))},
      {R::pcie, shared(node.pcie->gpu_bandwidth, pcie_units(node, joined, load))},
      {R::cpu_reduce,
       shared(node.cpu_reduce_bandwidth, real(node.accelerators) / joined + load.added)},
      // A reduce-scatter and an all-gather among the joined GPUs.
      {R::nvlink,
       pairs ? shared(node.nvlink_bridges->bandwidth, 2 * (joined - 1) / joined) : std::nullopt},
      // One edge of each tree crosses, with half of the data each (§III-B).
      {R::zone_link, load.sent > 0 ? options.zone_bandwidth : std::nullopt},
  }};
}

}  // namespace

MemoryOperations memory_operations(const Node& node, const HfReduceOptions& options) {
  const TreeLoad load = busiest_of(options);
  const double copies = real(node.accelerators) / gpus_per_bridge(node, options);
  return {.d2h_writes = copies,
          .reduce_reads = copies,
          .reduce_writes = options.groups,
          .network_reads = load.sent + load.added,
          .network_writes = load.sent,
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

std::string missing_reduce_figures(const Node& node) {
  std::string missing;
  const auto need = [&](bool there, const char* key) {
    if (!there) missing += (missing.empty() ? "\"" : ", \"") + std::string{key} + "\"";
  };
  need(node.pcie.has_value(), "pcie");
  need(node.host_memory_bandwidth.has_value(), "host_memory_bandwidth_GBps");
  need(node.numa_nodes.has_value(), "numa_nodes");
  need(!node.pcie || node.pcie->host_bridge_bandwidth, "pcie.host_bridge_bandwidth_GBps");
  return missing;
}

HfReduceBounds hfreduce_bounds(const Node& node, const HfReduceOptions& options) {
  HfReduceBounds result{.operations = memory_operations(node, options)};
  const Bounds bounds = bounds_of(node, options, result.operations);
  result.bounds.assign(bounds.begin(), bounds.end());
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

BytesPerSecond hfreduce_rate(const Node& node, const HfReduceOptions& options) {
  std::optional<BytesPerSecond> tightest;
  for (const ReduceBound& bound : bounds_of(node, options, memory_operations(node, options))) {
    if (bound.bandwidth && (!tightest || *bound.bandwidth < *tightest)) tightest = bound.bandwidth;
  }
  return *tightest;
}

std::optional<BytesPerSecond> nccl_ring(const Node& node, const HfReduceOptions& options) {
  if (!node.pcie || !node.pcie->gpu_to_nic_bandwidth) return std::nullopt;
  if (options.nodes && *options.nodes <= 1) return std::nullopt;
  // Of the ranks of a group.
  const double per_n =
      options.nodes ? options.groups / real(*options.nodes * node.accelerators) : 0;
  const double around = 2 * (1 - per_n);
  const double nics = real(node.nics), rings = real(std::min(node.nics, node.accelerators));
  BytesPerSecond rate = std::min(std::max(1.0, rings / options.groups) *
                                     std::min(*node.pcie->gpu_to_nic_bandwidth, node.nic_bandwidth),
                                 nics * node.nic_bandwidth / options.groups) /
                        around;
  rate = std::min(rate, node.pcie->gpu_bandwidth / (2 - per_n));
  // Where the rings pass from switch to switch, in and out share the host bridge.
  const bool between_switches =
      gpus_per_port(*node.pcie) > 1 && gpus_on_busiest_bridge(*node.pcie) < node.accelerators;
  if (between_switches && node.pcie->host_bridge_bandwidth) {
    rate = std::min(rate, *node.pcie->host_bridge_bandwidth / (2 * around));
  }
  if (options.zone_bandwidth) rate = std::min(rate, *options.zone_bandwidth / around);
  return rate;
}

PipelinedReduce reduce_at(const Node& node, HfReduceOptions options, std::int64_t nodes, Bytes data,
                          Seconds step_latency) {
  options.nodes = nodes;
  return pipelined_reduce(data, nodes, hfreduce_rate(node, options), step_latency);
}

TimedAlgorithm timed_hfreduce(const Node& node, const HfReduceOptions& options, std::int64_t nodes,
                              Bytes data, Seconds step_latency) {
  const PipelinedReduce reduce = reduce_at(node, options, nodes, data, step_latency);
  const Seconds transfer = data / reduce.step_rate;
  return {.method = {.algorithm = CollectiveAlgorithm::hfreduce, .protocol = "CPU"},
          .of_library = false,
          .time = {.pipeline_latency = reduce.time - transfer, .pipeline_transfer = transfer},
          .pipeline = reduce};
}

}  // namespace planner::perf
