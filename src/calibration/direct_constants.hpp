#pragma once

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

/// gemm_efficiency of each format: the rate of an endless product, which is what a product's time
/// leaves once the model's operand traffic is taken off, over silicon peak and power factor; median
/// over products whose sides are all kLargeSide or more.
/// @param calibration  its gemm_shape and hbm_efficiency give the operand traffic
std::vector<DirectConstant> from_gemms(const std::vector<GemmBenchmark>& measured,
                                       const Accelerator& accelerator,
                                       const Calibration& calibration);
inline constexpr std::int64_t kLargeSide = 1024;

/// attention_efficiency of each kernel: the median rate of sequences of kLongSequence or more over
/// silicon peak and power factor.
std::vector<DirectConstant> from_attention(const std::vector<AttentionBenchmark>& measured,
                                           const Accelerator& accelerator,
                                           const Calibration& calibration);
inline constexpr std::int64_t kLongSequence = 2048;

}  // namespace planner::calibration
