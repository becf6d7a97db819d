#include "planner/perf/closed_form/closed_form.hpp"

#include <algorithm>
#include <tuple>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

/// The paper's C_F is NVLink's headline figure, which counts both directions; the catalog's is per
/// direction. Its C_S is per direction like ours. (Found by reproducing Table 4: only this prints
/// all five values.)
constexpr double kHbDirections = 2;

constexpr double kBytesPerValue = 2;    // 16-bit activations and weights
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
      embedding_parameters_((V_ + (workload.model.positions == Positions::learned ? s_ : 0)) * h_),
      untied_output_parameters_(workload.model.tied_embeddings ? 0 : V_ * h_),
      bytes_per_parameter_(workload.run.bytes_per_parameter),
      peak_(workload.system.accelerator.datasheet.at(workload.run.precision)
                .value_or(FlopsPerSecond{})),
      flops_(flops_by_recomputation(workload)),
      links_{.hb = kHbDirections * workload.system.hb_bandwidth,
             .net = workload.system.network_bandwidth,
             .hb_latency = workload.system.hb_latency,
             .net_latency = workload.system.network_latency},
      network_(workload),
      hb_domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      global_batch_(workload.run.global_batch) {}

ClosedForm::Volumes ClosedForm::volumes(const Strategy& strategy) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const Bytes sample{kBytesPerValue * h_ * s_};
  return {
      .pipeline = strategy.sequence_parallel ? sample / t : sample,
      .tensor = sample,
      .data = Bytes{kBytesPerValue * l_ * block_weights_ / (p * t)},
  };
}

// Domains follow each other as tp, then dp, then pp counts them: a group crosses the lowest tier of
// the network that holds all its ranks.
ClosedForm::GroupLinks ClosedForm::group_links(const Strategy& strategy) const {
  GroupLinks links{.tp = links_, .dp = links_, .pp = links_};
  if (network_.full()) return links;
  const std::int64_t dp_stride = hb_domain_ * strategy.tp.net;
  const std::int64_t pp_stride = dp_stride * strategy.dp.net;
  links.tp.net = network_.of({FlowKind::ring, hb_domain_, strategy.tp.net}) * links_.net;
  links.dp.net = network_.of({FlowKind::ring, dp_stride, strategy.dp.net}) * links_.net;
  links.pp.net = network_.of({FlowKind::line, pp_stride, strategy.pp.net}) * links_.net;
  return links;
}

ClosedForm::TimeTerms ClosedForm::time_terms(const Strategy& strategy) const {
  const auto& [tp, pp, dp] = std::tie(strategy.tp, strategy.pp, strategy.dp);
  const double p = real(pp.total()), t = real(tp.total());
  const auto [M_FF, M_Attn] = iteration_flops(strategy.recompute);
  const auto [D_p, D_t, D_d] = volumes(strategy);
  const auto [tp_links, dp_links, pp_links] = group_links(strategy);
  const auto [C_F, C_S, alpha_F, alpha_S] = pp_links;

  const Seconds send_net = D_p / C_S, send_hb = D_p / C_F;

  TimeTerms terms;
  terms.compute_per_sample = (M_FF + kAttentionSlowdown * M_Attn) / (peak_ * (B_ * p * t));

  const double net_hops = 2 * (real(pp.net) - 1), hb_hops = 2 * real(pp.net) * (real(pp.hb) - 1);
  terms.bubble_sends = {.fixed = net_hops * alpha_S + hb_hops * alpha_F,
                        .per_sample = net_hops * send_net + hb_hops * send_hb};

  const double collectives = tp_collectives_per_layer(strategy.recompute) * l_ / p;
  terms.tp_collectives = {
      .fixed = collectives * all_gather_latency(tp.hb, tp.net, tp_links),
      .per_sample = collectives * all_gather_transfer(D_t, tp.hb, tp.net, tp_links)};

  const bool across_network = pp.net > 1;
  terms.stage_send = {.fixed = across_network ? alpha_S : alpha_F,
                      .per_sample = across_network ? send_net : send_hb};

  if (dp.total() > 1) terms.sync = 2 * hierarchical_all_gather(D_d, dp.hb, dp.net, dp_links);
  return terms;
}

ClosedForm::MemoryTerms ClosedForm::memory_terms(const Strategy& strategy) const {
  MemoryTerms terms;
  add_states(strategy, terms);
  add_activations(strategy, terms);
  return terms;
}

void ClosedForm::add_states(const Strategy& strategy, MemoryTerms& terms) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const double d = real(strategy.dp.total());
  const double parameters = block_parameters_ * l_ / (p * t) + embedding_parameters_ / t +
                            (strategy.pp.total() == 1 ? untied_output_parameters_ / t : 0);
  // c = 18 is 2 + 4 + 12; of any other c we know only that the weights are 16-bit.
  constexpr double kMixedPrecisionAdam = kBytesPerValue + kGradientBytes + kAdamStateBytes;
  const double c = bytes_per_parameter_;
  const double weights = std::min(kBytesPerValue, c);
  const double gradients = c == kMixedPrecisionAdam ? kGradientBytes : 0;
  terms.weights = Bytes{weights * parameters};
  terms.gradients = Bytes{gradients * parameters / (strategy.zero >= 2 ? d : 1)};
  terms.optimizer = Bytes{(c - weights - gradients) * parameters / (strategy.zero >= 1 ? d : 1)};
}

// Korthikanti et al. 2022 (arXiv 2205.05198), §4-5: s·b·h·34/t per layer with sequence parallelism,
// s·b·h·(10 + 24/t) without, 5·a·s²·b/t more where the scores are kept; dropout mask of the
// embedding s·b·h·p/t, final norm and logits 4·s·b·h·(1 + V/h)/t where one stage is first and last.
void ClosedForm::add_activations(const Strategy& strategy, MemoryTerms& terms) const {
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const bool sp = strategy.sequence_parallel;
  const double without_scores = sp ? 34 * s_ * h_ / t : s_ * h_ * (10 + 24 / t);
  const double whole_layer = without_scores + 5 * a_ * s_ * s_ / t;
  const double checkpoint = 2 * s_ * h_ / (sp ? t : 1);

  double kept = 0;
  double working_set = 0;
  switch (strategy.recompute) {
    case Recompute::none:
      kept = whole_layer;
      break;
    case Recompute::selective:
      kept = without_scores;
      break;
    case Recompute::full:
      kept = checkpoint;
      working_set = whole_layer;
      break;
  }
  const double logits = strategy.pp.total() == 1 ? 4 * s_ * h_ * (1 + V_ / h_) / t : 0;
  terms.in_flight_per_sample = Bytes{kept * l_};  // l/p layers, p micro-batches in flight
  terms.once_per_sample = Bytes{s_ * h_ * p / t + logits + working_set};
}

Prediction ClosedForm::evaluate(const Strategy& strategy) const {
  const StageSchedule on =
      schedule(real(strategy.pp.total()), real(strategy.micro_batch),
               real(global_batch_ / (strategy.dp.total() * strategy.micro_batch)),
               real(strategy.interleave));
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
