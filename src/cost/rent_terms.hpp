#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "planner/domain/economics.hpp"

// What GPUs of somebody else cost: on demand, or for terms of which whole ones are paid, used or
// not. All rents are worth what they are on day 0 at the cost of capital, and after what they lower
// taxes by: as owning is counted.
namespace planner::inline cost {

/// How long a term is; 0: as long as GPUs are rented.
double years_of(RentTerm term);

/// Years that are paid for where GPUs are rented for so many: those on demand, else whole terms.
double years_paid(RentTerm term, double years);

/// What the rents of a horizon are worth against as much in equal payments of its years: less where
/// the last term ends after it.
double rent_worth(const Economics& economics, RentTerm term);

/// GPUs that are rented.
struct RentedGpus {
  std::string_view accelerator;
  std::int64_t gpus = 0;
};

/// The terms that cover so many years where one kind of them is all there is.
RentTerms terms_alone(RentTerm term, double years);

/// What these terms cost. Nothing: one of them has no price.
std::optional<Estimate<Usd>> rent_of_terms(const Economics& economics, const RentedGpus& what,
                                           const RentTerms& terms);

/// Terms with what they cost.
struct TermsCost {
  RentTerms terms;
  Estimate<Usd> cost{};
};

/// The cheapest terms one after the other that cover so many years, the longer ones first: of one
/// kind where that costs no more. Nothing: no term has a price.
std::optional<TermsCost> cheapest_terms(const Economics& economics, const RentedGpus& what,
                                        double years);

/// The same terms where the GPUs turn out to be needed for so long: what is missing is rented on
/// demand, or for terms of a year where nobody rents on demand.
RentTerms prolonged(const Economics& economics, std::string_view accelerator, RentTerms terms,
                    double years);

}  // namespace planner::cost
