#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/reliability.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/sharing.hpp"
#include "planner/network/routing/sharing.hpp"

namespace planner::job {

/// What storage on the same network takes from training; nothing where nobody asks.
/// @param network  bandwidth per GPU and direction; nothing: not known
/// @param warnings  gets what storage cannot do
/// @throws UsageError for a checkpoint without an interval, or the other way round
std::optional<SharingImpact> share_storage(const SharingSettings& asked,
                                           const std::optional<BytesPerSecond>& network,
                                           std::vector<std::string>& warnings);

/// What storage takes beside a plan, with the checkpoints of its workload where nobody gave them:
/// each GPU's part of weights and optimizer states, saved as often as the recovery says.
/// @param assumed  gets the options that nobody gave
std::optional<SharingImpact> plan_storage(const SharingSettings& asked,
                                          const ReliabilitySettings& recovery,
                                          const Workload& workload,
                                          std::vector<std::string>& assumed,
                                          std::vector<std::string>& warnings);

}  // namespace planner::job
