#include "planner/design/floor.hpp"

#include "planner/core/real.hpp"
#include "planner/design/rounding.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/calibrated/work_bytes.hpp"

namespace planner::design {

namespace {

// The calibrated model (docs/calibrated.md), its terms at what no strategy can save.
//
// An iteration is at least what its m micro-batches take on the slowest of p stages, times
// straggling: bubble, transfers and synchronisation only add. The slowest stage takes at least the
// mean of all: all layers and the loss over p. Over d·cp·t·p = U GPUs that is the work below, of
// all tokens, over U: splitting a layer t ways leaves each rank at least a t-th of every term, and
// whatever a rank does besides (copies of key and value heads, padding of the vocabulary, operands
// that few rows do not hide, the parts of the hidden state that are not split, adding gradients,
// communication, launches) only adds.
constexpr double kThreeProducts = 3;                    // forward, and two backward
constexpr double kFusedAttention = 1 + kFlashBackward;  // forward and backward

struct Work {
  CalibratedShape shape;
  CalibratedRates rates;
  CalibratedSoftware stack;

  [[nodiscard]] Seconds products(double weights) const {
    return kThreeProducts * (2 * weights * units::flop) / rates.gemm;
  }
  [[nodiscard]] Seconds traffic(double bytes) const {
    return (1 + kBackwardTraffic) * (bytes * units::byte) / rates.hbm;
  }
};

/// Attention scores of one token in one layer.
Seconds attention(const Work& of, const Workload& workload) {
  const CalibratedShape& shape = of.shape;
  const Flops half = shape.s * shape.a * shape.score_share * (shape.d_qk + shape.d_v) * units::flop;
  if (workload.software.attention == AttentionKernel::unfused) {
    return kThreeProducts * (2 * half) / of.rates.gemm_16bit;
  }
  return kFusedAttention * half / of.rates.attention;
}

/// One token there and back through all layers and the loss.
Seconds per_token(const Workload& workload) {
  const Work of{CalibratedShape(workload.model, workload), CalibratedRates(workload),
                CalibratedSoftware(workload)};
  const Calibration& constants = workload.timing.constants();
  const CalibratedShape& shape = of.shape;
  const double ew = of.stack.elementwise, q = of.rates.cast_bytes();
  const double inner = kInner(ew, q, shape.gates);
  const double hidden = kHidden(shape.h, ew, q, shape.whole.w_qkv, 1.0);
  const Seconds scores = attention(of, workload);
  const bool experts = shape.L_moe > 0;
  Seconds layers{};
  const double dense = experts ? shape.L_dense : shape.L_dense + shape.mtp;
  layers += dense * (of.products(shape.whole.W_attn + shape.W_mlp) + scores +
                     of.traffic(hidden + inner * shape.f));
  if (experts) {
    const double imbalance = constants[imbalance_constant(workload.software)];
    const double fused =
        workload.software.full_cuda_graphs ? constants[Constant::fused_routing] : 1;
    const double routed = shape.k * (inner * shape.f_e + (kRoutedBytes + q) * shape.h) * fused;
    const double weights =
        shape.whole.W_attn + shape.W_expert * (shape.shared + shape.k * imbalance);
    layers += (shape.L_moe + shape.mtp) *
              (of.products(weights) + scores +
               of.traffic(hidden + inner * shape.f_e * shape.shared + routed));
  }
  const Seconds logits =
      kThreeProducts * (2 * shape.h * shape.whole.V * units::flop) / of.rates.gemm_16bit;
  const Seconds loss =
      kLossBytes * shape.whole.V * of.stack.loss_traffic * units::byte / of.rates.hbm;
  return layers + (1 + shape.mtp) * (logits + loss);
}

}  // namespace

TimeFloor::TimeFloor(const Workload& workload)
    : gpu_seconds_(kRounding * real(workload.run.global_batch) * real(workload.run.sequence) *
                   per_token(workload).si()),
      straggling_(workload.timing.constants()[Constant::straggling]) {}

Seconds TimeFloor::of(std::int64_t gpus) const {
  return Seconds{gpu_seconds_ / real(gpus) * (1 + kStragglingShare(straggling_, real(gpus)))};
}

}  // namespace planner::design
