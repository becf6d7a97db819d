#pragma once

#include <cstdint>
#include <vector>

#include "planner/job/routing.hpp"

// Which of a network's GPUs are free for a job: nodes stand in one unit each.
namespace planner::job {

/// Free GPUs of each zone without those in nodes that are not free as a whole: a node stands in one
/// zone. As they are where the job has parts of nodes.
/// @param job_gpus  and those that it leaves idle in its nodes
std::vector<std::int64_t> in_whole_nodes(std::vector<std::int64_t> free_gpus, std::int64_t node,
                                         std::int64_t job_gpus);

/// Of so many in whole nodes those that the job has.
std::vector<std::int64_t> used_of(std::vector<std::int64_t> gpus, const JobOnNetwork& on);

/// What a list of free GPUs leaves the job; all units of the widest tier where there is none.
void take_free_gpus(const RoutingSettings& asked, const JobOnNetwork& on, RoutedJob& job);

/// Nodes that are not free as a whole, and those that no leaf has ports for as a whole.
void state_whole_nodes(const RoutingSettings& asked, const JobOnNetwork& on,
                       const RoutedFabric& fabric, RoutingResult& result);

}  // namespace planner::job
