#include "planner/network/count.hpp"

#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {

CountResult count_fabric(const FabricDesign& design) {
  if (auto problem = check_common(design)) return *problem;
  if (auto problem = check_inputs(design.topology)) return *problem;
  return std::visit([&](const auto& options) { return facts_of(options).count(design, options); },
                    design.topology);
}

FabricDesign default_design(Topology topology, std::optional<std::int64_t> gpus) {
  return std::visit([&](const auto& options) { return facts_of(options).design(gpus); },
                    default_options(topology));
}

}  // namespace planner::network
