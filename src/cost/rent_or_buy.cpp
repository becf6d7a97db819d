#include "planner/cost/rent_or_buy.hpp"

#include <algorithm>
#include <cmath>
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

/// Nothing inside: no term has a price.
std::optional<std::optional<RentOrBuy>> at_end_of(double years, const Economics& economics,
                                                  const RentedGpus& what,
                                                  const Estimate<Usd>& capex,
                                                  const Estimate<Usd>& opex_per_year) {
  const auto buy = in_cents(bought_until(economics, years, capex, opex_per_year));
  if (!buy) return std::nullopt;
  RentOrBuy at{.months = 12 * years, .buy = *buy, .rents = {}};
  for (const RentTerm term : kRentTerms) {
    const auto rent = rent_of_terms(economics, what, terms_alone(term, years));
    if (!rent) continue;
    const auto cost = in_cents(*rent);
    if (!cost) return std::nullopt;
    at.rents.push_back({term, *cost});
  }
  const auto least = cheapest_terms(economics, what, years);
  if (!least) return std::optional<RentOrBuy>{};
  at.utilisation = use_until(economics, what, years, capex, opex_per_year);
  if (least->terms.kinds() > 1) {
    const auto cost = in_cents(least->cost);
    if (!cost) return std::nullopt;
    at.mixed = RentOrBuy::Mixed{.terms = least->terms, .cost = *cost};
  }
  return std::optional(std::move(at));
}

}  // namespace

Estimate<Usd> bought_until(const Economics& economics, double years, const Estimate<Usd>& capex,
                           const Estimate<Usd>& opex_per_year) {
  Economics until = economics;
  until.horizon_years = years;
  const double left = residual_share(economics, years);
  return each(
      [&](Usd bought, Usd yearly) {
        return present_cost(until, {bought, yearly, left * bought});
      },
      capex, opex_per_year);
}

std::optional<Estimate<double>> use_until(const Economics& economics, const RentedGpus& what,
                                          double years, const Estimate<Usd>& capex,
                                          const Estimate<Usd>& opex_per_year) {
  const auto rent = rent_of_terms(economics, what, terms_alone(RentTerm::on_demand, years));
  if (!rent) return std::nullopt;
  return each([](Usd bought, Usd rented) { return bought / rented; },
              bought_until(economics, years, capex, opex_per_year), reversed(*rent));
}

std::optional<std::vector<RentOrBuy>> rent_or_buy(const Economics& economics,
                                                  const RentedGpus& what,
                                                  const Estimate<Money>& capex,
                                                  const Estimate<Money>& opex_per_year) {
  std::vector<RentOrBuy> curve;
  for (const double years : moments(economics.horizon_years)) {
    auto at = at_end_of(years, economics, what, in_dollars(capex), in_dollars(opex_per_year));
    if (!at) return std::nullopt;
    if (!*at) return curve;
    curve.push_back(**std::move(at));
  }
  return curve;
}

std::optional<Seconds> pays_from(const Economics& economics,
                                 const std::function<double(double years)>& use) {
  constexpr double kMonth = 1.0 / 12, kDay = 1.0 / 365, kClose = 1e-9;  // years
  const auto dearer = [&](double years) { return use(years) > economics.utilisation; };
  double pays = economics.horizon_years;
  if (dearer(pays)) return std::nullopt;
  // Within a month both sides are near enough to lines that they cross once.
  double before = std::max(kDay, pays - kMonth);
  while (before < pays && !dearer(before)) {
    pays = before;
    before = std::max(kDay, pays - kMonth);
  }
  if (before >= pays) return Seconds{};
  while (pays - before > kClose) {
    const double middle = (before + pays) / 2;
    (dearer(middle) ? before : pays) = middle;
  }
  return pays * units::year;
}

}  // namespace planner::cost
