#include "planner/reliability/rate_basis.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

bool of_job_calendar(const FailureRate& rate) {
  return rate.basis == RateBasis::job_calendar ||
         (rate.basis == RateBasis::wall && rate.unit == FailureUnit::job);
}

std::optional<std::int64_t> units_observed(const FailureRate& rate) {
  return rate.unit == FailureUnit::job ? 1 : rate.observed_units;
}

double running_share(const FailureRates& rates) {
  const auto& all = rates.components;
  if (std::none_of(all.begin(), all.end(), of_job_calendar)) return 1;
  if (rates.running_share) return *rates.running_share;
  double down = 0;
  for (const FailureRate& rate : all) {
    if (!of_job_calendar(rate) || rate.optional || rate.action == FailureAction::degrade) continue;
    Seconds each = rate.detect.value_or(kUsualDetect.expected) +
                   rate.diagnose.value_or(kUsualDiagnose.expected);
    each += rate.action == FailureAction::crash ? rates.restart.value_or(kUsualRestart.expected)
                                                : rate.repair.value_or(Seconds{});
    down += real(units_observed(rate).value_or(0)) * (rate.rate * each);
  }
  return 1 - down;
}

PerSecond active_rate(const FailureRate& rate, double running_share) {
  return of_job_calendar(rate) ? rate.rate / running_share : rate.rate;
}

}  // namespace planner::reliability
