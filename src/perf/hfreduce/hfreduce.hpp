#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/system.hpp"
#include "planner/perf/collectives/double_tree.hpp"
#include "planner/perf/collectives/pipelined_reduce.hpp"
#include "planner/perf/collectives/time.hpp"

// HFReduce: an all-reduce in which the CPUs add. Each node's GPUs copy their gradients to host
// memory, the CPU adds them, nodes all-reduce the sums over a double binary tree, and the result is
// copied back. Source: Fire-Flyer AI-HPC (arXiv 2408.14158), §IV. All rates are per GPU of gradient
// data: bytes all-reduced per second (algorithm bandwidth).
namespace planner::inline perf {

/// What of HFReduce is a choice, not a property of the node.
struct HfReduceOptions {
  bool nvlink_pairs = false;  ///< GPUs joined by an NVLink bridge reduce among themselves first
  bool memcpy_h2d = false;    ///< MemcpyAsync instead of GDRCopy on the way back
  std::optional<std::int64_t> nodes = {};  ///< that reduce together; nothing: many
  /// Of the link between network zones, per direction: what one all-reduce gets of it.
  std::optional<BytesPerSecond> zone_bandwidth = {};
  /// All-reduces side by side on every node, each of as many of its GPUs: ranks of tensor
  /// parallelism, or several stages of a pipeline. The NICs and the host memory's sums are shared.
  double groups = 1;
  /// Of all NICs of a node together; nothing: as the node says.
  std::optional<BytesPerSecond> network_bandwidth = {};
};

/// Reads and writes of host memory per unit of gradient data of one GPU (§IV-D3).
struct MemoryOperations {
  double d2h_writes = 0;
  double reduce_reads = 0, reduce_writes = 0;
  double network_reads = 0, network_writes = 0;
  double h2d_reads = 0;

  [[nodiscard]] double total() const {
    return d2h_writes + reduce_reads + reduce_writes + network_reads + network_writes + h2d_reads;
  }
  bool operator==(const MemoryOperations&) const = default;
};

/// They do not depend on the datatype: every operand, sum and message has the gradients' own.
/// @param node  its numa_nodes known
MemoryOperations memory_operations(const Node& node, const HfReduceOptions& options);

/// What can set the rate of an all-reduce.
enum class ReduceResource {
  host_memory,
  network,
  host_bridge,
  pcie,
  cpu_reduce,
  nvlink,
  zone_link
};

inline constexpr std::array kReduceResources{ReduceResource::host_memory, ReduceResource::network,
                                             ReduceResource::host_bridge, ReduceResource::pcie,
                                             ReduceResource::cpu_reduce,  ReduceResource::nvlink,
                                             ReduceResource::zone_link};

/// As JSON names it: "host_memory".
std::string_view name_of(ReduceResource resource);

struct ReduceBound {
  ReduceResource resource = ReduceResource::host_memory;
  std::optional<BytesPerSecond> bandwidth;  ///< nothing: not known, or the resource is not used
};

/// What the node's rate becomes once its tightest bounds are out of the way.
struct ReduceGain {
  ReduceResource lifted{};  ///< after those of the gains before it
  BytesPerSecond bandwidth{};
  double gain = 0;  ///< relative to the rate before any is lifted: 0.33 is 33 % faster
};

struct HfReduceBounds {
  MemoryOperations operations;
  std::vector<ReduceBound> bounds;  ///< one per resource
  BytesPerSecond bandwidth{};       ///< the tightest
  ReduceResource bottleneck{};
  std::optional<ReduceResource> next;  ///< the tightest without the bottleneck; nothing: no other
  std::vector<ReduceGain> gains;       ///< lifted one after the other

  [[nodiscard]] std::optional<BytesPerSecond> of(ReduceResource resource) const;
};

/// The keys of a node's file that say what hfreduce_bounds() needs and that it lacks, quoted:
/// without these, a bound that may be the tightest would be missing.
std::string missing_reduce_figures(const Node& node);

/// The bounds of a node whose PCIe layout, NUMA nodes and host memory bandwidth are known, and that
/// has a NIC unless it is alone.
HfReduceBounds hfreduce_bounds(const Node& node, const HfReduceOptions& options);

/// The tightest of them, for one of the groups.
BytesPerSecond hfreduce_rate(const Node& node, const HfReduceOptions& options);

/// The most that NCCL's rings reach on the same node, bytes all-reduced per second, latency left
/// out. One ring per NIC, each with a share of the data: it crosses 2(n-1)/n times between GPU and
/// NIC (Fire-Flyer AI-HPC §IV-D2: 9 GiB/s), as often the ports of PCIe switches and the link
/// between zones, and (2n-1)/n times the PCIe port of each GPU (§IV-B1). Nothing for one node,
/// where no rate between two GPUs is known, or where that between GPU and NIC is not.
std::optional<BytesPerSecond> nccl_ring(const Node& node, const HfReduceOptions& options);

/// A pipelined_reduce() at the bounds of the node, for a number of nodes.
PipelinedReduce reduce_at(const Node& node, HfReduceOptions options, std::int64_t nodes, Bytes data,
                          Seconds step_latency);

/// reduce_at() as an algorithm of an all-reduce, beside those of a GPU library.
TimedAlgorithm timed_hfreduce(const Node& node, const HfReduceOptions& options, std::int64_t nodes,
                              Bytes data, Seconds step_latency);

}  // namespace planner::perf
