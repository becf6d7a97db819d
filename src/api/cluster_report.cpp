#include "planner/api/cluster_report.hpp"

#include <fmt/format.h>

#include "planner/api/commands.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/cost.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/count.hpp"

namespace planner {

namespace {

template <class Value, class Problem, class... Others>
Value value_or_throw(const std::variant<Others...>& result, const std::string& file) {
  if (const auto* problem = std::get_if<Problem>(&result)) {
    throw InputError(
        Diagnostic{.code = "cannot-price", .message = to_string(*problem), .file = file});
  }
  return std::get<Value>(result);
}

/// Says of a name that is in no catalog which file has it.
template <class Load>
auto named_in(const std::string& file, Load&& load) {
  try {
    return load();
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& one : found) {
      if (one.file.empty()) one.file = file;
    }
    throw InputError(std::move(found));
  }
}

FabricModels look_up(const FabricParts& parts, const io::Catalog& catalog) {
  FabricModels models{.quote = parts.quote};
  if (parts.switches) models.switches = catalog.load_switch(*parts.switches);
  if (parts.upper_switches) models.upper_switches = catalog.load_switch(*parts.upper_switches);
  if (parts.switch_module) models.switch_module = catalog.load_optic(*parts.switch_module);
  if (parts.nic_module) models.nic_module = catalog.load_optic(*parts.nic_module);
  if (parts.copper) models.copper = catalog.load_optic(*parts.copper);
  if (parts.active_optical) models.active_optical = catalog.load_optic(*parts.active_optical);
  if (parts.fibre) models.fibre = catalog.load_optic(*parts.fibre);
  return models;
}

std::optional<Economics> economics_of(const Cluster& cluster, const io::Catalog& catalog) {
  if (!cluster.economics) return std::nullopt;
  if (const auto* name = std::get_if<std::string>(&*cluster.economics)) {
    return catalog.load_economics(*name);
  }
  return std::get<Economics>(*cluster.economics);
}

FabricCount counted(const Cluster& cluster, const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = fabric_error(*problem);
    error.message = fmt::format("{}: fabric: {}", cluster.name, error.message);
    if (problem->bad_value()) throw InputError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

/// The best strategy for the cluster's run on its own fabric; a warning where there is none.
std::optional<ClusterTraining> train(const ClusterReport& report, const FabricDesign& design,
                                     const io::Catalog& catalog, const Control& control,
                                     std::vector<std::string>& warnings) {
  if (!report.cluster.run) return std::nullopt;
  const ClusterRun& run = *report.cluster.run;
  Request request{.gpus = report.cluster.gpus,
                  .global_batch = run.global_batch,
                  .sequence = run.sequence,
                  .tokens = run.tokens};
  request.model = run.model;
  request.system = report.cluster.system;
  ClusterTraining training;
  try {
    training.workload = resolve(request, catalog, warnings).workload;
  } catch (const InputError& error) {
    for (const Diagnostic& found : error.diagnostics()) {
      if (found.code != "unsupported-model") throw;
      warnings.push_back("no training time: " + found.message);
    }
    return std::nullopt;
  }
  training.workload.network_tiers =
      bandwidth_tiers(design, report.fabric,
                      std::max<std::int64_t>(1, report.cluster.gpus / report.fabric.endpoints));
  const SearchResult found =
      search_all(training.workload, search_space(request, training.workload),
                 {.top = 1, .progress = control.progress, .stop = control.stop});
  training.strategies = found.strategies;
  training.feasible = found.feasible;
  if (found.best.empty()) {
    warnings.push_back(fmt::format("no training time: none of {} strategies of {} fits {} GPUs",
                                   found.strategies, run.model, report.cluster.gpus));
    return std::nullopt;
  }
  training.plan = make_plan(training.workload, found.best.front().strategy);
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

ClusterReport report_cluster(const std::string& file, const io::Catalog& catalog,
                             const Control& control) {
  ClusterReport report{.cluster = catalog.load_cluster(file)};
  const Cluster& cluster = report.cluster;
  report.system = named_in(file, [&] { return catalog.load_system(cluster.system); });
  const std::optional<std::string> node = cluster.node ? cluster.node : report.system.node;
  if (node) report.node = named_in(file, [&] { return catalog.load_node(*node); });
  const PriceBook book = named_in(file, [&] { return catalog.load_price_book(cluster.prices); });
  report.price_book = book.title;
  report.economics = named_in(file, [&] { return economics_of(cluster, catalog); });

  FabricDesign design = cluster.fabric;
  design.gpus = endpoints_of(cluster, report.node);
  report.fabric = counted(cluster, design);
  report.training = train(report, design, catalog, control, report.warnings);

  const ClusterModels models{
      .accelerator = report.system.accelerator,
      .node = report.node,
      .fabric = named_in(file, [&] { return look_up(cluster.fabric_parts, catalog); })};
  const auto parts = value_or_throw<std::vector<PartQuantity>, CostProblem>(
      cluster_parts(cluster, models, report.fabric, book), file);
  report.bill = value_or_throw<BillOfMaterials, CostProblem>(bill_of_materials(parts, book), file);
  report.cost =
      value_or_throw<CostBreakdown, CostProblem>(cost_of(report.bill, use_of(report)), file);
  return report;
}

}  // namespace planner
