#pragma once

#include <string>
#include <variant>

#include "planner/catalog/catalog.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/cost.hpp"

// What a cluster file buys, with prices.
namespace planner::commands {

/// The parts that a cluster names, looked up.
ClusterModels models_of(const ClusterNetwork& at, const catalog::Catalog& catalog);

/// @throws InputError, located in the file, where there is none
BillOfMaterials billed(const ClusterNetwork& at, const ClusterModels& models,
                       const PriceBook& book);

/// The sum of a bill.
/// @throws InputError  beyond the range of money
Total capex_of(const ClusterNetwork& at, const BillOfMaterials& bill);

/// @throws InputError  a problem of a bill, located in the file
[[noreturn]] void fail_with(const CostProblem& problem, const ClusterNetwork& at);

template <class Value, class... Others>
Value value_or_throw(const std::variant<Others...>& result, const ClusterNetwork& at) {
  if (const auto* problem = std::get_if<CostProblem>(&result)) fail_with(*problem, at);
  return std::get<Value>(result);
}

}  // namespace planner::commands
