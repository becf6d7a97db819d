// Modelling mistakes found in public tools and papers, as far as the closed-form model could make
// them. GPT-175B, batch 64, unless said otherwise.
#include <doctest/doctest.h>

#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/metrics.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double B = 64, s = 2048, l = 96, h = 12288, a = 96, V = 51200;

Workload small_batch() {
  return {.model = gpt_175b(),
          .system = a100_cluster(),
          .run = {.global_batch = 64, .sequence = 2048},
          .gpus = 128};
}

constexpr Strategy kStrategy{.tp = {8, 1}, .pp = {1, 8}, .dp = {1, 2}, .interleave = 3};

Strategy with(Recompute recompute, bool sequence_parallel = true, int zero = 0) {
  Strategy strategy = kStrategy;
  strategy.recompute = recompute;
  strategy.sequence_parallel = sequence_parallel;
  strategy.zero = zero;
  return strategy;
}

ClosedForm model() {
  return ClosedForm(small_batch());
}

/// Activation bytes per layer, sample and micro-batch in flight.
double kept_per_layer(const Strategy& strategy) {
  return model().memory_terms(strategy).in_flight_per_sample.si() / l;
}

double flops(Recompute recompute) {
  const auto [feed_forward, attention] = model().iteration_flops(recompute);
  return feed_forward.si() + attention.si();
}

}  // namespace

TEST_CASE("1: the first stage holds p micro-batches, or as many as there are; 1 + (p-1)/(p·v)") {
  CHECK(ClosedForm::schedule(8, 1, 64, 1).in_flight == 1);
  CHECK(ClosedForm::schedule(8, 1, 2, 1).in_flight == 0.25);
  CHECK(ClosedForm::schedule(8, 1, 8, 1).in_flight == 1);
  CHECK(ClosedForm::schedule(8, 1, 64, 3).in_flight == near(1 + 7.0 / 24));
  CHECK(ClosedForm::schedule(8, 1, 2, 3).in_flight == near(1 + 7.0 / 24));  // no limit here
  CHECK(ClosedForm::schedule(1, 1, 64, 3).in_flight == 1);
}

TEST_CASE("2: the bubble is p-1 micro-batches, shortened v times") {
  CHECK(ClosedForm::schedule(8, 1, 64, 1).idle == 7);
  CHECK(ClosedForm::schedule(8, 1, 64, 3).idle == near(7.0 / 3));
  CHECK(ClosedForm::schedule(1, 1, 64, 3).idle == 0);
  const IterationBreakdown time = model().evaluate(kStrategy).time;
  CHECK(time.bubble_compute / time.last_stage_compute == near(7.0 / 3 / 32));
}

TEST_CASE("3: activations per layer (Korthikanti et al. 2022, Table 2), t = 8") {
  const double sbh = s * h, scores = 5 * a * s / h;
  CHECK(kept_per_layer(with(Recompute::none, true)) == near(sbh / 8 * (34 + scores)));
  CHECK(kept_per_layer(with(Recompute::none, false)) == near(sbh * (10 + 24.0 / 8 + scores / 8)));
  CHECK(kept_per_layer(with(Recompute::selective, true)) == near(sbh / 8 * 34));
  CHECK(kept_per_layer(with(Recompute::selective, false)) == near(sbh * (10 + 24.0 / 8)));
}

TEST_CASE("4: selective recomputation repeats 4·s²·h FLOPs per layer and sequence, once") {
  CHECK(flops(Recompute::selective) - flops(Recompute::none) == near(B * l * 4 * s * s * h, 1e-9));
}

TEST_CASE("5: full recomputation is one more forward of the blocks, its collectives included") {
  const double logits = 6 * B * s * h * V;
  CHECK(flops(Recompute::full) - logits == near(4.0 / 3 * (flops(Recompute::none) - logits)));
  const auto collectives = [](Recompute recompute) {
    return model().evaluate(with(recompute)).time.last_stage_tp_communication;
  };
  CHECK(collectives(Recompute::full) / collectives(Recompute::none) == near(1.5));
  CHECK(collectives(Recompute::selective) == collectives(Recompute::none));

  const Plan none = make_plan(small_batch(), with(Recompute::none));
  const Plan full = make_plan(small_batch(), with(Recompute::full));
  CHECK(none.hfu == none.mfu);
  CHECK(full.hfu > full.mfu);
  // The model FLOPs are the same, so MFU falls with the time.
  CHECK(full.mfu / none.mfu == near(none.time.total() / full.time.total()));
}

TEST_CASE("5: the checkpoint is 2·s·b·h per layer, divided by t only where SP shards it") {
  CHECK(kept_per_layer(with(Recompute::full, true)) == near(2 * s * h / 8));
  CHECK(kept_per_layer(with(Recompute::full, false)) == near(2 * s * h));
}

TEST_CASE("6: sequence parallelism keeps the tensor-parallel volume") {
  const auto time = [](bool sp) { return model().evaluate(with(Recompute::selective, sp)).time; };
  CHECK(time(true).last_stage_tp_communication == time(false).last_stage_tp_communication);
}

TEST_CASE("7: a stage sends 2·s·b·h/t with sequence parallelism, all of 2·s·b·h without; v times") {
  CHECK(model().volumes(with(Recompute::selective, true)).pipeline.si() == 2 * s * h / 8);
  CHECK(model().volumes(with(Recompute::selective, false)).pipeline.si() == 2 * s * h);
  Strategy once = kStrategy;
  once.interleave = 1;
  const auto sends = [](const Strategy& strategy) {
    return model().evaluate(strategy).time.last_stage_pp_communication;
  };
  CHECK(sends(kStrategy) / sends(once) == near(3));
}

TEST_CASE("10: 18 bytes per parameter are 2 + 4 + 12, and ZeRO divides from the right") {
  const double parameters =
      (12 * h * h + 13 * h) * l / (8 * 8) + (V + s) * h / 8;  // first of 8 stages, t = 8
  const auto states = [](int zero) {
    const MemoryBreakdown memory = model().evaluate(with(Recompute::selective, true, zero)).memory;
    return memory.total().si() - memory.activations.si();
  };
  CHECK(states(0) == near(parameters * 18));
  CHECK(states(1) == near(parameters * (6 + 12.0 / 2)));
  CHECK(states(2) == near(parameters * (2 + 16.0 / 2)));
  const MemoryBreakdown memory = model().evaluate(kStrategy).memory;
  CHECK(memory.weights.si() == near(parameters * 2));
  CHECK(memory.gradients.si() == near(parameters * 4));
  CHECK(memory.optimizer.si() == near(parameters * 12));
}

TEST_CASE("14: the HB figure is doubled, in one place; the NIC's never is") {
  CHECK(model().links().hb == 600 * units::GBps);  // 300 per direction in the catalog
  CHECK(model().links().net == 25 * units::GBps);
}

TEST_CASE("15: the output layer's FLOPs count once, and its memory only on the last stage") {
  Workload larger = small_batch();
  larger.model.vocab = 2 * larger.model.vocab;
  const ClosedForm other(larger);
  const double more = other.iteration_flops(Recompute::full).feed_forward.si() -
                      model().iteration_flops(Recompute::full).feed_forward.si();
  CHECK(more == near(6 * B * s * h * V, 1e-9));  // forward and backward, never recomputed
  // Logits weigh on a first stage only where it is the last one too.
  const auto once = [](const ClosedForm& form, std::int64_t p) {
    Strategy strategy = kStrategy;
    strategy.pp = {1, p};
    return form.memory_terms(strategy).once_per_sample.si();
  };
  CHECK(once(other, 8) == once(model(), 8));
  CHECK(once(other, 1) - once(model(), 1) == near(4 * s * V / 8, 1e-9));
}

TEST_CASE("15: an untied output matrix sits on the last stage") {
  Workload untied = small_batch();
  untied.model.tied_embeddings = false;
  Strategy one_stage = kStrategy;
  one_stage.pp = {1, 1};
  const auto weights = [](const Workload& w, const Strategy& x) {
    return ClosedForm(w).memory_terms(x).weights.si();
  };
  CHECK(weights(untied, kStrategy) == weights(small_batch(), kStrategy));
  CHECK(weights(untied, one_stage) - weights(small_batch(), one_stage) ==
        near(2 * V * h / 8, 1e-9));
}

TEST_CASE("16: grouped queries, a gated MLP and head_dim enter with their true sizes") {
  Workload llama = small_batch();
  llama.model.kv_heads = 8;
  llama.model.head_dim = 64;  // heads · head_dim is half of h
  llama.model.gated_mlp = true;
  llama.model.ffn_hidden = 28672;
  const ClosedForm form(llama);
  const double projections = 2 * h * 96 * 64 + 2 * h * 8 * 64, mlp = 3 * h * 28672;
  const auto [feed_forward, attention] = form.iteration_flops(Recompute::none);
  CHECK(feed_forward.si() == near(B * s * (6 * l * mlp + 6 * V * h)));
  CHECK(attention.si() == near(B * s * l * (6 * projections + 12 * s * 96 * 64)));
  CHECK(form.volumes(kStrategy).data.si() == near(2 * l * (projections + mlp) / 64));
}

TEST_CASE("18: attention counts the full square of the sequence") {
  // 12·s²·h per layer and sequence: two products of 2·s²·h, three times.
  const double projections_only = 6 * B * s * l * 4 * h * h;
  CHECK(model().iteration_flops(Recompute::none).attention.si() - projections_only ==
        near(12 * B * l * s * s * h, 1e-9));
}
