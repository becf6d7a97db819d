#pragma once

#include <optional>
#include <vector>

#include "planner/design/search.hpp"

namespace planner::design {

/// The best design of each of several questions, by processes that deal out systems: all that is
/// asked of one is asked by one process. The cheapest fast ones come first: what is found there
/// ends what is asked of others.
/// @param questions  of no system, of one best design each, uncounted
/// @param known  designs of the space that may be among them
/// @throws Interrupted  where the time ran out, in any process
/// @throws InputError  in all processes, where something is wrong with a design that may be the
/// best of its system: of all it need not be
std::vector<std::optional<Found>> bests_by_system(const Space& space,
                                                  const std::vector<Question>& questions,
                                                  const std::vector<Found>& known, Times& times,
                                                  const Control& control, Learnt& learnt);

}  // namespace planner::design
