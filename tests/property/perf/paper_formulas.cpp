// The whole model against its formulas written down a second time straight from the rail-only paper
// (arXiv 2307.12169, §5 and Appendices B, C; Korthikanti et al. 2022, §4-5), for random GPTs,
// machines and strategies.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/model/constraints.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// The symbols of the paper's Tables 1 and 3.
struct Symbols {
  double B, l, h, s, V, a, N, c, b, v, m;
  double p, t, d, p_h, p_l, t_h, t_l, d_h, d_l;
  double F, C_F, C_S, alpha_F, alpha_S;
  Recompute recompute;
  bool sp;
  int zero;
};

Symbols symbols(const Workload& w, const Strategy& x) {
  return {.B = real(w.run.global_batch),
          .l = real(w.model.layers),
          .h = real(w.model.hidden),
          .s = real(w.run.sequence),
          .V = real(w.model.vocab),
          .a = real(w.model.heads),
          .N = real(w.gpus),
          .c = w.run.bytes_per_parameter,
          .b = real(x.micro_batch),
          .v = real(x.interleave),
          .m = real(w.run.global_batch) / real(x.dp.total()) / real(x.micro_batch),
          .p = real(x.pp.total()),
          .t = real(x.tp.total()),
          .d = real(x.dp.total()),
          .p_h = real(x.pp.hb),
          .p_l = real(x.pp.net),
          .t_h = real(x.tp.hb),
          .t_l = real(x.tp.net),
          .d_h = real(x.dp.hb),
          .d_l = real(x.dp.net),
          .F = w.system.accelerator.datasheet.bf16->si(),
          .C_F = 2 * w.system.hb_bandwidth.si(),  // the paper counts both directions
          .C_S = w.system.network_bandwidth.si(),
          .alpha_F = w.system.hb_latency.si(),
          .alpha_S = w.system.network_latency.si(),
          .recompute = x.recompute,
          .sp = x.sequence_parallel,
          .zero = x.zero};
}

/// Eq. 1.
double ag_time(const Symbols& q, double D, double x, double y) {
  return (y - 1) * D / (x * y * q.C_S) + (x - 1) * D / (x * q.C_F) + (y > 1 ? q.alpha_S : 0) +
         (x > 1 ? q.alpha_F : 0);
}

/// M_FF and M_Attn of App. B.
struct Work {
  double feed_forward, attention;
};
Work work(const Symbols& q, Recompute recompute) {
  const double base = 72 * q.B * q.l * q.s * q.h * q.h;
  const double logits = base * q.V / (12 * q.h * q.l);
  const double mlp = base * 2 / 3;
  const double attention = base * (1.0 / 3 + q.s / (6 * q.h));
  switch (recompute) {
    case Recompute::none:
      return {mlp + logits, attention};
    case Recompute::selective:
      return {mlp + logits, base * (1.0 / 3 + q.s / (4.5 * q.h))};
    case Recompute::full:
      return {4.0 / 3 * mlp + logits, 4.0 / 3 * attention};
  }
  return {};
}

/// Eqs. 2-7 and 10.
IterationBreakdown paper_time(const Symbols& q) {
  const Work M = work(q, q.recompute);
  const double t_b = (M.feed_forward + 2.5 * M.attention) * q.b / (q.F * q.B * q.p * q.t);
  const double D_p = 2 * q.b * q.h * q.s / (q.sp ? q.t : 1);
  const double D_t = 2 * q.b * q.h * q.s;
  const double D_d = 2 * q.l * 12 * q.h * q.h / (q.p * q.t);
  const double per_layer = q.recompute == Recompute::full ? 12 : 8;
  const double C = q.p_l > 1 ? q.C_S : q.C_F, alpha = q.p_l > 1 ? q.alpha_S : q.alpha_F;
  return {.bubble_compute = Seconds{(q.p - 1) * t_b / q.v},
          .bubble_communication = Seconds{2 * (q.p_l - 1) * (D_p / q.C_S + q.alpha_S) +
                                          2 * q.p_l * (q.p_h - 1) * (D_p / q.C_F + q.alpha_F)},
          .last_stage_compute = Seconds{q.m * t_b},
          .last_stage_tp_communication =
              Seconds{per_layer * q.l * q.m / q.p * ag_time(q, D_t, q.t_h, q.t_l)},
          .last_stage_pp_communication = Seconds{2 * q.m * q.v * (D_p / C + alpha)},
          .sync = Seconds{q.d == 1 ? 0 : 2 * ag_time(q, D_d, q.d_h, q.d_l)}};
}

MemoryBreakdown paper_memory(const Symbols& q) {
  const double parameters =
      (12 * q.h * q.h + 13 * q.h) * q.l / (q.p * q.t) + (q.V + q.s) * q.h / q.t;
  const double weights = std::min(2.0, q.c), gradients = q.c == 18 ? 4 : 0;
  const double optimizer = q.c - weights - gradients;

  const double scores = 5 * q.a * q.s * q.s * q.b / q.t;
  const double selective = q.sp ? 34 * q.s * q.b * q.h / q.t : q.s * q.b * q.h * (10 + 24 / q.t);
  const double checkpoint = 2 * q.s * q.b * q.h / (q.sp ? q.t : 1);
  const double I = q.v > 1 ? 1 + (q.p - 1) / (q.p * q.v) : std::min(1.0, q.m / q.p);
  double activations = q.s * q.b * q.h * q.p / q.t;
  if (q.recompute == Recompute::none) activations += (selective + scores) * q.l * I;
  if (q.recompute == Recompute::selective) activations += selective * q.l * I;
  if (q.recompute == Recompute::full) activations += checkpoint * q.l * I + selective + scores;
  if (q.p == 1) activations += 4 * q.s * q.b * q.h * (1 + q.V / q.h) / q.t;
  return {.weights = Bytes{weights * parameters},
          .gradients = Bytes{gradients * parameters / (q.zero >= 2 ? q.d : 1)},
          .optimizer = Bytes{optimizer * parameters / (q.zero >= 1 ? q.d : 1)},
          .activations = Bytes{activations}};
}

}  // namespace

TEST_CASE("time, memory and utilisation are those of the paper's formulas, term by term") {
  Random random(20230712);
  for (int i = 0; i < 4000; ++i) {
    Workload workload = random_workload(random, /*gpt=*/true);
    const Strategy strategy = random_strategy(random, workload);
    CAPTURE(i);
    REQUIRE(violations(workload, strategy).empty());
    const Plan plan = make_plan(workload, strategy);
    const Symbols q = symbols(workload, strategy);

    const IterationBreakdown time = paper_time(q);
    CHECK(plan.time.bubble_compute.si() == near(time.bubble_compute.si()));
    CHECK(plan.time.bubble_communication.si() == near(time.bubble_communication.si()));
    CHECK(plan.time.last_stage_compute.si() == near(time.last_stage_compute.si()));
    CHECK(plan.time.last_stage_tp_communication.si() ==
          near(time.last_stage_tp_communication.si()));
    CHECK(plan.time.last_stage_pp_communication.si() ==
          near(time.last_stage_pp_communication.si()));
    CHECK(plan.time.sync.si() == near(time.sync.si()));

    const MemoryBreakdown memory = paper_memory(q);
    CHECK(plan.memory.weights.si() == near(memory.weights.si()));
    CHECK(plan.memory.gradients.si() == near(memory.gradients.si()));
    CHECK(plan.memory.optimizer.si() == near(memory.optimizer.si()));
    CHECK(plan.memory.activations.si() == near(memory.activations.si()));

    const Work executed = work(q, strategy.recompute), needed = work(q, Recompute::none);
    const double possible = q.N * q.F * time.total().si();
    CHECK(plan.hfu == near((executed.feed_forward + executed.attention) / possible));
    CHECK(plan.mfu == near((needed.feed_forward + needed.attention) / possible));
    CHECK(static_cast<double>(plan.microbatches) == q.m);
  }
}

TEST_CASE("the parts sum to the whole, and no term is negative") {
  Random random(2);
  for (int i = 0; i < 4000; ++i) {
    Workload workload = random_workload(random);
    const Strategy strategy = random_strategy(random, workload);
    const auto [time, memory, sync_by] = ClosedForm(workload).evaluate(strategy);
    double seconds = 0, bytes = 0;
    for (const Seconds part :
         {time.bubble_compute, time.bubble_communication, time.last_stage_compute,
          time.last_stage_tp_communication, time.last_stage_pp_communication, time.sync}) {
      CHECK(part >= Seconds{});
      seconds += part.si();
    }
    for (const Bytes part :
         {memory.weights, memory.gradients, memory.optimizer, memory.activations}) {
      CHECK(part >= Bytes{});
      bytes += part.si();
    }
    CHECK(time.total().si() == near(seconds));
    CHECK(memory.total().si() == near(bytes));
  }
}
