#include "planner/commands/parts/cluster_bill.hpp"

#include <fmt/format.h>

#include "planner/commands/parts/fabric_models.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"

namespace planner::commands {

namespace {

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

}  // namespace

void fail_with(const CostProblem& problem, const ClusterNetwork& at) {
  throw InputError(catalog::located(at.file, path_of(problem, at.cluster),
                                    {.code = "cannot-price",
                                     .message = to_string(problem),
                                     .hint = fix_of(problem, at.cluster)}));
}

ClusterModels models_of(const ClusterNetwork& at, const catalog::Catalog& catalog) {
  return {.accelerator = at.system.accelerator,
          .node = at.node,
          .fabric = fabric_models(at.cluster.fabric_parts, at.file, catalog),
          .beside = at.beside};
}

BillOfMaterials billed(const ClusterNetwork& at, const ClusterModels& models,
                       const PriceBook& book) {
  const auto parts = value_or_throw<std::vector<PartQuantity>>(
      cluster_parts(at.cluster, models, at.count, book), at);
  return value_or_throw<BillOfMaterials>(bill_of_materials(parts, book), at);
}

Total capex_of(const ClusterNetwork& at, const BillOfMaterials& bill) {
  const auto total = capex(bill);
  if (!total) fail_with({.rule = CostRule::too_large, .subject = "capex"}, at);
  return *total;
}

}  // namespace planner::commands
