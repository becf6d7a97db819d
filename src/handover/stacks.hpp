#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/handover/handover.hpp"

// Each stack by itself, and what several have in common.
namespace planner::handover {

/// What each stack is told; every option is one that the stack documents.
Emitted megatron(const Plan& plan, const Workload& workload);
Emitted nemo(const Plan& plan, const Workload& workload);
Emitted torchtitan(const Plan& plan, const Workload& workload);
Emitted deepspeed(const Plan& plan, const Workload& workload);
Emitted maxtext(const Plan& plan, const Workload& workload);

/// Model chunks of a pipeline rank in which the schedule interleaves; 1 without a pipeline, where
/// interleaving means nothing.
std::int64_t interleaved_chunks(const Strategy& strategy);
/// l/(p·v), rounded up: what a full model chunk holds.
std::int64_t layers_per_chunk(const Strategy& strategy, const TransformerSpec& model);
/// Whether embedding and loss layer take the place of a layer each, so that stages are even.
bool ends_share(const Strategy& strategy, const TransformerSpec& model);

/// That this stack's pipelines drain once a step, where the plan's do more often.
std::optional<std::string> remark_on_flushes(const Plan& plan, const Workload& workload);
inline constexpr const char* kNoPipeline =
    "interleaving is left out: there is no pipeline to interleave";
inline constexpr const char* kTf32 =
    "TF32 is a setting of PyTorch (torch.backends.cuda.matmul.allow_tf32)";

/// What is run again in the backward pass, as the plan's time and memory count it.
enum class RunAgain {
  nothing,
  scores,           ///< of attention that keeps them (Korthikanti et al. 2022)
  torch_selective,  ///< every other matrix product (torchtitan's selective checkpointing)
  modules,          ///< that are named (Strategy::recompute_modules)
  layers,
};
RunAgain run_again(const Strategy& strategy, const Workload& workload);

/// How ranks must be numbered so that the HB domains hold what the plan places in them.
enum class RankOrder {
  tp_cp_dp_pp,  ///< tensor parallel ranks next to each other, then context, data, pipeline
  tp_cp_pp_dp,
  other,
};
RankOrder rank_order(const Strategy& strategy, const Workload& workload);

}  // namespace planner::handover
