#pragma once

#include "planner/domain/reliability.hpp"
#include "planner/job/told.hpp"

namespace planner::job {

/// When a job saves its state, and what that takes: as asked, as storage makes it, or as the rates
/// say.
/// @param crashes  something can crash the job
/// @throws UsageError for settings that contradict each other
CheckpointPolicy checkpoint_policy(const ReliabilitySettings& asked, const FailureRates& rates,
                                   bool crashes, Told& told);

/// Of a checkpoint, where somebody says how large it is and how fast it comes; else nothing.
Seconds load_time(const ReliabilitySettings& asked);

}  // namespace planner::job
