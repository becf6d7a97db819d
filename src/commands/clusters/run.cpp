#include <fmt/format.h>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/sharing.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/routing/routed_fabric.hpp"

namespace planner::commands {

namespace {

using catalog::CatalogFile;
using job::ClusterReport;

/// Where in a cluster file a problem of its bill is.
std::string path_of(const CostProblem& problem, const Cluster& cluster) {
  if (problem.subject == "economics") return "economics";
  for (std::size_t i = 0; i < cluster.extra_lines.size(); ++i) {
    if (cluster.extra_lines[i].item == problem.subject) return fmt::format("extra_lines.{}", i);
  }
  return problem.rule == CostRule::wrong_part ? "fabric_parts" : "prices";
}

std::string fix_of(const CostProblem& problem, const Cluster& cluster) {
  switch (problem.rule) {
    case CostRule::mixed_currency:
      return fmt::format("price everything in one unit: \"prices\": \"{}\" is in the other",
                         cluster.prices);
    case CostRule::wrong_part:
      return "planner list switches and planner list optics show what fits";
    case CostRule::too_large:
    case CostRule::out_of_range:
      break;
  }
  return {};
}

template <class Value, class... Others>
Value value_or_throw(const std::variant<Others...>& result, const CatalogFile& file,
                     const Cluster& cluster) {
  if (const auto* problem = std::get_if<CostProblem>(&result)) {
    throw InputError(catalog::located(file, path_of(*problem, cluster),
                                      {.code = "cannot-price",
                                       .message = to_string(*problem),
                                       .hint = fix_of(*problem, cluster)}));
  }
  return std::get<Value>(result);
}

std::optional<Economics> economics_of(const Cluster& cluster, const catalog::Catalog& catalog) {
  if (!cluster.economics) return std::nullopt;
  if (const auto* name = std::get_if<std::string>(&*cluster.economics)) {
    return catalog.load_economics(*name);
  }
  return std::get<Economics>(*cluster.economics);
}

std::optional<job::RoutingResult> routing_of(const ClusterNetwork& at,
                                             const ClusterRequest& request) {
  const Cluster& cluster = at.cluster;
  const bool flags = request.routing.how != RoutingSettings{};
  const RoutingSettings asked =
      overlaid(cluster.routing.value_or(RoutingSettings{}), request.routing.how);
  if (asked.scheme) {
    return route_in_cluster(at, asked, flags, cluster.gpus, at.system.network_bandwidth);
  }
  if (flags) {
    usage_error(cluster.name + ": the options of routing need --routing",
                "or \"routing\" in the cluster file");
  }
  return std::nullopt;
}

/// How the cluster recovers, as its file and the options say.
ReliabilitySettings recovery_of(const Cluster& cluster, const ClusterRequest& request) {
  job::check_unit_sizes(request.failures.how, cluster.gpus);
  return overlaid(cluster.recovery.value_or(ReliabilitySettings{}), request.failures.how);
}

/// The job of the cluster's run, and what storage takes from it.
struct ClusterJob {
  Workload workload;
  std::optional<SharingImpact> sharing{};
};

/// Nothing, with a warning, for a model that the timing model does not cover.
std::optional<ClusterJob> job_of(const ClusterNetwork& at, const ClusterRequest& request,
                                 const catalog::Catalog& catalog,
                                 std::vector<std::string>& warnings) {
  const Cluster& cluster = at.cluster;
  const ClusterRun& run = *cluster.run;
  try {
    return named_at(at.file, "run", [&] {
      catalog::LoadedModel loaded = catalog.load_model(run.model);
      for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
      ClusterJob job{.workload =
                         job::workload_of({.model = std::move(loaded.spec),
                                           .system = at.system,
                                           .gpus = cluster.gpus,
                                           .run = {.global_batch = run.global_batch,
                                                   .sequence = run.sequence,
                                                   .precision = run.precision,
                                                   .tokens = run.tokens},
                                           .timing = catalog.load_calibration(kShippedCalibration)},
                                          warnings)};
      std::vector<std::string> assumed;
      job.sharing = job::plan_storage(
          overlaid(cluster.sharing.value_or(SharingSettings{}), request.routing.sharing),
          recovery_of(cluster, request), job.workload, assumed, warnings);
      return job;
    });
  } catch (const InputError& error) {
    if (error.diagnostics().front().code != "unsupported-model") throw;
    warnings.push_back("no training time: " + error.diagnostics().front().message);
    return std::nullopt;
  }
}

/// The best strategy for the cluster's run on its own fabric.
void add_training(const ClusterNetwork& at, const ClusterRequest& request,
                  const std::optional<job::RoutingResult>& routing, const Context& context,
                  ClusterReport& report) {
  if (!at.cluster.run) return;
  std::optional<ClusterJob> job = job_of(at, request, context.catalog, report.warnings);
  if (!job) return;
  job::NetworkLeft left = job::left_by(routing, job->sharing);
  if (!routing) {
    left.tiers = bandwidth_tiers(at.design, at.count,
                                 std::max<std::int64_t>(1, at.cluster.gpus / at.count.endpoints));
  }
  const Workload workload = job::on_network(std::move(job->workload), std::move(left));
  report.training =
      job::train(workload, job::supply_of(at.cluster, at.system),
                 {.top = 1, .progress = context.progress, .stop = context.stop}, report.warnings);
  if (!report.training) return;
  job::ClusterTraining& training = *report.training;
  training.sharing = job->sharing;
  // Of a network that is no tree only what leaves HB domains is known.
  std::optional<job::JobOnNetwork> on = job_on(at, training.use.gpus, at.system.network_bandwidth);
  if (!routed_fabric(on->design, on->count, on->cluster_gpus, on->node_gpus)) on.reset();
  training.traffic = job::traffic_of(training.workload, training.plan, on, at.node);
}

void add_cost(const ClusterNetwork& at, const PriceBook& book, const catalog::Catalog& catalog,
              ClusterReport& report) {
  const Cluster& cluster = at.cluster;
  const ClusterModels models{.accelerator = at.system.accelerator,
                             .node = at.node,
                             .fabric = fabric_models(cluster.fabric_parts, at.file, catalog)};
  const auto parts = value_or_throw<std::vector<PartQuantity>>(
      cluster_parts(cluster, models, at.count, book), at.file, cluster);
  report.bill = value_or_throw<BillOfMaterials>(bill_of_materials(parts, book), at.file, cluster);
  report.cost =
      value_or_throw<CostBreakdown>(cost_of(report.bill, job::use_of(report)), at.file, cluster);
}

void add_forecast(const ClusterNetwork& at, const ClusterRequest& request,
                  std::optional<job::RoutingResult> routing, const catalog::Catalog& catalog,
                  ClusterReport& report) {
  const Cluster& cluster = at.cluster;
  const auto& rates = request.failures.rates ? request.failures.rates : cluster.rates;
  const bool flags = request.failures.how != ReliabilitySettings{};
  if (!rates && flags) {
    usage_error(cluster.name + ": the options of failures, checkpoints and spares need --rates",
                "or \"rates\" in the cluster file");
  }
  job::ClusterBehaviour behaviour{.routing = std::move(routing),
                                  .recovery = recovery_of(cluster, request)};
  if (rates) behaviour.rates = catalog.load_rates(*rates);
  report.forecast = about(at.file, cluster.recovery ? "recovery" : "rates",
                          flags || request.failures.rates, cluster.name, [&] {
                            return job::forecast_of(report, std::move(behaviour), report.warnings);
                          });
}

}  // namespace

std::vector<OptionOf<ClusterRequest>> cluster_options() {
  using R = ClusterRequest;
  return joined<R>(
      {in(&R::what_if, what_if_options()),
       {turn_on({"require-prices", "", "exit with 5 when a line has no price", "The network"},
                &R::require_prices),
        confidence_option(&R::confidence)},
       in(&R::routing, routing_options(RoutingUse::clusters)),
       in(&R::routing, sharing_options()),
       in(&R::failures, failure_options())});
}

job::ClusterReport report_cluster(const std::string& ref, const ClusterRequest& request,
                                  Context& context) {
  const catalog::Catalog& catalog = context.catalog;
  std::vector<std::string> warnings;
  const ClusterNetwork at = cluster_network(
      ref, catalog, [&](Cluster& cluster) { change(cluster, request.what_if, warnings); });
  const CatalogFile& file = at.file;
  ClusterReport report{.cluster = at.cluster,
                       .system = at.system,
                       .node = at.node,
                       .fabric = at.count,
                       .warnings = std::move(warnings)};
  PriceBook book =
      named_at(file, "prices", [&] { return load_prices(at.cluster.prices, catalog); });
  change(book, request.what_if);
  report.price_book = book.title;
  report.price_book_notes = book.notes;
  report.economics = named_at(file, "economics", [&] { return economics_of(at.cluster, catalog); });
  change(report.economics, at.cluster.name, request.what_if);
  job::warn_about_unknown_links(at.design, report.warnings);
  job::warn_about_reserve(at.count, report.warnings);
  std::optional<job::RoutingResult> routing = routing_of(at, request);
  add_training(at, request, routing, context, report);
  add_cost(at, book, catalog, report);
  warn_about_unused(book, at.cluster.prices, report.bill, catalog, report.warnings);
  warn_about_unbought(request.what_if, report.bill, report.warnings);
  add_forecast(at, request, std::move(routing), catalog, report);
  report.outlook = job::outlook_of(report, request.confidence.value_or(job::kUsualConfidence));
  return report;
}

void remark_on(const job::ClusterReport& report, bool require_prices, Context& context) {
  const std::string& name = report.cluster.name;
  for (const std::string& warning : report.warnings) {
    context.warnings.push_back(fmt::format("{}: {}", name, warning));
  }
  const std::string remark = price_remark(report.bill, report.cost.capex.known());
  if (remark.empty()) return;
  context.warnings.push_back(fmt::format("{}: {}", name, remark));
  if (require_prices) {
    context.fail(
        ExitCode::limit_exceeded,
        job::unpriced_error(fmt::format("{}: {}", name, job::unpriced(report.cost.capex.missing))));
  }
}

}  // namespace planner::commands
