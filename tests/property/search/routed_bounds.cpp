// Bounds of what strategies take where routing slows what the network carries: what is ruled out by
// them takes no less.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_gradients.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/placement.hpp"
#include "support/on_routed_network.hpp"
#include "support/search_checks.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// The times that an iteration of a strategy is made of, as bounds of gradients ask for them.
struct Iteration {
  double micros, stage, hides;  ///< as LeastTied asks for them
  double shown;                 ///< gradients, weights and the optimizer

  Iteration(const Workload& workload, const Calibrated& model, const Strategy& at) {
    const Calibrated::Pipeline on = model.pipeline(at);
    const Calibrated::Stage stage_at = model.stage(on.p, model.micro_batch(at));
    micros = on.m;
    stage = model.waited_for(stage_at.slowest).si();
    hides = kHidingShare * (on.v > 1 ? kPasses(on.p, on.v) : 1);
    const double straggling = kStragglingShare(workload.timing.constants()[Constant::straggling],
                                               static_cast<double>(workload.gpus));
    const IterationBreakdown time = model.evaluate(at).time;
    shown = (1 + straggling) * time.sync.si() + time.optimizer.si();
  }
};

/// In each order of ranks that is open.
template <class Visit>
void in_each_order(Strategy at, bool either, const Visit& visit) {
  if (either) at.outermost = Outermost::pipeline;
  visit(at);
  if (!either) return;
  at.outermost = Outermost::data;
  visit(at);
}

}  // namespace

// A bound that nothing comes near would rule out little; one that is a hundredth larger would be
// above some of these.
TEST_CASE("no synchronisation shows less than its bound, and some hardly more") {
  Random random(187);
  int near = 0, near_beyond_work = 0, sharded = 0, in_parts = 0;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    if (random.coin()) job.workload.routing.reset();
    const Calibrated model(job.workload);
    for (const Strategy& each : all_of(job)) {
      if (random.below(8) != 0) continue;
      const auto shared = model.shared_in_each_order(each);
      const auto least_tied = model.least_tied(each, shared);
      in_each_order(each, least_tied.second.has_value(), [&](const Strategy& at) {
        const LeastTied& least = at.replicas_outermost() ? *least_tied.second : least_tied.first;
        const Iteration of(job.workload, model, at);
        const double bound = least.si(of.micros, of.stage, of.hides);
        CHECK(bound <= of.shown * (1 + 1e-9));
        if (bound > 0.995 * of.shown && at.zero == 3) ++near;
        const bool hidden = least.hidden.si() < of.hides * of.stage;
        if (bound > 0.995 * of.shown && at.zero < 3 && !hidden) ++near_beyond_work;
        if (at.zero == 3) ++(at.replicas() > 1 ? in_parts : sharded);
      });
    }
  }
  CHECK(near > 30);
  CHECK(near_beyond_work > 30);
  CHECK(sharded > 100);
  CHECK(in_parts > 100);
}

// Of degrees and a placement alone.
TEST_CASE("gradients show no less than the least of their degrees, and some hardly more") {
  Random random(188);
  int near = 0, known = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    if (random.coin()) job.workload.routing.reset();
    const LeastGradients gradients(job.workload, job.space.zero);
    if (!gradients.known()) continue;
    ++known;
    const Calibrated model(job.workload);
    std::vector<LeastGradients> of_stage;
    for (const int zero : {0, 1, 2, 3}) of_stage.emplace_back(job.workload, std::vector{zero});
    for (const Strategy& each : all_of(job)) {
      if (random.below(8) != 0) continue;
      const LeastGradients& least = of_stage[static_cast<std::size_t>(each.zero)];
      const bool either =
          model.least_tied(each, model.shared_in_each_order(each)).second.has_value();
      in_each_order(each, either, [&](const Strategy& at) {
        const Iteration of(job.workload, model, at);
        const Column column = column_of(at);
        const auto with = [&](const LeastGradients::OfIteration& one) {
          return one.with(of.micros, of.stage, of.hides);
        };
        const double bound = with(least.of(column).iteration(at));
        CHECK(bound <= of.shown * (1 + 1e-9));
        CHECK(with(gradients.of(column).iteration(at)) <= bound * (1 + 1e-12));
        const LeastGradients::OfColumn of_column = least.of(column);
        const double anywhere =
            with(of_column.iteration(of_column.dense(at.tp.hb), of_column.experts(at.ep.hb)));
        CHECK(anywhere <= bound * (1 + 1e-12));
        if (bound > 0.995 * of.shown) ++near;
      });
    }
  }
  CHECK(known > 10);
  CHECK(near > 30);
}

// Of all ranks that share parameters each in a domain of its own two have a copy between them, and
// what they move of it in every micro-batch nothing hides.
TEST_CASE("what ZeRO 3 in parts shows is hardly above its bound") {
  Random random(193);
  int near = 0, beside_work = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    Workload& workload = job.workload;
    workload.routing.reset();
    workload.model.moe.reset();
    workload.gpus = workload.run.global_batch = 8;
    workload.system.hb_domain = 1;
    workload.system.network_bandwidth = random.scale(1e-6, 10) * units::GBps;
    job.space = all_calibrated_axes(workload);
    job.space.zero = {3};
    job.space.pins.cp = job.space.pins.tp = job.space.pins.pp = {1};
    const LeastGradients gradients(workload, job.space.zero);
    if (!gradients.known()) continue;
    const Calibrated model(workload);
    for (const Strategy& at : all_of(job)) {
      if (at.replicas() == 1) continue;
      const Iteration of(workload, model, at);
      const double bound =
          gradients.of(column_of(at)).iteration(at).with(of.micros, of.stage, of.hides);
      CHECK(bound <= of.shown * (1 + 1e-9));
      if (!(bound > 0.995 * of.shown)) continue;
      ++near;
      beside_work += of.micros * of.stage > 0.2 * of.shown ? 1 : 0;
    }
  }
  CHECK(near > 20);
  CHECK(beside_work > 5);
}

TEST_CASE("where routing slows gradients no column's least time is above its fastest strategy's") {
  Random random(189);
  int close = 0, above_work = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    Workload unrouted = job.workload;
    unrouted.system.network_bandwidth = 1e9 * units::GBps;
    unrouted.routing.reset();
    LeastTimes least(job.workload, job.space, LeastTimes::Counting::messages);
    LeastTimes without(unrouted, job.space, LeastTimes::Counting::messages);
    const Enumeration enumeration(job.workload, job.space);
    for (const Column& column : enumeration.columns()) {
      SearchSpace one = job.space;
      one.pins.tp = {column.tp};
      one.pins.pp = {column.pp};
      one.pins.dp = {column.dp};
      one.pins.ep = {column.ep};
      one.pins.expert_tp = {column.expert_tp};
      const SearchResult found = rank_strategies(job.workload, one, {.top = 1, .prune = false});
      if (!found.fastest) continue;
      CHECK(least.of(column) <= found.fastest->time);
      close += least.of(column) > 0.98 * found.fastest->time ? 1 : 0;
      above_work += least.of(column) > 1.2 * without.of(column) ? 1 : 0;
    }
  }
  CHECK(close > 2);
  CHECK(above_work > 15);
}

// As if nothing else took time: a bound a hundredth larger would be above it.
TEST_CASE("where sends take all the time no bound of them is above a strategy's") {
  Random random(191);
  BoundsTried bounds;
  int nearly_all = 0;
  for (int i = 0; i < 120; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    job.workload.model.moe.reset();
    job.workload.model.layers = 4;
    job.workload.gpus = 4;
    job.workload.system.hb_domain = random.pick({1, 2});
    job.workload.system.network_bandwidth = 1e-6 * units::GBps;
    job.space = all_calibrated_axes(job.workload);
    job.space.recompute = {Recompute::none, Recompute::full};
    job.space.without_interleaving =
        random.coin() ? Schedule::one_f_one_b : Schedule::zero_bubble_1p;
    job.space.pins.cp = job.space.pins.tp = job.space.pins.dp = {1};
    check_kernel_bounds(job.workload, job.space, random, bounds);
    const SearchResult found = rank_strategies(job.workload, job.space, {.top = 1});
    if (found.best.empty()) continue;
    const Strategy& best = found.best.front().strategy;
    const IterationBreakdown time = Calibrated(job.workload).evaluate(best).time;
    const Seconds sends = time.bubble_communication + time.last_stage_pp_communication;
    nearly_all += sends > 0.8 * time.total() ? 1 : 0;
  }
  CHECK(bounds.tried > 200);
  CHECK(nearly_all > 20);
}

namespace {

/// What a resource makes faster when it grows.
void grow(System& system, int resource, double times) {
  if (resource == 0) {
    for (PeakRates* rates : {&system.accelerator.datasheet, &system.accelerator.silicon}) {
      for (auto rate :
           {&rates->fp32, &rates->tf32, &rates->fp16, &rates->bf16, &rates->fp8, &rates->fp4}) {
        if (*rate) *rate = times * **rate;
      }
    }
  } else {
    auto& bandwidth = resource == 1 ? system.hb_bandwidth : system.network_bandwidth;
    bandwidth = times * bandwidth;
  }
}

}  // namespace

// So what a column takes at least as things are says what it does of more.
TEST_CASE("no strategy gains more than a resource grows, nor is one left out that is within") {
  constexpr double kLarger = 1.1;
  Random random(192);
  int gained = 0, kept = 0, left_out = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    if (random.coin()) job.workload.routing.reset();
    job.workload.system.host.reset();
    Workload larger = job.workload;
    grow(larger.system, i % 3, kLarger);
    const Calibrated model(job.workload), of_larger(larger);
    for (const Strategy& each : all_of(job)) {
      if (random.below(8) != 0) continue;
      const auto time = [&](const Calibrated& of) {
        return of.evaluate(of.in_best_order(each)).time.total();
      };
      CHECK(time(model) <= kLarger * (1 + 1e-12) * time(of_larger));
      gained += time(model) > 1.08 * time(of_larger) ? 1 : 0;
    }
    LeastTimes as_it_is(job.workload, job.space, LeastTimes::Counting::messages);
    const std::vector<Column> all = Enumeration(larger, job.space).columns();
    for (const Column& column : all) {
      if (random.below(4) != 0) continue;
      SearchSpace one = job.space;
      one.pins.tp = {column.tp};
      one.pins.pp = {column.pp};
      one.pins.dp = {column.dp};
      one.pins.ep = {column.ep};
      one.pins.expert_tp = {column.expert_tp};
      const SearchResult found = rank_strategies(larger, one, {.top = 1, .prune = false});
      if (!found.fastest) continue;
      LeastTimes least(larger, job.space, LeastTimes::Counting::messages);
      least.compare_with(as_it_is, kLarger);
      CHECK(least.of(column) <= found.fastest->time);
      const std::vector<Column> within = least.within(larger.gpus, found.fastest->time);
      CHECK(std::find(within.begin(), within.end(), column) != within.end());
      kept += static_cast<int>(within.size());
      left_out += static_cast<int>(all.size() - within.size());
    }
  }
  CHECK(gained > 20);
  CHECK(kept > 100);
  CHECK(left_out > 100);
}

namespace {

/// Few GPUs that hold all of a few large layers, and work so long on a sample that nothing else
/// takes a part in a hundred.
Workload long_work() {
  Workload workload{.model = {.layers = 4,
                              .hidden = 4096,
                              .heads = 32,
                              .kv_heads = 32,
                              .head_dim = 128,
                              .ffn_hidden = 16384,
                              .vocab = 128}};
  workload.timing = prior_calibration();
  workload.software = software_of(SoftwareClass::mcore);
  workload.gpus = 4;
  workload.run.sequence = 262'144;
  workload.run.global_batch = 1;
  System& system = workload.system;
  system.accelerator.generation = Generation::hopper;
  system.accelerator.datasheet.bf16 = 500 * units::TFLOPs;
  system.accelerator.memory_bandwidth = 10'000 * units::GBps;
  system.accelerator.memory = 10'000 * units::GB;
  system.hb_domain = 1;
  system.hb_bandwidth = system.network_bandwidth = 10'000 * units::GBps;
  return workload;
}

/// Without recomputation and ZeRO.
SearchSpace plain_space(const Workload& workload) {
  SearchSpace space = all_calibrated_axes(workload);
  space.recompute = {Recompute::none};
  space.zero = {0};
  space.pins.cp = {1};
  return space;
}

}  // namespace

// One micro-batch passes four stages that do nothing else, so that a part in a hundred more waiting
// would be more than the iteration takes.
TEST_CASE("a pipeline's least time is hardly below the time of one that waits most of it") {
  Workload workload = long_work();
  SearchSpace space = plain_space(workload);
  space.pins.pp = {4};
  space.pins.tp = space.pins.dp = {1};
  for (const bool routed : {false, true}) {
    CAPTURE(routed);
    if (routed) workload.routing = uniform_factors(2);
    const Enumeration enumeration(workload, space);
    const Column column{.pp = 4};
    REQUIRE(enumeration.columns() == std::vector{column});
    const auto pairs = enumeration.inner_pairs(column);
    const auto placements = enumeration.placements(column);
    REQUIRE(pairs.size() * placements.size() == 1);
    const Strategy setting = placed_as(placements.front(), enumeration.settings(column).front());
    const Seconds time = evaluate(workload, setting).time.total();
    const auto ruled_out_by = [&](Seconds bound) {
      CalibratedKernel kernel(workload);
      kernel.start(column, pairs, placements, 1);
      return kernel.none_within(setting, bound.si(), nullptr);
    };
    CHECK_FALSE(ruled_out_by(time));
    CHECK(ruled_out_by(0.995 * time));
    LeastTimes least(workload, space, LeastTimes::Counting::messages);
    CHECK(least.of(column) <= time);
    CHECK(least.of(column) > 0.995 * time);
  }
}

// An exchange that is hidden where all its ranks share a domain, of which the first placement has
// two: what shows there is no bound for the other.
TEST_CASE("what hides tensor parallelism in one placement bounds the column") {
  Workload workload = long_work();
  workload.software.tp_overlap = true;
  workload.run.global_batch = 2;
  workload.system.hb_domain = 2;
  workload.system.hb_bandwidth = 50 * units::GBps;
  workload.system.network_bandwidth = 40 * units::GBps;
  SearchSpace space = plain_space(workload);
  space.sequence_parallel = {true};
  space.pins.tp = space.pins.dp = {2};
  const SearchResult found = rank_strategies(workload, space, {.top = 1, .prune = false});
  REQUIRE(found.best.size() == 1);
  CHECK(found.best.front().strategy.tp.hb == 2);
  const Seconds time = found.best.front().time;
  CHECK(rank_strategies(workload, space, {.top = 1, .known_time = time}).best == found.best);
  CHECK(rank_strategies(workload, space, {.top = 1, .count = false, .known_time = time}).best ==
        found.best);
}
