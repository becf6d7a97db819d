#pragma once

#include <vector>

#include "planner/cost/causes.hpp"
#include "planner/reliability/sum_law.hpp"

// Prices as laws: each cause is one draw, and causes are independent. A range whose share nobody
// says counts as that of 80 of 100.
namespace planner::job {

inline constexpr double kLowShare = 0.1, kHighShare = 0.9;  ///< 80 of 100 lie between

/// Of a factor about 1.
LogSpread spread_of(const Estimate<double>& factor);

/// A sum of money of so much of each cause and of what is certain: what is left of `expected`.
/// @param part  of a cause in that sum, in dollars as expected
template <class F>
SumLaw price_law(const std::vector<CostCause>& causes, Usd expected, F part) {
  std::vector<UncertainPart> parts;
  double exact = expected.in(units::usd);
  for (const CostCause& cause : causes) {
    const double weight = part(cause).in(units::usd);
    if (weight <= 0) continue;
    parts.push_back({weight, spread_of(cause.factor)});
    exact -= weight;
  }
  return {exact, std::move(parts)};
}

/// Both ends of what 80 of 100 cases lie between, about what is expected.
Estimate<Usd> range_of(const SumLaw& law, Usd expected);

}  // namespace planner::job
