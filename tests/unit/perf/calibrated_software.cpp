// What the software does to an iteration, each against the same run without it.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/model/constraints.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload workload_of(SoftwareClass stack) {
  Workload workload{.model = gpt_22b(),
                    .system = a100_cluster(),
                    .run = {.global_batch = 64, .sequence = 2048},
                    .gpus = 64};
  workload.timing = prior_calibration();
  workload.system.accelerator.generation = Generation::ampere;
  workload.system.accelerator.memory_bandwidth = 2039 * units::GBps;
  workload.software = software_of(stack);
  return workload;
}

}  // namespace

TEST_CASE("a pipeline that drains after every local batch has a bubble for each") {
  Workload workload = workload_of(SoftwareClass::torch);
  const Strategy strategy{.tp = {8, 1}, .pp = {1, 8}};
  const auto bubble = [&](std::int64_t global_batch, std::int64_t per_flush) {
    workload.run.global_batch = global_batch;
    workload.software.micro_batches_per_flush = per_flush;
    return Calibrated(workload).evaluate(strategy).time.bubble_compute.si();
  };
  const double once = bubble(64, 0);
  CHECK(bubble(64, 64) == near(once));
  CHECK(bubble(64, 100) == near(once));
  CHECK(bubble(64, 16) == near(4 * once));
  CHECK(bubble(16, 16) == near(once));
}

TEST_CASE("every time the bubble is the schedule's own, and groups are of what is fed") {
  Workload workload = workload_of(SoftwareClass::torch);
  workload.software.micro_batches_per_flush = 16;
  const auto one_and_four = [&](const Strategy& strategy) {
    workload.run.global_batch = 16;
    const double one = Calibrated(workload).evaluate(strategy).time.bubble_compute.si();
    workload.run.global_batch = 64;
    CHECK(Calibrated(workload).evaluate(strategy).time.bubble_compute.si() == near(4 * one));
    return Calibrated(workload).pipeline(strategy).group;
  };
  CHECK(one_and_four({.tp = {8, 1}, .pp = {1, 8}, .interleave = 3}) == 8);
  Strategy zero_bubble{.tp = {8, 1}, .pp = {1, 8}};
  zero_bubble.without_interleaving = Schedule::zero_bubble_1p;
  one_and_four(zero_bubble);
  zero_bubble.without_interleaving = Schedule::zero_bubble_2p;
  one_and_four(zero_bubble);
}

TEST_CASE("local batches are alike, and interleaved stages have turns enough in each") {
  Workload workload = workload_of(SoftwareClass::torch);
  workload.system.hb_domain = 8;
  const auto broken = [&](std::int64_t global_batch, std::int64_t per_flush,
                          std::int64_t interleave) {
    workload.run.global_batch = global_batch;
    workload.software.micro_batches_per_flush = per_flush;
    std::vector<Constraint> found;
    for (const Violation& each :
         violations(workload, {.tp = {8, 1}, .pp = {1, 8}, .interleave = interleave})) {
      found.push_back(each.constraint);
    }
    return found;
  };
  CHECK(broken(64, 16, 1).empty());
  CHECK(broken(64, 100, 1).empty());
  CHECK(broken(60, 16, 1) == std::vector{Constraint::flushes});
  CHECK(broken(64, 8, 2).empty());
  CHECK(broken(64, 4, 1).empty());
  CHECK(broken(64, 4, 2) == std::vector{Constraint::turns});
}

TEST_CASE("a pipeline keeps no more micro-batches than it is fed at a time") {
  const Calibrated::Pipeline on{.p = 8, .b = 1, .m = 64, .v = 1, .flushes = 16};
  CHECK(Calibrated::in_flight(on, 0).total() == 4);
  CHECK(Calibrated::in_flight(on, 6).total() == 2);
}

TEST_CASE("tensor parallelism without overlap is all exposed, with it a share") {
  for (const SoftwareClass stack : {SoftwareClass::torch, SoftwareClass::te}) {
    Workload workload = workload_of(stack);
    CHECK(workload.software.tp_overlap == (stack == SoftwareClass::te));
    const auto exposed = [&](bool overlap) {
      workload.software.tp_overlap = overlap;
      const Calibrated model(workload);
      return model.evaluate({.tp = {8, 1}, .dp = {1, 8}}).time.last_stage_tp_communication.si();
    };
    CHECK(exposed(true) == near(0.4 * exposed(false)));
    Strategy strategy{.tp = {8, 1}, .dp = {1, 8}};
    workload.software.tp_overlap = true;
    CHECK(overlaps_tensor_parallelism(workload.software, strategy));
    strategy.sequence_parallel = false;  // what overlaps gathers and scatters the sequence
    CHECK(!overlaps_tensor_parallelism(workload.software, strategy));
    CHECK(!overlaps_tensor_parallelism(workload.software, {.tp = {8, 2}, .dp = {1, 4}}));
  }
}

TEST_CASE("tensor parallelism costs launches, the same for any degree") {
  const Calibrated model(workload_of(SoftwareClass::eager));
  const auto launches = [&](std::int64_t tp) {
    return model.work({.tp = {tp, 1}, .dp = {8 / tp, 8}}).dense.host.in(units::ms);
  };
  CHECK(launches(1) == near(1.0));
  for (const std::int64_t tp : {2, 4, 8}) CHECK(launches(tp) == near(1.1));
}

TEST_CASE("full recomputation is one more forward, collectives included") {
  const Strategy kept{.tp = {8, 1}, .dp = {1, 8}, .recompute = Recompute::none};
  Strategy again = kept;
  again.recompute = Recompute::full;
  for (const SoftwareClass stack : {SoftwareClass::torch, SoftwareClass::eager}) {
    CAPTURE(int(stack));
    const Calibrated model(workload_of(stack));
    const Seconds all_reduce = model.communication(kept).all_reduce;
    const Calibrated::LayerTime without = model.micro_batch(kept).layer;
    const Calibrated::LayerTime with = model.micro_batch(again).layer;
    CHECK(without.tp / all_reduce == near(5));  // two forward, with sequence parallelism three back
    CHECK(with.tp / all_reduce == near(7));
    const Calibrated::LayerWork work = model.work(kept).dense;
    const Seconds forward = work.products + work.attention_forward + work.elementwise;
    CHECK((with.compute - without.compute) / forward == near(1));
  }
}

// Narayanan et al. 2021, §4.1, for Megatron-LM; Megatron-Core divides what it sends by the ranks of
// tensor parallelism with sequence parallelism only (schedules.py, get_tensor_shapes).
TEST_CASE("stages send all of the sequence unless it is split") {
  const auto per_sample = [&](SoftwareClass stack, bool sequence_parallel) {
    return Calibrated(workload_of(stack))
        .synchronisation({.tp = {8, 1}, .pp = {1, 8}, .sequence_parallel = sequence_parallel})
        .send_per_sample;
  };
  for (const SoftwareClass stack : {SoftwareClass::torch, SoftwareClass::mcore}) {
    CHECK(per_sample(stack, false) / per_sample(stack, true) == near(8));
  }
  for (const SoftwareClass stack : {SoftwareClass::eager, SoftwareClass::flash}) {
    CHECK(per_sample(stack, false) / per_sample(stack, true) == near(1));
  }
}

TEST_CASE("the optimizer passes over what is on the GPU") {
  const Calibrated model(workload_of(SoftwareClass::torch));
  const auto optimizer = [&](int zero) {
    return model.synchronisation({.dp = {8, 8}, .zero = zero}).optimizer;
  };
  CHECK(optimizer(0) / optimizer(3) == near(64));
  CHECK(optimizer(1) / optimizer(3) == near((30.0 / 64 + 6) / (36.0 / 64)));
}

TEST_CASE("ZeRO-3 of 2021 stays in a domain where its ranks do") {
  Workload workload = workload_of(SoftwareClass::eager);
  workload.gpus = 8;
  const auto gathers = [&] {
    return Calibrated(workload).synchronisation({.dp = {8, 1}, .zero = 3}).per_micro.si();
  };
  const double before = gathers();
  workload.system.network_bandwidth = workload.system.network_bandwidth / 10;
  CHECK(gathers() == before);
  workload.system.hb_bandwidth = workload.system.hb_bandwidth / 10;
  CHECK(gathers() == near(10 * before));
}

TEST_CASE("bubbles of 1F1B and interleaved: Narayanan et al. 2021 (arXiv 2104.04473), §2.2") {
  const Calibrated model(workload_of(SoftwareClass::eager));
  constexpr double p = 8;
  const Calibrated::Stage even{.layers = 1, .slowest = 1 * units::second, .all = p * units::second};
  for (const double v : {1, 2, 4}) {
    const Calibrated::Pipeline on{.p = p, .m = 100, .v = v};
    CHECK(model.time({}, even, {}, on).bubble_compute.si() == near((p - 1) / v));
  }
}

// Before its first backward pass, which waits for two thirds of all stages, a stage can do no more
// than its forward passes, however many micro-batches the schedule would hold.
TEST_CASE("zero bubbles (Qi et al. 2023, arXiv 2401.10241, Table 2) take enough micro-batches") {
  const Calibrated model(workload_of(SoftwareClass::eager));
  constexpr double p = 8;
  Calibrated::Stage even{.layers = 1, .slowest = 1 * units::second, .all = p * units::second};
  even.forward = even.weight_gradients = units::second / 3;
  even.others_weight_gradients = (p - 1) / 3 * units::second;
  const auto bubble = [&](double m, Schedule schedule) {
    return model.time({}, even, {}, {.p = p, .m = m, .schedule = schedule}).bubble_compute.si();
  };
  constexpr Schedule one_p = Schedule::zero_bubble_1p, two_p = Schedule::zero_bubble_2p;
  CHECK(bubble(p, one_p) == near((p - 1) / 3));
  CHECK(bubble(p, two_p) == near((p - 1) / 3));
  CHECK(bubble(12, two_p) == near(1));
  CHECK(bubble(2 * p - 1, two_p) == 0);
  CHECK(bubble(100, two_p) == 0);
  CHECK(bubble(1, one_p) == near((2 * p - 2) / 3));  // F and B of all stages, and W of the first
  // Weight gradients that are a quarter of the work: T_F + T_B - T_W is a half, - 2 T_W a quarter.
  even.weight_gradients = units::second / 4;
  even.others_weight_gradients = (p - 1) / 4 * units::second;
  CHECK(bubble(100, one_p) == near((p - 1) / 2));
  CHECK(bubble(100, two_p) == near((p - 1) / 4));
  // The way there and back through all stages, and F + B of every micro-batch on the first one.
  CHECK(bubble(p, two_p) == near((p - 1) * (1 - 1.0 / 4) - (p - 1) / 4));
}
