#include "planner/api/cluster_report.hpp"

#include <fmt/format.h>

#include "planner/api/cluster_forecast.hpp"
#include "planner/api/commands.hpp"
#include "planner/catalog/locate.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/cost.hpp"
#include "planner/job/sharing.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/workload.hpp"
#include "planner/network/bandwidth_tiers.hpp"

namespace planner {

namespace {

using catalog::CatalogFile;

FabricModels look_up(const FabricParts& parts, const CatalogFile& file,
                     const catalog::Catalog& catalog) {
  FabricModels models{.quote = parts.quote};
  const auto find = [&](auto& model, const std::optional<std::string>& name, const char* path,
                        auto load) {
    if (name) model = commands::named_at(file, path, [&] { return (catalog.*load)(*name); });
  };
  const auto a_switch = &catalog::Catalog::load_switch;
  const auto an_optic = &catalog::Catalog::load_optic;
  find(models.switches, parts.switches, "fabric_parts.switch", a_switch);
  find(models.upper_switches, parts.upper_switches, "fabric_parts.upper_switch", a_switch);
  find(models.switch_module, parts.switch_module, "fabric_parts.switch_module", an_optic);
  find(models.nic_module, parts.nic_module, "fabric_parts.nic_module", an_optic);
  find(models.copper, parts.copper, "fabric_parts.copper", an_optic);
  find(models.active_optical, parts.active_optical, "fabric_parts.active_optical", an_optic);
  find(models.fibre, parts.fibre, "fabric_parts.fibre", an_optic);
  return models;
}

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

/// The best strategy for the cluster's run on its own fabric; a warning where there is none.
std::optional<ClusterTraining> train(const ClusterReport& report, const FabricDesign& design,
                                     const std::optional<RoutingResult>& routing,
                                     const Request& asked, const CatalogFile& file,
                                     const catalog::Catalog& catalog, const Control& control,
                                     std::vector<std::string>& warnings) {
  if (!report.cluster.run) return std::nullopt;
  const ClusterRun& run = *report.cluster.run;
  ClusterTraining training;
  try {
    catalog::LoadedModel loaded = catalog.load_model(run.model);
    for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
    training.workload = job::workload_of(
        {.model = std::move(loaded.spec),
         .system = report.system,
         .gpus = report.cluster.gpus,
         .run = {.global_batch = run.global_batch, .sequence = run.sequence, .tokens = run.tokens},
         .timing = catalog.load_calibration("default")},
        warnings);
    std::vector<std::string> assumed;
    training.sharing = job::plan_storage(
        overlaid(report.cluster.sharing.value_or(SharingSettings{}), asked.routing.sharing),
        overlaid(report.cluster.recovery.value_or(ReliabilitySettings{}), asked.reliability.how),
        training.workload, assumed, warnings);
    if (training.sharing) training.workload.storage_traffic = training.sharing->traffic;
  } catch (const InputError& error) {
    std::vector<Diagnostic> wrong;
    for (const Diagnostic& found : error.diagnostics()) {
      if (found.code == "unsupported-model") {
        warnings.push_back("no training time: " + found.message);
      } else {
        wrong.push_back(found.file.empty() ? catalog::located(file, "run", found) : found);
      }
    }
    if (!wrong.empty()) throw InputError(std::move(wrong));
    return std::nullopt;
  }
  if (routing) {
    training.workload.routing = routing->factors;
    training.workload.stage_limit = routing->stage_limit;
  } else {
    training.workload.network_tiers =
        bandwidth_tiers(design, report.fabric,
                        std::max<std::int64_t>(1, report.cluster.gpus / report.fabric.endpoints));
  }
  const SearchResult found =
      job::search_domains(training.workload, job::search_space({}, training.workload),
                          {.top = 1, .progress = control.progress, .stop = control.stop});
  training.strategies = found.strategies;
  training.feasible = found.feasible;
  if (found.best.empty()) {
    warnings.push_back(fmt::format("no training time: none of {} strategies of {} fits {} GPUs",
                                   found.strategies, run.model, report.cluster.gpus));
    return std::nullopt;
  }
  training.plan = make_plan(training.workload, found.best.front().strategy);
  warn_about_measured_range(training.workload, training.plan, warnings);
  if (run.tokens) training.totals = training_totals(training.workload, training.plan, *run.tokens);
  return training;
}

ClusterUse use_of(const ClusterReport& report) {
  ClusterUse use{.gpus = report.cluster.gpus,
                 .accelerator = report.system.accelerator.name,
                 .racks = report.cluster.racks,
                 .economics = report.economics};
  if (report.training && report.training->totals) {
    use.run = RunLength{.gpus = report.cluster.gpus,
                        .duration = report.training->totals->time,
                        .tokens = report.cluster.run->tokens};
  }
  return use;
}

}  // namespace

ClusterReport report_cluster(const std::string& ref, const Request& request,
                             const catalog::Catalog& catalog, const Control& control) {
  const ClusterNetwork at = commands::cluster_network(ref, catalog);
  const CatalogFile& file = at.file;
  ClusterReport report{
      .cluster = at.cluster, .system = at.system, .node = at.node, .fabric = at.count};
  const Cluster& cluster = report.cluster;
  const PriceBook book =
      commands::named_at(file, "prices", [&] { return catalog.load_price_book(cluster.prices); });
  report.price_book = book.title;
  report.price_book_notes = book.notes;
  report.economics =
      commands::named_at(file, "economics", [&] { return economics_of(cluster, catalog); });

  job::warn_about_unknown_links(at.design, report.warnings);
  const std::optional<RoutingResult> routing = cluster_routing(request, at);
  report.training =
      train(report, at.design, routing, request, file, catalog, control, report.warnings);

  const ClusterModels models{.accelerator = report.system.accelerator,
                             .node = report.node,
                             .fabric = look_up(cluster.fabric_parts, file, catalog)};
  const auto parts = value_or_throw<std::vector<PartQuantity>>(
      cluster_parts(cluster, models, report.fabric, book), file, cluster);
  report.bill = value_or_throw<BillOfMaterials>(bill_of_materials(parts, book), file, cluster);
  report.cost = value_or_throw<CostBreakdown>(cost_of(report.bill, use_of(report)), file, cluster);
  report.forecast = cluster_forecast(request, report, routing, at, catalog, report.warnings);
  return report;
}

}  // namespace planner
