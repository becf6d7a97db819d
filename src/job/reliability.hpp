#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/domain/system.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/improve.hpp"
#include "planner/reliability/outlook.hpp"

namespace planner::job {

/// Availability at one checkpoint interval.
struct IntervalPoint {
  Seconds interval{};
  double availability = 0;
};

/// The intervals that formulas advise.
struct AdvisedIntervals {
  Seconds optimal{}, young{}, daly{};
};

/// What failures cost at the price of a GPU-hour, spare nodes included.
struct FailureMoney {
  Usd per_failure{};                          ///< work lost and recovery
  std::optional<Usd> optical_switches{};      ///< that put spares in the place of failed parts
  std::optional<Usd> ideal{}, mean{}, p95{};  ///< of the run
};

/// A job's failures and what they leave of its time.
struct JobOutlook {
  JobReliability job;
  std::vector<std::string> assumed;  ///< options that the user did not give, by name
  std::vector<Exposure> exposed;
  FailureLoad load;
  Goodput goodput;
  Unknown unknown;  ///< rates and recovery times are another cluster's
  /// What the stall of checkpoints usually is, where nobody knows it: the ranges have its ends, the
  /// expected figures none, which makes them bounds.
  std::optional<Estimate<Seconds>> unknown_stall{};

  /// Whether numbers can say how much of the time advances the job.
  [[nodiscard]] bool advances() const;
  /// Of a run that takes `ideal` without failures.
  [[nodiscard]] RunDays days_of(Seconds ideal) const;
};

/// With what people read of it.
struct ReliabilityResult : JobOutlook {
  std::optional<AdvisedIntervals> advised{};  ///< nothing: nothing crashes the job
  std::vector<IntervalPoint> by_interval;
  std::vector<Improvement> improve;
  std::vector<double> fewer_failures;           ///< see gains_of_fewer_failures()
  std::optional<std::int64_t> spares_for_99{};  ///< with repair visits: enough in 99 of 100 cases
  Estimate<double> availability{};  ///< 80 of 100: rates and unknown times are another cluster's
  std::optional<std::array<double, kDownHazards.size()>> by_hazard{};  ///< with repaired spares
  std::optional<RunDays> days{};
  std::optional<Estimate<Seconds>> days_range{};  ///< of 80 of 100 runs
  std::optional<FailureMoney> money{};
};

/// GPUs that stand by, which a run pays for as for its own; 0 without spares.
std::int64_t spare_gpus(const JobOutlook& outlook);

/// @param warnings  gets what is not known or changes nothing
/// @throws UsageError for settings that contradict each other or the rates
JobOutlook job_outlook(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus,
                       std::vector<std::string>& warnings);

/// What failures make of a job of `gpus` GPUs, and of a run that takes `ideal` without them.
/// @param warnings  gets what is not known or changes nothing
/// @throws UsageError for settings that contradict each other or the rates
ReliabilityResult job_reliability(const ReliabilitySettings& asked, FailureRates rates,
                                  std::int64_t gpus, std::optional<Seconds> ideal,
                                  std::vector<std::string>& warnings);

/// GPUs to a node and network cards of a job on nodes of this kind, where nobody says how many.
ReliabilitySettings in_nodes(ReliabilitySettings asked, const Node& node, std::int64_t gpus);

/// Optical switches put any tray in the place of any other: rail-only paper, section 4.1. Trays
/// that are spare inside their own domain need none.
bool swaps_trays(const ReliabilitySettings& asked);

/// Spares take the place of whole HB domains, where these are larger than a node and nobody says
/// what they take the place of; with optical switches between trays that of a tray.
/// @param gpus_per_tray  nothing: a node is one
ReliabilitySettings in_domains(ReliabilitySettings asked, std::int64_t hb_domain,
                               std::optional<std::int64_t> gpus_per_tray);

/// Trays that a job leaves idle in the domains it stands on are their spares, where spares are kept
/// and nobody says what they take the place of. Between two repair visits they stay where they are.
/// Where optical switches reach them they are spares of the whole job, beside those asked for.
/// @param domain, used  GPUs of one domain, and of these the job's
/// @param gpus  of the job
ReliabilitySettings with_idle_trays(ReliabilitySettings asked, std::int64_t domain,
                                    std::int64_t used, std::optional<std::int64_t> gpus_per_tray,
                                    std::int64_t gpus);

/// Parts that can fail, as many as a cluster's nodes and network have, where nobody says how many.
/// With two access switches per network card, links and switches count as pairs.
ReliabilitySettings counted_parts(ReliabilitySettings asked, const std::optional<Node>& node,
                                  const FabricCount& network);

/// @param usd  of a GPU-hour
FailureMoney failure_money(const ReliabilityResult& result, double usd);

}  // namespace planner::job
