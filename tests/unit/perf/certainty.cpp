#include "planner/perf/calibrated/certainty.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "planner/perf/metrics.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload workload(Generation generation, std::int64_t gpus, std::int64_t sequence) {
  Random random(3);
  Workload made = random_calibrated_workload(random);
  made.model.moe.reset();
  made.system.accelerator.generation = generation;
  made.gpus = gpus;
  made.run.sequence = sequence;
  Calibration constants = prior_calibration();
  constants.residuals = {
      {.low = -0.1, .high = 0.3, .rows = 90, .most_gpus = 1024, .longest_sequence = 4096},
      {.generation = Generation::hopper,
       .low = -0.2,
       .high = 0.1,
       .rows = 30,
       .most_gpus = 256,
       .longest_sequence = 4096}};
  made.timing = std::move(constants);
  return made;
}

TimeInterval interval_of(const Workload& at) {
  const auto interval = time_interval(at, Seconds{10});
  REQUIRE(interval);
  return *interval;
}

}  // namespace

TEST_CASE("inside of what was measured an interval is the class's") {
  const TimeInterval own = interval_of(workload(Generation::hopper, 256, 4096));
  CHECK(own.low.si() == near(10 * std::exp(-0.2)));
  CHECK(own.high.si() == near(10 * std::exp(0.1)));
  CHECK(own.holds(Seconds{10}));
  CHECK(!own.holds(Seconds{12}));
}

TEST_CASE("more GPUs move its slow end, longer sequences both, with every doubling beyond") {
  // Two doublings of the GPUs: 15 % of the width of 0.3 for each.
  const TimeInterval larger = interval_of(workload(Generation::hopper, 1024, 4096));
  CHECK(larger.low.si() == near(10 * std::exp(-0.2)));
  CHECK(larger.high.si() == near(10 * std::exp(0.1 + 2 * 0.15 * 0.3)));
  // Middle -0.05, half width 0.15: 65 % wider.
  const TimeInterval longer = interval_of(workload(Generation::hopper, 8, 8192));
  CHECK(longer.high.si() == near(10 * std::exp(-0.05 + 1.65 * 0.15)));
}

TEST_CASE("a generation without a class has that of all, its slow side twice as wide") {
  const TimeInterval other = interval_of(workload(Generation::cdna3, 1024, 4096));
  CHECK(other.low.si() == near(10 * std::exp(-0.1)));
  CHECK(other.high.si() == near(10 * std::exp(0.1 + 2 * 0.2)));
}

TEST_CASE("no measured errors, no interval") {
  Workload none = workload(Generation::hopper, 8, 2048);
  none.model.moe = MoeSpec{.experts = 8, .top_k = 2, .expert_ffn_hidden = 64};
  CHECK(!time_interval(none, Seconds{1}));  // no class of mixtures of experts
  none.timing = {};
  CHECK(!time_interval(none, Seconds{1}));
}
