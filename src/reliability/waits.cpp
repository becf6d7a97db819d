#include <algorithm>
#include <cmath>
#include <vector>

#include "planner/reliability/clumps.hpp"
#include "planner/reliability/fixed_point.hpp"
#include "planner/reliability/group_shortages.hpp"
#include "planner/reliability/shortage_curves.hpp"
#include "planner/reliability/spares.hpp"

// Waits for spares that are repaired one by one, where units fail while the job runs only.
namespace planner::inline reliability {

namespace {

/// Of a pool without groups: losses from the last state in which the spares suffice. Its share is 1
/// over the sum of all states' weights over its own, summed from it down.
Shortage only_shortage(const SparePool& pool, double slower) {
  constexpr double kRounding = 1e-18, kBeyondAll = 1e30;
  const double load = (pool.rate * pool.repair) / slower;
  const std::int64_t n = pool.active + pool.spares;
  double weight = 1, sum = 1;
  for (std::int64_t j = pool.spares; j > 0; --j) {
    const double ratio = std::min(real(j), pool.crews) / (real(n - (j - 1)) * load);
    weight *= ratio;
    sum += weight;
    if (sum > kBeyondAll) return {};
    if (ratio < 1 && weight < kRounding * sum) break;
  }
  return {.rate = real(pool.active) * pool.rate.si() / sum,
          .time = pool.repair.si() / std::min(real(pool.spares + 1), pool.crews)};
}

/// Losses that find too few spares, by the hours in which enough are there.
std::vector<Shortage> shortages_while_running(const SparePool& pool, double slower,
                                              ShortageCurves* curves) {
  if (pool.loses_groups()) {
    return curves != nullptr ? curves->at(pool, slower) : group_shortages(pool, slower);
  }
  const Shortage only = pool.rate * pool.repair > 0 ? only_shortage(pool, slower) : Shortage{};
  return only.rate > 0 ? std::vector{only} : std::vector<Shortage>{};
}

/// Hours in which one of several pools has enough, were its shortages as of the product form and no
/// recoveries in them: where to look first.
SlopeAt nearly_there(std::span<const LikePools> pools, double running, ShortageCurves& curves) {
  double number = 0;
  for (const LikePools& like : pools) number += real(like.number);
  const auto enough_there = [&](double slower) {
    double waiting = 0;
    for (const LikePools& like : pools) {
      waiting += real(like.number) * curves.nearly(like.pool, slower);
    }
    return running + (number - 1) / number * waiting;
  };
  constexpr double kNearly = 1e-2;
  const double first = enough_there(running);
  return fixed_point(1, first, {running, 0}, first, enough_there, kNearly);
}

/// Hours in which one of several pools has enough where recoveries take no time; where groups are
/// lost those there are.
/// @param counts  c of waits_while_running()
double hours_at_start(std::span<const LikePools> pools, double stalled, double counts,
                      double hours) {
  double number = 0;
  for (const LikePools& like : pools) number += real(like.number);
  if (pools.front().pool.loses_groups()) return hours;
  if (number == 1) return std::min(hours, 1 + stalled);
  const auto enough_there = [&](double slower) {
    double waiting = 0;
    for (const LikePools& like : pools) {
      const Shortage one = only_shortage(like.pool, slower);
      waiting += real(like.number) * one.rate * one.time;
    }
    return 1 + counts * (stalled + (number - 1) / number * waiting);
  };
  constexpr double kNearly = 1e-4;
  return fixed_point(1, hours, {hours, 0}, enough_there(hours), enough_there, kNearly).at;
}

}  // namespace

double Crashes::hides(double mean) const {
  if (hiding.empty()) return std::expm1(-down.si() / mean);
  double sum = 0;
  for (const HidingCrash& one : hiding) sum += one.share * std::expm1(-one.down.si() / mean);
  return sum;
}

SpareOutlook waits_while_running(std::span<const LikePools> pools, const Crashes& crashes,
                                 ShortageCurves* curves) {
  const double running = 1 + crashes.rate * crashes.down + crashes.stalled;
  double number = 0;
  for (const LikePools& like : pools) number += real(like.number);
  const double spares = real(pools.front().pool.spares);
  const double counts = number > 1 ? (spares + 1) / (spares + 2) : 1;
  std::vector<std::vector<Shortage>> shortages(pools.size());
  const auto left = [&](double mean) { return 1 + crashes.of_losses * crashes.hides(mean); };
  double waiting = 0, short_of = 0;
  const auto enough_there = [&](double slower) {
    double hidden = waiting = short_of = 0;
    for (std::size_t i = 0; i < pools.size(); ++i) {
      shortages[i] = shortages_while_running(pools[i].pool, slower, curves);
      for (const auto& [rate, time] : shortages[i]) {
        const double hours = real(pools[i].number) * rate * time, of_it = left(time);
        hidden += hours * (1 - of_it);
        waiting += hours * of_it;
        short_of += hours;
      }
    }
    const double elsewhere = (number - 1) / number * waiting;
    return 1 + counts * (running - 1 - hidden / number + elsewhere);
  };
  LastHours none, &hours = curves != nullptr ? curves->hours(number) : none;
  const auto [beyond, last_slope, _] = hours.at(crashes.down, running);
  SlopeAt start{std::max(1.0, running + beyond), last_slope};
  if (curves != nullptr && number > 1 && hours.other_rates(crashes.down)) {
    start = nearly_there(pools, running, *curves);
  }
  const double of_first = enough_there(start.at);
  constexpr double kRounding = 1e-9, kClose = 1e-10;
  const double most = (1 + kRounding) * std::max(start.at, running + waiting);
  // Hours waited grow with no more than the power of the rate that there are spares, and one; of so
  // few none is told.
  constexpr double kFew = 1e-9;
  const double grow = std::pow(start.at / of_first, spares + 1);
  const double moves = std::max(short_of, kFew) * std::abs(grow - 1);
  const SlopeAt last = moves <= kClose
                           ? SlopeAt{of_first, last_slope}
                           : fixed_point(1, most, start, of_first, enough_there, kClose);
  hours.put(crashes.down, {last.at - running, last.slope, running});
  SpareOutlook found{.waiting = waiting, .hidden = short_of - waiting};
  const double begins = hours_at_start(pools, crashes.stalled, counts, last.at);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    for (const auto& [rate, time] : shortages[i]) {
      const double of_it = left(time);
      const Clump of = clump(pools[i].pool, last.at, (number - 1) * of_it, begins);
      add_waits(found.waits, waits_left(real(pools[i].number) * rate, time, of, of_it));
    }
  }
  found.p_ok = 1 - short_of / (running + found.waiting);
  return found;
}

}  // namespace planner::reliability
