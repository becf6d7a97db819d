#pragma once

#include <optional>

#include "planner/domain/reliability.hpp"
#include "planner/job/told.hpp"

namespace planner::job {

/// GPUs of every node of the catalog but the racks, where nobody says.
inline constexpr std::int64_t kGpusPerNode = 8;

/// The spares of a job; nothing: one is always at hand.
/// @param job  with its parts and their rates
/// @throws UsageError for settings that contradict each other, and for more spares than there are
/// units to replace
std::optional<SparePolicy> spare_policy(const ReliabilitySettings& asked, const JobReliability& job,
                                        Told& told);

/// @throws UsageError for ports without what they switch
std::optional<OpticalSwap> optical_swap(const ReliabilitySettings& asked);

}  // namespace planner::job
