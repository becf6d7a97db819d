#include "planner/api/cluster_forecast.hpp"

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/job_reliability.hpp"
#include "planner/api/job_routing.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/io/locate.hpp"

namespace planner {

namespace {

using io::CatalogFile;

/// Runs `make`; what it finds wrong is about the file's key unless the request has options of the
/// same kind.
template <class Make>
auto about(const CatalogFile& file, const char* key, bool flags, const std::string& cluster,
           Make&& make) {
  try {
    return make();
  } catch (const InfeasibleError& error) {
    Diagnostic found = error.diagnostics().front();
    found.message = cluster + ": " + found.message;
    throw InfeasibleError(std::move(found));
  } catch (const UsageError& error) {
    if (flags) throw;
    throw InputError(io::located(file, key, error.diagnostics().front()));
  }
}

}  // namespace

std::optional<RoutingResult> cluster_routing(const Request& request, const ClusterReport& report,
                                             const FabricDesign& design, const CatalogFile& file) {
  const Cluster& cluster = report.cluster;
  const bool flags = request.routing.how != RoutingSettings{};
  const RoutingSettings asked =
      overlaid(cluster.routing.value_or(RoutingSettings{}), request.routing.how);
  if (!asked.scheme) {
    if (flags) {
      usage_error(cluster.name + ": the options of routing need --routing",
                  "or \"routing\" in the cluster file");
    }
    return std::nullopt;
  }
  const JobOnNetwork on{
      .name = cluster.name,
      .design = design,
      .count = report.fabric,
      .cluster_gpus = cluster.gpus,
      .node_gpus = report.node ? report.node->accelerators : report.system.hb_domain,
      .job_gpus = cluster.gpus,
      .nominal = report.system.network_bandwidth};
  return about(file, "routing", flags, cluster.name, [&] { return route_job(asked, on); });
}

std::optional<Forecast> cluster_forecast(const Request& request, const ClusterReport& report,
                                         const std::optional<RoutingResult>& routing,
                                         const CatalogFile& file, const io::Catalog& catalog,
                                         std::vector<std::string>& warnings) {
  const Cluster& cluster = report.cluster;
  const auto& rates = request.reliability.rates ? request.reliability.rates : cluster.rates;
  const bool flags = request.reliability.how != ReliabilitySettings{};
  if (!rates && flags) {
    usage_error(cluster.name + ": the options of failures, checkpoints and spares need --rates",
                "or \"rates\" in the cluster file");
  }
  if (!routing && !rates) return std::nullopt;
  Forecast forecast{.routing = routing};
  std::optional<double> iterations;
  if (report.training) {
    const ClusterTraining& training = *report.training;
    forecast.iteration = training.plan.time.total();
    forecast.ideal_iteration = routing
                                   ? balanced_iteration(training.workload, *routing, training.plan)
                                   : forecast.iteration;
    if (training.totals) iterations = training.totals->iterations;
  }
  if (rates) {
    std::optional<Seconds> routed;
    if (iterations) routed = *iterations * *forecast.iteration;
    const ReliabilitySettings asked = counted_parts(
        overlaid(cluster.recovery.value_or(ReliabilitySettings{}), request.reliability.how),
        report.node, report.fabric);
    forecast.reliability = about(file, cluster.recovery ? "recovery" : "rates",
                                 flags || request.reliability.rates, cluster.name, [&] {
                                   return job_reliability(asked, catalog.load_rates(*rates),
                                                          cluster.gpus, routed, warnings);
                                 });
  }
  if (!iterations) return forecast;
  forecast.run = expected_run(*iterations * *forecast.ideal_iteration,
                              *iterations * *forecast.iteration, forecast.reliability);
  if (report.cost.per_gpu_hour) {
    const auto rate = each([&](Usd hour) { return real(cluster.gpus) * hour / units::hour; },
                           *report.cost.per_gpu_hour);
    forecast.cost = expected_cost(*forecast.run, rate, spare_share(forecast.reliability));
  }
  return forecast;
}

}  // namespace planner
