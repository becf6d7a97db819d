#include "planner/design/goals.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/near.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

TEST_CASE("quantiles of the normal distribution") {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.1.
  CHECK(deviations(0.5) == 0);
  CHECK(deviations(0.8) == near(0.8416212335729143, 1e-12));
  CHECK(deviations(0.9) == near(1.2815515655446004, 1e-12));
  CHECK(deviations(0.95) == near(1.6448536269514722, 1e-12));
  CHECK(deviations(0.999) == near(3.0902323061678132, 1e-12));
}

TEST_CASE("what is exceeded in one case of ten is the high end of an interval of 80 %") {
  CHECK(excess(100, 130, 0.9) == near(1.3));
  CHECK(excess(100, 130, 0.5) == 1);
  CHECK(excess(100, 130, 0.8) == near(1.188, 1e-3));
  CHECK(excess(100, 100, 0.9) == 1);
  CHECK(excess(100, 90, 0.9) == 1);  // an interval below what is expected promises nothing
  CHECK(excess(0, 10, 0.9) == 1);
}

TEST_CASE("which designs rule out which") {
  const std::vector<double> a{1, 2}, b{1, 3}, c{2, 1}, d{1, 2};
  CHECK(rules_out(a, b, true, false));
  CHECK_FALSE(rules_out(b, a, true, true));
  CHECK_FALSE(rules_out(a, c, true, true));
  CHECK_FALSE(rules_out(c, a, true, true));
  CHECK(rules_out(a, d, true, true));
  CHECK_FALSE(rules_out(a, d, true, false));
  // Without a front, the first goal decides.
  CHECK(rules_out(a, c, false, false));
  CHECK_FALSE(rules_out(c, a, false, true));
  CHECK(rules_out(a, b, false, false));
  CHECK(rules_out(a, d, false, true));
}

TEST_CASE("limits are held against what a share of all cases stays within") {
  Judged judged;
  judged.expected[at(Measure::days)] = 80;
  judged.confident[at(Measure::days)] = 95;
  CHECK(within(judged, {}));
  CHECK_FALSE(within(judged, {.days = 90}));
  CHECK(within(judged, {.days = 95}));
  judged.confident[at(Measure::capex)] = 100'01;
  CHECK(within(judged, {.capex = Money::cents(100'01)}));
  CHECK_FALSE(within(judged, {.capex = Money::cents(100'00)}));
  // Megawatts of a brief, as many as are needed.
  judged.confident[at(Measure::power)] = 1'005'680;
  CHECK(within(judged, {.power = 1.00568 * 1e6 * units::W}));
  CHECK_FALSE(within(judged, {.power = 1.00567 * 1e6 * units::W}));
}
