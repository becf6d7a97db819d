#include "planner/perf/closed_form/closed_form.hpp"

#include <algorithm>
#include <tuple>

#include "planner/core/real.hpp"

namespace planner::inline perf {

using namespace closed_form;

namespace {

/// The paper's C_F is NVLink's headline figure, which counts both directions; the catalog's is per
/// direction. Its C_S is per direction like ours. (Found by reproducing Table 4: only this prints
/// all five values.)
constexpr double kHbDirections = 2;

constexpr double kGradientBytes = 4;    // fp32 main gradients, per parameter
constexpr double kAdamStateBytes = 12;  // fp32 master copy, momentum, variance, per parameter

std::array<IterationFlops, 3> flops_by_recomputation(const Workload& workload) {
  std::array<IterationFlops, 3> flops;
  for (const Recompute mode : {Recompute::none, Recompute::selective, Recompute::full}) {
    flops[static_cast<std::size_t>(mode)] =
        iteration_flops(workload.model, workload.run, repeated(workload, mode));
  }
  return flops;
}

}  // namespace

ClosedForm::ClosedForm(const Workload& workload)
    : l_(real(workload.model.layers)),
      h_(real(workload.model.hidden)),
      s_(real(workload.run.sequence)),
      V_(real(workload.model.vocab)),
      a_(real(workload.model.heads)),
      B_(real(workload.run.global_batch)),
      block_weights_(attention_weights(workload.model) + mlp_weights(workload.model)),
      block_parameters_(dense_block_parameters(workload.model)),
      embedding_parameters_(kEmbedding(workload.model.positions == Positions::learned, V_, s_, h_)),
      untied_output_parameters_(workload.model.tied_embeddings ? 0 : kOutput(V_, h_)),
      bytes_per_parameter_(workload.run.bytes_per_parameter),
      peak_(workload.system.accelerator.datasheet.at(workload.run.precision)
                .value_or(FlopsPerSecond{})),
      flops_(flops_by_recomputation(workload)),
      links_{.hb = kHbDirections * workload.system.hb_bandwidth,
             .net = workload.system.network_bandwidth,
             .hb_latency = workload.system.hb_latency,
             .net_latency = workload.system.network_latency},
      network_(workload),
      outermost_(workload),
      hb_domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      global_batch_(workload.run.global_batch) {}

ClosedForm::Volumes ClosedForm::volumes(const Strategy& strategy) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const Bytes tensor = kTensorVolume(1.0, h_, s_);
  return {
      .pipeline = kPipelineVolume(strategy.sequence_parallel, tensor, t),
      .tensor = tensor,
      .data = kDataVolume(l_, block_weights_, p, t),
  };
}

// Domains follow each other as tp, then dp and pp count them, either outermost: a group crosses the
// lowest tier of the network that holds all its ranks.
ClosedForm::GroupLinks ClosedForm::group_links(const Strategy& strategy) const {
  GroupLinks links{.tp = links_, .dp = links_, .pp = links_};
  if (network_.full()) return links;
  const auto net = [this](const GroupFlows& domains) {
    return network_.of(on_gpus(domains, hb_domain_)) * links_.net;
  };
  links.tp.net = net({FlowKind::ring, 1, strategy.tp.net});
  links.dp.net = net(domains_of_replicas(strategy));
  links.pp.net = net(domains_of_pipeline(strategy));
  return links;
}

ClosedForm::Orders ClosedForm::orders(Strategy strategy) const {
  strategy.outermost.reset();
  if (!outermost_.open(strategy)) return {.first = {strategy, time_terms(strategy)}};
  strategy.outermost = Outermost::data;
  const Ordered replicas{strategy, time_terms(strategy)};
  strategy.outermost = Outermost::pipeline;
  return {.first = {strategy, time_terms(strategy)}, .second = replicas};
}

Strategy ClosedForm::in_best_order(const Strategy& strategy) const {
  const Orders either = orders(strategy);
  if (!either.second) return either.first.strategy;
  const StageSchedule on = schedule(strategy);
  const bool replicas =
      time(either.second->terms, on).total() < time(either.first.terms, on).total();
  return replicas ? either.second->strategy : either.first.strategy;
}

// Nothing overlaps.
CommunicationTimes ClosedForm::communication_times(const Strategy& strategy) const {
  const IterationBreakdown at = time(time_terms(strategy), schedule(strategy));
  const auto shown = [](Seconds all) { return CommunicationTime{all, all}; };
  return {.tp = shown(at.last_stage_tp_communication),
          .pp = shown(at.bubble_communication + at.last_stage_pp_communication),
          .dp = shown(at.sync)};
}

ClosedForm::TimeTerms ClosedForm::time_terms(const Strategy& strategy) const {
  const auto& [tp, pp, dp] = std::tie(strategy.tp, strategy.pp, strategy.dp);
  const double p = real(pp.total()), t = real(tp.total());
  const auto [M_FF, M_Attn] = iteration_flops(strategy.recompute);
  const Volumes volume = volumes(strategy);
  const PerSample<Bytes> D_p{volume.pipeline}, D_t{volume.tensor};
  const auto [tp_links, dp_links, pp_links] = group_links(strategy);
  const auto [C_F, C_S, alpha_F, alpha_S] = pp_links;

  TimeTerms terms;
  terms.compute_per_sample = kComputePerSample(M_FF, M_Attn, kAttentionSlowdown, peak_, B_, p, t);

  const PerMicroBatch<Seconds> send_hb = kSend(D_p, C_F, alpha_F);
  const PerMicroBatch<Seconds> send_net = kSend(D_p, C_S, alpha_S);
  terms.bubble_sends = kBubbleCommunication(real(pp.hb), real(pp.net), send_hb, send_net);
  terms.stage_send = pp.net > 1 ? send_net : send_hb;

  const PerMicroBatch<Seconds> all_gather = kWithPhaseLatencies(
      kAllGatherTransfer(D_t, real(tp.hb), real(tp.net), tp_links.hb, tp_links.net), tp.hb > 1,
      tp.net > 1, tp_links.hb_latency, tp_links.net_latency);
  terms.tp_collectives =
      kStageCollectives(tp_collectives_per_layer(strategy.recompute), l_, p, all_gather);

  if (dp.total() > 1) {
    terms.sync = kSynchronisation(hierarchical_all_gather(volume.data, dp.hb, dp.net, dp_links));
  }
  return terms;
}

double ClosedForm::parameters(const Strategy& strategy) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  return kParameters(strategy.pp.total() == 1,
                     kBlocksAndEmbedding(block_parameters_, l_, p, embedding_parameters_, t),
                     untied_output_parameters_, t);
}

// c = 18 is 2 + 4 + 12; of any other c we know only that the weights are 16-bit.
ClosedForm::StateBytes ClosedForm::state_bytes() const {
  constexpr double kMixedPrecisionAdam = kBytesPerValue + kGradientBytes + kAdamStateBytes;
  const double c = bytes_per_parameter_;
  const double weights = std::min(kBytesPerValue, c);
  const double gradients = c == kMixedPrecisionAdam ? kGradientBytes : 0;
  return {.weights = weights, .gradients = gradients};
}

ClosedForm::MemoryTerms ClosedForm::memory_terms(const Strategy& strategy) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const double d = real(strategy.dp.total()), P = parameters(strategy);
  const auto [weights, gradients] = state_bytes();
  return {
      .weights = kWeights(weights, P, false, d),
      .gradients = kGradients(gradients, P, strategy.zero >= 2, d),
      .optimizer = kOptimizer(bytes_per_parameter_, weights, gradients, P, strategy.zero >= 1, d),
      .in_flight_per_sample = Bytes{kKept(strategy, s_, h_, a_, t) * l_},
      .once_per_sample = Bytes{kOnce(strategy, s_, h_, a_, V_, p, t)}};
}

StageSchedule ClosedForm::schedule(const Strategy& strategy) const {
  const std::int64_t m = kMicroBatches(global_batch_, strategy.dp.total(), strategy.micro_batch);
  return schedule(real(strategy.pp.total()), real(strategy.micro_batch), real(m),
                  real(strategy.interleave));
}

Prediction ClosedForm::evaluate(const Strategy& strategy) const {
  const StageSchedule on = schedule(strategy);
  return {.time = time(time_terms(strategy), on), .memory = memory(memory_terms(strategy), on)};
}

// m·b is fixed, so compute, the collectives' bandwidth part and the synchronisation cannot shrink;
// the last factor leaves room for rounding.
Seconds ClosedForm::lower_bound(const TimeTerms& terms, double samples_per_rank) {
  const Seconds least =
      samples_per_rank * (terms.compute_per_sample + terms.tp_collectives.per_sample) + terms.sync;
  return (1 - 1e-9) * least;
}

}  // namespace planner::perf
