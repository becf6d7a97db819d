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

}  // namespace planner::design
