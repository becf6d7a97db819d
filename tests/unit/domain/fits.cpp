#include "planner/domain/fits.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the probability of fitting falls with the predicted memory") {
  const Bytes capacity = 80 * units::GB;
  // Phi(-0.015/0.11) and Phi((ln(1/0.87) - 0.015)/0.11), from tables of the normal distribution.
  CHECK(fit_probability(capacity, capacity) == doctest::Approx(0.4457).epsilon(1e-3));
  CHECK(fit_probability(0.87 * capacity, capacity) == doctest::Approx(0.8707).epsilon(1e-3));
  CHECK(fit_probability(1.05 * capacity, capacity) == doctest::Approx(0.2806).epsilon(1e-3));
  CHECK(fit_probability(Bytes{}, capacity) == 1);
  double before = 1;
  for (double share = 0.3; share < 2; share += 0.01) {
    const double now = fit_probability(share * capacity, capacity);
    CHECK(now <= before);
    before = now;
  }
  CHECK(before < 1e-6);
}

TEST_CASE("the memory of a probability has that probability") {
  for (const double p : {0.001, 0.1, 0.28, 0.5, 0.9, 0.999}) {
    const Bytes memory = memory_with_probability(p, 80 * units::GB);
    CHECK(fit_probability(memory, 80 * units::GB) == near(p));
  }
}

TEST_CASE("what is refused, and what a ranking adds") {
  const Bytes capacity = 100 * units::GB;
  const FitRule rule(Timing::calibrated, capacity);
  CHECK(rule.fits(105 * units::GB));
  CHECK(!rule.fits(105.001 * units::GB));
  CHECK(rule.risk(80 * units::GB) == 1);
  CHECK(rule.surely(85.5 * units::GB));
  CHECK(!rule.surely(85.6 * units::GB));
  CHECK(rule.risk(90 * units::GB) == near(1.02));
  CHECK(rule.risk(98.4 * units::GB) == near(1.02));
  CHECK(rule.risk(98.6 * units::GB) == near(1.12));

  const FitRule sure(Timing::calibrated, capacity, 0.9);
  CHECK(sure.fits(85.5 * units::GB));
  CHECK(!sure.fits(85.6 * units::GB));
  // To ask for less than what is refused anyway changes nothing.
  CHECK(FitRule(Timing::calibrated, capacity, 0.1).limit() == rule.limit());

  const FitRule exact(Timing::closed_form, capacity);
  CHECK(exact.fits(capacity));
  CHECK(!exact.fits(100.001 * units::GB));
  CHECK(exact.risk(capacity) == 1);
}

TEST_CASE("where no peak was measured little is sure, and nothing is refused that ran") {
  CHECK(!memory_measured(SoftwareClass::jax));
  CHECK(memory_measured(SoftwareClass::torch));
  const Bytes capacity = 100 * units::GB;
  const FitRule rule(Timing::calibrated, capacity, 0, false);
  CHECK(rule.fits(kMostOfRunsThatRan * capacity));
  CHECK(!rule.fits(170.1 * units::GB));
  CHECK(rule.risk(104 * units::GB) == near(1.12));
  CHECK(rule.risk(106 * units::GB) == near(FitRule::most_risk(false)));
  // exp(-0.35·1.2816)
  CHECK(rule.surely(63.8 * units::GB));
  CHECK(!rule.surely(64 * units::GB));
  CHECK(fit_probability(capacity, capacity, false) == near(0.5));
  CHECK(memory_with_probability(0.9, capacity, false) < memory_with_probability(0.9, capacity));
}
