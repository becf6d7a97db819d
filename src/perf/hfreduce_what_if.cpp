#include "planner/perf/hfreduce_what_if.hpp"

#include <algorithm>
#include <cmath>

namespace planner {

namespace {

void put_switches(Node& node, std::int64_t gpus_per_switch) {
  PcieLayout& pcie = *node.pcie;
  const std::int64_t whole = node.accelerators / gpus_per_switch;
  const std::int64_t rest = node.accelerators % gpus_per_switch;
  pcie.gpus_per_host_bridge.assign(static_cast<std::size_t>(whole), gpus_per_switch);
  if (rest > 0) pcie.gpus_per_host_bridge.push_back(rest);
  pcie.gpus_per_switch = gpus_per_switch;
  pcie.gpu_to_nic_bandwidth = pcie.gpu_bandwidth;
}

}  // namespace

std::optional<BytesPerSecond> genoa_memory(const Node& node) {
  if (!node.host_memory_bandwidth || !node.host_memory_peak) return std::nullopt;
  return kGenoaMemoryPeak * (*node.host_memory_bandwidth / *node.host_memory_peak);
}

Node changed(Node node, const NodeChange& change) {
  if (change.nics) node.nics = *change.nics;
  if (change.host_memory) node.host_memory_bandwidth = change.host_memory;
  if (change.host_bridge) node.pcie->host_bridge_bandwidth = change.host_bridge;
  if (change.pcie_generation && node.pcie_generation) {
    const auto newer = static_cast<double>(*change.pcie_generation - *node.pcie_generation);
    node.pcie->gpu_bandwidth = node.pcie->gpu_bandwidth * std::exp2(newer);
    node.pcie_generation = change.pcie_generation;
  }
  if (change.gpus_per_switch)
    put_switches(node, std::min(*change.gpus_per_switch, node.accelerators));
  return node;
}

std::vector<WhatIf> what_ifs(const Node& node, const HfReduceOptions& options,
                             std::optional<std::int64_t> gpus) {
  std::vector<WhatIf> list;
  const auto add = [&](std::string name, std::string flag, const Node& other,
                       const HfReduceOptions& with) {
    list.push_back({.name = std::move(name),
                    .flag = std::move(flag),
                    .bounds = hfreduce_bounds(other, with),
                    .nccl = nccl_ring(other, gpus)});
  };
  if (node.nvlink_bridges && !options.nvlink_pairs) {
    HfReduceOptions paired = options;
    paired.nvlink_pairs = true;
    add("NVLink bridges", "--nvlink-pairs", node, paired);
  }
  if (!options.memcpy_h2d) {
    HfReduceOptions copied = options;
    copied.memcpy_h2d = true;
    add("MemcpyAsync back", "--memcpy-h2d", node, copied);
  }
  add("one more NIC", "--nics " + std::to_string(node.nics + 1),
      changed(node, {.nics = node.nics + 1}), options);
  if (const auto memory = genoa_memory(node)) {
    add("Genoa's memory", "--genoa-memory", changed(node, {.host_memory = memory}), options);
  }
  if (node.pcie_generation) {
    const std::int64_t next = *node.pcie_generation + 1;
    add("PCIe " + std::to_string(next), "--pcie " + std::to_string(next),
        changed(node, {.pcie_generation = next}), options);
  }
  if (!node.pcie->gpus_per_switch && node.accelerators >= 2) {
    add("PCIe switch per 2 GPUs", "--pcie-switch 2", changed(node, {.gpus_per_switch = 2}),
        options);
  }
  return list;
}

}  // namespace planner
