// Stages of servers whose GPUs share cards wait for them the less the longer they take: so what
// runs again may end sooner, and no bound may take it for slower than what runs nothing again.
#include <doctest/doctest.h>

#include <memory>

#include "planner/search/search.hpp"
#include "planner/search/space.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("five layers on fire-flyer-2-plain: full recomputation ends first, and is found") {
  Workload workload{
      .model = {.name = "five-layers",
                .layers = 5,
                .hidden = 512,
                .heads = 8,
                .kv_heads = 8,
                .head_dim = 64,
                .ffn_hidden = 2048,
                .gated_mlp = false,
                .vocab = 256,
                .tied_embeddings = true,
                .norm = Norm::layer,
                .biases = Biases::all,
                .positions = Positions::learned},
      .system = shipped().load_system("fire-flyer-2-plain"),
      .run = {.global_batch = 1024, .sequence = 1024},
      .gpus = 24,
      .software = default_software(Generation::ampere),
      .timing = std::make_shared<const Calibration>(shipped().load_calibration("default"))};
  workload.system.network_bandwidth = 0.8 * units::GBps;
  SearchSpace space = all_calibrated_axes(workload);
  space.pins.tp = {1};
  space.pins.pp = {3};
  space.pins.micro_batch = {16};
  space.pins.interleave = {1};
  space.zero = {0};
  space.recompute = {Recompute::none, Recompute::full};
  const SearchResult all = rank_strategies(workload, space, {.top = 1, .prune = false});
  REQUIRE(!all.best.empty());
  CHECK(all.best.front().strategy.recompute == Recompute::full);
  const Seconds best = all.best.front().value(fit_rule(workload));
  for (const bool count : {true, false}) {
    CAPTURE(count);
    const SearchResult known =
        rank_strategies(workload, space, {.top = 1, .count = count, .known_time = best});
    REQUIRE(!known.best.empty());
    CHECK(known.best.front() == all.best.front());
  }
}
