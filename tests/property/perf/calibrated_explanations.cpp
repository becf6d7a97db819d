// What --explain prints of the calibrated model must be true: every formula gives the value shown
// from the inputs shown, the terms are those of the model, and they sum to its time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explain.hpp"
#include "planner/perf/derivation/formula.hpp"
#include "planner/perf/model/constraints.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

void check(const Workload& workload, const Strategy& strategy) {
  std::map<std::string, double> values;
  std::map<std::string, std::string> sources;
  for (const ExplainedTerm& term : explain_calibrated(workload, strategy)) {
    CAPTURE(term.symbol);
    CAPTURE(term.formula);
    CHECK(!term.meaning.empty());
    CHECK(!term.equation.empty());                          // the source of a formula or figure
    CHECK(values.emplace(term.symbol, term.value).second);  // each symbol defined once
    sources[term.symbol] = term.equation;
    if (term.formula.empty()) continue;
    CHECK(formula_value(term.formula, term.inputs) == near(term.value));
    for (const Symbol& input : term.inputs) {
      if (values.contains(input.name)) CHECK(input.value == values.at(input.name));
    }
  }
  const Calibrated model(workload);
  const Calibrated::MicroBatch micro = model.micro_batch(strategy);
  const IterationBreakdown time = model.evaluate(strategy).time;
  // Differences of nearly equal times lose digits of these.
  const double rounding = 1e-13 * time.total().si();
  const auto is = [&](const std::string& symbol, Seconds expected) {
    CAPTURE(symbol);
    CAPTURE(sources.at(symbol));
    CAPTURE(expected.si());
    CHECK(std::abs(values.at(symbol) - expected.si()) <= rounding + 1e-12 * expected.si());
  };
  is("t_compute", micro.layer.compute);
  is("t_tp", micro.layer.tp);
  is("t_cp", micro.layer.cp);
  is("t_ep", micro.layer.ep);
  is("t_host", micro.layer.host);
  is("t_head", micro.head);
  is("T_compute", time.last_stage_compute);
  is("T_tp", time.last_stage_tp_communication);
  is("T_cp", time.cp_communication);
  is("T_ep", time.ep_communication);
  is("T_host", time.host);
  is("T_loss", time.loss_layer);
  is("T_bubble", time.bubble_compute);
  is("T_sends", time.bubble_communication + time.last_stage_pp_communication);
  is("T_sync", time.sync);
  is("T_optimizer", time.optimizer);
  is("T_straggling", time.straggling);
  is("T_iter", time.total());
}

Strategy any_strategy(Random& random, const Workload& workload) {
  const std::int64_t N = workload.gpus;
  const auto split = [&] {
    const std::int64_t hb = random.pick({1, 2, 4});
    return Split{.hb = hb, .net = random.pick({1, 2, 4})};
  };
  for (int tries = 0; tries < 100'000; ++tries) {
    Strategy strategy{.tp = split(), .pp = split(), .dp = split(), .cp = split(), .ep = split()};
    if (strategy.tp.total() * strategy.pp.total() * strategy.dp.total() * strategy.cp.total() !=
        N) {
      continue;
    }
    strategy.expert_tp = random.coin() ? 1 : strategy.tp.total();
    strategy.interleave = random.pick({1, 2, 3});
    strategy.micro_batch = random.pick({1, 2, 4});
    strategy.zero = static_cast<int>(random.below(4));
    if (strategy.zero == 3 && random.coin()) {
      strategy.shard_ranks = strategy.dp.total() * strategy.cp.total() / 2;
    }
    strategy.without_interleaving = random.pick(
        std::vector{Schedule::one_f_one_b, Schedule::zero_bubble_1p, Schedule::zero_bubble_2p});
    strategy.sequence_parallel = random.coin();
    strategy.recompute =
        random.pick(std::vector{Recompute::none, Recompute::selective, Recompute::full});
    if (violations(workload, strategy).empty()) return strategy;
  }
  return {.dp = {1, N}};
}

}  // namespace

TEST_CASE("the terms of a calibrated time are the model's, and sum to it") {
  Random random(17);
  int pipelines = 0, experts = 0, contexts = 0, tensors = 0, zero3 = 0;
  int hybrids = 0, zero_bubbles = 0;
  for (int i = 0; i < 1700; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    workload.run.precision = random.pick(std::vector{Precision::bf16, Precision::fp8});
    workload.system.accelerator.datasheet.fp8 = 1000 * units::TFLOPs;
    workload.system.accelerator.power = random.scale(300, 1200) * units::W;
    if (random.coin()) workload.network_tiers = {{.gpus = 2, .bandwidth_share = 0.5}};
    Software& software = workload.software;
    software.attention = random.pick(std::vector{AttentionKernel::unfused, AttentionKernel::flash1,
                                                 AttentionKernel::flash2, AttentionKernel::cudnn});
    software.scaling = random.coin() ? Scaling::row : Scaling::tensor;
    software.attention_in_framework_ops = random.coin();
    software.fused_norms = random.coin();
    software.full_cuda_graphs = random.coin();
    software.launch_blocking = random.coin();
    software.reshard_after_forward = random.coin();
    software.tp_overlap = random.coin();
    software.micro_batches_per_flush = random.pick({0, 1, 3});
    software.expert_overlap = random.coin();
    software.expert_domain_limit = random.pick({0, 1, 2});
    software.dispatch_bytes = random.coin() ? 1 : 2;
    software.communication_sm_share = random.pick(std::vector{0.0, 0.15});
    const Strategy strategy = any_strategy(random, workload);
    pipelines += strategy.pp.total() > 1 ? 1 : 0;
    experts += strategy.ep.total() > 1 ? 1 : 0;
    contexts += strategy.cp.total() > 1 ? 1 : 0;
    tensors += strategy.tp.total() > 1 ? 1 : 0;
    zero3 += strategy.zero == 3 ? 1 : 0;
    hybrids += strategy.shard_ranks > 0 ? 1 : 0;
    const Schedule schedule = strategy.schedule();
    const bool bubbles = schedule == Schedule::one_f_one_b || schedule == Schedule::interleaved;
    zero_bubbles += strategy.pp.total() > 1 && !bubbles ? 1 : 0;
    check(workload, strategy);
  }
  for (const int seen : {pipelines, experts, contexts, tensors, zero3, hybrids, zero_bubbles}) {
    CHECK(seen > 20);
  }
}
