#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/sharing.hpp"
#include "planner/network/routing/sharing.hpp"

namespace planner {

/// What storage on the same network takes from training; nothing where nobody asks.
/// @param network  bandwidth per GPU and direction; nothing: not known
/// @param warnings  gets what storage cannot do
/// @throws UsageError for a checkpoint without an interval, or the other way round
std::optional<SharingImpact> job_sharing(const SharingSettings& asked,
                                         const std::optional<BytesPerSecond>& network,
                                         std::vector<std::string>& warnings);

/// The same with the checkpoints of a workload: each GPU's part of weights and optimizer states,
/// saved as often as `checkpoint` says, where nobody gave them.
/// @param assumed  gets the options that nobody gave
SharingSettings with_checkpoints(SharingSettings asked, const Workload& workload,
                                 const std::optional<Seconds>& checkpoint,
                                 std::vector<std::string>& assumed);

}  // namespace planner
