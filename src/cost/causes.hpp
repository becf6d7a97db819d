#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Something whose price nobody knows exactly, and what of each sum is proportional to it.
struct CostCause {
  std::string name;  ///< "price of compute", "electricity"
  Estimate<double> factor{1, 1, 1};
  Usd capex{}, opex_per_year{}, tco{}, per_gpu_hour{};
};

/// What makes a cluster's cost uncertain: the prices of each category, which move together, and
/// each figure of what a year costs. They are independent of each other. Where two of them
/// multiply, as electricity and PUE do, each goes with the other's expected value: the sums are
/// linear in each alone. None of figures that are exact.
std::vector<CostCause> cost_causes(const CostBreakdown& cost, const Economics& economics,
                                   std::int64_t gpus);

}  // namespace planner::cost
