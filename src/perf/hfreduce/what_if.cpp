#include "planner/perf/hfreduce/what_if.hpp"

#include <cmath>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

void put_switches(Node& node, std::int64_t gpus_per_switch, bool with_nics) {
  PcieLayout& pcie = *node.pcie;
  const std::int64_t switches = node.accelerators / gpus_per_switch;
  pcie.gpus_per_host_bridge.assign(static_cast<std::size_t>(switches), gpus_per_switch);
  pcie.gpus_per_switch = gpus_per_switch;
  pcie.gpu_to_nic_bandwidth = pcie.gpu_bandwidth;
  if (with_nics) node.nics = switches;
}

}  // namespace

std::optional<BytesPerSecond> genoa_memory(const Node& node) {
  if (!node.host_memory_bandwidth || !node.host_memory_peak) return std::nullopt;
  return kGenoaMemoryPeak * (*node.host_memory_bandwidth / *node.host_memory_peak);
}

Node changed(Node node, const NodeChange& change) {
  if (change.nics) node.nics = *change.nics;
  if (change.host_memory) node.host_memory_bandwidth = change.host_memory;
  if (change.genoa_memory) {
    node.host_memory_bandwidth = genoa_memory(node);
    node.host_memory_peak = kGenoaMemoryPeak;
  }
  if (change.host_bridge) node.pcie->host_bridge_bandwidth = change.host_bridge;
  if (change.pcie_generation && node.pcie_generation) {
    node.pcie->gpu_bandwidth =
        node.pcie->gpu_bandwidth * std::exp2(real(*change.pcie_generation - *node.pcie_generation));
    node.pcie_generation = change.pcie_generation;
  }
  if (change.gpus_per_switch) put_switches(node, *change.gpus_per_switch, !change.nics);
  return node;
}

std::vector<WhatIf> what_ifs(const Node& built, const NodeChange& change,
                             const HfReduceOptions& options) {
  const Node now = changed(built, change);
  std::vector<WhatIf> list;
  const auto add = [&](std::string name, std::string flag, std::string assumes,
                       const NodeChange& more, const HfReduceOptions& with) {
    const Node other = changed(built, more);
    list.push_back({.name = std::move(name),
                    .flag = std::move(flag),
                    .assumes = std::move(assumes),
                    .bounds = hfreduce_bounds(other, with),
                    .nccl = nccl_ring(other, with),
                    .pcie_switches = other.pcie->gpus_per_switch.has_value()});
  };
  if (now.nvlink_bridges && !options.nvlink_pairs) {
    HfReduceOptions paired = options;
    paired.nvlink_pairs = true;
    add("NVLink bridges", "--nvlink-pairs", "", change, paired);
  }
  if (!options.memcpy_h2d) {
    HfReduceOptions copied = options;
    copied.memcpy_h2d = true;
    add("MemcpyAsync back", "--memcpy-h2d", "", change, copied);
  }
  NodeChange more = change;
  if (now.nics < kMostNics) {
    more.nics = now.nics + 1;
    add("one more NIC", "--nics " + std::to_string(now.nics + 1),
        now.pcie->gpus_per_switch ? "a slot of a PCIe switch" : "a root port of its own", more,
        options);
  }
  if (genoa_memory(built) && !change.host_memory && !change.genoa_memory) {
    more = change;
    more.genoa_memory = true;
    add("Genoa's memory", "--genoa-memory", "the present memory's share of the peak", more,
        options);
  }
  if (now.pcie_generation && *now.pcie_generation < kNewestPcie) {
    more = change;
    more.pcie_generation = *now.pcie_generation + 1;
    const std::string next = std::to_string(*more.pcie_generation);
    add("PCIe " + next, "--pcie " + next, "host bridge and NICs as they are", more, options);
  }
  if (!now.pcie->gpus_per_switch && now.accelerators % 2 == 0) {
    more = change;
    more.gpus_per_switch = 2;
    add("PCIe switch per 2 GPUs", "--pcie-switch 2", change.nics ? "" : "a NIC on every switch",
        more, options);
  }
  return list;
}

}  // namespace planner::perf
