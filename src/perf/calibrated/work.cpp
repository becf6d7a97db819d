// What one micro-batch is for a GPU's processors and its host, in one layer and in the loss layer.
#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/modules.hpp"
#include "planner/perf/calibrated/tokens.hpp"

namespace planner::inline perf {

namespace {

constexpr std::string_view kMeasured = "host profile";
constexpr std::string_view kRingSteps = "context_parallel.py";
constexpr std::string_view kFlashAttention2 = "arXiv 2307.08691";
constexpr std::string_view kActivations = "arXiv 2205.05198";

// Per element of every step of the ring: its output is scaled and added to the sum, six bytes, and
// the half of a sequence that it computes on is copied, four (Transformer Engine,
// context_parallel.py).
constexpr double kRingStepBytes = 6 + 4.0 / 2;
constexpr double kScoreBytesForward = 9;  // per element of unfused scores: softmax, mask, dropout
constexpr double kScoreBytesBackward = 15;

/// Products of M rows with W weights in matrices of K rows and n columns, of whose traffic a share
/// shows: kappa rows would hide that of an operand.
constexpr auto kProduct = [](auto M, auto W, auto K, auto n, auto F, auto kappa) {
  return flops(2 * M * W) / F * (1 + kappa * (1 / M + 1 / K + 1 / n));
};
constexpr Row kProjections{"t_projections", "attention projections", kRoofline, kProduct};
constexpr Row kMlp{"t_mlp", "MLP", kRoofline, kProduct};
constexpr Row kSharedExperts{"t_shared", "shared experts", kRoofline, kProduct};
constexpr Row kLogits{"t_logits", "output projection, forward", kRoofline, kProduct};
constexpr Row kExpertTokens{
    "M_e", "tokens of one expert", kSheet,
    [](auto R, auto etp, auto ep, auto E) { return greater(1.0, R * etp * ep / E); }, ""};
constexpr Row kExperts{
    "t_experts", "experts", kRoofline,
    [](auto imbalance, auto R, auto W, auto F, auto kappa, auto M_e, auto h, auto f_e, auto etp) {
      return imbalance * (1 + kappa * (2 / M_e + 1 / h + etp / f_e)) * (flops(2 * R * W) / F);
    }};
constexpr Row kProducts{"t_products", "matrix products, forward", kSheet,
                        [](auto... products) { return (... + products); }};

/// Attention scores of a GPU, of the full square; with both products they are that many FLOPs of
/// the causal half.
constexpr auto kScores = [](auto T, auto s, auto a, auto t) { return T * s * a / t; };
constexpr Row kFusedForward{"t_scores", "attention scores, forward", "arXiv 2205.14135",
                            [](auto scores, auto share, auto d_qk, auto d_v, auto F_attn) {
                              return flops(scores * share * (d_qk + d_v)) / F_attn;
                            }};
constexpr Row kFusedBackward{"t_scores_back", "attention scores, backward", kFlashAttention2,
                             [](auto forward) { return kFlashBackward * forward; }};
constexpr Row kScoreProducts{
    "t_score_products", "score products, full square", kRoofline,
    [](auto scores, auto share, auto d_qk, auto d_v, auto F_16, auto kappa_16, auto s,
       auto... slow) {
      return ((flops(2 * (scores * share * (d_qk + d_v))) / F_16) * ... * slow) *
             (1 + kappa_16 * (1 / d_qk + 2 / s));
    }};
constexpr Row kScoreByte{
    "t_score_byte", "a byte for every score", kActivations,
    [](auto scores, auto BW, auto... traffic) { return ((bytes(scores) / BW) * ... * traffic); }};
constexpr Row kUnfusedForward{
    "t_scores", "attention scores, forward", kActivations,
    [](auto products, auto byte) { return products + kScoreBytesForward * byte; }};
constexpr Row kUnfusedBackward{
    "t_scores_back", "attention scores, backward", kActivations,
    [](auto products, auto byte) { return 2 * products + kScoreBytesBackward * byte; }};
constexpr auto kRingStep = [](auto cp, auto T, auto t, auto BW, auto width) {
  return bytes(kRingStepBytes * cp * T / t) / BW * width;
};
constexpr Row kSteps{"t_steps", "what the ring's steps copy and sum", kRingSteps, kRingStep};
constexpr Row kStepsBack{"t_steps_back", "the same, backward", kRingSteps, kRingStep};
constexpr auto kBoth = [](auto kernels, auto steps) { return kernels + steps; };
constexpr Row kAttention{"t_scores", "attention, forward", kSheet, kBoth};
constexpr Row kAttentionBack{"t_scores_back", "attention, backward", kSheet, kBoth};

constexpr Row kElementwise{"t_elementwise", "norms, activations, residuals", kCounted,
                           [](auto T, auto hidden, auto inner, auto f, auto t, auto BW) {
                             return bytes(T * (hidden + inner * f / t)) / BW;
                           }};
constexpr Row kElementwiseOfMoe{
    "t_elementwise", "norms, activations, residuals, routing", kCounted,
    [](auto T, auto hidden, auto inner, auto f_e, auto shared, auto t, auto R, auto q, auto h,
       auto etp, auto BW, auto... fused) {
      return bytes(T * (hidden + inner * f_e * shared / t) +
                   ((R * (inner * f_e + (kRoutedBytes + q) * h * etp)) * ... * fused)) /
             BW;
    }};
// Every micro-batch reads and writes the gradients of the layer's weights on this GPU.
constexpr Row kAccumulation{"t_gradients", "adding weight gradients", kCounted,
                            [](auto factor, auto g, auto weights, auto BW) {
                              return factor * (bytes(2 * g * weights) / BW);
                            }};
constexpr auto kDenseWeights = [](auto W_attn, auto W_mlp, auto t) { return (W_attn + W_mlp) / t; };
constexpr auto kMoeWeights = [](auto W_attn, auto W_expert, auto shared, auto t, auto E, auto ep,
                                auto etp) {
  return (W_attn + W_expert * shared) / t + W_expert * E / (ep * etp);
};

constexpr Row kLaunch{"t_launch", "launching a layer's kernels", kMeasured,
                      [](auto... parts) { return (... + parts); }};
constexpr Row kLaunchOfMoe{"t_launch", "launching a layer's kernels", kMeasured,
                           [](auto dense, auto more, auto... captured) {
                             return (captured * ... * grouped(dense + more));
                           }};
constexpr auto kIdle = [](auto gap, auto launch) { return gap * launch; };
constexpr Row kGaps{"t_gaps", "idle between kernels", kMeasured,
                    [](auto idle, auto... blocking) { return (idle + ... + blocking); }};
constexpr auto kIdleOfMoe = [](auto idle, auto gap, auto per_expert, auto E, auto ep,
                               auto... captured) {
  return (captured * ... * grouped(idle + seconds(gap + per_expert * E / ep)));
};

constexpr auto kLossTraffic = [](auto T, auto V, auto t, auto BW, auto... traffic) {
  return bytes(((kLossBytes * T * V / t) * ... * traffic)) / BW;
};
constexpr Row kHeadLaunch{"t_head_launch", "launching the loss layer like one more", kMeasured,
                          [](auto launch) { return launch; }};
constexpr Row kHead{"t_head", "output projection and loss", kSheet,
                    [](auto mtp, auto logits, auto loss, auto launch) {
                      return (1 + mtp) * (3 * logits + loss) + launch;
                    }};
constexpr Row kHeadProduct{"t_head_product", "output projections, one product", kSheet,
                           [](auto mtp, auto logits) { return (1 + mtp) * logits; }};

}  // namespace

Calibrated::Work Calibrated::work(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), cp = real(strategy.cp.total());
  const auto& [L, L_dense, L_moe, mtp, h, a, s, f, d_qk, d_v, W_mlp, W_expert, E, k, f_e, shared,
               gates, latent, score_share, vocab_multiple, untied, whole] = shape_;
  const auto [V, kv_heads, w_qkv, w_kv, n_qkv, W_attn] = shape_.split_over(t);
  const double ep = real(strategy.ep.total()), etp = real(strategy.expert_tp);
  const double T = kTokens(real(strategy.micro_batch), s, cp);
  const FlopsPerSecond F = rates_.gemm, F_16 = rates_.gemm_16bit;
  const BytesPerSecond BW = rates_.hbm;
  const double kappa = rates_.kappa, kappa_16 = rates_.kappa_16bit;

  const double scores = kScores(T, s, a, t);
  Seconds attention_forward, attention_backward;
  if (software_.attention == AttentionKernel::unfused) {
    const double slow = std::fmod(d_qk, 8) == 0 ? 1 : constant(unaligned_head);
    const Seconds products =
        kScoreProducts(scores, score_share, d_qk, d_v, F_16, kappa_16, s, slow);
    const Seconds byte =
        kScoreByte(scores, BW, constant(score_traffic),
                   software_.attention_in_framework_ops ? constant(framework_ops) : 1);
    attention_forward = kUnfusedForward(products, byte);
    attention_backward = kUnfusedBackward(products, byte);
  } else {
    attention_forward = kFusedForward(scores, score_share, d_qk, d_v, rates_.attention);
    attention_backward = kFusedBackward(attention_forward);
  }
  const Seconds scores_forward = attention_forward;  // without the ring's steps
  if (cp > 1) {
    attention_forward = kAttention(attention_forward, kSteps(cp, T, t, BW, a * d_v));
    attention_backward =
        kAttentionBack(attention_backward, kStepsBack(cp, T, t, BW, a * d_qk + w_kv));
  }

  const Seconds t_attn = kProjections(T, W_attn / t, h, n_qkv / t, F, kappa);
  const double g = real(software_.gradient_reduce_bytes);
  const auto accumulation = [&](double weights) {
    return kAccumulation(constant(gradient_accumulation), g, weights, BW);
  };
  const double ew = stack_.elementwise, q = rates_.cast_bytes();
  const double hidden = kHidden(h, ew, q, w_qkv, t, strategy.sequence_parallel ? t : 1);
  const double inner = kInner(ew, q, gates);

  const double blocking = software_.launch_blocking ? constant(launch_blocking) : 0;
  const Seconds host = kLaunch(stack_.host, t > 1 ? stack_.host_tp : Seconds{});
  const Seconds idle = kIdle(constant(launch_gap), host);

  const Seconds logits = kLogits(T, h * V / t, h, V / t, F_16, kappa_16);
  const Seconds head =
      kHead(mtp, logits, kLossTraffic(T, V, t, BW, stack_.loss_traffic), kHeadLaunch(host));

  using Module = RecomputeModule;
  std::array<Seconds, kRecomputeModules.size()> again{};
  const auto at = [](Module module) { return static_cast<std::size_t>(module); };
  again[at(Module::core_attn)] = scores_forward;
  again[at(Module::layernorm)] = kNormsAgain(T, h, ew, BW, strategy.sequence_parallel ? t : 1);
  if (latent > 0) again[at(Module::mla_up_proj)] = kUpAgain(T, W_attn, t, F);

  LayerWork dense, moe;
  if (L_dense > 0) {
    dense = {.products = kProducts(t_attn, kMlp(T, W_mlp / t, h, f / t, F, kappa)),
             .attention_forward = attention_forward,
             .attention_backward = attention_backward,
             .elementwise = kElementwise(T, hidden, inner, f, t, BW),
             .accumulation = accumulation(kDenseWeights(W_attn, W_mlp, t)),
             .all_reduces = 2,
             .gaps = kGaps(idle, blocking * host),
             .host = host,
             .again = again};
    dense.again[at(Module::mlp)] = kMlpRunAgain(T, W_mlp, t, F);
  }
  if (L_moe > 0) {
    const double R = kRouted(T, k, t);
    const Seconds t_experts = kExperts(constant(imbalance_constant(software_)), R, W_expert, F,
                                       kappa, kExpertTokens(R, etp, ep, E), h, f_e, etp);
    const Seconds t_shared =
        shared > 0 ? kSharedExperts(T, W_expert * shared / t, h, f_e * shared / t, F, kappa)
                   : Seconds{};
    const bool graphs = software_.full_cuda_graphs;
    const double captured = graphs ? constant(cuda_graphs) : 1;
    const Seconds host_of_moe = kLaunchOfMoe(host, Seconds{constant(moe_host_time)}, captured);
    const Seconds idle_of_moe =
        kIdleOfMoe(idle, constant(moe_gap), constant(moe_gap_per_expert), E, ep, captured);
    moe = {.products = kProducts(t_attn, t_experts, t_shared),
           .attention_forward = attention_forward,
           .attention_backward = attention_backward,
           .elementwise = kElementwiseOfMoe(T, hidden, inner, f_e, shared, t, R, q, h, etp, BW,
                                            graphs ? constant(fused_routing) : 1),
           .accumulation = accumulation(kMoeWeights(W_attn, W_expert, shared, t, E, ep, etp)),
           .all_reduces = shared > 0 ? 2.0 : 1.0,
           .gaps = kGaps(idle_of_moe, blocking * host_of_moe),
           .host = host_of_moe,
           .again = again};
    const double fused = graphs ? constant(fused_routing) : 1;
    moe.again[at(Module::moe_act)] = kActivationAgain(R, f_e, ew, BW);
    moe.again[at(Module::moe)] =
        kExpertsAgain(t_experts, kRoutedTraffic(R, inner, f_e, q, h, etp, BW, fused));
    moe.again[at(Module::shared_experts)] = kMlpRunAgain(T, W_expert * shared, t, F);
  }
  return {.dense = dense, .moe = moe, .head = head, .logits = kHeadProduct(mtp, logits)};
}

void CalibratedExplanation::add_attention() {
  using enum Constant;
  const bool ring = cp_ > 1;
  const Text scores = kScores("T"_t, "s"_t, "a"_t, "t"_t);
  constexpr const char* kKernels = "t_kernels";
  constexpr const char* kKernelsBack = "t_kernels_back";
  const auto named = [&](const auto& row, const char* beside_ring) {
    return ring ? row.named(beside_ring, row.meaning) : row;
  };
  Text forward{0}, backward{0};
  if (workload_.software.attention != AttentionKernel::unfused) {
    forward = tell(named(kFusedForward, kKernels), scores, "score_share"_t, "d_qk"_t, "d_v"_t,
                   "F_attn"_t);
    backward = tell(named(kFusedBackward, kKernelsBack), forward);
  } else {
    const auto products = [&](const auto&... slow) {
      return tell(kScoreProducts, scores, "score_share"_t, "d_qk"_t, "d_v"_t, "F_16"_t,
                  "kappa_16"_t, "s"_t, slow...);
    };
    const bool aligned = std::fmod(shape_.d_qk, 8) == 0;
    const Text of_products = aligned ? products() : products(constant(unaligned_head));
    const Text traffic = constant(score_traffic);
    const Text byte = workload_.software.attention_in_framework_ops
                          ? tell(kScoreByte, scores, "BW"_t, traffic, constant(framework_ops))
                          : tell(kScoreByte, scores, "BW"_t, traffic);
    forward = tell(named(kUnfusedForward, kKernels), of_products, byte);
    backward = tell(named(kUnfusedBackward, kKernelsBack), of_products, byte);
  }
  if (!ring) return;
  const auto step = [&](const auto& row, const Text& width) {
    return tell(row, "cp"_t, "T"_t, "t"_t, "BW"_t, width);
  };
  const Text steps = step(kSteps, "a"_t * "d_v"_t);
  const Text steps_back = step(kStepsBack, "a"_t * "d_qk"_t + "w_kv"_t);
  tell(kAttention, forward, steps);
  tell(kAttentionBack, backward, steps_back);
}

void CalibratedExplanation::add_products(bool moe) {
  const Of of{suffix(moe)};
  const auto product = [&](const Of& named, const auto& row, const Text& W, const Text& K,
                           const Text& n) {
    return tell(named, row, "T"_t, W, K, n, "F"_t, "kappa"_t);
  };
  const Text attention = product(of, kProjections, "W_attn"_t / "t"_t, "h"_t, "n_qkv"_t / "t"_t);
  if (!moe) {
    tell(of, kProducts, attention, product(of, kMlp, "W_mlp"_t / "t"_t, "h"_t, "f"_t / "t"_t));
    return;
  }
  const Text M_e = tell(kExpertTokens, "R"_t, "etp"_t, "ep"_t, "E"_t);
  const Text experts = tell(kExperts, constant(imbalance_constant(workload_.software)), "R"_t,
                            "W_expert"_t, "F"_t, "kappa"_t, M_e, "h"_t, "f_e"_t, "etp"_t);
  if (shape_.shared == 0) {
    tell(of, kProducts, attention, experts);
    return;
  }
  const Text always = product({}, kSharedExperts, "W_expert"_t * "shared"_t / "t"_t, "h"_t,
                              "f_e"_t * "shared"_t / "t"_t);
  tell(of, kProducts, attention, experts, always);
}

void CalibratedExplanation::add_memory_bound(bool moe) {
  using enum Constant;
  const Of of{suffix(moe)};
  Text ew = constant(elementwise_constant(workload_.software.stack));
  if (!workload_.software.fused_norms) ew = ew * constant(unfused_norms);
  const auto hidden_of = [&](const auto&... split) {
    return kHidden("h"_t, ew, "q"_t, "w_qkv"_t, "t"_t, split...);
  };
  const Text hidden = strategy_.sequence_parallel ? hidden_of("t"_t) : hidden_of();
  const Text inner = kInner(ew, "q"_t, "gates"_t);
  const auto accumulation = [&](const Text& weights) {
    tell(of, kAccumulation, constant(gradient_accumulation), "g"_t, weights, "BW"_t);
  };
  if (!moe) {
    tell(of, kElementwise, "T"_t, hidden, inner, "f"_t, "t"_t, "BW"_t);
    accumulation(kDenseWeights("W_attn"_t, "W_mlp"_t, "t"_t));
    return;
  }
  const auto elementwise = [&](const auto&... fused) {
    tell(of, kElementwiseOfMoe, "T"_t, hidden, inner, "f_e"_t, "shared"_t, "t"_t, "R"_t, "q"_t,
         "h"_t, "etp"_t, "BW"_t, fused...);
  };
  if (workload_.software.full_cuda_graphs) {
    elementwise(constant(fused_routing));
  } else {
    elementwise();
  }
  accumulation(kMoeWeights("W_attn"_t, "W_expert"_t, "shared"_t, "t"_t, "E"_t, "ep"_t, "etp"_t));
}

Text CalibratedExplanation::launches() {
  const SoftwareClass stack = workload_.software.stack;
  const Text one = constant(host_time_constant(stack));
  return t_ == 1 ? kLaunch(one) : kLaunch(one, constant(host_time_tp_constant(stack)));
}

void CalibratedExplanation::add_launches(bool moe) {
  using enum Constant;
  const Of of{suffix(moe)};
  const Text dense = launches();
  const auto gaps = [&](const Text& idle, const Text& launch) {
    if (workload_.software.launch_blocking) {
      tell(of, kGaps, idle, constant(launch_blocking) * launch);
    } else {
      tell(of, kGaps, idle);
    }
  };
  if (!moe) {
    const Text launch = tell(of, kLaunch, dense);
    gaps(kIdle(constant(launch_gap), launch), launch);
    return;
  }
  const auto of_moe = [&](const auto&... captured) {
    const Text launch = tell(of, kLaunchOfMoe, dense, constant(moe_host_time), captured...);
    const Text idle = kIdle(constant(launch_gap), grouped(dense)), gap = constant(moe_gap);
    gaps(kIdleOfMoe(idle, gap, constant(moe_gap_per_expert), "E"_t, "ep"_t, captured...), launch);
  };
  if (workload_.software.full_cuda_graphs) {
    of_moe(constant(cuda_graphs));
  } else {
    of_moe();
  }
}

void CalibratedExplanation::add_work(bool moe) {
  add_products(moe);
  add_memory_bound(moe);
  add_launches(moe);
}

void CalibratedExplanation::add_head() {
  const Text launch = tell(kHeadLaunch, launches());
  const auto loss = [&](const auto&... traffic) {
    return kLossTraffic("T"_t, "V"_t, "t"_t, "BW"_t, traffic...);
  };
  const bool eager = workload_.software.stack == SoftwareClass::eager;
  const Text of_loss = eager ? loss(constant(Constant::loss_traffic_eager)) : loss();
  const Text logits =
      tell(kLogits, "T"_t, "h"_t * "V"_t / "t"_t, "h"_t, "V"_t / "t"_t, "F_16"_t, "kappa_16"_t);
  tell(kHead, "mtp"_t, logits, of_loss, launch);
}

Text CalibratedExplanation::add_head_product() {
  return tell(kHeadProduct, "mtp"_t, "t_logits"_t);
}

}  // namespace planner::perf
