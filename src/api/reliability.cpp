#include "planner/job/reliability.hpp"

#include "planner/api/cluster_network.hpp"
#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/core/real.hpp"
#include "planner/job/reliability.hpp"

namespace planner {

Response reliability(const Request& request, const catalog::Catalog& catalog) {
  if (request.arguments.size() > 1) usage_error("reliability takes one cluster file or none");
  ReliabilityRequest asked = request.reliability;
  std::optional<std::int64_t> gpus = request.gpus;
  if (!request.arguments.empty()) {
    const ClusterNetwork at = cluster_network(request.arguments.front(), catalog);
    if (!asked.rates) asked.rates = at.cluster.rates;
    if (!gpus) gpus = at.cluster.gpus;
    asked.how = overlaid(at.cluster.recovery.value_or(ReliabilitySettings{}), asked.how);
    // A smaller job's share of the network depends on its place in it; its nodes are the cluster's.
    if (*gpus == at.cluster.gpus) asked.how = counted_parts(asked.how, at.node, at.count);
    if (at.node) asked.how = in_nodes(asked.how, *at.node, *gpus);
  }
  if (!asked.rates) usage_error("--rates is missing", "planner list rates");
  if (!gpus) usage_error("--gpus is missing", "or a cluster file");
  Response response{.command = Command::reliability};
  std::optional<Seconds> ideal;
  if (asked.ideal_days) ideal = *asked.ideal_days * units::day;
  ReliabilityResult result = job::job_reliability(asked.how, catalog.load_rates(*asked.rates),
                                                  *gpus, ideal, response.warnings);
  if (asked.usd_per_gpu_hour) result.money = job::failure_money(result, *asked.usd_per_gpu_hour);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
