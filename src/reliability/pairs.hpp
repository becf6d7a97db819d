#pragma once

#include <vector>

#include "planner/domain/reliability.hpp"
#include "planner/reliability/exposure.hpp"

namespace planner::inline reliability {

/// Access links, or their switches, of two per network card: the loss of one slows the job, or
/// pauses it where hosts are swapped, and the loss of both crashes it. Of a pair that something
/// down all the time has broken the one that is left is single: its loss is a crash, and the other
/// one fails no more.
/// @param unit  links or switches
/// @param restart  from its loss until the job trains again, where hosts are swapped
/// @param single  what can hit the job if each of `unit` was alone, at the rate of all
void add_pairs(const JobReliability& job, FailureUnit unit, Seconds restart, Exposure single,
               std::vector<Exposure>& exposed);

}  // namespace planner::reliability
