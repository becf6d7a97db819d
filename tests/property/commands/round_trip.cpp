// The plan that `optimize` gives is one that `estimate` takes, flag by flag: of the same time,
// memory and dollars.
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "planner/commands/estimate/estimate.hpp"
#include "planner/commands/optimize/optimize.hpp"
#include "support/shipped.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

/// A strategy as the options that ask for it, placement and all.
job::StrategyChoice choice_of(const Strategy& strategy) {
  const Strategy& s = strategy;
  job::StrategyChoice choice{.pins = {.tp = {s.tp.total()},
                                      .pp = {s.pp.total()},
                                      .dp = {s.dp.total()},
                                      .cp = {s.cp.total()},
                                      .ep = {s.ep.total()},
                                      .expert_tp = {s.expert_tp},
                                      .tp_hb = {s.tp.hb},
                                      .pp_hb = {s.pp.hb},
                                      .dp_hb = {s.dp.hb},
                                      .cp_hb = {s.cp.hb},
                                      .ep_hb = {s.ep.hb},
                                      .micro_batch = {s.micro_batch},
                                      .interleave = {s.interleave}},
                             .zero = {s.zero},
                             .recompute = {s.recompute},
                             .schedule = s.schedule(),
                             .sequence_parallel = s.sequence_parallel};
  if (s.shard_ranks > 0) choice.pins.shard_ranks = {s.shard_ranks};
  if (!s.recompute_modules.empty()) choice.recompute_modules = s.recompute_modules;
  return choice;
}

/// What the answers to one request were.
struct Trips {
  int plans = 0;
  int in_parts = 0;  ///< of HB domains
};

/// The best plan of a request, asked for again.
void there_and_back(PlanRequest request, Trips& trips) {
  Context searching{.catalog = shipped()}, estimating{.catalog = shipped()};
  const OptimizeAnswer found = optimize_plan(request, searching);
  if (!found.result) return;
  const Plan& best = found.result->best;
  request.strategy = choice_of(best.strategy);
  const EstimateAnswer again = estimate_plan(request, estimating);
  REQUIRE(again.result);
  CHECK(again.result->plan == best);
  REQUIRE(again.result->extras.paid);
  CHECK(again.result->extras.paid->cost.per_iteration.expected ==
        found.result->extras.paid->cost.per_iteration.expected);
  CHECK(again.inputs.system.hb_domain == found.inputs.system.hb_domain);
  CHECK(again.inputs.hb_domain_used == found.inputs.hb_domain_used);
  ++trips.plans;
  // Held to it, the search has no other.
  Context held{.catalog = shipped()};
  const OptimizeAnswer pinned = optimize_plan(request, held);
  REQUIRE(pinned.result);
  CHECK(pinned.result->best == best);
  if (found.inputs.hb_domain_used !=
      usable_hb_domain(found.inputs.system.hb_domain, found.inputs.gpus)) {
    ++trips.in_parts;
  }
}

}  // namespace

TEST_CASE("4 × 2 of the 8 GPUs of a node: estimate fills the domain as optimize says") {
  PlanRequest request{.model = "deepseek-moe-16b",
                      .machine = {.system = "hpn-h800"},
                      .gpus = {8},
                      .run = {.global_batch = 4608, .sequence = 4096},
                      .gpu_hour_price = 2.5};
  Trips trips;
  there_and_back(request, trips);
  CHECK(trips.in_parts == 1);
}

TEST_CASE("every best plan can be asked for: the same time, memory and dollars") {
  constexpr std::array kModels{"deepseek-moe-16b", "llama3.1-8b", "gpt22b", "mixtral-8x7b",
                               "llama2-13b"};
  constexpr std::array kSystems{"hpn-h800", "gh200-256",          "dgx-h100",   "tpu-v5e",
                                "mi300x-8", "fire-flyer-2-plain", "gb200-nvl72"};
  constexpr std::array<std::int64_t, 8> kGpus{6, 8, 16, 24, 36, 72, 96, 144};
  constexpr std::array<std::int64_t, 4> kBatches{144, 256, 768, 1152};
  constexpr std::array<std::int64_t, 4> kDomains{8, 16, 24, 36};
  std::mt19937 random(20261130);
  const auto pick = [&](const auto& values) { return values[random() % values.size()]; };
  Trips trips;
  for (int round = 0; round < 80; ++round) {
    PlanRequest request{.model = pick(kModels),
                        .machine = {.system = pick(kSystems)},
                        .gpus = {pick(kGpus)},
                        .run = {.global_batch = pick(kBatches), .sequence = 4096},
                        .gpu_hour_price = 2.5};
    const bool moe = request.model == "deepseek-moe-16b" || request.model == "mixtral-8x7b";
    if (!moe && random() % 3 == 0) request.timing = Timing::closed_form;
    const bool torus = request.machine.system->starts_with("tpu");
    if (!torus && random() % 2 == 0) request.machine.hb_domain = pick(kDomains);
    CAPTURE(*request.model);
    CAPTURE(*request.machine.system);
    CAPTURE(request.gpus.front());
    CAPTURE(*request.run.global_batch);
    there_and_back(std::move(request), trips);
  }
  CHECK(trips.plans >= 40);
  CHECK(trips.in_parts >= 1);
}
