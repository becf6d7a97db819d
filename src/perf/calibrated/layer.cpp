#include <algorithm>
#include <cmath>
#include <tuple>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/collectives/group.hpp"

namespace planner {

namespace {

// Bytes through memory per token and unit of width of the kernels between the matrix products,
// forward: norms, residuals and dropout touch the hidden state twelve times, the activation
// function and its bias the MLP's inner state four times, two bytes each; rotary embedding or a
// change of layout reads and writes the projections once, and so does sorting a token for its
// expert.
constexpr double kHiddenBytes = 24, kProjectionBytes = 4, kInnerBytes = 8, kRoutedBytes = 4;
constexpr double kBackwardTraffic = 1.6;  // of those kernels, against forward
constexpr double kQuantisationBytes = 4;  // per element that is cast to 8 or 4 bits
// Of fused attention: five products for two, at 63 % of the peak instead of 73 %: 2.9
// (FlashAttention-2, arXiv 2307.08691).
constexpr double kFlashBackward = 3;
// Per element of every step of the ring: its output is scaled and added to the sum, six bytes, and
// the half of a sequence that it computes on is copied, four (Transformer Engine,
// context_parallel.py).
constexpr double kRingStepBytes = 6 + 4.0 / 2;
constexpr double kScoreBytesForward = 9;  // per element of unfused scores: softmax, mask, dropout
constexpr double kScoreBytesBackward = 15;
constexpr double kBackwardGaps = 2;  // two products for each of the forward pass
// Per logit: cast to fp32 and back, softmax, its backward pass, each read and written; the one-hot
// gradient written.
constexpr double kLossBytes = 32;

/// Products of M rows with W weights in matrices of K rows and n columns, of whose traffic a share
/// shows: `shape` rows would hide that of an operand.
Seconds gemm(double M, double W, double K, double n, FlopsPerSecond rate, double shape) {
  return Flops{2 * M * W} / rate * (1 + shape * (1 / M + 1 / K + 1 / n));
}

}  // namespace

// Ring all-reduce (Thakur et al. 2005) inside the domain; beyond it only what leaves the domain
// crosses. Ring exchange of context parallelism: Liu et al. 2023 (arXiv 2310.01889). All-to-all
// that sends one copy of a token per distinct GPU or domain: DeepEP; Megatron-Core's sends k.
Calibrated::Communication Calibrated::communication(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), cp = real(strategy.cp.total());
  const double h = shape_.h, T = real(strategy.micro_batch) * shape_.s / cp;
  const Seconds alpha{constant(tp_latency)};

  const auto links_across = [&](TrafficPattern pattern, std::int64_t domains) {
    return Links{.hb = rates_.hb, .net = nic(pattern, domains)};
  };
  Communication comm;
  if (t > 1) {
    comm.all_reduce =
        tensor_parallel_all_reduce(Bytes{2 * T * h}, group_of(t, real(strategy.tp.hb)),
                                   links_across(TrafficPattern::ring, strategy.tp.net), alpha);
  }
  if (cp > 1) {
    const bool inside = strategy.tp.net == 1 && strategy.cp.net == 1;
    const Links links =
        links_across(ring_pattern(strategy.tp.net), strategy.tp.net * strategy.cp.net);
    const Bytes keys_and_values{2 * T * shape_.split_over(t).w_kv / t};
    comm.ring = (cp - 1) * (keys_and_values / (inside ? links.hb : links.net) + alpha);
  }
  if (strategy.ep.total() * strategy.expert_tp > 1 && shape_.L_moe > 0) {
    ExpertRouting routing{.top_k = static_cast<std::int64_t>(shape_.k),
                          .one_copy = software_.stack != SoftwareClass::mcore,
                          .parts = real(strategy.expert_tp)};
    if (software_.expert_domain_limit > 0) {
      routing.most_domains = real(software_.expert_domain_limit);
    }
    // Dispatch and combine, the mean of both.
    const Bytes tokens{(2 + real(software_.dispatch_bytes)) / 2 * T * h / t};
    comm.all_to_all = expert_all_to_all(
        tokens, routing,
        {.hb = real(strategy.ep.hb * strategy.expert_tp), .net = real(strategy.ep.net)},
        links_across(TrafficPattern::all_to_all, strategy.ep.net));
  }
  return comm;
}

Calibrated::LayerTime Calibrated::layer_time(const LayerWork& work, const Communication& comm,
                                             const Strategy& strategy, Overlap overlap) const {
  using enum Constant;
  const double tp_share = overlaps_tensor_parallelism(software_, strategy) ? stack_.tp_exposed : 1;
  const double cp_share = constant(cp_exposed);
  // Overlapped with another micro-batch an all-to-all hides behind all of its work, otherwise
  // behind the half of its own that does not wait for it.
  const double ep_share = software_.expert_overlap ? 0 : constant(ep_exposed);
  const double ep_cover = software_.expert_overlap ? 1 : 0.5;
  const auto visible = [overlap](Seconds communication, double share, Seconds cover) {
    return overlap == Overlap::all ? share * communication : exposed(communication, share, cover);
  };
  const auto longer_of = [overlap](Seconds gpu, Seconds host) {
    return overlap == Overlap::all ? std::max(gpu, host) : longer_of_overlapping<4>(gpu, host);
  };
  const auto pass = [&](Seconds compute, Seconds attention, Seconds memory_bound, Seconds gaps,
                        double all_reduces, double rings) {
    LayerTime time{
        .compute = compute + memory_bound,
        .tp = visible(all_reduces * comm.all_reduce, tp_share, compute / 2),
        .cp = visible(rings * comm.ring, cp_share, attention),
        .ep = visible(2 * comm.all_to_all, ep_share, ep_cover * compute),
        .host = gaps,
    };
    const Seconds gpu = time.total();
    time.host += longer_of(gpu, work.host) - gpu;
    return time;
  };
  const LayerTime forward = pass(work.products + work.attention_forward, work.attention_forward,
                                 work.elementwise, work.gaps, work.all_reduces, 1);
  const LayerTime backward =
      pass(2 * work.products + work.attention_backward, work.attention_backward,
           kBackwardTraffic * work.elementwise + work.accumulation, kBackwardGaps * work.gaps,
           (strategy.sequence_parallel ? 1.5 : 1) * work.all_reduces, 2);

  // Full recomputation is one more forward, collectives included; torch's selective checkpointing
  // half of one; Megatron's selective the scores, which fused attention never keeps.
  double again = 0;
  Seconds compute_again{};
  if (strategy.recompute == Recompute::full) {
    again = 1;
  } else if (strategy.recompute == Recompute::selective) {
    if (software_.stack == SoftwareClass::torch) {
      again = 0.5;
    } else if (software_.attention == AttentionKernel::unfused) {
      compute_again = work.attention_forward;
    }
  }
  return {
      .compute = (1 + again) * forward.compute + backward.compute + compute_again,
      .tp = (1 + again) * forward.tp + backward.tp,
      .cp = (1 + again) * forward.cp + backward.cp,
      .ep = (1 + again) * forward.ep + backward.ep,
      .host = (1 + again) * forward.host + backward.host,
      .forward = forward.total(),
  };
}

Calibrated::Work Calibrated::work(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), cp = real(strategy.cp.total());
  const auto& [L, L_dense, L_moe, mtp, h, a, s, f, d_qk, d_v, W_mlp, W_expert, E, k, f_e, shared,
               gates, score_share, vocab_multiple, untied, whole] = shape_;
  const auto [V, kv_heads, w_qkv, w_kv, n_qkv, W_attn] = shape_.split_over(t);
  const double ep = real(strategy.ep.total()), etp = real(strategy.expert_tp);
  const double T = real(strategy.micro_batch) * s / cp;
  const FlopsPerSecond F = rates_.gemm;
  const double kappa = rates_.kappa;

  // Attention scores, forward and backward.
  const double pairs = T * s * a / t * score_share;  // of the full square
  const double score_flops = pairs * (d_qk + d_v);   // causal half of 2·pairs·(d_qk + d_v)
  Seconds attention_forward, attention_backward;
  if (software_.attention == AttentionKernel::unfused) {
    const double slow = std::fmod(d_qk, 8) == 0 ? 1 : constant(unaligned_head);
    const double narrow = rates_.kappa_16bit * (1 / d_qk + 2 / s);
    const Seconds products = Flops{2 * score_flops} / rates_.gemm_16bit * slow * (1 + narrow);
    const Seconds element = Bytes{T * s * a / t} / rates_.hbm * constant(score_traffic) *
                            (software_.attention_in_framework_ops ? constant(framework_ops) : 1);
    attention_forward = products + kScoreBytesForward * element;
    attention_backward = 2 * products + kScoreBytesBackward * element;
  } else {
    attention_forward = Flops{score_flops} / rates_.attention;
    attention_backward = kFlashBackward * attention_forward;
  }
  if (cp > 1) {
    const Seconds per_width = Bytes{kRingStepBytes * cp * T / t} / rates_.hbm;
    attention_forward += per_width * (a * d_v);
    attention_backward += per_width * (a * d_qk + w_kv);
  }

  // Matrix products of the weights.
  const Seconds t_attn = gemm(T, W_attn / t, h, n_qkv / t, F, kappa);

  // Every micro-batch reads and writes the gradients of the layer's weights on this GPU.
  const auto accumulation = [&](double weights) {
    return constant(gradient_accumulation) *
           (Bytes{2 * real(software_.gradient_reduce_bytes) * weights} / rates_.hbm);
  };

  // Memory-bound kernels.
  const double ew = stack_.elementwise, q = rates_.quantised ? kQuantisationBytes : 0;
  const double hidden = kHiddenBytes * h / (strategy.sequence_parallel ? t : 1) * ew + q * h +
                        (kProjectionBytes * ew + q) * w_qkv / t;
  const double inner = (kInnerBytes * ew + q) * (1 + gates / 2);

  // Launches.
  const double blocking = software_.launch_blocking ? constant(launch_blocking) : 0;
  const Seconds host = stack_.host + (t > 1 ? stack_.host_tp : Seconds{});
  const Seconds idle = constant(launch_gap) * host;

  const Seconds logits = gemm(T, h * V / t, h, V / t, rates_.gemm_16bit, rates_.kappa_16bit);
  const Seconds loss = Bytes{kLossBytes * T * V / t * stack_.loss_traffic} / rates_.hbm;
  const Seconds head = (1 + mtp) * (3 * logits + loss) + host;  // launched like one more layer

  LayerWork dense, moe;
  if (L_dense > 0) {
    const Seconds t_mlp = gemm(T, W_mlp / t, h, f / t, F, kappa);
    dense = {.products = t_attn + t_mlp,
             .attention_forward = attention_forward,
             .attention_backward = attention_backward,
             .elementwise = Bytes{T * (hidden + inner * f / t)} / rates_.hbm,
             .accumulation = accumulation((W_attn + W_mlp) / t),
             .all_reduces = 2,
             .gaps = idle + blocking * host,
             .host = host};
  }
  if (L_moe > 0) {
    const double routed = T * k / t;                          // tokens, times their share of etp
    const double M_e = std::max(1.0, routed * etp * ep / E);  // of one local expert
    const double expert_shape = 2 / M_e + 1 / h + etp / f_e;
    const Seconds t_experts = constant(expert_imbalance) * (1 + kappa * expert_shape) *
                              (Flops{2 * routed * W_expert} / F);
    const Seconds t_shared =
        shared > 0 ? gemm(T, W_expert * shared / t, h, f_e * shared / t, F, kappa) : Seconds{};
    const bool graphs = software_.full_cuda_graphs;
    const double per_routed = inner * f_e + (kRoutedBytes + q) * h * etp;
    const double through_memory = T * (hidden + inner * f_e * shared / t) +
                                  routed * per_routed * (graphs ? constant(fused_routing) : 1);
    const double weights = (W_attn + W_expert * shared) / t + W_expert * E / (ep * etp);
    const double captured = graphs ? constant(cuda_graphs) : 1;
    const Seconds host_of_moe = captured * (host + Seconds{constant(moe_host_time)});
    const Seconds of_experts{constant(moe_gap) + constant(moe_gap_per_expert) * E / ep};
    moe = {.products = t_attn + t_experts + t_shared,
           .attention_forward = attention_forward,
           .attention_backward = attention_backward,
           .elementwise = Bytes{through_memory} / rates_.hbm,
           .accumulation = accumulation(weights),
           .all_reduces = shared > 0 ? 2.0 : 1.0,
           .gaps = captured * (idle + of_experts) + blocking * host_of_moe,
           .host = host_of_moe};
  }
  return {.dense = dense, .moe = moe, .head = head, .logits = (1 + mtp) * logits};
}

Calibrated::MicroBatch Calibrated::micro_batch(const Work& work, const Communication& comm,
                                               const Strategy& strategy, Overlap overlap) const {
  const double L_dense = shape_.L_dense, L_moe = shape_.L_moe;
  LayerTime dense, moe;
  if (L_dense > 0) {
    const Communication without_experts{.all_reduce = comm.all_reduce, .ring = comm.ring};
    dense = layer_time(work.dense, without_experts, strategy, overlap);
  }
  if (L_moe > 0) moe = layer_time(work.moe, comm, strategy, overlap);
  // MTP layers are of the model's last kind.
  const double of_moe = L_moe > 0 ? L_moe + shape_.mtp : 0;
  const double of_dense = L_moe > 0 ? L_dense : L_dense + shape_.mtp;
  const double layers = shape_.L + shape_.mtp;
  const auto mean = [&](Seconds LayerTime::*part) {
    return (of_dense * dense.*part + of_moe * moe.*part) / layers;
  };
  const auto weight_gradients = [](const LayerWork& of) { return of.products + of.accumulation; };
  return {
      .layer = {.compute = mean(&LayerTime::compute),
                .tp = mean(&LayerTime::tp),
                .cp = mean(&LayerTime::cp),
                .ep = mean(&LayerTime::ep),
                .host = mean(&LayerTime::host),
                .forward = mean(&LayerTime::forward)},
      .head = work.head,
      .logits = work.logits,
      .weight_gradients =
          (of_dense * weight_gradients(work.dense) + of_moe * weight_gradients(work.moe)) / layers,
  };
}

Calibrated::MicroBatch Calibrated::micro_batch(const Work& work, const Communication& comm,
                                               const Strategy& strategy) const {
  return micro_batch(work, comm, strategy, Overlap::as_far_as_work_lasts);
}

// Products, memory-bound work, messages and launches take c + x·b of a micro-batch of b samples, c
// not negative: per sample they only fall as b grows, and so does the longer of GPU and host.
Seconds Calibrated::least_time_per_sample(const Work& work, const Communication& comm,
                                          const Strategy& strategy) const {
  const MicroBatch micro = micro_batch(work, comm, strategy, Overlap::all);
  return ((shape_.L + shape_.mtp) * micro.layer.total() + micro.head) / real(strategy.micro_batch);
}

}  // namespace planner
