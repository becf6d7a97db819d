#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "planner/cost/rent_terms.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/economics.hpp"

// Buying against renting the same GPUs. Bought, they are sold again at the end of the time looked
// at; all is worth what it is on day 0 and after taxes, as financed() has it.
namespace planner::inline cost {

/// What owning until a year costs, sold then: capex - residual + opex so far.
Estimate<Usd> bought_until(const Economics& economics, double years, const Estimate<Usd>& capex,
                           const Estimate<Usd>& opex_per_year);

/// The share of all hours until a year from which on that is less than renting on demand for the
/// hours that are used. Nothing: no rent on demand is known.
std::optional<Estimate<double>> use_until(const Economics& economics, const RentedGpus& what,
                                          double years, const Estimate<Usd>& capex,
                                          const Estimate<Usd>& opex_per_year);

/// Buying against renting, after half a year, each year and at the horizon. Rented on demand: all
/// hours. Rented for a term: whole terms, used or not. None where the accelerator has no rent.
/// Nothing: beyond Money's range.
std::optional<std::vector<RentOrBuy>> rent_or_buy(const Economics& economics,
                                                  const RentedGpus& what,
                                                  const Estimate<Money>& capex,
                                                  const Estimate<Money>& opex_per_year);

/// The time from which on, until the horizon, `use` of so many years is no more than the share of
/// the hours that is used: 0 from the first day. Nothing: at the horizon it is more.
std::optional<Seconds> pays_from(const Economics& economics,
                                 const std::function<double(double years)>& use);

}  // namespace planner::cost
