#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/calibration/measured_prediction.hpp"
#include "planner/domain/microbenchmark.hpp"

namespace planner::inline calibration {

/// A constant that a benchmark measures by itself; or why this one does not.
struct DirectConstant {
  Constant constant = Constant::nvlink_efficiency;
  double value = 0;
  std::string problem{};  ///< a clause; empty: all is well
};

/// Messages from this size on count as large.
inline constexpr Bytes kLargeMessage{64.0 * 1024 * 1024};

/// nvlink_efficiency where all ranks are on one host: the median bus bandwidth of large messages
/// over the system's HB bandwidth. With more hosts nic_efficiency: that bus bandwidth over the
/// bandwidth of the NICs of one host's ranks, since a ring leaves each host through all of them.
/// None of ranks on another accelerator, and of no all-reduce that is faster than a ring can be:
/// switches of the domain reduced, and NCCL does so by default where they can (nccl-tests issue
/// 212: some 480 GB/s on 8 H100, a ring some 370).
DirectConstant from_collectives(const CollectiveBenchmark& measured, const System& system);

/// gemm_efficiency of each format: `calibration`'s, times what products by themselves reach here
/// over what they reached on the part that was recorded (kByThemselves). A constant stands for
/// products in a training step, which are slower: put in its place as it is, the rate of products
/// by themselves would make all predictions too fast. What they reach is the rate of an endless
/// product, which is what a product's time leaves once the model's operand traffic is taken off,
/// over silicon peak and power factor; median over products whose sides are all kLargeSide or more.
/// None of products on another part, faster than its peak, of a family without constants of its
/// own, or of a format that nothing was recorded of.
/// @param calibration  its gemm_shape and hbm_efficiency give the operand traffic
std::vector<DirectConstant> from_gemms(const std::vector<GemmBenchmark>& measured,
                                       const Accelerator& accelerator,
                                       const Calibration& calibration);
inline constexpr std::int64_t kLargeSide = 1024;

/// What kernels by themselves reach of the silicon's peak, and the constant that stands for them in
/// a training step: tools/measure on an H100 SXM, 2026-11 (tests/measure/data/h100), four products
/// of 720 to 798 TFLOP/s and three sequences of 327 to 344.
struct ByItself {
  Constant constant{};
  double reached = 0;
};
inline constexpr std::array<ByItself, 2> kByThemselves{
    {{Constant::gemm_efficiency_bf16_hopper, 0.768},
     {Constant::attention_efficiency_flash2_hopper, 0.3395}}};

/// attention_efficiency of each kernel, likewise: by the median rate of sequences of kLongSequence
/// or more over silicon peak and power factor.
std::vector<DirectConstant> from_attention(const std::vector<AttentionBenchmark>& measured,
                                           const Accelerator& accelerator,
                                           const Calibration& calibration);
inline constexpr std::int64_t kLongSequence = 2048;

}  // namespace planner::calibration
