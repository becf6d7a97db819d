#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "planner/design/search.hpp"

// Renting in the place of buying.
namespace planner::design {

/// Runs on GPUs of somebody else's cloud: whole nodes, and whole HB domains where these are larger,
/// on a network that is taken for one of full bandwidth.
struct Rented {
  std::size_t system = 0, batch = 0;
  RentTerms terms;        ///< of all runs
  std::int64_t gpus = 0;  ///< paid for
  BestTime time;
  RunTimes run;          ///< of one
  Estimate<Money> cost;  ///< of the hours of all runs, or of whole terms
  Money confident{};     ///< at their confident time and the rent's range
};

/// Of each system and term that the economics have a rent for: the cheapest within the limits, or,
/// of one run, the fastest where that is what is asked for; then of terms one after the other,
/// where they cost less than each alone. The rent is within all that may be paid, to buy, to own or
/// for the run; power is somebody else's. What is owned is sold for it. Empty for a space of
/// several runs: each would be rented for by itself.
/// @param runs  like one, one after the other; of more than one no limit of money holds
/// @throws Interrupted  where the time ran out: a part of the answer would not be the best
std::vector<Rented> rented(const Space& space, const Question& question, Times& times,
                           const Control& control, std::int64_t runs = 1);

/// When owning costs less than renting, of runs like one, one after the other.
struct BuyingPays {
  std::int64_t most = 0;               ///< runs in the hours that the bought GPUs are used
  std::optional<std::int64_t> from{};  ///< so many runs on; nothing: not of `most` either
  Rented rented{};                     ///< the cheapest of so many, or of `most`
};

/// What the cheapest rent of so many runs is; nothing: there is none.
/// @throws Interrupted  where the time ran out
using RentOfRuns = std::function<std::optional<Rented>(std::int64_t runs)>;
/// On any system, for any terms.
RentOfRuns cheapest_rent(const Space& space, const Question& question, Times& times,
                         const Control& control);

/// @param run, owning  of one run on the bought GPUs, and of these over the horizon
/// @returns nothing where nothing is rented
std::optional<BuyingPays> buying_pays(const Economics& economics, Seconds run, Money owning,
                                      const RentOfRuns& rent);

}  // namespace planner::design
