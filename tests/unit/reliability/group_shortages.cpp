// Shortages of a pool that loses groups too, of any size.
#include "planner/reliability/group_shortages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/reliability/shortage_curves.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kEnough = std::numeric_limits<double>::infinity();  // crews
constexpr Fineness kEveryState{.steps = std::numeric_limits<double>::infinity(), .no_waits = 0};

/// A pool of so many units that loses as many units and groups as are out at once on average, were
/// spares always at hand.
struct Losing {
  double units = 0, hours_of_unit = 0;
  double groups = 0, hours_of_group = 0;
  std::int64_t size = 8;
  double crews = std::numeric_limits<double>::infinity();
};

SparePool pool_of(std::int64_t active, std::int64_t groups, const Losing& losing,
                  std::int64_t spares) {
  SparePool pool{.active = active,
                 .spares = spares,
                 .repair = hours(losing.hours_of_unit),
                 .crews = losing.crews,
                 .groups = {groups, {}, losing.size, hours(losing.hours_of_group)}};
  pool.rate = PerSecond{losing.units / real(active) / pool.repair.si()};
  pool.groups.rate = PerSecond{losing.groups / real(groups) / pool.groups.repair.si()};
  return pool;
}

struct Waits {
  double hours = 0;  ///< for each that the job runs
  double left = 0;   ///< of them after a recovery of half an hour
};

Waits waits_of(const std::vector<Shortage>& shortages) {
  Waits waits;
  for (const Shortage& one : shortages) {
    waits.hours += one.rate * one.time;
    waits.left += one.rate * one.time * std::exp(-1800 / one.time);
  }
  return waits;
}

/// Hours waited for each that the job runs, of every number of units and groups out as a state,
/// eliminated one by one from the last.
double plain_hours(const SparePool& pool) {
  const std::int64_t size = pool.groups.units, most = pool.spares / size + 1;
  const auto units = static_cast<std::size_t>(pool.spares + 2);
  const std::size_t states = units * static_cast<std::size_t>(most + 1);
  const auto runs = [&](std::size_t at) {
    return real(at % units) + real(size) * real(at / units) <= real(pool.spares);
  };
  std::vector<std::vector<double>> rates(states, std::vector<double>(states));
  for (std::size_t at = 0; at < states; ++at) {
    const double j = real(at % units), g = real(at / units);
    const double in = real(pool.active + pool.spares) - j - g * real(size);
    if (runs(at)) {
      rates[at][at + 1] = in * pool.rate.si();
      rates[at][at + units] = (real(pool.groups.groups) - g) * pool.groups.rate.si();
    }
    if (j > 0) rates[at][at - 1] = std::min(j, pool.crews) / pool.repair.si();
    if (g > 0) rates[at][at - units] = g / pool.groups.repair.si();
  }
  std::vector<double> leaves(states), shares(states);
  for (std::size_t m = states; --m > 0;) {
    for (std::size_t to = 0; to < m; ++to) leaves[m] += rates[m][to];
    for (std::size_t from = 0; from < m; ++from) {
      if (rates[from][m] == 0) continue;
      const double by_way = rates[from][m] / leaves[m];
      for (std::size_t to = 0; to < m; ++to) rates[from][to] += by_way * rates[m][to];
    }
  }
  shares[0] = 1;
  double running = 1, waiting = 0;
  for (std::size_t m = 1; m < states; ++m) {
    for (std::size_t from = 0; from < m; ++from) shares[m] += shares[from] * rates[from][m];
    shares[m] /= leaves[m];
    (runs(m) ? running : waiting) += shares[m];
  }
  return waiting / running;
}

}  // namespace

TEST_CASE(
    "hours of pools of which few units are out, or as many as crews are too few for: as of "
    "every state") {
  for (const std::int64_t size : {5, 8, 20}) {
    for (const double crews : {1.0, 4.0, kEnough}) {
      for (const double units : {2.0, 20.0, 200.0}) {
        for (const double groups : {0.01, 1.0, 20.0}) {
          CAPTURE(size);
          CAPTURE(crews);
          CAPTURE(units);
          CAPTURE(groups);
          const SparePool pool = pool_of(900, 60, {units, 72, groups, 24, size, crews}, 40);
          const double hours = waits_of(group_shortages(pool, 1, kEveryState)).hours;
          const double plain = plain_hours(pool);
          CHECK(std::abs(hours - plain) <= 1e-9 * plain + 1e-11);
        }
      }
    }
  }
}

TEST_CASE(
    "ranges: waits do not depend on what was asked before, and parts of a pool wait no less") {
  const SparePolicy parts{.spares = 1000, .pools = 4, .repair = hours(72), .crews = 100};
  SparePolicy all = parts;
  all.pools = 1;
  const GroupLosses groups{15'625, PerSecond{1.9e-10}, 8, hours(24)};
  ShortageCurves curves;
  for (const double rate : {3.9e-9, 7.2e-9, 1.2e-8, 2.1e-8, 3.7e-8, 6.3e-8, 1.2e-7}) {
    for (const double down : {52, 113, 226, 449, 895, 1781, 3862}) {
      CAPTURE(rate);
      CAPTURE(down);
      const Crashes crashes{.rate = PerSecond{170'000 * rate}, .down = Seconds{down}};
      const auto waits = [&](const SparePolicy& of, ShortageCurves* known) {
        ShortageCurves fresh;
        return spare_outlook(of, 125'000, PerSecond{rate}, groups, crashes, DownHazard::running,
                             known != nullptr ? known : &fresh)
            .waiting;
      };
      const double of_parts = waits(parts, &curves);
      CHECK(of_parts == near(waits(parts, nullptr), 1e-7));
      CHECK(of_parts >= (1 - 1e-6) * waits(all, nullptr));
    }
  }
}

TEST_CASE(
    "wide steps of units and groups: hours within 0.7 % of every state, what is left within 4 %, "
    "and 1.2 % of hours") {
  int wide = 0;
  for (const std::int64_t size : {1, 8, 18}) {
    for (const double groups : {20.0, 80.0}) {
      for (const double units : {300.0, 700.0}) {
        for (const double enough : {0.4, 0.7, 1.0, 1.1}) {
          for (const double crews : {0.9, 1e9}) {
            CAPTURE(size);
            CAPTURE(groups);
            CAPTURE(units);
            CAPTURE(enough);
            CAPTURE(crews);
            const double out = units + groups * real(size);
            const SparePool pool =
                pool_of(40'000, 3000, {units, 72, groups, 20, size, crews * units},
                        std::llround(enough * out));
            const std::vector<Shortage> now = group_shortages(pool, 1.1);
            const std::vector<Shortage> all = group_shortages(pool, 1.1, kEveryState);
            const Waits steps = waits_of(now), states = waits_of(all);
            if (states.hours < 1e-7) continue;
            wide += now.size() < all.size();
            CHECK(steps.hours == near(states.hours, 0.007));
            CHECK(steps.left == near(states.left, 0.04));
            CHECK(std::abs(steps.left - states.left) < 0.012 * states.hours);
          }
        }
      }
    }
  }
  CHECK(wide > 20);
}

TEST_CASE(
    "many more out than there are spares: what recoveries leave, within 1 % of hours waited") {
  struct Case {
    std::int64_t active, groups, spares;
    Losing losing;
  };
  for (const Case& c : {Case{25'876, 205, 901, {1446, 134.6, 50.2, 62.5, 20}},
                        Case{266'603, 1992, 4617, {8493, 149.3, 238, 131.9, 16, 2651}},
                        Case{91'957, 415, 3100, {1031, 133.7, 25.4, 71.5, 20, 395}},
                        Case{60'430, 226, 3713, {778, 113.9, 45.7, 65.3, 20, 513}}}) {
    CAPTURE(c.active);
    const SparePool pool = pool_of(c.active, c.groups, c.losing, c.spares);
    const Waits steps = waits_of(group_shortages(pool, 1.05)),
                states = waits_of(group_shortages(pool, 1.05, kEveryState));
    CHECK(steps.hours == near(states.hours, 0.002));
    CHECK(std::abs(steps.left - states.left) < 0.01 * states.hours);
  }
}

TEST_CASE("groups as large as the pool, or larger than what stays of it: hours of every state") {
  struct Case {
    std::int64_t active, groups, spares;
    Losing losing;
  };
  for (const Case& c : {Case{808, 3, 808, {89.2, 480, 0.09, 326, 808}},
                        Case{808, 3, 808, {400, 480, 0.5, 326, 808}},
                        Case{808, 3, 1616, {89.2, 480, 0.5, 326, 808}},
                        Case{404, 3, 808, {70, 480, 0.2, 326, 808, 100}},
                        Case{404, 5, 1212, {200, 480, 0.2, 326, 808}},
                        Case{16, 2000, 8000, {400, 72, 300, 20, 20}}}) {
    CAPTURE(c.active);
    CAPTURE(c.spares);
    CAPTURE(c.losing.units);
    const SparePool pool = pool_of(c.active, c.groups, c.losing, c.spares);
    const Waits steps = waits_of(group_shortages(pool, 1.1)),
                states = waits_of(group_shortages(pool, 1.1, kEveryState));
    CHECK(states.hours > 1e-3);
    CHECK(steps.hours == near(states.hours, 0.007));
    CHECK(std::abs(steps.left - states.left) < 0.012 * states.hours);
  }
}

TEST_CASE("one step after another of spares and of units: no jump where steps become wide") {
  const Losing losing{1500, 72, 120, 24, 8};
  double before = 0;
  for (std::int64_t spares = 2700; spares >= 1200; spares -= 12) {
    CAPTURE(spares);
    const double now = waits_of(group_shortages(pool_of(40'000, 3000, losing, spares), 1.1)).hours;
    CHECK(now > before);
    if (before > 1e-6) CHECK(now < before * 1.6 + 0.02);
    before = now;
  }
  CHECK(before > 0.6);
  before = 0;
  for (double out = 600; out < 20'000; out *= 1.04) {  // 2 % more than are out
    CAPTURE(out);
    const Losing larger{0.6 * out, 72, 0.05 * out, 24, 8};
    const SparePool pool =
        pool_of(std::llround(30 * out), std::llround(4 * out), larger, std::llround(1.02 * out));
    const double now = std::log(waits_of(group_shortages(pool, 1)).hours);
    if (before != 0) CHECK(std::abs(now - before) < 0.25);
    before = now;
  }
}

TEST_CASE("one more group that is hardly ever out: no jump where others are counted in bundles") {
  double before = 0, rise = 0;  // of the logarithm of hours
  for (double out = 165; out < 195; out *= 1.004) {
    CAPTURE(out);
    const SparePool pool =
        pool_of(1453, 1217, {0.3488 * out, 6.243, 0.6512 * out / 3, 194.6, 3}, 261);
    const double now = std::log(waits_of(group_shortages(pool, 1.05)).hours);
    if (rise != 0) CHECK(std::abs(now - before - rise) < 0.005);
    rise = before != 0 ? now - before : 0;
    before = now;
  }
}

TEST_CASE("thousands of units and groups out at once, simulated event by event") {
  // Share of the calendar in which the job runs, in 400,000, 60,000, 150,000 and 40,000 hours.
  struct Case {
    std::int64_t active, groups, spares;
    Losing losing;
    double running, error;
  };
  for (const Case& c : {Case{50'000, 6250, 9000, {10'300, 1200, 200, 24, 8, 3000}, 0.29075, 3.4e-4},
                        Case{360'000, 30'001, 18'000, {10'000, 100, 1000, 50, 8}, 0.99443, 3.6e-4},
                        Case{50'000, 6250, 9000, {4000, 1200, 700, 24, 8, 3000}, 0.74901, 1.4e-3},
                        Case{40'000, 30'001, 1960, {1000, 20, 1000, 200, 1}, 0.97984, 1.1e-3}}) {
    CAPTURE(c.active);
    CAPTURE(c.running);
    const SparePool pool = pool_of(c.active, c.groups, c.losing, c.spares);
    const double running = 1 / (1 + waits_of(group_shortages(pool, 1)).hours);
    CHECK(std::abs(running - c.running) < 3 * c.error);
  }
}

TEST_CASE(
    "shortages at many rates: within 0.2 % of each by itself, or between finer and coarser steps "
    "where it jumps from these to those; 1 % of wide steps") {
  for (const std::int64_t spares : {4, 64, 400, 1000, 2000, 8000}) {
    const auto of_spread = [&](double times) { return std::llround(times * std::sqrt(spares)); };
    for (const std::int64_t size : {1ll, 8ll, 18ll, 128ll, of_spread(0.9), of_spread(1.9)}) {
      for (const double crews : {kEnough, 0.7 * real(spares), 0.04 * real(spares)}) {
        ShortageCurves curves;
        // Of what is out, spares being always at hand: from a third of the spares to three times.
        const double even = std::min(real(spares), crews);
        const bool wait = crews < 0.1 * real(spares);
        const double few = wait ? 1e-6 : 1e-9, of_left = spares < 100 ? 0.003 : wait ? 0.07 : 0.03;
        for (double out = even / 3; out < 3 * even; out *= 1.02) {
          CAPTURE(spares);
          CAPTURE(size);
          CAPTURE(crews);
          CAPTURE(out);
          const SparePool pool =
              pool_of(8 * spares, 2 * spares,
                      {0.9 * out, 72, 0.1 * out / real(size), 24, size, crews}, spares);
          const Waits one = waits_of(group_shortages(pool, 1)),
                      found = waits_of(curves.at(pool, 1));
          if (one.hours < few && found.hours < few) continue;
          const double within = spares < 1000 ? 0.002 : 0.01;
          double low = one.hours, high = one.hours;
          if (std::abs(found.hours - one.hours) > within * one.hours) {
            for (const Fineness& fineness : {kEveryState, Fineness{.steps = 4}}) {
              const double other = waits_of(group_shortages(pool, 1, fineness)).hours;
              low = std::min(low, other);
              high = std::max(high, other);
            }
          }
          CHECK(found.hours == near(one.hours, 0.01));
          CHECK(found.hours > low * (1 - within));
          CHECK(found.hours < high * (1 + within));
          CHECK(std::abs(found.left - one.left) < of_left * one.hours);
        }
      }
    }
  }
}

TEST_CASE(
    "shortages at many rates: the same whatever else was asked, and where repairs are slower") {
  const SparePool pool = pool_of(40'000, 3000, {380, 72, 3, 24, 8}, 400);
  ShortageCurves curves;
  for (const double slower : {1.0, 0.9, 1.07, 1.21}) {
    CAPTURE(slower);
    ShortageCurves fresh;
    const double hours = waits_of(curves.at(pool, slower)).hours;
    CHECK(hours == near(waits_of(group_shortages(pool, slower)).hours, 0.002));
    CHECK(waits_of(fresh.at(pool, slower)).hours == hours);
  }
}

TEST_CASE("shortages at many rates, of few crews and of large groups, simulated event by event") {
  // Hours waited for each that the job runs, in 20 million events, and their standard error.
  struct Case {
    std::int64_t active, groups, spares;
    Losing losing;
    double hours, error;
  };
  for (const Case& c : {Case{3125, 391, 125, {6.5, 72, 0.35, 24, 8, 5}, 0.30248, 5.4e-4},
                        Case{3125, 391, 125, {4.5, 72, 0.6, 14, 21, 5}, 3.4478e-4, 1.8e-5},
                        Case{3125, 391, 16, {9, 72, 0.3, 24, 8}, 0.11575, 2e-4},
                        Case{12'500, 1563, 64, {21, 72, 0.26, 24, 8, 20}, 0.057478, 3.9e-4},
                        Case{3125, 391, 16, {0.8, 72, 0.1, 24, 21, 1}, 0.1017, 9.8e-5}}) {
    CAPTURE(c.spares);
    CAPTURE(c.losing.units);
    const SparePool pool = pool_of(c.active, c.groups, c.losing, c.spares);
    ShortageCurves curves;
    CHECK(std::abs(waits_of(curves.at(pool, 1)).hours - c.hours) < 3 * c.error);
  }
}

TEST_CASE("few crews: steps of units counted as one far from where the job waits, within 0.2 %") {
  for (const double crews : {1.0, 5.0}) {
    for (const double out : {1.05, 1.1, 1.2}) {
      CAPTURE(crews);
      CAPTURE(out);
      const SparePool pool = pool_of(1200, 150, {0.9 * out * crews, 72, 0.1, 24, 8, crews}, 200);
      const Waits counted = waits_of(group_shortages(pool, 1.05, {.from_waiting = 8})),
                  every = waits_of(group_shortages(pool, 1.05, kEveryState));
      CHECK(every.hours > 0);
      CHECK(counted.hours == near(every.hours, 0.002));
    }
  }
}

TEST_CASE("pools with one unit more than others: as each by itself, within 0.06 %") {
  struct Case {
    std::int64_t units, spares, groups;
    double rate, crews;
  };
  for (const Case& c : {Case{6403, 400, 250, 4.7e-9, 8}, Case{1875, 500, 235, 8e-9, 4},
                        Case{1874, 500, 235, 5e-7, 1e4}, Case{1450, 400, 20, 7e-7, 1e4}}) {
    const SparePolicy policy{
        .spares = c.spares, .pools = 4, .repair = hours(72), .crews = std::llround(c.crews)};
    const GroupLosses groups{c.groups, PerSecond{2e-7}, 8, hours(24)};
    for (const double often : {1.0, 1.3, 2.0}) {
      CAPTURE(c.units);
      CAPTURE(often);
      ShortageCurves curves;
      const PerSecond rate{often * c.rate};
      const auto waits = [&](ShortageCurves* of) {
        return spare_outlook(policy, c.units, rate, groups, {}, DownHazard::running, of).waiting;
      };
      CHECK(waits(nullptr) > 1e-4);
      CHECK(waits(&curves) == near(waits(nullptr), 0.0006));
    }
  }
}
