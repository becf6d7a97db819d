// What waiting for spares costs a job whose recovery takes no time otherwise.
#include "planner/reliability/spares.hpp"

#include <doctest/doctest.h>

#include <cmath>

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
