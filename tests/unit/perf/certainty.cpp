#include "planner/perf/calibrated/certainty.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "planner/domain/plan_parts.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

OutsideRuns outside(const char* accelerator, Generation generation, std::int64_t rows, double low,
                    double high) {
  return {.of = {.accelerator = accelerator,
                 .generation = generation,
                 .stack = SoftwareClass::jax,
                 .rows = rows,
                 .sources = {"a"}},
          .low = low,
          .high = high};
}

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
  constants.outside = {outside("trn1", Generation::trainium, 25, 0.2, 1),
                       outside("tpu7x", Generation::tpu, 7, 0.1, 0.5)};
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

TEST_CASE("a generation without a class has that of all, as wide as what no fit has seen") {
  Workload on = workload(Generation::cdna3, 1024, 4096);
  CHECK(interval_of(on).low.si() == near(10 * std::exp(-0.1)));
  CHECK(interval_of(on).high.si() == near(10 * std::exp(1)));
  CHECK(evidence_of(on)->outside == MissedRuns{.rows = 32, .low = 0.1, .high = 1});
  CHECK(!evidence_of(on)->missed);
  // Where nothing is known of such runs the slow side is twice as wide: not narrower for that.
  Calibration constants = on.timing.constants();
  constants.outside.clear();
  on.timing = constants;
  CHECK(interval_of(on).low.si() == near(10 * std::exp(-0.1)));
  CHECK(interval_of(on).high.si() == near(10 * std::exp(0.6)));
}

TEST_CASE("runs outside the fit are told of their own system, software and format") {
  Workload on = workload(Generation::trainium, 256, 4096);
  on.software = software_of(SoftwareClass::jax);
  on.system.accelerator.name = "trn1";
  on.run.precision = Precision::fp16;
  Calibration constants = on.timing.constants();
  constants.outside.front().of.precision = Precision::bf16;
  on.timing = constants;
  CHECK(evidence_of(on)->missed == MissedRuns{.rows = 25, .low = 0.2, .high = 1});
  CHECK(!evidence_of(on)->measured());
  on.run.precision = Precision::fp8;
  CHECK(!evidence_of(on)->missed);
  on.run.precision = Precision::bf16;
  on.system.accelerator.name = "trn2";
  CHECK(!evidence_of(on)->missed);
}

TEST_CASE("a format of which no run is on the generation is none that was measured") {
  Workload on = workload(Generation::hopper, 256, 4096);
  on.software = software_of(SoftwareClass::te);
  on.run.precision = Precision::bf16;
  Calibration constants = on.timing.constants();
  constants.measured = {{.accelerator = "h100-sxm",
                         .generation = Generation::hopper,
                         .stack = SoftwareClass::te,
                         .precision = Precision::bf16,
                         .rows = 30,
                         .sources = {"a", "b"}}};
  on.timing = constants;
  CHECK(evidence_of(on)->measured());
  on.run.precision = Precision::fp16;
  CHECK(evidence_of(on)->measured());
  on.run.precision = Precision::fp8;
  CHECK(!evidence_of(on)->measured());
  CHECK(interval_of(on).high.si() == near(10 * std::exp(1)));
}

TEST_CASE("software of which no run is on the generation is as wide as what no fit has seen") {
  Workload on = workload(Generation::hopper, 256, 4096);
  Calibration constants = on.timing.constants();
  constants.measured = {{.accelerator = "h100-sxm",
                         .generation = Generation::hopper,
                         .stack = SoftwareClass::te,
                         .rows = 30,
                         .sources = {"a", "b"}},
                        {.accelerator = "h200-sxm",
                         .generation = Generation::hopper,
                         .stack = SoftwareClass::te,
                         .rows = 3,
                         .sources = {"b", "c"}}};
  on.timing = constants;
  on.software = software_of(SoftwareClass::te);
  CHECK(interval_of(on).high.si() == near(10 * std::exp(0.1)));
  CHECK(evidence_of(on)->runs == 33);
  CHECK(evidence_of(on)->sources == 3);
  on.software = software_of(SoftwareClass::eager);
  CHECK(interval_of(on).high.si() == near(10 * std::exp(1)));
  CHECK(interval_of(on).low.si() == near(10 * std::exp(-0.2)));
  CHECK(!evidence_of(on)->measured());
}

TEST_CASE("runs on one kind of TPU are no evidence for another") {
  Workload on = workload(Generation::tpu, 256, 4096);
  on.software = software_of(SoftwareClass::jax);
  Calibration constants = on.timing.constants();
  constants.measured = {{.accelerator = "tpu-v5p",
                         .generation = Generation::tpu,
                         .stack = SoftwareClass::jax,
                         .rows = 7,
                         .sources = {"a"}}};
  on.timing = constants;
  on.system.accelerator.name = "tpu-v5p";
  CHECK(evidence_of(on)->runs == 7);
  on.system.accelerator.name = "tpu-v5e";
  CHECK(!evidence_of(on)->measured());
}

TEST_CASE("own runs take the class's place on their accelerator and software only") {
  Workload on = workload(Generation::hopper, 256, 4096);
  on.software = software_of(SoftwareClass::te);
  on.system.accelerator.name = "ours";
  Calibration constants = on.timing.constants();
  constants.own = {{.accelerator = "ours",
                    .stack = SoftwareClass::te,
                    .factor = 1.12,
                    .low = -0.08,
                    .high = 0.08,
                    .rows = 3,
                    .most_gpus = 256,
                    .longest_sequence = 4096}};
  on.timing = constants;
  CHECK(own_factor(on) == 1.12);
  CHECK(interval_of(on).low.si() == near(10 * std::exp(-0.08)));
  CHECK(interval_of(on).high.si() == near(10 * std::exp(0.08)));
  CHECK(evidence_of(on)->own == 3);
  // Beyond their sizes the ends move out, never beyond those of the class.
  on.gpus = 512;
  CHECK(interval_of(on).high.si() == near(10 * std::exp(0.08 + 0.15 * 0.16)));
  on.gpus = 1 << 20;
  const double of_class = 0.1 + 12 * 0.15 * 0.3;
  CHECK(interval_of(on).high.si() <= 10 * std::exp(of_class));
  on.gpus = 256;
  on.software = software_of(SoftwareClass::torch);
  CHECK(own_factor(on) == 1);
  on.software = software_of(SoftwareClass::te);
  on.system.accelerator.name = "theirs";
  CHECK(own_factor(on) == 1);
}

TEST_CASE("an own factor is on every part of a time, and on its explanation") {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    Workload plain = random_calibrated_workload(random);
    Calibration constants = plain.timing.constants();
    constants.own = {
        {.accelerator = plain.system.accelerator.name,
         .stack = plain.software.stack,
         .mixture_of_experts = plain.model.moe.has_value(),
         .parameters = plain.model.moe ? total_parameters(plain.model, plain.run.sequence) : 0,
         .factor = 1.25,
         .low = -0.1,
         .high = 0.1,
         .rows = 1}};
    const Strategy strategy = random_strategy(random, plain);
    Workload own = plain;
    own.timing = constants;
    const IterationBreakdown a = evaluate(plain, strategy).time, b = evaluate(own, strategy).time;
    for (const TimePart& part : time_parts()) {
      CHECK((b.*part.amount).si() == near(1.25 * (a.*part.amount).si()));
    }
    CHECK(evaluate(own, strategy).memory == evaluate(plain, strategy).memory);
    CHECK(explain(own, strategy).back().value == near(b.total().si()));
  }
}

TEST_CASE("no measured errors, no interval") {
  Workload none = workload(Generation::hopper, 8, 2048);
  none.model.moe = MoeSpec{.experts = 8, .top_k = 2, .expert_ffn_hidden = 64};
  CHECK(!time_interval(none, Seconds{1}));  // no class of mixtures of experts
  none.timing = {};
  CHECK(!time_interval(none, Seconds{1}));
}
