#include "planner/job/observed_times.hpp"

#include <vector>

#include "planner/core/real.hpp"
#include "planner/reliability/rate_basis.hpp"
#include "planner/reliability/recovery.hpp"

namespace planner::job {

ModeShares undisturbed_shares(const FailureRates& rates, double running_share) {
  ModeShares shares;
  shares.fill(1);
  if (rates.recovery_basis == RecoveryBasis::undisturbed) return shares;
  std::vector<CrashClass> observed;
  for (const FailureRate& rate : rates.components) {
    if (rate.action != FailureAction::crash || rate.rate <= PerSecond{}) continue;
    if (!rate.detect || !rate.diagnose || !rates.restart) return shares;
    if (!of_job_calendar(rate)) continue;
    const auto units = units_observed(rate);
    if (!units) return shares;
    observed.push_back({real(*units) * active_rate(rate, running_share),
                        *rate.detect + *rate.diagnose, *rates.restart});
  }
  for (const RecoveryMode mode : kRecoveryModes) {
    shares[static_cast<std::size_t>(mode)] = undisturbed_share(observed, mode);
  }
  return shares;
}

std::array<LongerTimes, kRecoveryModes.size()> gentler_readings(const ReliabilitySettings& asked,
                                                                const JobReliability& job,
                                                                const ModeShares& shares) {
  std::array<LongerTimes, kRecoveryModes.size()> read_as{};
  for (const RecoveryMode mode : kRecoveryModes) {
    if (mode == job.recovery) break;
    const double longer =
        shares[static_cast<std::size_t>(mode)] / shares[static_cast<std::size_t>(job.recovery)];
    LongerTimes& read = read_as[static_cast<std::size_t>(mode)];
    if (!asked.detect) read.detect = longer;
    if (!asked.diagnose) read.diagnose = longer;
    if (asked.restart || job.restart <= Seconds{}) continue;
    read.restart = (longer * (job.restart - job.load) + job.load) / job.restart;
  }
  return read_as;
}

}  // namespace planner::job
