#include "planner/reliability/goodput.hpp"

#include <algorithm>
#include <cmath>

#include "planner/reliability/checkpoint.hpp"

namespace planner::inline reliability {

namespace {

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

Seconds paused_squared(const FailureLoad& load, Seconds active) {
  Seconds sum{};
  for (const Pauses& waits : load.spare_waits) sum += waits.as_clumps(active).squared();
  for (const Pauses& pauses : load.pauses) sum += pauses.squared();
  for (const LossKind& stall : load.stalls) sum += (stall.rate * stall.each) * stall.each;
  return sum;
}

/// Losses with this mean and deviation, added to others: exponential, two kinds of them where they
/// spread further, each half of the mean of all, or even about the mean where they spread less.
void add_losses(double expected, Seconds mean, Seconds deviation, const RunLosses& others,
                std::vector<RunLosses>& kinds) {
  if (expected <= 0 || mean <= Seconds{}) return;
  constexpr double kExponential = 1e-6;
  const double spread = std::pow(deviation / mean, 2);
  const auto add = [&](double number, Seconds least, Seconds even, Seconds exponential) {
    kinds.push_back(
        {number, others.least + least, others.even + even, others.exponential + exponential});
  };
  if (spread < 1 - kExponential) {
    const Seconds even = std::min(2 * mean, std::sqrt(12) * deviation);
    add(expected, mean - even / 2, even, Seconds{});
    return;
  }
  const double share = (1 - std::sqrt(std::max(0.0, spread - 1) / (spread + 1))) / 2;
  add(share * expected, Seconds{}, Seconds{}, mean / (2 * share));
  add((1 - share) * expected, Seconds{}, Seconds{}, mean / (2 * (1 - share)));
}

/// What a crash takes beside its recovery is even over a period of a checkpoint, about its mean.
RunLosses lost_work(const RunDays& days, const FailureLoad& load) {
  const Seconds active = days.mean / load.wall_per_active;
  const Seconds lost = std::max(Seconds{}, (active - days.least) / days.failures);
  const Seconds least = std::max(Seconds{}, lost - days.period / 2);
  return {.least = least, .even = 2 * (lost - least)};
}

/// A period that crashes can crash again. That is a negative binomial number of crashes: clusters
/// of a logarithmic number of them, P(k) = (1 - p)^k/(k·x), p = e^(-x), x = period/M (Quenouille
/// 1949).
struct Clusters {
  double per_crash = 1;               ///< clusters
  double single = 1;                  ///< share that are of one crash
  double further = 0, deviation = 0;  ///< of the others: crashes beyond the first

  explicit Clusters(double x) {
    constexpr double kFew = 1e-3;  // below: the first terms of the series
    if (x < kFew) {
      per_crash = 1 - x / 2;
      single = 1 - x / 2;
      further = x > 0 ? 1 : 0;
      return;
    }
    const double p = std::exp(-x), mean = std::expm1(x) / x;
    per_crash = 1 / mean;
    single = -std::expm1(-x) / x;
    const double many = (mean - single) / (1 - single);
    const double square = (mean / p - single) / (1 - single);
    further = many - 1;
    deviation = std::sqrt(std::max(0.0, square - many * many));
  }
};

/// Crashes of one kind that no wait is found for yet: those that nothing interrupts, and others.
struct WithoutWait {
  double whole = 0, cut = 0;  ///< shares of the kind
  Seconds longer{};           ///< what interruptions add to a crash of the kind, on average
};

/// Of recoveries that end within a wait, whose length is exponential with mean T, interrupted ones
/// are fewer, and shorter, than of all: of R, exponential with mean m, E[e^(-R/T)] = 1/(1 + m/T)
/// are left, with mean m/(1 + m/T). Even about it, R leaves the end of the wait exponential. Waits
/// for visits are as long whatever a recovery takes.
struct WithinWait {
  double cut = 0;                 ///< share of interrupted ones
  Seconds even{}, exponential{};  ///< what these take more

  WithinWait(const Interruptions& all, const Pauses& wait) {
    constexpr double kExponential = 1 - 1e-6;
    if (wait.deviation < kExponential * wait.each) {
      cut = all.share;
      exponential = all.longer;
      return;
    }
    const double fewer = 1 / (1 + all.longer / wait.each);
    cut = fewer * all.share / (1 - all.share + fewer * all.share);
    even = 2 * fewer * all.longer;
  }
  [[nodiscard]] Seconds longer() const { return even / 2 + exponential; }
};

/// Single losses of one kind, those that wait for a spare being one loss with their wait.
/// @param once  without an interruption and a wait, with the lost work
void add_single(const FailureLoad& load, Seconds active, const LossKind& crash, double number,
                const RunLosses& once, std::vector<RunLosses>& kinds) {
  const Interruptions& all = crash.interrupted;
  WithoutWait left{1 - all.share, all.share, all.share * all.longer};
  for (std::size_t i = 0; i < crash.waiting.size(); ++i) {
    const Pauses &wait = load.spare_waits[i], clump = wait.as_clumps(active);
    const double waits = crash.waiting[i] > PerSecond{}
                             ? crash.waiting[i] / crash.rate * (clump.rate / wait.rate)
                             : 0;
    const WithinWait within(all, wait);
    const RunLosses longer{0, once.least, once.even + within.even, within.exponential};
    add_losses((1 - within.cut) * waits * number, clump.each, clump.deviation, once, kinds);
    add_losses(within.cut * waits * number, clump.each, clump.deviation, longer, kinds);
    left.whole -= (1 - within.cut) * waits;
    left.cut -= within.cut * waits;
    left.longer += -within.cut * waits * within.longer();
  }
  RunLosses alone = once;
  alone.expected = std::max(0.0, left.whole) * number;
  kinds.push_back(alone);
  if (left.cut <= 0) return;
  alone.expected = left.cut * number;
  alone.exponential = std::max(Seconds{}, left.longer / left.cut);
  kinds.push_back(alone);
}

/// Crashes, and those of a period that crashes again.
void add_crashes(const RunDays& days, const FailureLoad& load, std::vector<RunLosses>& kinds) {
  const Seconds active = days.mean / load.wall_per_active;
  const RunLosses work = lost_work(days, load);
  const Clusters clusters(load.rate * days.period);
  RunLosses further{.even = work.even};
  for (const LossKind& crash : load.crashes) {
    const double first = active * crash.rate * clusters.per_crash, share = crash.rate / load.rate;
    const RunLosses once{0, work.least + crash.least, work.even, Seconds{}};
    add_single(load, active, crash, clusters.single * first, once, kinds);
    Seconds further_least = once.least,
            further_exponential = crash.interrupted.share * crash.interrupted.longer;
    for (std::size_t i = 0; i < crash.waiting.size(); ++i) {
      const Pauses& wait = load.spare_waits[i];
      const double waits = crash.rate > PerSecond{} ? crash.waiting[i] / crash.rate : 0;
      const Seconds least = std::max(Seconds{}, wait.each - std::sqrt(3) * wait.deviation);
      further_least += waits * least;
      further_exponential += waits * (wait.each - least);
    }
    further.expected += (1 - clusters.single) * first;
    further.least += share * further_least;
    further.exponential += share * further_exponential;
  }
  const Seconds more = clusters.further * further.mean();
  const Seconds spread = std::min(more, clusters.deviation * further.mean());
  further.least += more - spread;
  further.exponential += spread;
  kinds.push_back(further);
}

/// Losses of the run by kind.
std::vector<RunLosses> losses_of(const RunDays& days, const FailureLoad& load) {
  const Seconds active = days.mean / load.wall_per_active;
  std::vector<RunLosses> kinds;
  kinds.reserve(load.pauses.size() + 2 * load.spare_waits.size() +
                load.crashes.size() * (2 + 4 * load.spare_waits.size()) + 1);
  for (const Pauses& pauses : load.pauses) {
    add_losses(active * pauses.rate, pauses.each, pauses.deviation, {}, kinds);
  }
  for (const LossKind& stall : load.stalls) {
    add_single(load, active, stall, active * stall.rate, {.least = stall.least}, kinds);
  }
  if (days.failures > 0) add_crashes(days, load, kinds);
  for (std::size_t i = 0; i < load.spare_waits.size(); ++i) {
    const Pauses &waits = load.spare_waits[i], clumps = waits.as_clumps(active);
    PerSecond of_others = waits.rate;
    for (const LossKind& crash : load.crashes) of_others += -1 * crash.waiting[i];
    for (const LossKind& stall : load.stalls) of_others += -1 * stall.waiting[i];
    if (of_others <= PerSecond{}) continue;
    add_losses(active * clumps.rate * (of_others / waits.rate), clumps.each, clumps.deviation, {},
               kinds);
  }
  return kinds;
}

/// Whether the availability is the least that is told.
bool beyond_numbers(const RunDays& days) {
  constexpr double kRounding = 1e-9;
  return days.mean * kLeastAvailability >= (1 - kRounding) * days.ideal;
}

JobReliability with(JobReliability job, LinkLoss loss) {
  job.link_loss = loss;
  return job;
}

}  // namespace

std::optional<Seconds> checkpoint_interval(PerSecond crashes, const CheckpointPolicy& policy) {
  if (policy.interval) return policy.interval;
  if (crashes <= PerSecond{}) return std::nullopt;
  return std::max(optimal_interval(policy.stall, Seconds{1 / crashes.si()}), policy.durable);
}

Goodput goodput(const FailureLoad& load, const CheckpointPolicy& policy) {
  const std::optional<Seconds> interval = checkpoint_interval(load.rate, policy);
  const Kept kept = kept_of(load.rate, policy, interval);
  const double running = 1 / load.wall_per_active;  // share of the calendar
  Goodput result{.availability = std::max(kLeastAvailability, running * kept.work * load.speed),
                 .interval = interval};
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
  return beyond_numbers(*this) ? mean : least + luck.quantile(p);
}

RunDays run_moments(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                    const Goodput& result) {
  const Seconds period = result.interval ? *result.interval + policy.stall : Seconds{};
  const double overhead = period > Seconds{} ? period / *result.interval : 1;
  RunDays days{.ideal = ideal,
               .mean = ideal / result.availability,
               .least = ideal / load.speed * overhead,
               .period = period};
  const double active = days.mean.si() / load.wall_per_active;
  days.failures = active * load.rate.si();
  double variance = active * paused_squared(load, Seconds{active}).si();
  if (days.failures > 0) {
    variance += days.failures * (cycle_variance(load, policy, *result.interval) +
                                 std::pow(load.down_deviation.si(), 2));
  }
  days.deviation = Seconds{std::sqrt(std::max(0.0, variance))};
  return days;
}

LuckLaw luck_of(const RunDays& days, const FailureLoad& load, int cells, double finest) {
  if (beyond_numbers(days)) return {};
  return {losses_of(days, load), cells, finest * days.least};
}

RunDays run_days(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                 const Goodput& result) {
  RunDays days = run_moments(ideal, load, policy, result);
  constexpr int kCells = 128;
  constexpr double kFinest = 2e-4;
  days.luck = luck_of(days, load, kCells, kFinest);
  days.p50 = days.quantile(0.5);
  days.p95 = days.quantile(0.95);
  return days;
}

}  // namespace planner::reliability
