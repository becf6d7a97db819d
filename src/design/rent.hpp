#pragma once

#include <optional>
#include <vector>

#include "planner/design/search.hpp"

// Renting in the place of buying.
namespace planner::design {

/// The run on GPUs of somebody else's cloud: whole nodes, and whole HB domains where these are
/// larger, on a network that is taken for one of full bandwidth.
struct Rented {
  std::size_t system = 0, batch = 0;
  RentTerm term = RentTerm::on_demand;
  std::int64_t gpus = 0;  ///< paid for
  BestTime time;
  RunTimes run;
  Estimate<Money> cost;  ///< of the run's hours, or of whole terms
  Money confident{};     ///< at the run's confident time and the rent's range
};

/// Of each system and term that the economics have a rent for: the cheapest within the limits, or
/// the fastest where that is what is asked for. The rent is within all that may be paid, to buy, to
/// own or for the run; power is somebody else's. What is owned is sold for it. Empty where the time
/// ran out.
std::vector<Rented> rented(const Space& space, const Question& question, Times& times,
                           const Control& control);

/// When owning costs less than renting, of runs like one, one after the other.
struct BuyingPays {
  std::int64_t most = 0;               ///< runs in the hours that the bought GPUs are used
  std::optional<std::int64_t> from{};  ///< so many runs on; nothing: not of `most` either
  Money rent{};                        ///< the least for which so many, or `most`, can be rented
};

/// Runs are rented by their hours, or for as many whole terms as all of them take.
/// @param run, owning  of one run on the bought GPUs, and of these over the horizon
BuyingPays buying_pays(const Economics& economics, Seconds run, Money owning,
                       const std::vector<Rented>& rents);

}  // namespace planner::design
