#include <doctest/doctest.h>

#include "planner/domain/plan.hpp"
#include "planner/domain/system.hpp"

using namespace planner;

TEST_CASE("each precision has its own peak, or none") {
  const PeakRates peaks{.fp32 = FlopsPerSecond{1},
                        .tf32 = FlopsPerSecond{2},
                        .fp16 = FlopsPerSecond{3},
                        .bf16 = FlopsPerSecond{4},
                        .fp8 = FlopsPerSecond{5}};
  CHECK(peaks.at(Precision::fp32) == FlopsPerSecond{1});
  CHECK(peaks.at(Precision::tf32) == FlopsPerSecond{2});
  CHECK(peaks.at(Precision::fp16) == FlopsPerSecond{3});
  CHECK(peaks.at(Precision::bf16) == FlopsPerSecond{4});
  CHECK(peaks.at(Precision::fp8) == FlopsPerSecond{5});
  CHECK(!peaks.at(Precision::fp4));
}

TEST_CASE("a breakdown's total counts every part once") {
  // Powers of two: each subset has its own sum.
  const IterationBreakdown time{.bubble_compute = Seconds{1},
                                .bubble_communication = Seconds{2},
                                .last_stage_compute = Seconds{4},
                                .last_stage_tp_communication = Seconds{8},
                                .last_stage_pp_communication = Seconds{16},
                                .sync = Seconds{32}};
  CHECK(time.total() == Seconds{63});
  const MemoryBreakdown memory{
      .weights = Bytes{1}, .gradients = Bytes{2}, .optimizer = Bytes{4}, .activations = Bytes{8}};
  CHECK(memory.total() == Bytes{15});
}

TEST_CASE("a plan fits when it needs no more than there is") {
  Plan plan{.strategy = {}, .memory = {.weights = 80 * units::GB}, .capacity = 80 * units::GB};
  CHECK(plan.fits());
  plan.memory.activations = 1 * units::byte;
  CHECK(!plan.fits());
}

TEST_CASE("the schedule follows from the interleaving") {
  CHECK(Strategy{}.schedule() == Schedule::one_f_one_b);
  CHECK(Strategy{.interleave = 2}.schedule() == Schedule::interleaved);
}
