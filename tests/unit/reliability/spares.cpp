// What waiting for spares costs a job whose recovery takes no time otherwise.
#include "planner/reliability/spares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kPerHour = 1.1e-4;  // of a node: that of Llama 3's parts that need a spare

SpareOutlook outlook(const SparePolicy& policy, std::int64_t nodes, double per_hour = kPerHour) {
  return spare_outlook(policy, nodes, per_hour * units::per_hour, {}, {}, DownHazard::running);
}

/// Share of the calendar in which the job waits.
double waiting(const SparePolicy& policy, std::int64_t nodes, double per_hour = kPerHour) {
  const double waits = outlook(policy, nodes, per_hour).waiting;
  return waits / (1 + waits);
}

double p_ok(const SparePolicy& policy, std::int64_t nodes) {
  return outlook(policy, nodes).p_ok;
}

/// A pool of which so many units and groups of `units` are out at once, next to enough spares.
SparePool often_out(double units_out, Seconds repair, double groups_out, GroupLosses groups) {
  SparePool pool{.active = 20'000, .repair = repair, .groups = groups};
  pool.rate = PerSecond{units_out / real(pool.active) / repair.si()};
  pool.groups.groups = 2000;
  pool.groups.rate = PerSecond{groups_out / real(pool.groups.groups) / groups.repair.si()};
  return pool;
}

double waiting(SparePool pool, std::int64_t spares, std::int64_t more_groups = 0) {
  pool.spares = spares;
  pool.groups.groups += more_groups;
  return waits_while_running(pool, {}).waiting;
}

/// The same from every number of groups as a state of its own, with repairs that go on in the
/// shortages: each state's balance in turn until none moves.
double waiting_by_states(const SparePool& pool) {
  const GroupLosses& groups = pool.groups;
  const std::int64_t units = pool.spares + 1, most = pool.spares / groups.units + 1;
  const auto runs = [&](std::int64_t j, std::int64_t g) {
    return j >= 0 && g >= 0 && j + g * groups.units <= pool.spares;
  };
  const auto at = [&](std::int64_t j, std::int64_t g) {
    return static_cast<std::size_t>(j * (most + 1) + g);
  };
  const auto loses_unit = [&](std::int64_t j, std::int64_t g) {
    return runs(j, g) ? real(pool.active + pool.spares - j - g * groups.units) * pool.rate.si() : 0;
  };
  const auto loses_group = [&](std::int64_t j, std::int64_t g) {
    return runs(j, g) ? real(groups.groups - g) * groups.rate.si() : 0;
  };
  std::vector<double> share(at(units, most) + 1, 1.0);
  double moved = 1;
  while (moved > 1e-11) {
    moved = 0;
    for (std::int64_t j = 0; j <= units; ++j) {
      for (std::int64_t g = 0; g <= most; ++g) {
        double enters = 0;
        if (j > 0) enters += share[at(j - 1, g)] * loses_unit(j - 1, g);
        if (g > 0) enters += share[at(j, g - 1)] * loses_group(j, g - 1);
        if (j < units) enters += share[at(j + 1, g)] * real(j + 1) / pool.repair.si();
        if (g < most) enters += share[at(j, g + 1)] * real(g + 1) / groups.repair.si();
        const double now = enters / (loses_unit(j, g) + loses_group(j, g) +
                                     real(j) / pool.repair.si() + real(g) / groups.repair.si());
        moved = std::max(moved, std::abs(now - share[at(j, g)]) / (now + 1e-9));
        share[at(j, g)] = now;
      }
    }
    const double all = std::accumulate(share.begin(), share.end(), 0.0);
    for (double& one : share) one /= all;
  }
  double running = 0;
  for (std::int64_t j = 0; j <= units; ++j) {
    for (std::int64_t g = 0; g <= most; ++g) running += runs(j, g) ? share[at(j, g)] : 0;
  }
  return (1 - running) / running;
}

}  // namespace

TEST_CASE("with repairs the job waits whenever spares do not suffice") {
  for (const std::int64_t spares : {0, 1, 4, 12}) {
    for (const std::int64_t pools : {1, 2, 4}) {
      for (const double repair : {24.0, 240.0, 2400.0}) {
        CAPTURE(spares);
        CAPTURE(pools);
        CAPTURE(repair);
        const SparePolicy policy{.spares = pools * spares, .pools = pools, .repair = hours(repair)};
        CHECK(1 - waiting(policy, 9) == near(p_ok(policy, 9), 1e-12));
      }
    }
  }
}

TEST_CASE("one node and one spare between visits: both have failed") {
  // The mean of (1 - e^(-λu))² over u up to T.
  for (const double days : {30.0, 365.0, 3650.0}) {
    CAPTURE(days);
    const double x = kPerHour * 24 * days;
    const double both = 1 + 2 * std::expm1(-x) / x - std::expm1(-2 * x) / (2 * x);
    CHECK(waiting({.spares = 1, .visits = days * units::day}, 1) == near(both, 1e-6));
  }
}

TEST_CASE("without spares any failure stops the job until the visit, however it is pooled") {
  for (const double per_hour : {1e-6, 1e-4, 1e-2, 1.0}) {
    const double x = 128 * per_hour * 168;
    for (const std::int64_t pools : {1, 2, 16, 100, 128}) {
      CAPTURE(per_hour);
      CAPTURE(pools);
      CHECK(waiting({.pools = pools, .visits = hours(168)}, 128, per_hour) ==
            near(1 + std::expm1(-x) / x, 1e-3));
    }
  }
}

TEST_CASE("nodes that do not divide by the pools are dealt out, none is added") {
  const SparePolicy policy{.spares = 8, .pools = 8, .visits = 365 * units::day};
  const PerSecond rate = kPerHour * units::per_hour;
  const double eight = std::pow(spares_suffice(2, 1, rate, *policy.visits), 7) *
                       spares_suffice(3, 1, rate, *policy.visits);
  CHECK(p_ok(policy, 9) == near(eight));
}

TEST_CASE("crews: one repair at a time, and as many as needed") {
  // M/M/1 with one spare of two nodes: states 0, 1, 2 weigh 1, 2a, 2a².
  const double a = 0.3;
  SparePool pool{.active = 1, .spares = 1, .rate = a / 10 * units::per_hour, .repair = hours(10)};
  pool.crews = 1;
  CHECK(out_at_most(pool, pool.spares) == near(1 - 2 * a * a / (1 + 2 * a + 2 * a * a), 1e-12));
  CHECK(waits_while_running(pool, {}).p_ok == near(1 - 2 * a * a / (1 + 2 * a + 2 * a * a), 1e-12));
  pool.crews = 2;
  CHECK(out_at_most(pool, pool.spares) == near(1 - a * a / (1 + 2 * a + a * a), 1e-12));
  // A million nodes and spares neither overflow nor stop.
  pool = {.active = 1'000'000,
          .spares = 1'000'000,
          .rate = pool.rate,
          .repair = hours(1000),
          .crews = 3};
  const double p = waits_while_running(pool, {}).p_ok;
  CHECK(p > 0);
  CHECK(p < 1e-3);
}

TEST_CASE("at all hours: the binomial distribution, and brute force with groups") {
  const SparePool pool{.active = 9,
                       .spares = 4,
                       .rate = 2e-3 * units::per_hour,
                       .repair = hours(24),
                       .groups = {3, 5e-3 * units::per_hour, 2, hours(10)}};
  const double q = 0.048 / 1.048, r = 0.05 / 1.05;
  const auto pmf = [](std::int64_t n, std::int64_t k, double p) {
    return binomial_cdf(k, n, p) - binomial_cdf(k - 1, n, p);
  };
  double sum = 0;
  for (std::int64_t j = 0; j <= 13; ++j) {
    for (std::int64_t g = 0; g <= 3; ++g) {
      if (j + 2 * g <= 4) sum += pmf(13, j, q) * pmf(3, g, r);
    }
  }
  CHECK(out_at_most(pool, pool.spares) == near(sum, 1e-12));
  SparePool alone = pool;
  alone.groups = {};
  CHECK(out_at_most(alone, alone.spares) == near(binomial_cdf(4, 13, q), 1e-12));
}

TEST_CASE("a group larger than the spares waits for itself, singles without spares for a repair") {
  const SparePool group{
      .active = 100, .spares = 3, .groups = {10, 1e-3 * units::per_hour, 32, hours(5)}};
  CHECK(waits_while_running(group, {}).waiting == near(0.05, 1e-12));
  const SparePool single{.active = 64, .rate = 1e-3 * units::per_hour, .repair = hours(10)};
  CHECK(waits_while_running(single, {}).waiting == near(0.64, 1e-12));
}

TEST_CASE("what is back when a group's wait is over stays back") {
  // One spare, and groups of two that wait each time. A unit that is out returns before the group
  // with probability 4/(4 + 6): of n + 1 = 5 units one is out in p1/p0 = 5·λ/(μ + γ·0.4).
  const double lambda = 0.02, gamma = 3 * 0.05, unit = 1 / 6.0, group = 1 / 4.0;
  const SparePool pool{.active = 4,
                       .spares = 1,
                       .rate = lambda * units::per_hour,
                       .repair = hours(6),
                       .groups = {3, 0.05 * units::per_hour, 2, hours(4)}};
  const double ratio = 5 * lambda / (unit + gamma * unit / (unit + group));
  const double one_out = ratio / (1 + ratio);
  CHECK(waits_while_running(pool, {}).waiting ==
        near(gamma * 4 + one_out * 4 * lambda * 6 / 2, 1e-12));
  // Groups without units that fail by themselves: room for two of three.
  const SparePool groups{
      .active = 50, .spares = 17, .groups = {3, 0.05 * units::per_hour, 8, hours(4)}};
  const double a = 0.05 * 4, none = 1, once = 3 * a, twice = 3 * a * a;
  CHECK(waits_while_running(groups, {}).waiting ==
        near(twice * 0.05 * 4 / 3 / (none + once + twice), 1e-12));
}

TEST_CASE("pools: sixteen of 8 spares against one of 128") {
  const PerSecond llama{419.0 / 54 / 2048 / 86400};
  const auto p_ok = [&](std::int64_t pools) {
    const SparePolicy policy{.spares = 128, .pools = pools, .visits = 7 * units::day};
    return spare_outlook(policy, 2048, llama, {}, {}, DownHazard::running).p_ok;
  };
  CHECK(std::abs(p_ok(16) - 0.853) < 0.001);
  CHECK(p_ok(1) > 0.99999);
}

TEST_CASE("groups in bundles: within 0.6 % of every number of groups as a state of its own") {
  for (const auto& [units_out, groups_out, size] :
       {std::tuple{10.0, 10.0, 1}, {20.0, 6.0, 3}, {3.0, 12.0, 2}, {0.5, 10.0, 4}}) {
    SparePool pool =
        often_out(units_out, hours(48), groups_out, {.units = size, .repair = hours(17)});
    for (const double more : {0.9, 1.2, 1.5}) {
      CAPTURE(size);
      CAPTURE(more);
      pool.spares = std::llround(more * (units_out + groups_out * size));
      CHECK(waits_while_running(pool, {}).waiting == near(waiting_by_states(pool), 0.006));
    }
  }
}

TEST_CASE("one spare more: a little less waiting, wherever groups begin to be bundled") {
  const SparePool fours = often_out(200, hours(200), 10, {.units = 4, .repair = hours(4)});
  const SparePool eights = often_out(200, hours(48), 10, {.units = 8, .repair = hours(4)});
  const SparePool rows = often_out(200, hours(10), 20, {.units = 18, .repair = hours(100)});
  for (const auto& [pool, first, last] :
       {std::tuple{fours, 100, 300}, {eights, 200, 320}, {rows, 360, 420}}) {
    double before = waiting(pool, first);
    for (int spares = first + 1; spares <= last; ++spares) {
      CAPTURE(pool.groups.units);
      CAPTURE(spares);
      const double now = waiting(pool, spares);
      CHECK(now < before);
      CHECK(now > before * 0.8);
      const double more_groups = waiting(pool, spares, 20);
      CHECK(more_groups > now);
      CHECK(more_groups < now * 1.3);
      before = now;
    }
  }
  // From the balance of all states, each number of groups for itself.
  CHECK(waiting(fours, 172) == near(0.429691, 5e-4));
  CHECK(waiting(eights, 223) == near(0.318655, 5e-4));
  CHECK(waiting(rows, 396) == near(0.433171, 5e-4));
}
