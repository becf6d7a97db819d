#include "planner/job/job_on_network.hpp"

#include <fmt/format.h>

#include <utility>

#include "planner/core/ceil_div.hpp"

namespace planner::job {

std::int64_t gpus_sending_together(const System& system, const Node& node) {
  const bool whole = system.hb_domain % node.accelerators == 0;
  return whole ? system.hb_domain : node.accelerators;
}

std::int64_t used_gpus(const JobOnNetwork& on, const System& system, std::int64_t of_domain) {
  const std::int64_t domains = ceil_div(on.job_gpus, of_domain);
  const bool alike = domains > 1 && domains <= ceil_div(on.cluster_gpus, on.node_gpus);
  return on.node_gpus == system.hb_domain && alike ? of_domain : on.node_gpus;
}

std::int64_t gpus_of_nodes(const JobOnNetwork& on) {
  const bool all = on.used_gpus == 0 || on.used_gpus >= on.node_gpus;
  return all ? on.job_gpus : ceil_div(on.job_gpus, on.used_gpus) * on.node_gpus;
}

std::optional<RoutedFabric> fabric_of_job(const JobOnNetwork& on) {
  auto fabric = routed_fabric(on.design, on.count, on.cluster_gpus, on.node_gpus);
  if (!fabric || on.used_gpus == 0) return fabric;
  return of_used_gpus(*std::move(fabric), on.used_gpus);
}

Diagnostic no_routing(const JobOnNetwork& on) {
  return {.code = "no-routing",
          .message = fmt::format("{}: how flows cross a {} is not modelled", on.name,
                                 name_of(on.count.topology)),
          .hint =
              "the model is one of equal uplinks: trees of any kind; here it would take the rule "
              "by which flows choose between shortest and longer paths"};
}

}  // namespace planner::job
