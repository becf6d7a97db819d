#include "planner/perf/closed_form/explain.hpp"

#include <utility>

#include "planner/core/real.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/derivation/derivation.hpp"

namespace planner::inline perf {

namespace {

void add_inputs(Derivation& out, const Workload& workload, const Strategy& strategy,
                const ClosedForm& model) {
  const TransformerSpec& spec = workload.model;
  out.input("N", real(workload.gpus));
  out.input("B", real(workload.run.global_batch));
  out.input("s", real(workload.run.sequence));
  out.input("l", real(spec.layers));
  out.input("h", real(spec.hidden));
  out.input("a", real(spec.heads));
  out.input("V", real(spec.vocab));
  out.input("w", score_width(spec));
  out.input("W_attn", attention_weights(spec));
  out.input("W_mlp", mlp_weights(spec));
  out.input("W_block", dense_block_parameters(spec));
  out.input("c", workload.run.bytes_per_parameter);
  out.input("b", real(strategy.micro_batch));
  out.input("v", real(strategy.interleave));
  for (const auto& [name, split] :
       {std::pair{"p", strategy.pp}, std::pair{"t", strategy.tp}, std::pair{"d", strategy.dp}}) {
    out.input(name, real(split.total()));
    out.input(std::string{name} + "_h", real(split.hb));
    out.input(std::string{name} + "_l", real(split.net));
  }
  out.input("F", model.peak().si());
  out.input("C_F", model.links().hb.si());
  const ClosedForm::GroupLinks links = model.group_links(strategy);
  if (NetworkShares(workload).full()) {
    out.input("C_S", model.links().net.si());
  } else {  // each kind of group gets its own share of the network
    out.input("C_S_t", links.tp.net.si());
    out.input("C_S_d", links.dp.net.si());
    out.input("C_S_p", links.pp.net.si());
  }
  out.input("alpha_F", model.links().hb_latency.si());
  out.input("alpha_S", model.links().net_latency.si());
  out.input("gamma", kAttentionSlowdown);
}

/// C_S, or where groups do not get all of it the share of it that a kind of group gets.
std::string network_bandwidth(const Workload& workload, const std::string& group) {
  return NetworkShares(workload).full() ? "C_S" : "C_S_" + group;
}

/// Eq. 1 with the latencies of the phases that take place.
std::string all_gather_formula(const Workload& workload, const std::string& data,
                               const std::string& group, const Split& split) {
  const std::string x = group + "_h", y = group + "_l";
  std::string formula = "(" + y + " - 1) * " + data + " / (" + x + " * " + y + " * " +
                        network_bandwidth(workload, group) + ") + (" + x + " - 1) * " + data +
                        " / (" + x + " * C_F)";
  if (split.net > 1) formula += " + alpha_S";
  if (split.hb > 1) formula += " + alpha_F";
  return formula;
}

void add_compute(Derivation& out, const Strategy& strategy, const ClosedForm& model) {
  const bool full = strategy.recompute == Recompute::full;
  const std::string per_weight = full ? "8" : "6";
  const std::string per_score = strategy.recompute == Recompute::none ? "12" : "16";
  const IterationFlops flops = model.iteration_flops(strategy.recompute);
  out.term("M_FF", "FLOPs of MLP and output layer", "App. B",
           "B * s * (" + per_weight + " * l * W_mlp + 6 * V * h)", flops.feed_forward.si(), "FLOP");
  out.term("M_Attn", "FLOPs of attention", "App. B",
           "B * s * l * (" + per_weight + " * W_attn + " + per_score + " * s * w)",
           flops.attention.si(), "FLOP");
  const double per_sample = model.time_terms(strategy).compute_per_sample.si();
  out.term("t_b", "compute time of a micro-batch on a stage", "Eq. 10",
           "(M_FF + gamma * M_Attn) * b / (F * B * p * t)", real(strategy.micro_batch) * per_sample,
           "s");
}

void add_volumes(Derivation& out, const Strategy& strategy, const ClosedForm& model) {
  const ClosedForm::Volumes volumes = model.volumes(strategy);
  const double b = real(strategy.micro_batch);
  out.term("D_p", "bytes sent from stage to stage per micro-batch", "Table 1",
           strategy.sequence_parallel ? "2 * b * h * s / t" : "2 * b * h * s",
           b * volumes.pipeline.si(), "B");
  out.term("D_t", "bytes of a tensor-parallel collective", "Table 1", "2 * b * h * s",
           b * volumes.tensor.si(), "B");
  out.term("D_d", "bytes of the gradient synchronisation", "Table 1",
           "2 * l * (W_attn + W_mlp) / (p * t)", volumes.data.si(), "B");
}

void add_times(Derivation& out, const Workload& workload, const Strategy& strategy,
               const ClosedForm& model, const IterationBreakdown& time) {
  const std::string C_S = network_bandwidth(workload, "p");
  const ClosedForm::TimeTerms terms = model.time_terms(strategy);
  const std::string collectives = strategy.recompute == Recompute::full ? "12" : "8";
  out.term("T_bubble_comp", "pipeline bubble, compute", "Eq. 3", "(p - 1) * t_b / v",
           time.bubble_compute.si(), "s");
  out.term(
      "T_bubble_comm", "pipeline bubble, communication", "Eq. 4",
      "2 * (p_l - 1) * (D_p / " + C_S + " + alpha_S) + 2 * p_l * (p_h - 1) * (D_p / C_F + alpha_F)",
      time.bubble_communication.si(), "s");
  out.term("T_LS_comp", "last stage, compute", "Eq. 5", "m * t_b", time.last_stage_compute.si(),
           "s");
  const Bytes tensor = real(strategy.micro_batch) * model.volumes(strategy).tensor;
  out.term("AG_t", "one all-gather of the tensor-parallel group", "Eq. 1",
           all_gather_formula(workload, "D_t", "t", strategy.tp),
           hierarchical_all_gather(tensor, strategy.tp.hb, strategy.tp.net,
                                   model.group_links(strategy).tp)
               .si(),
           "s");
  out.term("T_LS_tp", "last stage, tensor-parallel communication", "Eq. 6",
           collectives + " * l * m / p * AG_t", time.last_stage_tp_communication.si(), "s");
  out.term("T_LS_pp", "last stage, pipeline communication", "Eq. 6",
           strategy.pp.net > 1 ? "2 * m * v * (D_p / " + C_S + " + alpha_S)"
                               : "2 * m * v * (D_p / C_F + alpha_F)",
           time.last_stage_pp_communication.si(), "s");
  if (strategy.dp.total() > 1) {
    out.term("AG_d", "all-gather of the gradients", "Eq. 1",
             all_gather_formula(workload, "D_d", "d", strategy.dp), terms.sync.si() / 2, "s");
    out.term("T_sync", "gradient synchronisation", "Eq. 7", "2 * AG_d", time.sync.si(), "s");
  } else {
    out.term("T_sync", "gradient synchronisation, none for d = 1", "Eq. 7", "0", 0, "s");
  }
  out.term("T_iter", "iteration time", "Eq. 2",
           "T_bubble_comp + T_bubble_comm + T_LS_comp + T_LS_tp + T_LS_pp + T_sync",
           time.total().si(), "s");
}

void add_states(Derivation& out, const Workload& workload, const Strategy& strategy,
                const MemoryBreakdown& memory) {
  const TransformerSpec& spec = workload.model;
  const bool one_stage = strategy.pp.total() == 1;
  const bool learned = spec.positions == Positions::learned;
  const std::string table = learned ? "(V + s) * h / t" : "V * h / t";
  const bool untied_output = one_stage && !spec.tied_embeddings;
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const double vocab = real(spec.vocab), h = real(spec.hidden), s = real(workload.run.sequence);
  const double parameters = dense_block_parameters(spec) * real(spec.layers) / (p * t) +
                            (vocab + (learned ? s : 0)) * h / t +
                            (untied_output ? vocab * h / t : 0);
  out.term("P", "parameters of the first stage", "Eq. 19",
           "W_block * l / (p * t) + " + table + (untied_output ? " + V * h / t" : ""), parameters,
           "");
  const double c = workload.run.bytes_per_parameter;
  const std::string weights = c < 2 ? "c" : "2";
  const bool gradients_known = c == 18;
  const std::string optimizer_bytes = c < 2 ? "0" : gradients_known ? "(c - 6)" : "(c - 2)";
  out.term("R_weights", "weights", "", weights + " * P", memory.weights.si(), "B");
  out.term("R_gradients", "gradients", "",
           gradients_known ? (strategy.zero >= 2 ? "4 * P / d" : "4 * P") : "0",
           memory.gradients.si(), "B");
  out.term("R_optimizer", "optimizer states", "",
           optimizer_bytes + " * P" + (strategy.zero >= 1 ? " / d" : ""), memory.optimizer.si(),
           "B");
}

void add_activations(Derivation& out, const Strategy& strategy, double m,
                     const MemoryBreakdown& memory) {
  const std::string source = "Korthikanti 2022 §4";
  const double p = real(strategy.pp.total()), v = real(strategy.interleave);
  const bool interleaved = strategy.interleave > 1;
  const bool filled = m >= p;
  out.term("I", "micro-batches in flight, as a share of p", source,
           interleaved ? "1 + (p - 1) / (p * v)"
           : filled    ? "1"
                       : "m / p",
           interleaved ? 1 + (p - 1) / (p * v)
           : filled    ? 1.0
                       : m / p,
           "");

  const bool sp = strategy.sequence_parallel;
  const std::string no_scores = sp ? "34 * s * b * h / t" : "s * b * h * (10 + 24 / t)";
  const std::string layer = no_scores + " + 5 * a * s ^ 2 * b / t";
  std::string kept, working_set;
  switch (strategy.recompute) {
    case Recompute::none:
      kept = "(" + layer + ") * l * I";
      break;
    case Recompute::selective:
      kept = no_scores + " * l * I";
      break;
    case Recompute::full:
      kept = std::string{sp ? "2 * s * b * h / t" : "2 * s * b * h"} + " * l * I";
      working_set = " + " + layer;
      break;
  }
  const std::string logits = strategy.pp.total() == 1 ? " + 4 * s * b * h * (1 + V / h) / t" : "";
  out.term("R_activations", "activations of the first stage", source,
           kept + " + s * b * h * p / t" + logits + working_set, memory.activations.si(), "B");
}

}  // namespace

std::vector<ExplainedTerm> explain_closed_form(const Workload& workload, const Strategy& strategy) {
  const ClosedForm model(workload);
  const Prediction estimate = model.evaluate(strategy);
  const double samples =
      real(workload.run.global_batch / (strategy.dp.total() * strategy.micro_batch));

  Derivation out;
  add_inputs(out, workload, strategy, model);
  out.term("m", "micro-batches per iteration", "Eq. 13", "B / (d * b)", samples, "");
  add_compute(out, strategy, model);
  add_volumes(out, strategy, model);
  add_times(out, workload, strategy, model, estimate.time);
  add_states(out, workload, strategy, estimate.memory);
  add_activations(out, strategy, samples, estimate.memory);
  out.term("R_total", "memory of the fullest GPU", "Eq. 19",
           "R_weights + R_gradients + R_optimizer + R_activations", estimate.memory.total().si(),
           "B");
  return out.take();
}

}  // namespace planner::perf
