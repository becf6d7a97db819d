#include "planner/cost/rent.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {

RentCost rent_cost(std::int64_t gpus, const Estimate<UsdPerSecond>& rate, Seconds iteration,
                   double tokens_per_iteration, std::optional<double> iterations) {
  const auto paid = static_cast<double>(gpus);
  RentCost cost;
  cost.per_iteration = each([&](UsdPerSecond one) { return paid * one * iteration; }, rate);
  cost.per_million_tokens =
      each([&](Usd whole) { return whole / (tokens_per_iteration / 1e6); }, cost.per_iteration);
  if (iterations) {
    cost.per_run = each([&](Usd whole) { return whole * *iterations; }, cost.per_iteration);
  }
  return cost;
}

}  // namespace planner::cost
