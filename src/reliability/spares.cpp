#include "planner/reliability/spares.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "planner/core/ceil_div.hpp"

namespace planner::inline reliability {

namespace {

double probability(PerSecond rate, Seconds time) {
  return -std::expm1(-(rate * time));
}

/// The job's units over pools of as many spares each, as evenly as they divide.
struct Pools {
  std::int64_t smaller, larger;  ///< how many have `active` units of the job, and one more
  std::int64_t active;
  std::int64_t spares;

  Pools(const SparePolicy& policy, std::int64_t units)
      : smaller(policy.pools - units % policy.pools),
        larger(units % policy.pools),
        active(units / policy.pools),
        spares(policy.spares / policy.pools) {}

  [[nodiscard]] std::int64_t all() const { return smaller + larger; }
  [[nodiscard]] std::int64_t units() const { return smaller * active + larger * (active + 1); }
};

/// While one pool makes the job wait nothing fails in the others: the waits per running hour add.
/// Where units fail at all hours, the pools wait side by side: their shares of enough multiply.
SpareOutlook repaired(const SparePolicy& policy, const Pools& pools, PerSecond rate,
                      const GroupLosses& groups, const Crashes& crashes, DownHazard hazard) {
  GroupLosses of_pool = groups;
  if (groups.groups > 0) {
    of_pool.groups = ceil_div(groups.groups, pools.all());
    of_pool.rate = real(groups.groups) / real(of_pool.groups * pools.all()) * groups.rate;
  }
  const auto outlook = [&](std::int64_t active) {
    const SparePool pool{.active = active,
                         .spares = pools.spares,
                         .rate = rate,
                         .repair = *policy.repair,
                         .crews = policy.crews.value_or(SparePool{}.crews),
                         .groups = of_pool};
    return hazard == DownHazard::all ? waits_at_all_hours(pool, crashes)
                                     : waits_while_running(pool, crashes);
  };
  const SpareOutlook small = outlook(pools.active);
  if (pools.all() == 1) return small;
  const SpareOutlook large = pools.larger > 0 ? outlook(pools.active + 1) : SpareOutlook{};
  const double running = 1 + crashes.rate * crashes.down + crashes.stalled;
  const auto each = [&](auto member) {
    return real(pools.smaller) * (small.*member) + real(pools.larger) * (large.*member);
  };
  SpareOutlook all{.squared = each(&SpareOutlook::squared)};
  if (hazard == DownHazard::all) {
    const auto both = [&](double a, double b) {
      return std::pow(a, real(pools.smaller)) * std::pow(b, real(pools.larger));
    };
    all.p_ok = both(small.p_ok, large.p_ok);
    all.waiting = running * (both(1 + small.waiting / running, 1 + large.waiting / running) - 1);
    return all;
  }
  all.waiting = each(&SpareOutlook::waiting);
  // Of a pool alone, the hours short of spares per running hour: (1 - p)·(running + waiting).
  const auto short_of = [&](const SpareOutlook& one) {
    return (1 - one.p_ok) * (running + one.waiting);
  };
  all.p_ok = 1 - (real(pools.smaller) * short_of(small) + real(pools.larger) * short_of(large)) /
                     (running + all.waiting);
  return all;
}

/// P(no pool has lost more units than its spares), each unit with probability p.
double all_suffice(const Pools& pools, double p) {
  const auto suffice = [&](std::int64_t active) {
    return binomial_cdf(pools.spares, active + pools.spares, p);
  };
  return std::pow(suffice(pools.active), real(pools.smaller)) *
         (pools.larger > 0 ? std::pow(suffice(pools.active + 1), real(pools.larger)) : 1);
}

/// The job stops where the first of its pools loses one unit more than it has spares, t after a
/// visit, and waits T - t for the next: E[T - t; t < T] is the integral of P(t < u) over u up to T,
/// by Simpson's rule up to H, beyond which it has stopped for certain. It runs E[min(t, T)] of T,
/// and only then its units fail.
SpareOutlook visited(const Pools& pools, PerSecond rate, Seconds T) {
  constexpr int kIntervals = 128;
  constexpr double kNever = 1e-12;
  const auto stopped = [&](Seconds at) { return 1 - all_suffice(pools, probability(rate, at)); };
  const double p_stop = stopped(T);
  if (p_stop <= 0) return {};
  Seconds H = T;
  while (1 - stopped(H / 2) < kNever) H = H / 2;
  const double h = H / T;
  double wait = 1 - h, wait_squared = (1 - h) * (1 - h), runs = h;
  for (int i = 1; i <= kIntervals; ++i) {
    const double at = h * i / kIntervals;
    const double weight = h * (i == kIntervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * kIntervals);
    const double share = weight * stopped(at * T);
    wait += share;
    wait_squared += 2 * (1 - at) * share;
    runs -= share;
  }
  return {.p_ok = 1 - p_stop, .waiting = wait / runs, .squared = wait_squared / runs * T};
}

}  // namespace

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  return boost::math::ibetac(real(k) + 1, real(n - k), p);  // DLMF 8.17.5
}

double spares_suffice(std::int64_t n, std::int64_t spares, PerSecond rate, Seconds T) {
  return binomial_cdf(spares, n, probability(rate, T));
}

std::int64_t spares_needed(std::int64_t active, PerSecond rate, Seconds T, double confidence) {
  const double p = probability(rate, T);
  std::int64_t low = -1, high = 0;
  while (binomial_cdf(high, active + high, p) < confidence) {
    low = high;
    high = 2 * high + 1;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (binomial_cdf(middle, active + middle, p) < confidence ? low : high) = middle;
  }
  return high;
}

UnitOutages unit_outages(std::int64_t trays, std::int64_t spare, PerSecond rate, Seconds repair) {
  const double load = rate * repair, q = load / (1 + load);
  if (q <= 0 || spare >= trays) return {};
  const double short_of = boost::math::ibeta(real(spare) + 1, real(trays - spare), q);
  const double enough = binomial_cdf(spare, trays, q);
  const double at_limit = enough - binomial_cdf(spare - 1, trays, q);
  // From the last state that suffices, at the rate of the trays that are left.
  const PerSecond out = at_limit / enough * real(trays - spare) * rate;
  if (out <= PerSecond{}) return {};
  return {.rate = out, .repair = Seconds{short_of / enough / out.si()}};
}

SpareOutlook spare_outlook(const SparePolicy& policy, std::int64_t active, PerSecond rate,
                           const GroupLosses& groups, const Crashes& crashes, DownHazard hazard) {
  const PerSecond all_groups = real(groups.groups) * groups.rate;
  if (active <= 0 || (rate <= PerSecond{} && all_groups <= PerSecond{})) return {};
  const Pools pools(policy, active);
  if (!policy.visits) return repaired(policy, pools, rate, groups, crashes, hazard);
  const PerSecond grouped = real(groups.units) / real(active) * all_groups;
  return visited(pools, rate + grouped, *policy.visits);
}

}  // namespace planner::reliability
