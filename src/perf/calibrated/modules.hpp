#pragma once

#include <string_view>

#include "planner/perf/calibrated/work_bytes.hpp"
#include "planner/perf/derivation/text.hpp"

// Parts of a layer that selective recomputation can run again by name: what the layer's own work
// and its explanation share.
namespace planner::inline perf {

inline constexpr std::string_view kCounted = "reads and writes counted";
inline constexpr std::string_view kNamedModules = "docs/calibrated.md";

// Modules that are run again (Megatron-Core's --recompute-modules). Of an MLP's products the last
// one's result is not needed; norms read and write the hidden state twice, an activation function
// its input and output.
inline constexpr double kMlpAgain = 2.0 / 3, kUpProjections = 0.5;
inline constexpr double kNormBytes = 8, kActivationBytes = 6;
inline constexpr Row kNormsAgain{"t_norms_again", "norms, run again", kCounted,
                                 [](auto T, auto h, auto ew, auto BW, auto... split) {
                                   return bytes(((kNormBytes * h * ew * T) / ... / split)) / BW;
                                 }};
inline constexpr Row kActivationAgain{
    "t_act_again", "the experts' activation function, run again", kCounted,
    [](auto R, auto f_e, auto ew, auto BW) { return bytes(kActivationBytes * f_e * ew * R) / BW; }};
inline constexpr Row kUpAgain{"t_up_again", "up-projections of latent attention, run again",
                              kNamedModules, [](auto T, auto W_attn, auto t, auto F) {
                                return flops(kUpProjections * 2 * T * W_attn / t) / F;
                              }};
inline constexpr Row kMlpRunAgain{
    "t_mlp_again", "MLP, run again", kNamedModules,
    [](auto T, auto W, auto t, auto F) { return flops(kMlpAgain * 2 * T * W / t) / F; }};
inline constexpr Row kExpertsAgain{"t_experts_again", "experts, run again", kNamedModules,
                                   [](auto experts, auto routed) { return experts + routed; }};
inline constexpr Row kRoutedTraffic{
    "t_routed", "memory-bound kernels of routed tokens", kCounted,
    [](auto R, auto inner, auto f_e, auto q, auto h, auto etp, auto BW, auto... fused) {
      return bytes(((R * (inner * f_e + (kRoutedBytes + q) * h * etp)) * ... * fused)) / BW;
    }};

}  // namespace planner::perf
