#include <fmt/format.h>

#include "planner/core/real.hpp"
#include "planner/handover/stacks.hpp"

namespace planner::handover {

namespace {

/// Degrees of one mesh axis in devices, inside a slice and over the data-centre network.
void add_axis(const char* name, std::int64_t inside, std::int64_t across, Emitted& emitted) {
  emitted.text +=
      fmt::format("ici_{0}_parallelism: {1}\ndcn_{0}_parallelism: {2}\n", name, inside, across);
}

/// The ranks of data parallelism that the experts leave: MaxText's expert axis is one of its own,
/// while the plan's experts take ranks of data parallelism.
Split beside_experts(const Strategy& strategy, Emitted& emitted) {
  const Split &dp = strategy.dp, &ep = strategy.ep;
  if (dp.hb % ep.hb == 0 && dp.net % ep.net == 0) {
    return {.hb = dp.hb / ep.hb, .net = dp.net / ep.net};
  }
  emitted.remarks.push_back(fmt::format(
      "the plan's {} expert-parallel ranks are not all data-parallel ones; MaxText's are: the axes "
      "below do not multiply to the GPUs",
      ep.total()));
  return dp;
}

/// @param devices  of a chip: they share out what is a rank's
void add_data_parallel(const Strategy& strategy, std::int64_t devices, Emitted& emitted) {
  Split ranks = beside_experts(strategy, emitted);
  ranks.hb *= devices;
  const bool sharded = strategy.zero > 0;
  // Hybrid sharding: weights are sharded inside a slice and replicated over slices.
  const bool hybrid = strategy.shard_ranks > 0;
  add_axis("data", sharded ? 1 : ranks.hb, sharded && !hybrid ? 1 : ranks.net, emitted);
  add_axis("fsdp", sharded ? ranks.hb : 1, sharded && !hybrid ? ranks.net : 1, emitted);
  if (sharded && strategy.zero < 3 && strategy.dp.total() > 1) {
    emitted.remarks.push_back(
        fmt::format("ZeRO {} cannot be set: this shards weights too, as ZeRO 3, with less memory "
                    "and other messages than planned",
                    strategy.zero));
  }
  if (hybrid && strategy.shard_ranks != strategy.dp.hb * strategy.cp.hb) {
    emitted.remarks.push_back(
        fmt::format("the plan shards over {} ranks, this over the {} of a slice",
                    strategy.shard_ranks, ranks.hb));
  }
  if (devices > 1) {
    emitted.remarks.push_back(fmt::format(
        "JAX sees {} devices of a chip: each takes as many of its data-parallel shares, "
        "with a {} of its sequences",
        devices, devices == 2 ? "half" : "part"));
  }
}

void add_recompute(RunAgain again, Emitted& emitted) {
  if (again == RunAgain::layers) {
    emitted.text += "remat_policy: full\n";
    return;
  }
  emitted.text += "remat_policy: minimal\n";  // results of all matrix products are kept
  if (again != RunAgain::nothing) {
    emitted.remarks.push_back(
        "what is recomputed differs: \"minimal\" keeps the results of all matrix products and "
        "computes what lies between them again");
  }
}

void add_precision(Precision precision, Emitted& emitted) {
  if (precision == Precision::fp8) emitted.text += "quantization: fp8\n";
  if (precision == Precision::fp4) {
    emitted.remarks.push_back("FP4 is not set: MaxText has no FP4 training here");
  }
  if (precision == Precision::fp16) {
    emitted.remarks.push_back("this is bf16, of the same speed, not fp16");
  }
}

}  // namespace

// Keys of MaxText's base.yml (AI-Hypercomputer/maxtext, src/MaxText/configs/base.yml of 2025):
// ici_ axes lie inside a slice, dcn_ axes over the data-centre network.
Emitted maxtext(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  Emitted emitted{.file = "MaxText configuration (YAML, over base.yml)", .text = {}, .remarks = {}};
  const bool pipelined = strategy.pp.total() > 1;
  // A pipeline is fed all micro-batches of a step; without one they are accumulated.
  const std::int64_t at_once =
      strategy.micro_batch * (pipelined ? plan.microbatches : std::int64_t{1});
  const std::int64_t devices = workload.system.accelerator.devices;
  const double of_device = real(at_once * strategy.dp.total()) / real(workload.gpus * devices);
  emitted.text += fmt::format(
      "per_device_batch_size: {}\ngradient_accumulation_steps: {}\nmax_target_length: {}\n"
      "dtype: bfloat16\n",
      of_device, pipelined ? 1 : plan.microbatches, workload.run.sequence);
  add_precision(workload.run.precision, emitted);
  add_data_parallel(strategy, devices, emitted);
  add_axis("tensor", strategy.tp.hb, strategy.tp.net, emitted);
  add_axis("context", strategy.cp.hb, strategy.cp.net, emitted);
  add_axis("pipeline", strategy.pp.hb, strategy.pp.net, emitted);
  if (pipelined) {
    emitted.text += fmt::format("num_pipeline_microbatches: {}\n", plan.microbatches);
    emitted.remarks.push_back(
        "MaxText's pipeline is a circular one of its own, not the schedule of the plan");
  }
  if (workload.model.moe) add_axis("expert", strategy.ep.hb, strategy.ep.net, emitted);
  if (strategy.expert_tp > 1) {
    emitted.remarks.push_back("experts that are split over tensor-parallel ranks cannot be set");
  }
  add_recompute(run_again(strategy, workload), emitted);
  return emitted;
}

}  // namespace planner::handover
