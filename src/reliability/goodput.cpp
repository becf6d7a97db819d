#include "planner/reliability/goodput.hpp"

#include <algorithm>
#include <cmath>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/gamma.hpp"

namespace planner::inline reliability {

namespace {

/// The interval of the policy, or the best one; nothing where nothing fails.
std::optional<Seconds> interval_of(PerSecond rate, const CheckpointPolicy& policy) {
  if (policy.interval) return policy.interval;
  if (rate <= PerSecond{}) return std::nullopt;
  return std::max(optimal_interval(policy.stall, Seconds{1 / rate.si()}), policy.durable);
}

/// Shares of the time in which the job runs: kept work, kept checkpoints.
struct Kept {
  double work = 1, checkpoints = 0;
};

Kept kept_of(PerSecond rate, const CheckpointPolicy& policy, std::optional<Seconds> interval) {
  if (!interval) return {};
  const Seconds period = *interval + policy.stall;
  const double kept = completed_share(rate * period) * std::exp(-(rate * policy.durable));
  // An interval of 0 is the limit of saving all the time at no cost.
  const double work = period > Seconds{} ? *interval / period : 1;
  return {.work = kept * work, .checkpoints = kept * (1 - work)};
}

/// Variance of C - D/A per crash, recovery times aside (see run_days). Of the time X up to a crash,
/// N whole periods s are geometric and the age a in the broken one is a truncated exponential,
/// independent of N; one period more is lost where a < w and N >= 1 (B = 1).
///   C - D/A = N·(s·f - tau/A) + a·f + B·tau/A, f = 1 + hours stalled and waited per running hour
/// Stalls and waits have their own variance by their lengths.
double cycle_variance(const FailureLoad& load, const CheckpointPolicy& policy, Seconds interval) {
  const double M = 1 / load.rate.si(), s = (interval + policy.stall).si(), w = policy.durable.si();
  const double f = 1 + load.stalled + load.waiting;
  if (s <= 0) return 0;
  const double x = s / M, one_minus_p = -std::expm1(-x), root_p = std::exp(-x / 2);
  const double before_durable = -std::expm1(-w / M);
  // tau/A = s·(wall hours per running hour)/(share of kept periods); with √p, which it outgrows.
  const double b = s * load.wall_per_active * std::exp(w / M) / completed_share(x);
  const double small_b = b * root_p, small_c = (s * f - b) * root_p;
  const double q = before_durable / one_minus_p, beta = root_p * root_p * q;
  const double age = M * (1 - completed_share(x));
  const double age_below_w = (M * before_durable - w * std::exp(-w / M)) / one_minus_p;
  const double age_variance =
      x < 1e-3 ? s * s / 12 : M * M - s * s * root_p * root_p / (one_minus_p * one_minus_p);
  return small_c * small_c / (one_minus_p * one_minus_p) + f * f * age_variance +
         small_b * small_b * q * (1 - beta) + 2 * small_c * small_b * q +
         2 * f * small_b * root_p * (age_below_w - q * age);
}

Seconds paused_squared(const FailureLoad& load) {
  Seconds sum{};
  for (const Losses& pauses : load.pauses) sum += pauses.squared();
  return sum;
}

/// Losses of the run by kind. Crashes of each take the same work, on average, beside their own
/// recovery; what is left of their variance is that of the work.
std::vector<RunLosses> losses_of(const RunDays& days, const FailureLoad& load) {
  const Seconds active = days.mean / load.wall_per_active;
  std::vector<RunLosses> kinds;
  for (const Losses& pauses : load.pauses) {
    kinds.push_back({active * pauses.rate, pauses.each, pauses.deviation});
  }
  if (days.failures <= 0) return kinds;
  const double crashed =
      (days.mean - days.least).si() - active.si() * (load.waiting + load.stalled);
  const double each = std::max(0.0, crashed / days.failures);
  const double variance = days.deviation.si() * days.deviation.si();
  double square = (variance - active.si() * paused_squared(load).si()) / days.failures;
  for (const Losses& crash : load.crashes) {
    const double mean = std::max(0.0, each + (crash.each - load.down()).si());
    square -= crash.rate / load.rate * mean * mean;
  }
  const Seconds deviation{std::sqrt(std::max(0.0, square))};
  for (const Losses& crash : load.crashes) {
    const Seconds mean{std::max(0.0, each + (crash.each - load.down()).si())};
    kinds.push_back({active * crash.rate, mean, deviation});
  }
  return kinds;
}

JobReliability with(JobReliability job, LinkLoss loss) {
  job.link_loss = loss;
  return job;
}

}  // namespace

Goodput goodput(const FailureLoad& load, const CheckpointPolicy& policy) {
  const std::optional<Seconds> interval = interval_of(load.rate, policy);
  const Kept kept = kept_of(load.rate, policy, interval);
  const double running = 1 / load.wall_per_active;  // share of the calendar
  Goodput result{.availability = running * kept.work * load.speed, .interval = interval};
  result.waste = {.checkpoint = running * kept.checkpoints,
                  .lost = running * (1 - kept.work - kept.checkpoints),
                  .detect = running * (load.rate * load.detect),
                  .diagnose = running * (load.rate * load.diagnose),
                  .restart = running * (load.rate * load.restart),
                  .spare_wait = running * load.waiting,
                  .degraded = running * (kept.work * (1 - load.speed) + load.stalled)};
  return result;
}

Goodput goodput(const JobReliability& job) {
  return goodput(failure_load(job, exposures(job)), job.checkpoint);
}

JobReliability with_better_link_loss(JobReliability job) {
  JobReliability swap = with(job, LinkLoss::swap), slow = with(std::move(job), LinkLoss::slow);
  return goodput(swap).availability > goodput(slow).availability ? swap : slow;
}

Seconds RunDays::quantile(double p) const {
  if (luck.size() > 1) return least + luck_quantile(luck, p);
  return shape > 0 ? least + gamma_quantile(shape, p) * scale : least;
}

RunDays run_moments(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                    const Goodput& result) {
  const Seconds period = result.interval ? *result.interval + policy.stall : Seconds{};
  const double overhead = period > Seconds{} ? period / *result.interval : 1;
  RunDays days{
      .ideal = ideal, .mean = ideal / result.availability, .least = ideal / load.speed * overhead};
  const double active = days.mean.si() / load.wall_per_active;
  days.failures = active * load.rate.si();
  double variance = active * paused_squared(load).si();
  if (days.failures > 0) {
    variance += days.failures * (cycle_variance(load, policy, *result.interval) +
                                 std::pow(load.down_deviation.si(), 2));
  }
  const Seconds added = days.mean - days.least;
  if (added > Seconds{} && variance > 0) {
    days.deviation = Seconds{std::sqrt(variance)};
    days.shape = std::pow(added / days.deviation, 2);
    days.scale = Seconds{variance / added.si()};
  }
  return days;
}

std::vector<LuckCase> luck_of(const RunDays& days, const FailureLoad& load) {
  return luck_cases(std::max(Seconds{}, days.mean - days.least), days.deviation,
                    losses_of(days, load));
}

RunDays run_days(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                 const Goodput& result) {
  RunDays days = run_moments(ideal, load, policy, result);
  days.luck = luck_of(days, load);
  days.p50 = days.quantile(0.5);
  days.p95 = days.quantile(0.95);
  return days;
}

}  // namespace planner::reliability
