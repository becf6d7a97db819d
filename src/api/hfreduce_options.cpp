#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

constexpr std::int64_t kMostParts = 1000;  // of a node
constexpr std::int64_t kMostSequences = 1'000'000'000;
constexpr double kMostBandwidthGBps = 1e9;

}  // namespace

std::vector<Option> hfreduce_options() {
  constexpr const char* kReduce = "The node and its all-reduce";
  const std::vector<Command> only{Command::hfreduce};
  using R = Request;
  return {
      {"node", "NAME|FILE", "planner list nodes (default fire-flyer-2)", kReduce, only,
       text(&R::node)},
      {"nvlink-pairs", "", "GPUs joined by NVLink bridges reduce first", kReduce, only,
       turn_on(&R::nvlink_pairs)},
      {"memcpy-h2d", "", "MemcpyAsync instead of GDRCopy back to the GPUs", kReduce, only,
       turn_on(&R::memcpy_h2d)},
      {"nics", "N", "NICs of the node", kReduce, only, integer(&R::nics, 1, kMostParts)},
      {"host-memory", "GB/s", "practical bandwidth of host memory", kReduce, only,
       positive(&R::host_memory_GBps, kMostBandwidthGBps)},
      {"genoa-memory", "", "24 channels of DDR5-4800, at the node's share of peak", kReduce, only,
       turn_on(&R::genoa_memory)},
      {"host-bridge", "GB/s", "of one PCIe root port to the CPU, both directions", kReduce, only,
       positive(&R::host_bridge_GBps, kMostBandwidthGBps)},
      {"pcie", "GEN", "PCIe generation of the GPUs' slots", kReduce, only,
       integer(&R::pcie_generation, 3, 7)},
      {"pcie-switch", "N", "PCIe switches, each with N GPUs and a NIC behind it", kReduce, only,
       integer(&R::pcie_switch, 1, kMostParts)},
      {"zone-bandwidth", "GB/s", "of the link between two network zones", kReduce, only,
       positive(&R::zone_bandwidth_GBps, kMostBandwidthGBps)},
      {"message", "MIB", "all-reduced in the table by nodes (default 186)", kReduce, only,
       positive(&R::message_MiB, 1e12)},
      {"step-latency", "US", "of one tree edge (default 14, NCCL's)", kReduce, only,
       positive(&R::step_latency_us, 1e9)},
      {"compute-time", "S", "of an iteration: shows what all-reduce adds", kReduce, only,
       positive(&R::compute_time_s, 1e9)},
      {"microbatches", "N", "of an iteration; the last overlaps (default 1)", kReduce, only,
       integer(&R::microbatches, 1, kMostSequences)},
      {"kernel-share", "PCT", "of a GPU that NCCL's kernels take (default 0)", kReduce, only,
       positive(&R::kernel_share_pct, 99)},
      {"storage", "NAME|FILE", "planner list storage (default: the node's)", kReduce, only,
       text(&R::storage)},
  };
}

}  // namespace planner
