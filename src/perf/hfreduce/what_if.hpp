#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/perf/hfreduce/hfreduce.hpp"

namespace planner::inline perf {

/// A node's parts exchanged for others.
struct NodeChange {
  std::optional<std::int64_t> nics = {};
  std::optional<BytesPerSecond> host_memory = {};  ///< practical
  bool genoa_memory = false;                       ///< excludes host_memory
  std::optional<BytesPerSecond> host_bridge = {};
  std::optional<std::int64_t> pcie_generation = {};
  std::optional<std::int64_t> gpus_per_switch = {};  ///< a divisor of the node's GPUs

  bool operator==(const NodeChange&) const = default;
};

/// Limits of what a change may ask for.
inline constexpr std::int64_t kMostNics = 1000;
inline constexpr std::int64_t kNewestPcie = 7;

/// Two sockets of 12 channels DDR5-4800. Source: AMD EPYC 9004 series, 460.8 GB/s per socket.
inline constexpr BytesPerSecond kGenoaMemoryPeak = 2 * 460.8 * units::GBps;

/// The practical bandwidth of Genoa's memory, at the share of the peak that the node's own reaches;
/// nothing where either is not known.
std::optional<BytesPerSecond> genoa_memory(const Node& node);

/// The node with other parts. PCIe doubles its rate per lane with every generation; the host
/// bridge, the NICs and their rate to a GPU stay. PCIe switches bring a NIC each, unless `nics`
/// says how many there are. A switch gives its GPUs and NICs one port of the CPU between them: they
/// share its rate, and reach each other at a port's rate instead of through the CPU.
Node changed(Node node, const NodeChange& change);

/// One change and what it does.
struct WhatIf {
  std::string name;     ///< "one more NIC"
  std::string flag;     ///< that makes it: "--nics 2"
  std::string assumes;  ///< what stays, or what it takes; may be empty
  HfReduceBounds bounds;
  std::optional<BytesPerSecond> nccl;
  bool pcie_switches = false;  ///< GPUs share ports of the CPU then
};

/// Every further change that the node's description allows, one at a time.
/// @param built  the node as it was built; `change`  what is exchanged already
std::vector<WhatIf> what_ifs(const Node& built, const NodeChange& change,
                             const HfReduceOptions& options);

}  // namespace planner::perf
