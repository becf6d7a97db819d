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

/// Spares that stand by, and what they take the place of where nobody says.
struct StandingSpares {
  std::int64_t gpus = 0;
  std::int64_t node_gpus = kGpusPerNode, hb_domain = 1;
  std::optional<std::int64_t> gpus_per_tray{};
};
/// Whole units of what is bought are what the job counts on, where nobody says how many spares that
/// are, and somebody says when what failed is back: without such units one is always at hand.
/// @param job_gpus  more spares than it has units count for nothing
ReliabilitySettings with_standing_spares(ReliabilitySettings asked, const FailureRates& rates,
                                         const StandingSpares& spares, std::int64_t job_gpus);

/// Data-parallel groups of a job that goes on with fewer of them; nothing: it does not.
/// @throws UsageError where spares take the place of what is lost, or nobody knows for how long it
/// is
std::optional<std::int64_t> shrinking(const ReliabilitySettings& asked, const JobReliability& job);

/// @throws UsageError for servers or swap units, if somebody says how large they are, that are
/// larger than the job
void check_unit_sizes(const ReliabilitySettings& asked, std::int64_t gpus);

/// Says which parts, whose number somebody gives, no line of the rates is for.
/// @param asked  by a person: not what a network was counted to have
void warn_of_uncounted(const ReliabilitySettings& asked, const FailureRates& rates,
                       std::vector<std::string>& warnings);

/// @throws UsageError for ports without what they switch
std::optional<OpticalSwap> optical_swap(const ReliabilitySettings& asked);

}  // namespace planner::job
