#pragma once

#include <string>

#include "planner/domain/plan.hpp"
#include "planner/handover/handover.hpp"

// A plan on every axis, and what is looked for in the settings made of it.
namespace planner::testing {

/// A mixture of experts on every axis: tp 4, pp 2, dp 4, cp 2, ep 8 of 64 GPUs, domains of 8.
inline Plan plan_of_all_axes() {
  Plan plan;
  plan.strategy.tp = {.hb = 4, .net = 1};
  plan.strategy.cp = {.hb = 2, .net = 1};
  plan.strategy.dp = {.hb = 1, .net = 4};
  plan.strategy.pp = {.hb = 1, .net = 2};
  plan.strategy.ep = {.hb = 2, .net = 4};
  plan.strategy.expert_tp = 1;
  plan.strategy.interleave = 3;
  plan.strategy.micro_batch = 2;
  plan.strategy.recompute = Recompute::full;
  plan.strategy.zero = 1;
  plan.microbatches = 16;
  plan.time.last_stage_compute = Seconds{1};
  plan.capacity = 80 * units::GB;
  return plan;
}

inline Workload workload_of_all_axes() {
  Workload workload{.model = {.name = "moe", .title = "A MoE", .layers = 24},
                    .run = {.global_batch = 128, .sequence = 8192},
                    .gpus = 64};
  workload.model.moe = MoeSpec{.experts = 64, .top_k = 2};
  workload.system.accelerator.generation = Generation::blackwell;
  workload.system.hb_domain = 8;
  return workload;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline bool remarks_on(const handover::Emitted& emitted, const std::string& part) {
  for (const std::string& remark : emitted.remarks) {
    if (has(remark, part)) return true;
  }
  return false;
}

}  // namespace planner::testing
