#include "planner/perf/model/pcie_load.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner::inline perf {

std::int64_t gpus_on_busiest_bridge(const PcieLayout& pcie) {
  const auto& behind = pcie.gpus_per_host_bridge;
  return *std::max_element(behind.begin(), behind.end());
}

std::int64_t gpus_per_port(const PcieLayout& pcie) {
  return pcie.gpus_per_switch.value_or(1);
}

double nic_share_of_port(const Node& node, std::int64_t ports) {
  if (!node.pcie->gpus_per_switch || node.nics == 0) return 0;
  return 1 / real(std::min(node.nics, ports));
}

}  // namespace planner::perf
