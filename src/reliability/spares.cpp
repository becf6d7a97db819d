#include "planner/reliability/spares.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/reliability/shortage_curves.hpp"

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

/// One of the pools, with its part of the groups.
SparePool one_pool(const SparePolicy& policy, const Pools& pools, std::int64_t active,
                   const SpareLosses& losses) {
  SparePool pool{
      .active = active,
      .spares = pools.spares,
      .rate = losses.rate,
      .repair = losses.repair,
      .crews = policy.crews ? real(*policy.crews) / real(pools.all()) : SparePool{}.crews,
      .groups = losses.groups};
  if (const std::int64_t all = losses.groups.groups; all > 0) {
    pool.groups.groups = ceil_div(all, pools.all());
    pool.groups.rate = real(all) / real(pool.groups.groups * pools.all()) * losses.groups.rate;
  }
  return pool;
}

std::vector<Pauses> scaled(std::vector<Pauses> waits, double oftener, double longer) {
  for (Pauses& kind : waits) {
    kind.rate = oftener * kind.rate;
    kind.each = longer * kind.each;
    kind.deviation = longer * kind.deviation;
  }
  return waits;
}

/// As many units per spare, and one more, as pools with one unit more have at least where these and
/// the others are told of by the shortages of one kind. Hours waited grow with the power s of the
/// units, no more than one for each spare and one more: the mean of both kinds is s²/(8·units²) of
/// it more than hours of the mean number of units, at most 0.06 % of 15 units per spare.
constexpr std::int64_t kUnitsOfSpare = 3, kNearlyAlike = 15;

bool alike(const Pools& pools, std::int64_t units_of_spare) {
  return pools.larger > 0 && pools.active > units_of_spare * (pools.spares + 1);
}

SparePool at_rates(SparePool pool, double units, double groups) {
  pool.rate = units * pool.rate;
  pool.groups.rate = groups * pool.groups.rate;
  return pool;
}

/// Those of the more usual size at the rates at which they lose as many units as the smaller ones,
/// and the larger ones, on average, where half of the spares are out that usually are not. Groups,
/// which are as many in both, count as being lost more often too, by the part that units have of
/// what is out, and less often in the other: by what they do to the hours of all, that is of second
/// order.
std::array<LikePools, 2> nearly_same(const Pools& pools, const SparePool& small,
                                     const SparePool& large) {
  const SparePool& usual = pools.larger > pools.smaller ? large : small;
  const double spares = real(pools.spares);
  const double units = real(usual.active) * (usual.rate * usual.repair);
  const double groups =
      real(usual.groups.groups * usual.groups.units) * (usual.groups.rate * usual.groups.repair);
  const double queue = units < usual.crews ? units / (1 - units / usual.crews) : spares;
  const double half = std::max(0.0, spares - queue - groups) / 2;
  const double of_usual = real(usual.active) + half;
  const double mean = (real(pools.units()) / real(pools.all()) + half) / of_usual;
  if (alike(pools, kNearlyAlike)) {
    return {LikePools{at_rates(usual, mean, 1), pools.all()}, LikePools{usual, 0}};
  }
  const double of_units = units / (units + groups);
  const auto with = [&](std::int64_t active) {
    const double more = std::pow((real(active) + half) / of_usual / mean, of_units);
    return at_rates(usual, mean * more, more);
  };
  return {LikePools{with(pools.active), pools.smaller},
          LikePools{with(pools.active + 1), pools.larger}};
}

SpareOutlook repaired(const SparePolicy& policy, const Pools& pools, PerSecond rate,
                      const GroupLosses& groups, const Crashes& crashes, DownHazard hazard,
                      ShortageCurves* curves) {
  const SpareLosses losses{rate, *policy.repair, groups};
  const SparePool small = one_pool(policy, pools, pools.active, losses);
  const SparePool large = one_pool(policy, pools, pools.active + 1, losses);
  if (hazard == DownHazard::running && curves != nullptr && small.loses_groups() &&
      alike(pools, kUnitsOfSpare)) {
    const std::array same = nearly_same(pools, small, large);
    return waits_while_running(std::span(same).first(same.back().number > 0 ? 2 : 1), crashes,
                               curves);
  }
  const std::array kinds{LikePools{small, pools.smaller}, LikePools{large, pools.larger}};
  const auto both = std::span(kinds).first(pools.larger > 0 ? 2 : 1);
  return hazard == DownHazard::running ? waits_while_running(both, crashes, curves)
                                       : waits_at_all_hours(both, crashes);
}

/// Pools that share no spares wait no less than one of all of them, and no less often where units
/// are lost one by one: where what they are to each other is approximate, that is the bound. (A
/// group that is larger than the spares of a pool waits itself, and of one pool leaves too few for
/// what is lost after it: fewer long waits are many short ones there.)
SpareOutlook no_better(SpareOutlook pools, const SpareOutlook& one, bool groups) {
  pools.p_ok = std::min(pools.p_ok, one.p_ok);
  if (pools.waiting < one.waiting) {
    pools.waiting = one.waiting;
    pools.waits = one.waits;
  } else if (!groups && pools.rate() < one.rate()) {
    const double oftener = one.rate() / pools.rate();
    pools.waits = scaled(std::move(pools.waits), oftener, 1 / oftener);
  }
  return pools;
}

/// Whether one pool of all spares waits for less than its parts, so that it need not be looked at:
/// for so much less, were its shortages over at once; or where ranges are asked for, recoveries
/// hide no more of n pools' shortages than n - 1 of n, and a group is no more than half of a pool's
/// spares. Then hours with enough spares, x, are no fewer for its parts, and it takes F(x) = x + Σ
/// r(x)·T in all as they do, which never falls with x and is no more of a larger pool. (In none of
/// 38,519 such pairs of rates and recovery times of random jobs is it told to wait for longer.)
bool waits_less(const SparePool& all, const Pools& parts, const SpareOutlook& waits,
                DownHazard hazard, ShortageCurves* curves) {
  constexpr double kMuch = 1.5;
  if (hazard != DownHazard::running || !all.loses_groups()) return false;
  const double others = real(parts.all() - 1);
  if (curves != nullptr && waits.waiting > 0 && waits.hidden <= others * waits.waiting &&
      parts.spares >= 2 * all.groups.units) {
    return true;
  }
  return kMuch * (curves != nullptr ? curves->at_once(all) : waits_at_once(all)) < waits.waiting;
}

/// Of one unit, alone or with its group.
PerSecond of_units(std::int64_t active, const SpareLosses& losses) {
  const GroupLosses& groups = losses.groups;
  return losses.rate + real(groups.units) / real(active) * (real(groups.groups) * groups.rate);
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
  constexpr double kAlmostNever = 1e-12;
  const auto stopped = [&](Seconds at) { return 1 - all_suffice(pools, probability(rate, at)); };
  const double p_stop = stopped(T);
  if (p_stop <= 0) return {};
  Seconds H = T;
  while (1 - stopped(H / 2) < kAlmostNever) H = H / 2;
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
  const PerSecond often{p_stop / (runs * T).si()};
  const Seconds each = wait / p_stop * T;
  const double square = wait_squared / p_stop * T.si() * T.si() - each.si() * each.si();
  const Seconds deviation{std::sqrt(std::max(0.0, square))};
  return {.p_ok = 1 - p_stop, .waiting = wait / runs, .waits = {{often, each, deviation}}};
}

}  // namespace

Pauses Pauses::as_clumps(Seconds run) const {
  // Of what falls exponentially from the start on, what is there on average.
  const auto of_start = [run](Seconds falls) {
    const double times = falls > Seconds{} ? run / falls : HUGE_VAL;
    return times > 0 ? -std::expm1(-times) / times : 1;
  };
  const double met = 1 - of_start(clump);  // of those after the first
  const double often = 1 + (at_start - 1) * of_start(settles);
  const double n = 1 + (per_clump - 1) * met, one = each.si(), spread = deviation.si();
  return {.rate = often / n * rate,
          .each = n * each,
          .deviation = Seconds{std::sqrt(n * (spread * spread + (n - 1) * one * one))}};
}

PerSecond SpareOutlook::rate() const {
  PerSecond sum{};
  for (const Pauses& kind : waits) sum += kind.rate;
  return sum;
}

Seconds SpareOutlook::squared() const {
  Seconds sum{};
  for (const Pauses& kind : waits) sum += kind.squared();
  return sum;
}

void add_waits(std::vector<Pauses>& waits, const Pauses& more) {
  if (more.rate <= PerSecond{} || more.each <= Seconds{}) return;
  const auto length = [](Seconds each) { return std::ilogb(each.si()) >> 1; };
  const auto same = std::find_if(waits.begin(), waits.end(),
                                 [&, of_more = length(more.each)](const Pauses& kind) {
                                   return length(kind.each) == of_more;
                                 });
  if (same == waits.end()) {
    waits.push_back(more);
    return;
  }
  // With the mean and the mean square of both.
  const PerSecond rate = same->rate + more.rate;
  const Seconds each = same->each + more.rate / rate * (more.each - same->each);
  const double square = (same->squared() + more.squared()).si() / rate.si();
  const double per_clump = rate / (same->rate / same->per_clump + more.rate / more.per_clump);
  const Seconds clump = same->clump + more.rate / rate * (more.clump - same->clump);
  const double at_start = same->at_start + more.rate / rate * (more.at_start - same->at_start);
  const double excess = (same->at_start - 1) * (same->rate * same->settles) +
                        (more.at_start - 1) * (more.rate * more.settles);
  const Seconds settles = excess > 0 ? Seconds{excess / ((at_start - 1) * rate.si())} : Seconds{};
  *same = {.rate = rate,
           .each = each,
           .deviation = Seconds{std::sqrt(std::max(0.0, square - each.si() * each.si()))},
           .per_clump = per_clump,
           .clump = clump,
           .at_start = at_start,
           .settles = settles};
}

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
                           const GroupLosses& groups, const Crashes& crashes, DownHazard hazard,
                           ShortageCurves* curves) {
  if (active <= 0 || of_units(active, {rate, {}, groups}) <= PerSecond{}) return {};
  const Pools pools(policy, active);
  if (!policy.visits) {
    SpareOutlook waits = repaired(policy, pools, rate, groups, crashes, hazard, curves);
    if (policy.pools == 1) return waits;
    SparePolicy together = policy;
    together.pools = 1;
    const Pools all(together, active);
    if (waits_less(one_pool(together, all, active, {rate, *policy.repair, groups}), pools, waits,
                   hazard, curves)) {
      return waits;
    }
    return no_better(waits, repaired(together, all, rate, groups, crashes, hazard, curves),
                     groups.groups > 0);
  }
  return visited(pools, of_units(active, {rate, {}, groups}), *policy.visits);
}

SwapOutlook swap_outlook(const SparePolicy& policy, std::int64_t active,
                         const SpareLosses& crashing, const SpareLosses& all, double slower) {
  if (active <= 0) return {};
  const Pools pools(policy, active);
  const auto of_pool = [&](const SpareLosses& losses, std::int64_t members, std::int64_t most) {
    return out_at_most(one_pool(policy, pools, members, losses), most, slower);
  };
  const auto within = [&](const SpareLosses& losses, std::int64_t most) {
    if (most < 0) return 0.0;
    if (policy.visits) {
      Pools fewer = pools;
      fewer.spares = most;
      return 1 / (1 + visited(fewer, of_units(active, losses), *policy.visits).waiting);
    }
    const double larger = pools.larger > 0 ? of_pool(losses, pools.active + 1, most) : 1;
    return std::pow(of_pool(losses, pools.active, most), real(pools.smaller)) *
           std::pow(larger, real(pools.larger));
  };
  const std::int64_t spares = pools.spares;
  const double can_run = within(crashing, spares), at_full = within(all, spares);
  if (can_run <= 0 || at_full <= 0) return {.slowed = 1, .singles = 0, .groups = 0};
  const double full = std::min(1.0, at_full / can_run);
  // In the pool that is hit: room for one more, and where there is none the last too many.
  const double one_full = pools.all() == 1 ? at_full : of_pool(all, pools.active, spares);
  const double room = policy.visits ? within(all, spares - 1) / at_full
                                    : of_pool(all, pools.active, spares - 1) / one_full;
  const double later = policy.visits ? 0 : real(spares) / real(spares + 1);
  return {.slowed = 1 - full,
          .singles = full * (room + (1 - room) * later),
          .groups = spares >= all.groups.units ? full : 0};
}

}  // namespace planner::reliability
