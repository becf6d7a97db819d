#pragma once

#include <vector>

#include "planner/design/rent.hpp"

namespace planner::design {

/// What all processes have found, by system.
/// @param own  of systems of this one, those of a system one after the other
std::vector<Rented> with_others(std::vector<Rented> own, Times& times);

}  // namespace planner::design
