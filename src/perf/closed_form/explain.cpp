#include "planner/perf/closed_form/explain.hpp"

#include <utility>

#include "planner/core/real.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/closed_form/formulas.hpp"
#include "planner/perf/derivation/derivation.hpp"

namespace planner::inline perf {

using namespace closed_form;

namespace {

/// A line with a row's formula of these symbols and numbers. Returns its symbol.
template <class Formula, class... Arguments>
Text tell(Derivation& out, const Row<Formula>& row, double value, const Arguments&... arguments) {
  const Text formula = row(arguments...);
  out.term(std::string{row.symbol}, std::string{row.meaning}, std::string{row.source},
           formula.str(), value, std::string{row.unit});
  return Text{std::string{row.symbol}};
}

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
Text network_bandwidth(const Workload& workload, const std::string& group) {
  return Text{NetworkShares(workload).full() ? "C_S" : "C_S_" + group};
}

void add_compute(Derivation& out, const Workload& workload, const Strategy& strategy,
                 const ClosedForm& model) {
  const Repeated again = repeated(workload, strategy.recompute);
  const IterationFlops flops = model.iteration_flops(strategy.recompute);
  const Text B = "B"_t, s = "s"_t, l = "l"_t, per_weight = flops_per_weight(again);
  const Text per_score = flops_per_score(workload.model, workload.run.sequence, again);
  const Text M_FF = tell(out, kFeedForwardFlops, flops.feed_forward.si(), B * s, per_weight,
                         l * "W_mlp"_t, Text{kFlopsPerWeight}, "V"_t, "h"_t);
  const Text M_Attn = tell(out, kAttentionFlops, flops.attention.si(), B * s, l, per_weight,
                           "W_attn"_t, per_score, s, "w"_t);
  const double b = real(strategy.micro_batch);
  const double t_b = kMicroBatchTime(b, model.time_terms(strategy).compute_per_sample).si();
  tell(out, kMicroBatchTime, t_b, "b"_t,
       kComputePerSample(M_FF, M_Attn, "gamma"_t, "F"_t, B, "p"_t, "t"_t));
}

void add_volumes(Derivation& out, const Strategy& strategy, const ClosedForm& model) {
  const ClosedForm::Volumes volumes = model.volumes(strategy);
  const double b = real(strategy.micro_batch);
  const Text tensor = kTensorVolume("b"_t, "h"_t, "s"_t);
  tell(out, kPipelineVolume, b * volumes.pipeline.si(), strategy.sequence_parallel, tensor, "t"_t);
  tell(out, kTensorVolume, b * volumes.tensor.si(), "b"_t, "h"_t, "s"_t);
  tell(out, kDataVolume, volumes.data.si(), "l"_t, "W_attn"_t + "W_mlp"_t, "p"_t, "t"_t);
}

/// Eq. 1 of a group.
Text add_all_gather(Derivation& out, const char* symbol, const char* meaning, double value,
                    const Text& data, const std::string& group, const Split& split,
                    const Text& C_S) {
  const Row row{symbol, meaning, "Eq. 1", kWithPhaseLatencies};
  return tell(out, row, value,
              kAllGatherTransfer(data, Text{group + "_h"}, Text{group + "_l"}, "C_F"_t, C_S),
              split.hb > 1, split.net > 1, "alpha_F"_t, "alpha_S"_t);
}

Text add_synchronisation(Derivation& out, const Workload& workload, const Strategy& strategy,
                         Seconds sync) {
  if (strategy.dp.total() == 1) {
    const Row none = kSynchronisation.named("T_sync", "gradient synchronisation, none for d = 1");
    return tell(out, Row{none.symbol, none.meaning, none.source, [] { return Text{0}; }}, 0);
  }
  const Text all_gather =
      add_all_gather(out, "AG_d", "all-gather of the gradients", sync.si() / 2, "D_d"_t, "d",
                     strategy.dp, network_bandwidth(workload, "d"));
  return tell(out, kSynchronisation, sync.si(), all_gather);
}

void add_times(Derivation& out, const Workload& workload, const Strategy& strategy,
               const ClosedForm& model, const IterationBreakdown& time) {
  const Text t_b = "t_b"_t, m = "m"_t, p = "p"_t, v = "v"_t, C_S = network_bandwidth(workload, "p");
  const Text send_hb = grouped(kSend("D_p"_t, "C_F"_t, "alpha_F"_t));
  const Text send_net = grouped(kSend("D_p"_t, C_S, "alpha_S"_t));
  const Text bubble = tell(out, kBubbleCompute, time.bubble_compute.si(), kIdle(p, v), t_b);
  const Text bubble_sends = tell(out, kBubbleCommunication, time.bubble_communication.si(), "p_h"_t,
                                 "p_l"_t, send_hb, send_net);
  const Text compute = tell(out, kLastStageCompute, time.last_stage_compute.si(), m, t_b);
  const Bytes tensor = real(strategy.micro_batch) * model.volumes(strategy).tensor;
  const Seconds of_tensor = hierarchical_all_gather(tensor, strategy.tp.hb, strategy.tp.net,
                                                    model.group_links(strategy).tp);
  const Text all_gather =
      add_all_gather(out, "AG_t", "one all-gather of the tensor-parallel group", of_tensor.si(),
                     "D_t"_t, "t", strategy.tp, network_bandwidth(workload, "t"));
  const Text per_layer = tp_collectives_per_layer(strategy.recompute);
  const Text tp = tell(out, kLastStageTensor, time.last_stage_tp_communication.si(), m,
                       kStageCollectives(per_layer, "l"_t, p, all_gather));
  const Text pp = tell(out, kLastStagePipeline, time.last_stage_pp_communication.si(), m, v,
                       strategy.pp.net > 1 ? send_net : send_hb);
  const Text sync = add_synchronisation(out, workload, strategy, time.sync);
  out.term("T_iter", "iteration time", "Eq. 2",
           (bubble + bubble_sends + compute + tp + pp + sync).str(), time.total().si(), "s");
}

/// The sum of the states.
Text add_states(Derivation& out, const Workload& workload, const Strategy& strategy,
                const ClosedForm& model, const MemoryBreakdown& memory) {
  const TransformerSpec& spec = workload.model;
  const Text t = "t"_t, d = "d"_t, V = "V"_t, h = "h"_t;
  const Text embedding = kEmbedding(spec.positions == Positions::learned, V, "s"_t, h);
  const Text P =
      tell(out, kParameters, model.parameters(strategy),
           strategy.pp.total() == 1 && !spec.tied_embeddings,
           kBlocksAndEmbedding("W_block"_t, "l"_t, "p"_t, embedding, t), kOutput(V, h), t);
  const auto [weights, gradients] = model.state_bytes();
  const Text all_weights = tell(out, kWeights, memory.weights.si(), Text{weights}, P, false, d);
  const Text all_gradients =
      tell(out, kGradients, memory.gradients.si(), Text{gradients}, P, strategy.zero >= 2, d);
  const Text all_optimizer = tell(out, kOptimizer, memory.optimizer.si(), "c"_t, Text{weights},
                                  Text{gradients}, P, strategy.zero >= 1, d);
  return all_weights + all_gradients + all_optimizer;
}

Text add_activations(Derivation& out, const Strategy& strategy, const StageSchedule& on,
                     const MemoryBreakdown& memory) {
  const Text p = "p"_t, s = "s"_t, h = "h"_t, a = "a"_t, t = "t"_t;
  const bool filled = on.m >= real(strategy.pp.total());
  const Text in_flight =
      tell(out, kInFlight, on.in_flight, strategy.interleave > 1, filled, p, "m"_t, "v"_t);
  return tell(out, kActivations, memory.activations.si(), "b"_t, in_flight,
              kKept(strategy, s, h, a, t) * "l"_t, kOnce(strategy, s, h, a, "V"_t, p, t));
}

}  // namespace

std::vector<ExplainedTerm> explain_closed_form(const Workload& workload, const Strategy& strategy) {
  const ClosedForm model(workload);
  const Prediction estimate = model.evaluate(strategy);
  const StageSchedule on = model.schedule(strategy);

  Derivation out;
  add_inputs(out, workload, strategy, model);
  tell(out, kMicroBatches, on.m, "B"_t, "d"_t, "b"_t);
  add_compute(out, workload, strategy, model);
  add_volumes(out, strategy, model);
  add_times(out, workload, strategy, model, estimate.time);
  const Text states = add_states(out, workload, strategy, model, estimate.memory);
  const Text activations = add_activations(out, strategy, on, estimate.memory);
  out.term("R_total", "memory of the fullest GPU", "Eq. 19", (states + activations).str(),
           estimate.memory.total().si(), "B");
  return out.take();
}

}  // namespace planner::perf
