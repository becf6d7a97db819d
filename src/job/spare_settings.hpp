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

/// Data-parallel groups of a job that goes on with fewer of them; nothing: it does not.
/// @throws UsageError where spares take the place of what is lost, or nobody knows for how long it
/// is
std::optional<std::int64_t> shrinking(const ReliabilitySettings& asked, const JobReliability& job);

/// @throws UsageError for servers or swap units, if somebody says how large they are, that are
/// larger than the job
void check_unit_sizes(const ReliabilitySettings& asked, std::int64_t gpus);

/// @throws UsageError for ports without what they switch
std::optional<OpticalSwap> optical_swap(const ReliabilitySettings& asked);

}  // namespace planner::job
