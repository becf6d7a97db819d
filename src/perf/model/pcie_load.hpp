#pragma once

#include <cstdint>

#include "planner/domain/system.hpp"

// What shares the PCIe ports of a node's CPUs. A host bridge that GPUs use carries all that is
// behind it, NICs behind the same switch included. One that a NIC has to itself is not
// bounded: 37.5 GB/s, measured on GPU ports (Fire-Flyer AI-HPC, arXiv 2408.14158, §IV-D3), would
// hold the paper's NIC to 9.4 GB/s of gradients, and it measures more than 10 with NVLink bridges
// (§IV-C).
namespace planner::inline perf {

/// GPUs behind the host bridge that has most of them.
std::int64_t gpus_on_busiest_bridge(const PcieLayout& pcie);

/// GPUs that share one port of a CPU: those behind a PCIe switch, or one.
std::int64_t gpus_per_port(const PcieLayout& pcie);

/// Share of the NICs' traffic that passes the busiest of `ports` ports with NICs behind them, the
/// NICs used evenly by port; an extra NIC need not be used. 0 where NICs have ports of their own.
double nic_share_of_port(const Node& node, std::int64_t ports);

}  // namespace planner::perf
