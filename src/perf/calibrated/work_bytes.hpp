#pragma once

namespace planner::inline perf {

/// Of memory-bound kernels, against forward.
inline constexpr double kBackwardTraffic = 1.6;

// Bytes through memory per token and unit of width of the kernels between the matrix products,
// forward: norms, residuals and dropout touch the hidden state twelve times, the activation
// function and its bias the MLP's inner state four times, two bytes each; rotary embedding or a
// change of layout reads and writes the projections once, and so does sorting a token for its
// expert.
inline constexpr double kHiddenBytes = 24, kProjectionBytes = 4, kInnerBytes = 8, kRoutedBytes = 4;

/// Of the MLP's inner state, per unit of width: ew is the traffic against the ideal, q the bytes to
/// cast an element to 8 or 4 bits.
inline constexpr auto kInner = [](auto ew, auto q, auto gates) {
  return (kInnerBytes * ew + q) * (1 + gates / 2);
};
/// Of the hidden state, split where sequence parallelism does that, and the projections.
inline constexpr auto kHidden = [](auto h, auto ew, auto q, auto w_qkv, auto t, auto... split) {
  return ((kHiddenBytes * h) / ... / split) * ew + q * h + (kProjectionBytes * ew + q) * w_qkv / t;
};

/// Per logit: cast to fp32 and back, softmax, its backward pass, each read and written; the one-hot
/// gradient written.
inline constexpr double kLossBytes = 32;

/// Backward of fused attention: five products for two, at 63 % of the peak instead of 73 %: 2.9
/// (FlashAttention-2, arXiv 2307.08691).
inline constexpr double kFlashBackward = 3;

}  // namespace planner::perf
