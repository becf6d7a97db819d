#include "planner/api/cluster_forecast.hpp"

#include "planner/api/commands.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/job/reliability.hpp"

namespace planner {

std::optional<RoutingResult> cluster_routing(const Request& request, const ClusterNetwork& at) {
  const Cluster& cluster = at.cluster;
  const bool flags = request.routing.how != RoutingSettings{};
  const RoutingSettings asked =
      overlaid(cluster.routing.value_or(RoutingSettings{}), request.routing.how);
  if (asked.scheme) {
    return commands::route_in_cluster(at, asked, flags, cluster.gpus, at.system.network_bandwidth);
  }
  if (flags) {
    usage_error(cluster.name + ": the options of routing need --routing",
                "or \"routing\" in the cluster file");
  }
  return std::nullopt;
}

std::optional<Forecast> cluster_forecast(const Request& request, const ClusterReport& report,
                                         const std::optional<RoutingResult>& routing,
                                         const ClusterNetwork& at, const catalog::Catalog& catalog,
                                         std::vector<std::string>& warnings) {
  const Cluster& cluster = report.cluster;
  const auto& rates = request.reliability.rates ? request.reliability.rates : cluster.rates;
  const bool flags = request.reliability.how != ReliabilitySettings{};
  if (!rates && flags) {
    usage_error(cluster.name + ": the options of failures, checkpoints and spares need --rates",
                "or \"rates\" in the cluster file");
  }
  ForecastInputs from{
      .routing = routing,
      .recovery = counted_parts(
          overlaid(cluster.recovery.value_or(ReliabilitySettings{}), request.reliability.how),
          report.node, report.fabric),
      .gpus = cluster.gpus};
  if (rates) from.rates = catalog.load_rates(*rates);
  if (report.training) {
    const ClusterTraining& training = *report.training;
    from.sharing = training.sharing;
    from.workload = &training.workload;
    from.plan = &training.plan;
    if (training.totals) from.iterations = training.totals->iterations;
  }
  if (report.cost.per_gpu_hour) {
    from.price = each([&](Usd hour) { return real(cluster.gpus) * hour / units::hour; },
                      *report.cost.per_gpu_hour);
    from.price_at_least = report.cost.at_least();
  }
  return commands::about(at.file, cluster.recovery ? "recovery" : "rates",
                         flags || request.reliability.rates, cluster.name,
                         [&] { return forecast_of(std::move(from), warnings); });
}

}  // namespace planner
