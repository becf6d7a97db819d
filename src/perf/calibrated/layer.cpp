// One micro-batch in a layer: passes, what of communication and launches shows in them, and the
// mean over the layers of a model.
#include <algorithm>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/calibrated/work_bytes.hpp"

namespace planner::inline perf {

namespace {

enum class Pass { forward, backward };

constexpr Row kWorkForward{"t_work", "products and attention", kSheet,
                           [](auto products, auto attention) { return products + attention; }};
// Two products for each of the forward pass.
constexpr Row kWorkBackward{"t_work", "products and attention", kSheet,
                            [](auto products, auto attention) { return 2 * products + attention; }};
constexpr Row kComputeForward{"t_compute", "with memory-bound kernels", kSheet,
                              [](auto work, auto elementwise) { return work + elementwise; }};
constexpr Row kComputeBackward{"t_compute", "with memory-bound kernels", kSheet,
                               [](auto work, auto elementwise, auto accumulation) {
                                 return work + (kBackwardTraffic * elementwise + accumulation);
                               }};
/// Gaps go with the products.
constexpr auto kGapsBackward = [](auto gaps) { return 2 * gaps; };
/// The ring passes on keys and values, and backward their gradients too.
constexpr auto kRingBackward = [](auto ring) { return 2 * ring; };

template <class Time>
Time half(const Time& work) {
  return work / 2;
}
/// Dispatch and combine.
template <class Time>
Time both_ways(const Time& all_to_all) {
  return 2 * all_to_all;
}

constexpr auto kExposed = [](auto communication, auto share, auto cover) {
  return exposed(communication, share, cover);
};
constexpr Row kTensorParallel{"t_tp", "tensor parallel, what shows", kSheet, kExposed};
constexpr Row kContextParallel{"t_cp", "context parallel, what shows", kSheet, kExposed};
constexpr Row kExpertParallel{"t_ep", "expert parallel, what shows", kSheet, kExposed};
constexpr Row kExpertParallelOverlapped{"t_ep", "expert parallel, what shows",
                                        "arXiv 2412.19437 §3.2.1", kExposed};
constexpr Row kModulesAgain{"t_again", "modules run again", "--recompute-modules",
                            [](auto... modules) { return (... + modules); }};
constexpr Row kGpu{"t_gpu", "the GPU's part", kSheet, [](auto... parts) { return (... + parts); }};
constexpr Row kPass{"t_pass", "GPU and launches overlap", kSheet,
                    [](auto gpu, auto launch) { return longer_of_overlapping<4>(gpu, launch); }};
constexpr Row kWait{"t_wait", "waiting for launches", kSheet,
                    [](auto gaps, auto pass, auto gpu) { return gaps + (pass - gpu); }};

constexpr auto kLayer = [](auto again, auto forward, auto backward) {
  return (1 + again) * forward + backward;
};
constexpr auto kWeightGradients = [](auto products, auto accumulation) {
  return products + accumulation;
};

/// All-reduces of a pass, of those of a layer's forward pass: where the sequence is split, backward
/// gathers its inputs once more.
double all_reduces_of_pass(Pass pass, double forward, bool sequence_parallel) {
  return pass == Pass::backward && sequence_parallel ? 1.5 * forward : forward;
}

/// Full recomputation is one more forward, collectives included; torch's selective checkpointing
/// half of one; Megatron's selective the scores, which fused attention never keeps, or the modules
/// that are named.
struct RunAgain {
  double share = 0;  ///< of the forward pass
  bool scores = false;
};
RunAgain run_again(const Strategy& strategy, const Software& software) {
  if (strategy.recompute == Recompute::full) return {.share = strategy.recomputed_layers};
  if (strategy.recompute == Recompute::none || !strategy.recompute_modules.empty()) return {};
  if (software.stack == SoftwareClass::torch) return {.share = 0.5};
  return {.scores = software.attention == AttentionKernel::unfused};
}

/// Layers by kind; those that predict further tokens are of the model's last kind.
template <class Number>
struct Kinds {
  Number dense, moe, all;
  bool any_dense, any_moe;
};
template <class Number>
Kinds<Number> kinds(const CalibratedShape& shape, Number L_dense, Number L_moe, Number mtp,
                    Number L) {
  const bool moe = shape.L_moe > 0;
  return {.dense = moe ? L_dense : L_dense + mtp,
          .moe = L_moe + mtp,
          .all = L + mtp,
          .any_dense = shape.L_dense > 0,
          .any_moe = moe};
}
template <class Number, class Time>
Time mean_over(const Kinds<Number>& of, const Time& dense, const Time& moe) {
  if (!of.any_moe) return grouped(of.dense * dense) / of.all;
  if (!of.any_dense) return grouped(of.moe * moe) / of.all;
  return (of.dense * dense + of.moe * moe) / of.all;
}

constexpr auto kSum = [](auto... parts) { return (... + parts); };
constexpr Row kMean{"t_mean", "one micro-batch in the mean layer, there and back", kSheet, kSum};

// What is only named here: see mean_over() and kLayer.
constexpr auto kAsItIs = [](auto value) { return value; };
constexpr Row kMeanWeightGradients{"t_weights", "weight gradients of the mean layer",
                                   "arXiv 2401.10241, Table 2", kAsItIs};
constexpr Row kMeanForward{"t_forward", "forward pass of the mean layer",
                           "arXiv 2401.10241, Table 2", kAsItIs};

}  // namespace

Calibrated::LayerTime Calibrated::layer_time(const LayerWork& work, const Communication& comm,
                                             const Strategy& strategy, Overlap overlap) const {
  using enum Constant;
  const double tp_share = overlaps_tensor_parallelism(software_, strategy) ? stack_.tp_exposed : 1;
  const double cp_share = constant(cp_exposed);
  // Overlapped with another micro-batch an all-to-all hides behind all of its work, otherwise
  // behind the half of its own that does not wait for it.
  const double ep_share = constant(ep_exposed_constant(software_));
  const auto visible = [overlap](Seconds communication, double share, Seconds cover) {
    return overlap == Overlap::none ? communication : exposed(communication, share, cover);
  };
  const auto pass = [&](Pass direction) {
    const bool back = direction == Pass::backward;
    const Seconds attention = back ? work.attention_backward : work.attention_forward;
    const Seconds compute =
        back ? kWorkBackward(work.products, attention) : kWorkForward(work.products, attention);
    const Seconds ring = back ? kRingBackward(comm.ring) : comm.ring;
    const double all_reduces =
        all_reduces_of_pass(direction, work.all_reduces, strategy.sequence_parallel);
    LayerTime time{
        .compute = back ? kComputeBackward(compute, work.elementwise, work.accumulation)
                        : kComputeForward(compute, work.elementwise),
        .tp = visible(all_reduces * comm.all_reduce, tp_share, half(compute)),
        .cp = visible(ring, cp_share, attention),
        .ep = visible(both_ways(comm.all_to_all), ep_share,
                      software_.expert_overlap ? compute : half(compute)),
        .host = back ? kGapsBackward(work.gaps) : work.gaps,
    };
    if (overlap == Overlap::behind_work_once && software_.expert_overlap) {
      const Seconds tp = tp_share * all_reduces * comm.all_reduce;
      const Seconds ep = ep_share * both_ways(comm.all_to_all);
      if (time.tp - tp < time.ep - ep) {
        time.tp = tp;
      } else {
        time.ep = ep;
      }
    }
    const Seconds gpu = time.total();
    time.host = kWait(time.host, longer_of_overlapping<4>(gpu, work.host), gpu);
    return time;
  };
  const LayerTime forward = pass(Pass::forward), backward = pass(Pass::backward);

  const auto [again, scores] = run_again(strategy, software_);
  Seconds parts_again = scores ? work.attention_forward : Seconds{};
  if (strategy.recompute == Recompute::selective && !strategy.recompute_modules.empty()) {
    for (std::size_t i = 0; i < work.again.size(); ++i) {
      if (strategy.recompute_modules.has(kRecomputeModules[i])) {
        parts_again = parts_again + work.again[i];
      }
    }
  }
  return {
      .compute = kLayer(again, forward.compute, backward.compute) + parts_again,
      .tp = kLayer(again, forward.tp, backward.tp),
      .cp = kLayer(again, forward.cp, backward.cp),
      .ep = kLayer(again, forward.ep, backward.ep),
      .host = kLayer(again, forward.host, backward.host),
      .forward = forward.total(),
  };
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
  const auto mean = [&](Seconds of_dense, Seconds of_moe) {
    return mean_over(kinds(shape_, L_dense, L_moe, shape_.mtp, shape_.L), of_dense, of_moe);
  };
  const auto mean_of = [&](Seconds LayerTime::*part) { return mean(dense.*part, moe.*part); };
  return {
      .layer = {.compute = mean_of(&LayerTime::compute),
                .tp = mean_of(&LayerTime::tp),
                .cp = mean_of(&LayerTime::cp),
                .ep = mean_of(&LayerTime::ep),
                .host = mean_of(&LayerTime::host),
                .forward = mean_of(&LayerTime::forward)},
      .head = work.head,
      .logits = work.logits,
      .weight_gradients = mean(kWeightGradients(work.dense.products, work.dense.accumulation),
                               kWeightGradients(work.moe.products, work.moe.accumulation)),
  };
}

Calibrated::MicroBatch Calibrated::micro_batch(const Work& work, const Communication& comm,
                                               const Strategy& strategy) const {
  return micro_batch(work, comm, strategy, Overlap::as_far_as_work_lasts);
}

// Products, memory-bound work, messages and launches take c + x·b of a micro-batch of b samples, c
// not negative, and c is 0 of attention: per sample they only fall as b grows, and attention stays.
// What shows of messages grows as the work that hides it falls, but by no more than that: halves of
// all products, or all of them once.
Seconds Calibrated::least_time_per_sample(const Work& work, const Communication& comm,
                                          const Strategy& strategy) const {
  const MicroBatch micro = micro_batch(work, comm, strategy, Overlap::behind_work_once);
  return own_ * ((shape_.L + shape_.mtp) * micro.layer.total() + micro.head) /
         real(strategy.micro_batch);
}

void CalibratedExplanation::add_pass(bool moe, bool back) {
  using enum Constant;
  const std::string x = suffix(moe);
  const Of of{(back ? "_back" : "_fwd") + x, back ? ", backward" : ", forward"};
  const Of unplaced{of.suffix};
  const auto named = [&](const char* symbol) { return Text{symbol + x}; };
  const Text attention = back ? "t_scores_back"_t : "t_scores"_t;
  const Text products = named("t_products"), elementwise = named("t_elementwise");
  const Text work = back ? tell(of, kWorkBackward, products, attention)
                         : tell(of, kWorkForward, products, attention);
  Text sum = back ? tell(unplaced, kComputeBackward, work, elementwise, named("t_gradients"))
                  : tell(unplaced, kComputeForward, work, elementwise);
  if (t_ > 1) {
    const double times =
        all_reduces_of_pass(back ? Pass::backward : Pass::forward,
                            moe && shape_.shared == 0 ? 1 : 2, strategy_.sequence_parallel);
    const Text all_reduces = times * "t_all_reduce"_t;
    const bool hides = overlaps_tensor_parallelism(workload_.software, strategy_);
    const Text share = hides ? constant(tp_exposed_constant(workload_.software.stack)) : Text{1};
    sum = sum + tell(of, kTensorParallel, all_reduces, share, half(work));
  }
  if (cp_ > 1) {
    const Text ring = back ? kRingBackward("t_ring"_t) : "t_ring"_t;
    sum = sum + tell(of, kContextParallel, ring, constant(cp_exposed), attention);
  }
  if (moe && exchanges_tokens()) {
    const Text exchanges = both_ways("t_all_to_all"_t);
    const Text share = constant(ep_exposed_constant(workload_.software));
    sum = sum + (workload_.software.expert_overlap
                     ? tell(of, kExpertParallelOverlapped, exchanges, share, work)
                     : tell(of, kExpertParallel, exchanges, share, half(work)));
  }
  const Text gaps = back ? kGapsBackward(named("t_gaps")) : named("t_gaps");
  const Text gpu = tell(of, kGpu, sum, gaps);
  const Text pass = tell(of, kPass, gpu, named("t_launch"));
  tell(of, kWait, gaps, pass, gpu);
}

bool CalibratedExplanation::add_modules(bool moe) {
  if (strategy_.recompute != Recompute::selective) return false;
  const std::vector<Text> parts = module_times(moe);
  if (parts.empty()) return false;
  Text sum = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) sum = sum + parts[i];
  tell_as(Of{suffix(moe)}, kModulesAgain, sum);
  return true;
}

void CalibratedExplanation::add_layer(bool moe) {
  add_work(moe);
  add_pass(moe, false);
  add_pass(moe, true);
  const std::string x = suffix(moe);
  const auto [share, scores] = run_again(strategy_, workload_.software);
  const Text again =
      given("again" + x, "share of the forward pass that runs again", "--recompute", share);
  const bool modules = add_modules(moe);
  const auto both = [&](const char* symbol, const char* part, const char* meaning, bool present,
                        const char* and_again = nullptr) {
    const Row row{symbol, meaning, kSheet, kLayer};
    const Of of{"_layer" + x, " of a layer"};
    if (!present) {
      tell_as(of, row, 0);
      return;
    }
    const Text twice =
        row(again, Text{std::string{part} + "_fwd" + x}, Text{std::string{part} + "_back" + x});
    tell_as(of, row, and_again != nullptr ? twice + Text{and_again} : twice);
  };
  const std::string parts_again = scores ? "t_scores" : "t_again" + x;
  both("t_compute", "t_compute", "compute", true,
       scores || modules ? parts_again.c_str() : nullptr);
  both("t_tp", "t_tp", "tensor parallel", t_ > 1);
  both("t_cp", "t_cp", "context parallel", cp_ > 1);
  both("t_ep", "t_ep", "expert parallel", moe && exchanges_tokens());
  both("t_host", "t_wait", "waiting for launches", true);
}

Text CalibratedExplanation::mean_layer(const Text& dense, const Text& moe) const {
  return mean_over(kinds(shape_, "L_dense"_t, "L_moe"_t, "mtp"_t, "L"_t), dense, moe);
}

void CalibratedExplanation::add_layers() {
  add_tokens();
  add_attention();
  add_layer_communication();
  if (shape_.L_dense > 0) add_layer(false);
  if (shape_.L_moe > 0) add_layer(true);
  add_head();
  const auto mean = [&](const char* symbol, const char* meaning) {
    const auto layer = [&](bool moe) { return Text{std::string{symbol} + "_layer" + suffix(moe)}; };
    const Row row{symbol, meaning, kSheet, kAsItIs};
    return tell_as(Of{"", ", mean layer"}, row, mean_layer(layer(false), layer(true)));
  };
  const Text compute = mean("t_compute", "compute");
  const Text tp = mean("t_tp", "tensor parallel, what shows");
  const Text cp = mean("t_cp", "context parallel, what shows");
  const Text ep = mean("t_ep", "expert parallel, what shows");
  const Text host = mean("t_host", "waiting for launches");
  tell(kMean, compute, tp, cp, ep, host);
}

void CalibratedExplanation::add_zero_bubble_work() {
  const auto weights = [&](bool moe) {
    const std::string x = suffix(moe);
    return kWeightGradients(Text{"t_products" + x}, Text{"t_gradients" + x});
  };
  const auto forward = [&](bool moe) { return grouped(Text{"t_pass_fwd" + suffix(moe)}); };
  tell(kMeanWeightGradients, mean_layer(weights(false), weights(true)));
  tell(kMeanForward, mean_layer(forward(false), forward(true)));
  add_head_product();
}

}  // namespace planner::perf
