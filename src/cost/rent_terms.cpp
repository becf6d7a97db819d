#include "planner/cost/rent_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"

namespace planner::inline cost {
namespace {

double committed(const RentTerms& terms) {
  return years_of(RentTerm::three_years) * real(terms.three_years) +
         years_of(RentTerm::one_year) * real(terms.one_year);
}

std::int64_t terms_in(RentTerm term, double years) {
  return static_cast<std::int64_t>(std::ceil(years / years_of(term)));
}

/// How many terms may be best of those that are followed by cheaper or dearer ones: what they cost
/// against these is a multiple of what their years are worth, so none, or all that fit, or one
/// more.
std::array<std::int64_t, 3> counts(RentTerm term, double years) {
  const std::int64_t all = years > 0 ? terms_in(term, years) : 0;
  return {0, std::max<std::int64_t>(0, all - 1), all};
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

double rent_worth(const Economics& economics, RentTerm term) {
  const double capital = economics.cost_of_capital.value_or(0), years = economics.horizon_years,
               paid = years_paid(term, years);
  return payments(capital, paid) / (paid / years * payments(capital, years));
}

RentTerms terms_alone(RentTerm term, double years) {
  switch (term) {
    case RentTerm::on_demand:
      return {.on_demand_years = years};
    case RentTerm::one_year:
      return {.one_year = terms_in(term, years)};
    case RentTerm::three_years:
      return {.three_years = terms_in(term, years)};
  }
  return {};
}

std::optional<Estimate<Usd>> rent_of_terms(const Economics& economics, const RentedGpus& what,
                                           const RentTerms& terms) {
  const double capital = economics.cost_of_capital.value_or(0);
  const double untaxed = 1 - economics.tax_rate.value_or(0);
  const double threes = years_of(RentTerm::three_years) * real(terms.three_years);
  Estimate<Usd> sum{};
  double before = 0;
  for (const auto& [term, until] :
       {std::pair{RentTerm::three_years, threes}, std::pair{RentTerm::one_year, committed(terms)},
        std::pair{RentTerm::on_demand, committed(terms) + terms.on_demand_years}}) {
    const double worth = payments(capital, until) - before;
    if (worth <= 0) continue;
    const CloudPrice* const price = rent_of(economics, what.accelerator, term);
    if (price == nullptr) return std::nullopt;
    const Seconds paid = untaxed * worth * units::year;
    const auto add = [&](Usd so_far, UsdPerSecond one) {
      return so_far + real(what.gpus) * one * paid;
    };
    sum = each(add, sum, price->rent);
    before += worth;
  }
  return sum;
}

std::optional<TermsCost> cheapest_terms(const Economics& economics, const RentedGpus& what,
                                        double years) {
  std::optional<TermsCost> best;
  const auto try_terms = [&](const RentTerms& terms) {
    const auto cost = rent_of_terms(economics, what, terms);
    if (!cost) return;
    constexpr double kHair = 1 - 1e-12;  // of rounding: of equals the first
    if (!best || cost->expected < kHair * best->cost.expected) best = {terms, *cost};
  };
  for (const RentTerm term : kRentTerms) try_terms(terms_alone(term, years));
  for (const std::int64_t threes : counts(RentTerm::three_years, years)) {
    const double left = years - years_of(RentTerm::three_years) * real(threes);
    for (const std::int64_t ones : counts(RentTerm::one_year, left)) {
      RentTerms terms{.three_years = threes, .one_year = ones};
      terms.on_demand_years = std::max(0.0, years - committed(terms));
      try_terms(terms);
    }
  }
  return best;
}

RentTerms prolonged(const Economics& economics, std::string_view accelerator, RentTerms terms,
                    double years) {
  const double missing = years - committed(terms);
  if (rent_of(economics, accelerator, RentTerm::on_demand) != nullptr) {
    terms.on_demand_years = std::max(0.0, missing);
  } else if (missing > 0) {
    terms.one_year += terms_in(RentTerm::one_year, missing);
  }
  return terms;
}

}  // namespace planner::cost
