#include "planner/api/reliability.hpp"

#include "planner/api/cluster_network.hpp"
#include "planner/api/commands.hpp"
#include "planner/api/job_reliability.hpp"
#include "planner/api/options.hpp"
#include "planner/core/real.hpp"

namespace planner {

namespace {

FailureMoney money(const ReliabilityResult& result, double usd) {
  const UsdPerSecond job = usd * real(result.job.counts.gpus) * units::usd / units::hour;
  const UsdPerSecond price = (1 + spare_share(result)) * job;
  const FailureLoad& load = result.load;
  const Waste& waste = result.goodput.waste;
  FailureMoney money;
  if (load.rate > PerSecond{}) {
    const double per_wall_second = load.rate.si() / load.wall_per_active;
    const double share =
        waste.lost + waste.detect + waste.diagnose + waste.restart + waste.spare_wait;
    money.per_failure = price * Seconds{share / per_wall_second};
  }
  if (result.days) {
    money.ideal = job * result.days->ideal;
    money.mean = price * result.days->mean;
    money.p95 = price * result.days->p95;
  }
  return money;
}

}  // namespace

double spare_share(const ReliabilityResult& result) {
  if (!result.job.spares) return 0;
  return real(result.job.spares->spares * result.gpus_per_node) / real(result.job.counts.gpus);
}

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
  ReliabilityResult result =
      job_reliability(asked.how, catalog.load_rates(*asked.rates), *gpus, ideal, response.warnings);
  if (asked.usd_per_gpu_hour) result.money = money(result, *asked.usd_per_gpu_hour);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
