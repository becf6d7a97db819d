#include "planner/cost/rent_or_buy.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/residual.hpp"

namespace planner::inline cost {
namespace {

/// The years looked at: half a year, whole years, the horizon; few enough for a table.
std::vector<double> moments(double horizon) {
  std::vector<double> years;
  const double step = std::max(1.0, std::ceil(horizon / 10));
  if (horizon > 0.5) years.push_back(0.5);
  for (double year = step; year < horizon; year += step) years.push_back(year);
  years.push_back(horizon);
  return years;
}

struct Rented {
  const Economics& economics;
  std::string_view accelerator;
  std::int64_t gpus = 0;
};

/// What terms one after the other cost, each up to a year. Nothing: one of them has no price.
std::optional<Estimate<Usd>> rent_until(const Rented& what,
                                        std::initializer_list<std::pair<RentTerm, double>> terms) {
  const double capital = what.economics.cost_of_capital.value_or(0);
  const double untaxed = 1 - what.economics.tax_rate.value_or(0);
  Estimate<Usd> sum{};
  double before = 0;
  for (const auto& [term, year] : terms) {
    const double worth = payments(capital, year) - before;
    if (worth <= 0) continue;
    const CloudPrice* const price = rent_of(what.economics, what.accelerator, term);
    if (price == nullptr) return std::nullopt;
    const Seconds paid = untaxed * worth * units::year;
    const auto add = [&](Usd so_far, UsdPerSecond one) {
      return so_far + static_cast<double>(what.gpus) * one * paid;
    };
    sum = each(add, sum, price->rent);
    before += worth;
  }
  return sum;
}

/// The longer terms first, on demand at last. Nothing where one kind of term alone costs no more.
std::optional<RentOrBuy::Mixed> cheapest_mix(const Rented& what, double years,
                                             const std::vector<RentOrBuy::Rent>& alone) {
  std::optional<RentOrBuy::Mixed> best;
  const auto terms_within = [](RentTerm term, double left) {
    return left > 0 ? static_cast<std::int64_t>(std::ceil(left / years_of(term))) : 0;
  };
  for (std::int64_t threes = 0; threes <= terms_within(RentTerm::three_years, years); ++threes) {
    const double three = years_of(RentTerm::three_years) * static_cast<double>(threes);
    for (std::int64_t ones = 0; ones <= terms_within(RentTerm::one_year, years - three); ++ones) {
      const double committed = three + years_of(RentTerm::one_year) * static_cast<double>(ones);
      const auto rent = rent_until(what, {{RentTerm::three_years, three},
                                          {RentTerm::one_year, committed},
                                          {RentTerm::on_demand, std::max(years, committed)}});
      const auto cost = rent ? in_cents(*rent) : std::nullopt;
      if (!cost || (best && cost->expected >= best->cost.expected)) continue;
      best = {.three_years = threes,
              .one_year = ones,
              .on_demand_years = std::max(0.0, years - committed),
              .cost = *cost};
    }
  }
  const bool better = best && std::none_of(alone.begin(), alone.end(), [&](const auto& rent) {
                        return rent.cost.expected <= best->cost.expected;
                      });
  return better ? best : std::nullopt;
}

std::optional<RentOrBuy> until(double years, const Rented& what, const Estimate<Usd>& capex,
                               const Estimate<Usd>& opex_per_year) {
  Economics until_then = what.economics;
  until_then.horizon_years = years;
  const double left = residual_share(what.economics, years);
  const Estimate<Usd> buy = each(
      [&](Usd bought, Usd yearly) {
        return present_cost(until_then, {bought, yearly, left * bought});
      },
      capex, opex_per_year);
  const auto cents = in_cents(buy);
  if (!cents) return std::nullopt;
  RentOrBuy at{.months = 12 * years, .buy = *cents, .rents = {}};
  for (const RentTerm term : kRentTerms) {
    const auto rent = rent_until(what, {{term, years_paid(term, years)}});
    if (!rent) continue;
    const auto cost = in_cents(*rent);
    if (!cost) return std::nullopt;
    at.rents.push_back({term, *cost});
    if (term == RentTerm::on_demand) {
      at.utilisation =
          each([](Usd bought, Usd rented) { return bought / rented; }, buy, reversed(*rent));
    }
  }
  at.mixed = cheapest_mix(what, years, at.rents);
  return at;
}

}  // namespace

double years_of(RentTerm term) {
  switch (term) {
    case RentTerm::on_demand:
      return 0;
    case RentTerm::one_year:
      return 1;
    case RentTerm::three_years:
      return 3;
  }
  return 0;
}

double years_paid(RentTerm term, double years) {
  const double length = years_of(term);
  return length > 0 ? std::ceil(years / length) * length : years;
}

double rent_payments(const Economics& economics, RentTerm term, double years) {
  return payments(economics.cost_of_capital.value_or(0), years_paid(term, years));
}

double rent_worth(const Economics& economics, RentTerm term) {
  const double years = economics.horizon_years;
  const double even = years_paid(term, years) / years;
  return rent_payments(economics, term, years) /
         (even * payments(economics.cost_of_capital.value_or(0), years));
}

std::optional<std::vector<RentOrBuy>> rent_or_buy(const Economics& economics,
                                                  std::string_view accelerator, std::int64_t gpus,
                                                  const Estimate<Money>& capex,
                                                  const Estimate<Money>& opex_per_year) {
  std::vector<RentOrBuy> curve;
  for (const double years : moments(economics.horizon_years)) {
    auto at =
        until(years, {economics, accelerator, gpus}, in_dollars(capex), in_dollars(opex_per_year));
    if (!at) return std::nullopt;
    if (at->rents.empty()) return curve;
    curve.push_back(*std::move(at));
  }
  return curve;
}

}  // namespace planner::cost
