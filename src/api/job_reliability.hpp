#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/api/reliability.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/system.hpp"

namespace planner {

/// What failures make of a job of `gpus` GPUs, and of a run that takes `ideal` without them.
/// @param warnings  gets what is not known or changes nothing
/// @throws UsageError for settings that contradict each other or the rates, InfeasibleError
/// "never-finishes"
ReliabilityResult job_reliability(const ReliabilitySettings& asked, FailureRates rates,
                                  std::int64_t gpus, std::optional<Seconds> ideal,
                                  std::vector<std::string>& warnings);

/// GPUs to a node and network cards of a job on nodes of this kind, where nobody says how many.
ReliabilitySettings in_nodes(ReliabilitySettings asked, const Node& node, std::int64_t gpus);

/// Parts that can fail, as many as a cluster's nodes and network have, where nobody says how many.
/// With two access switches per network card, links and switches count as pairs.
ReliabilitySettings counted_parts(ReliabilitySettings asked, const std::optional<Node>& node,
                                  const FabricCount& network);

}  // namespace planner
