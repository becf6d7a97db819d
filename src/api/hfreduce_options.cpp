#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"
#include "planner/perf/hfreduce/what_if.hpp"

namespace planner {

namespace {

constexpr std::int64_t kMostGpusOfNode = 1'000'000;

/// Where a member of the hfreduce part stands in a request.
template <class Member>
auto of(Member HfReduceRequest::*member) {
  return in_part(&Request::hfreduce, member);
}

}  // namespace

std::vector<Option> hfreduce_options() {
  constexpr const char* kReduce = "The node and its all-reduce";
  const std::vector<Command> only{Command::hfreduce};
  using H = HfReduceRequest;
  return {
      {"node", "NAME|FILE", "planner list nodes (default fire-flyer-2)", kReduce, only,
       text(of(&H::node))},
      {"nvlink-pairs", "", "GPUs joined by NVLink bridges reduce first", kReduce, only,
       turn_on(of(&H::nvlink_pairs))},
      {"memcpy-h2d", "", "MemcpyAsync instead of GDRCopy back to the GPUs", kReduce, only,
       turn_on(of(&H::memcpy_h2d))},
      {"nics", "N", "NICs of the node", kReduce, only, integer(of(&H::nics), 1, kMostNics)},
      {"host-memory", "GB/s", "practical bandwidth of host memory", kReduce, only,
       positive(of(&H::host_memory_GBps), kMostBandwidthGBps)},
      {"genoa-memory", "", "24 channels of DDR5-4800, at the node's share of peak", kReduce, only,
       turn_on(of(&H::genoa_memory))},
      {"host-bridge", "GB/s", "of one PCIe root port to the CPU, both directions", kReduce, only,
       positive(of(&H::host_bridge_GBps), kMostBandwidthGBps)},
      {"pcie", "GEN", "PCIe generation of the GPUs' slots", kReduce, only,
       integer(of(&H::pcie_generation), 3, kNewestPcie)},
      {"pcie-switch", "N", "PCIe switches, each with N GPUs and (without --nics) a NIC", kReduce,
       only, integer(of(&H::pcie_switch), 1, kMostGpusOfNode)},
      {"zone-bandwidth", "GB/s", "of the link between two network zones", kReduce, only,
       positive(of(&H::zone_bandwidth_GBps), kMostBandwidthGBps)},
      {"message", "MIB", "all-reduced in the table by nodes (default 186)", kReduce, only,
       positive(of(&H::message_MiB), 1e12)},
      {"step-latency", "US", "of one tree edge (default 14, NCCL's)", kReduce, only,
       non_negative(of(&H::step_latency_us), 1e9)},
      {"compute-time", "S", "of an iteration: shows what all-reduce adds", kReduce, only,
       positive(of(&H::compute_time_s), 1e9)},
      {"microbatches", "N", "of an iteration; the last overlaps (default 1)", kReduce, only,
       integer(of(&H::microbatches), 1, kMostSequences)},
      {"kernel-share", "PCT", "of a GPU that NCCL's kernels take (default 0)", kReduce, only,
       non_negative(of(&H::kernel_share_pct), 99)},
      {"storage", "NAME|FILE", "planner list storage (default: the node's)", kReduce, only,
       text(of(&H::storage))},
  };
}

}  // namespace planner
