#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

// A plan as the flags or the configuration file of the program that trains.
namespace planner::handover {

/// A program that trains, and that a plan is handed to.
enum class TrainingStack { megatron, nemo, torchtitan, deepspeed, maxtext };
inline constexpr std::array kTrainingStacks{TrainingStack::megatron, TrainingStack::nemo,
                                            TrainingStack::torchtitan, TrainingStack::deepspeed,
                                            TrainingStack::maxtext};

/// As `--emit` and answers write it: "megatron".
constexpr std::string_view name_of(TrainingStack stack) {
  constexpr std::array<std::string_view, kTrainingStacks.size()> kNames{
      "megatron", "nemo", "torchtitan", "deepspeed", "maxtext"};
  return kNames[static_cast<std::size_t>(stack)];
}

/// What a training stack is given, and what it cannot be told.
struct Emitted {
  std::string file;      ///< what the text is: "flags", "ds_config.json"
  bool comments = true;  ///< whether "#" starts one for whoever reads the text
  std::string text;      ///< the settings, without comments
  /// What of the plan the settings do not say, and why: one sentence each.
  std::vector<std::string> remarks;
};

/// @param workload  that the plan is of
Emitted emit(TrainingStack stack, const Plan& plan, const Workload& workload);

/// Whether "#" starts a comment in a stack's settings.
bool takes_comments(TrainingStack stack);

/// What settings are of, for whoever reads them.
struct Subject {
  std::string model;  ///< title
  std::int64_t gpus = 0;
  Seconds iteration{};
};
/// The text, with what it is and every remark as comments above it where it takes comments.
std::string commented(const Emitted& emitted, const Subject& subject);

}  // namespace planner::handover
