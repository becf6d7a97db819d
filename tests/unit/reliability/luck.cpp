// What the luck of a run adds: losses of one size, those that never end beside short ones, and
// recoveries that failures interrupt.
#include "planner/reliability/luck.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "planner/reliability/recovery.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("few losses of one size leave gaps between their multiples, some of them longer or not") {
  // A gamma distribution with the same mean, variance and skewness, and nearly the same fourth
  // cumulant where one in twelve is longer, has runs in the gaps, and a 10th of 100 3 % longer.
  constexpr double kExpected = 4;
  for (double longer = 0; longer < 0.3; longer += 0.005) {
    CAPTURE(longer);
    const LuckLaw law(
        {{.expected = (1 - longer) * kExpected, .least = hours(4.3)},
         {.expected = longer * kExpected, .least = hours(4.3), .exponential = hours(3.5)}},
        128, Seconds{38});
    const double none = std::exp(-kExpected), one = (1 - longer) * kExpected * none;
    CHECK(law.share_within(hours(4)) == near(none, 0.01));
    CHECK(law.share_within(hours(4.5)) >= none + one);
  }
}

TEST_CASE("runs that meet no endless wait are as if there was none") {
  const RunLosses crash{.expected = 1.2, .least = hours(3), .even = hours(1)};
  const RunLosses endless{.expected = 0.05, .exponential = Seconds{1e95}};
  const LuckLaw without({crash}, 128, Seconds{10}), with({crash, endless}, 128, Seconds{10});
  const double none = std::exp(-endless.expected);
  for (double p = 0.05; p < 0.9; p += 0.05) {
    CAPTURE(p);
    CHECK(with.quantile(none * p).si() == near(without.quantile(p).si(), 1e-9));
  }
  CHECK(with.quantile(0.98) > Seconds{1e93});
  CHECK(with.share_within(hours(1e6)) == near(none, 1e-3));
}

TEST_CASE("interruptions of each class come to the mean of all, and none shortens a recovery") {
  // Of the second three the longest is cut short by the others more than it takes again.
  const auto class_of = [](double per_hour, double cured, double redone) {
    return CrashClass{per_hour * units::per_hour, hours(cured), hours(redone)};
  };
  const std::array alike{class_of(0.02, 0, 4), class_of(0.03, 1, 3), class_of(0.001, 2, 0)};
  const std::array apart{class_of(0.02, 0, 4), class_of(0.03, 0, 10), class_of(0.001, 0, 50)};
  for (const auto& classes : {alike, apart}) {
    const Seconds down = downtime(classes).mean;
    const std::vector<Interruptions> found = interruptions(classes, down);
    Seconds all{};
    for (std::size_t i = 0; i < classes.size(); ++i) {
      CHECK(found[i].share == near(-std::expm1(-0.051 * classes[i].redone.in(units::hour)), 1e-9));
      CHECK(found[i].longer >= Seconds{});
      all += classes[i].rate / (0.051 * units::per_hour) *
             (classes[i].uninterrupted() + found[i].share * found[i].longer);
    }
    CHECK(all.si() == near(down.si(), 1e-9));
  }
  CHECK(interruptions(apart, downtime(apart).mean).back().longer == Seconds{});
}
