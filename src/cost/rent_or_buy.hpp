#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/domain/cost.hpp"
#include "planner/domain/economics.hpp"

namespace planner::inline cost {

/// How long a term is; 0: as long as GPUs are rented.
double years_of(RentTerm term);

/// Years that are paid for where GPUs are rented for so many: those on demand, else whole terms.
double years_paid(RentTerm term, double years);

/// What the rents of so many years are worth on day 0, of 1 a year: those on demand at the ends of
/// the years, of terms whole ones, to the end of the last.
double rent_payments(const Economics& economics, RentTerm term, double years);

/// What the rents of a horizon are worth against as much in equal payments of its years: less where
/// the last term ends after it.
double rent_worth(const Economics& economics, RentTerm term);

/// Buying against renting `gpus` GPUs, after half a year, each year and at the horizon. Bought:
/// capex - residual + opex so far. Rented on demand: all hours; the share of them from which on
/// buying costs less is `utilisation`. Rented for a term: whole terms, used or not. All are worth
/// what they are on day 0, at the cost of capital: yearly costs and rents at the ends of years, as
/// financed() has them; taxes are left out. None where the accelerator has no rent.
/// Nothing: beyond Money's range.
std::optional<std::vector<RentOrBuy>> rent_or_buy(const Economics& economics,
                                                  std::string_view accelerator, std::int64_t gpus,
                                                  const Estimate<Money>& capex,
                                                  const Estimate<Money>& opex_per_year);

}  // namespace planner::cost
