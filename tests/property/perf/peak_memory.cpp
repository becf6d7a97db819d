// The peak of the calibrated memory model is that of the fullest of all stages, though it looks at
// few of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "planner/perf/calibrated/calibrated.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// A deep model, dense layers first where it is a mixture of experts, and any pipeline for it.
struct PeakCase {
  Workload workload;
  Strategy strategy;
};

PeakCase random_peak(Random& random) {
  PeakCase made{.workload = random_calibrated_workload(random)};
  TransformerSpec& model = made.workload.model;
  const std::int64_t p = random.pick({1, 2, 3, 4, 6, 8});
  const std::int64_t most = random.pick({1, 2, 3, 4, 8});
  // Even, with room for embedding and loss layer, or with any rest on the last stage.
  const std::int64_t missing = random.pick({0, 2, 7});
  model.layers = p * most - std::min(missing, most - 1);
  if (model.moe) model.moe->leading_dense_layers = random.below(model.layers + 1);
  made.workload.run.global_batch = random.pick({4, 8, 24, 64});
  made.workload.gpus = p;
  made.strategy = {.pp = {1, p},
                   .interleave = random.pick({1, 2, 4}),
                   .micro_batch = random.pick({1, 2, 4}),
                   .recompute = random.pick(std::vector{Recompute::none, Recompute::full}),
                   .zero = static_cast<int>(random.below(4)),
                   .without_interleaving = random.pick(std::vector{
                       Schedule::one_f_one_b, Schedule::zero_bubble_1p, Schedule::zero_bubble_2p})};
  return made;
}

}  // namespace

TEST_CASE("the peak is that of the fullest of all stages") {
  Random random(71);
  std::set<std::int64_t> fullest_from_the_first, fullest_from_the_last;
  for (int i = 0; i < 20'000; ++i) {
    const auto [workload, strategy] = random_peak(random);
    CAPTURE(i);
    const Calibrated model(workload);
    const Calibrated::Pipeline on = model.pipeline(strategy);
    const std::int64_t p = strategy.pp.total();
    Bytes peak{};
    std::int64_t fullest = 0;
    for (std::int64_t stage = 0; stage < p; ++stage) {
      const Bytes size = model.memory(model.stage_memory(strategy, stage), on).total();
      if (size > peak) fullest = stage;
      peak = std::max(peak, size);
    }
    REQUIRE(model.memory(model.memory_terms(strategy), on).total() == peak);
    fullest_from_the_first.insert(fullest);
    fullest_from_the_last.insert(p - 1 - fullest);
  }
  // Of all kinds: the ends, the second stage, and some between.
  CHECK(fullest_from_the_first.size() >= 4);
  CHECK(fullest_from_the_last.size() >= 4);
}

TEST_CASE("stages hold the whole model, and a later one never more micro-batches") {
  Random random(72);
  for (int i = 0; i < 2'000; ++i) {
    auto [workload, strategy] = random_peak(random);
    strategy.zero = 0;
    workload.model.moe.reset();
    const Calibrated model(workload);
    const Calibrated::Pipeline on = model.pipeline(strategy);
    Bytes weights{};
    double before = on.m;
    for (std::int64_t stage = 0; stage < strategy.pp.total(); ++stage) {
      weights += model.stage_memory(strategy, stage).weights;
      const auto held = Calibrated::in_flight(on, static_cast<double>(stage));
      const double now = held.ahead + 32.0 / 34 * held.deferred;
      CHECK(now <= before);
      CHECK(now >= std::min(1.0, on.m));
      before = now;
    }
    strategy.pp = {1, 1};
    const auto whole = [&](bool tied) {
      Workload other = workload;
      other.model.tied_embeddings = tied;
      return Calibrated(other).stage_memory(strategy, 0).weights.si();
    };
    const bool tied = workload.model.tied_embeddings;
    // Both ends of a pipeline have the embedding where it is tied or tokens are predicted from it.
    const bool again = on.p > 1 && !tied && workload.model.mtp_layers > 0;
    const double expected = whole(tied && on.p == 1) + (again ? whole(false) - whole(true) : 0);
    CHECK(weights.si() == near(expected, 1e-12));
  }
}
