#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/response.hpp"

// A plan as the flags or the configuration file of the program that trains.
namespace planner {

/// What a training stack is given, and what it cannot be told.
struct Emitted {
  std::string file;      ///< what the text is: "flags", "ds_config.json"
  bool comments = true;  ///< whether "#" starts one for whoever reads the text
  std::string text;      ///< the settings, without comments
  /// What of the plan the settings do not say, and why: one sentence each.
  std::vector<std::string> remarks;
};

/// What each stack is told; every option is one that the stack documents.
Emitted emit_megatron(const Plan& plan, const ResolvedInputs& inputs);
Emitted emit_nemo(const Plan& plan, const ResolvedInputs& inputs);
Emitted emit_torchtitan(const Plan& plan, const ResolvedInputs& inputs);
Emitted emit_deepspeed(const Plan& plan, const ResolvedInputs& inputs);

Emitted emit(TrainingStack stack, const Plan& plan, const ResolvedInputs& inputs);

/// The plan of an answer to optimize (its best) or estimate; null where there is none.
const Plan* plan_of(const Response& response);

/// The emitted text, with what it is and every remark as comments above it where it takes comments.
std::string emitted_text(const Response& response);

/// The remarks on an emitted text that takes no comments.
std::vector<std::string> remarks_beside(const Response& response);

// What several stacks have in common.

/// Model chunks of a pipeline rank in which the schedule interleaves; 1 without a pipeline, where
/// interleaving means nothing.
std::int64_t interleaved_chunks(const Strategy& strategy);
/// l/(p·v), rounded up: what a full model chunk holds.
std::int64_t layers_per_chunk(const Strategy& strategy, const TransformerSpec& model);
/// Whether embedding and loss layer take the place of a layer each, so that stages are even.
bool ends_share(const Strategy& strategy, const TransformerSpec& model);

/// That this stack's pipelines drain once a step, where the plan's do more often.
std::optional<std::string> remark_on_flushes(const Plan& plan, const Workload& workload);

/// What is run again in the backward pass, as the plan's time and memory count it.
enum class RunAgain {
  nothing,
  scores,           ///< of attention that keeps them (Korthikanti et al. 2022)
  torch_selective,  ///< every other matrix product (torchtitan's selective checkpointing)
  layers,
};
RunAgain run_again(const Strategy& strategy, const Workload& workload);

/// How ranks must be numbered so that the HB domains hold what the plan places in them.
enum class RankOrder {
  tp_cp_dp_pp,  ///< tensor parallel ranks next to each other, then context, data, pipeline
  tp_cp_pp_dp,
  other,
};
RankOrder rank_order(const Strategy& strategy, std::int64_t hb_domain);

}  // namespace planner
