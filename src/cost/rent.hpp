#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"

namespace planner::inline cost {

/// What GPUs paid by the hour come to.
struct RentCost {
  Estimate<Usd> per_iteration;
  Estimate<Usd> per_million_tokens;
  std::optional<Estimate<Usd>> per_run{};  ///< nothing without a number of iterations

  bool operator==(const RentCost&) const = default;
};

/// GPUs times time times the price of one: `gpus` work for `iterations` of `iteration` each.
/// @param rate  of one GPU, everything that is charged included
/// @param tokens_per_iteration  global batch times sequence
RentCost rent_cost(std::int64_t gpus, const Estimate<UsdPerSecond>& rate, Seconds iteration,
                   double tokens_per_iteration, std::optional<double> iterations);

}  // namespace planner::cost
