#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/handover/stacks.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::handover {

namespace {

std::string_view schedule_name(Schedule schedule, std::vector<std::string>& remarks) {
  // Names of torch.distributed.pipelining.schedules.
  switch (schedule) {
    case Schedule::one_f_one_b:
      return "1F1B";
    case Schedule::interleaved:
      return "Interleaved1F1B";
    case Schedule::zero_bubble_1p:
    case Schedule::zero_bubble_2p:
      // torchtitan/distributed/pipeline_parallel.py refuses multi-stage schedules of one stage per
      // rank; planned zero-bubble schedules have one.
      remarks.push_back(
          "the zero-bubble schedule needs two stages per rank in torchtitan, the plan has one: "
          "this runs 1F1B, slower than planned");
      return "1F1B";
  }
  return "";
}

/// FSDP shards weights, gradients and optimizer states; "never" keeps the gathered weights from
/// forward to backward, which is ZeRO 2 in time and memory; "always" is ZeRO 3. Experts are
/// parallel over ranks that shard, so weights are not replicated with them.
void add_data_parallel(const Strategy& strategy, Emitted& emitted) {
  const std::int64_t dp = strategy.dp.total();
  const bool only_data_parallel = strategy.tp.total() == 1 && strategy.pp.total() == 1 &&
                                  strategy.cp.total() == 1 && strategy.ep.total() == 1;
  const bool replicated = strategy.zero == 0 && only_data_parallel;
  // torchtitan's shard degree leaves out the context-parallel ranks, which shard too.
  const std::int64_t planned = strategy.replicas();
  const std::int64_t copies = replicated ? dp : std::gcd(dp, planned);
  if (!replicated && copies != planned) {
    emitted.remarks.push_back(
        fmt::format("torchtitan shards over all {} context-parallel ranks: {} copies of the "
                    "weights instead of the {} planned, and other messages",
                    strategy.cp.total(), copies, planned));
  }
  if (strategy.shard_ranks > 0) {
    emitted.remarks.push_back(
        "replicas are summed once an iteration in the plan; torchtitan may do so for every "
        "micro-batch");
  }
  emitted.text += fmt::format("data_parallel_replicate_degree = {}\n", copies);
  emitted.text += fmt::format("data_parallel_shard_degree = {}\n", dp / copies);
  if (!replicated) {
    emitted.text += fmt::format("fsdp_reshard_after_forward = \"{}\"\n",
                                strategy.zero == 3 ? "always" : "never");
  }
  if (!replicated && strategy.zero < 2 && dp > 1) {
    emitted.remarks.push_back(fmt::format(
        "ZeRO {} cannot be set{}: this is sharded as ZeRO 2, with less memory and other messages "
        "than planned",
        strategy.zero,
        strategy.zero == 0 ? " (torchtitan replicates weights only without other parallelism)"
                           : ""));
  }
}

void add_pipeline(const Plan& plan, const Workload& workload, Emitted& emitted) {
  const Strategy& strategy = plan.strategy;
  emitted.text += fmt::format("pipeline_parallel_degree = {}\n", strategy.pp.total());
  if (strategy.pp.total() == 1) {
    if (strategy.interleave > 1) {
      emitted.remarks.push_back(kNoPipeline);
    }
    return;
  }
  emitted.text += fmt::format(
      "pipeline_parallel_schedule = \"{0}\"\n"
      "pipeline_parallel_microbatch_size = {1}\n"
      "pipeline_parallel_layers_per_stage = {2}\n"
      // As planned; by default torchtitan takes a layer off the first and the last stage.
      "pipeline_parallel_first_stage_less_layers = {3}\n"
      "pipeline_parallel_last_stage_less_layers = {3}\n",
      schedule_name(strategy.schedule(), emitted.remarks), strategy.micro_batch,
      layers_per_chunk(strategy, workload.model), ends_share(strategy, workload.model) ? 1 : 0);
  // torchtitan/distributed/pipeline_parallel.py: chunks of so many layers, a multiple of the ranks.
  const std::int64_t ends = ends_share(strategy, workload.model) ? 2 : 0;
  const std::int64_t chunk = layers_per_chunk(strategy, workload.model);
  const std::int64_t chunks = ceil_div(workload.model.layers + ends, chunk);
  if (chunks % strategy.pp.total() != 0) {
    emitted.remarks.push_back(fmt::format(
        "torchtitan makes {} stages of {} layers, no multiple of the {} pipeline ranks, "
        "and refuses them",
        chunks, chunk, strategy.pp.total()));
  }
  const std::int64_t fed = micro_batches_at_once(workload.software, plan.microbatches);
  const std::int64_t rounds = std::max<std::int64_t>(1, fed / strategy.pp.total());
  if (interleaved_chunks(strategy) > 1 && fed % rounds != 0) {
    emitted.remarks.push_back(fmt::format(
        "PyTorch's Interleaved1F1B asks for a multiple of {} micro-batches, not {}", rounds, fed));
  }
}

/// What torchtitan/distributed/parallel_dims.py asserts: expert parallelism takes all context
/// parallel ranks, all tensor parallel ones where these do not split experts, and some of data's.
std::optional<std::string> remark_on_experts(const Strategy& strategy) {
  const std::int64_t tp = strategy.tp.total(), ep = strategy.ep.total();
  if (strategy.expert_tp != 1 && strategy.expert_tp != tp) {
    return fmt::format("torchtitan takes an expert tensor parallel degree of 1 or {} only, not {}",
                       tp, strategy.expert_tp);
  }
  const std::int64_t taken = strategy.cp.total() * (strategy.expert_tp == tp ? 1 : tp);
  const std::int64_t most = strategy.dp.total() * taken;
  if (ep == 1 || (ep % taken == 0 && most % ep == 0)) return std::nullopt;
  return fmt::format(
      "torchtitan refuses expert parallelism {}: with this tensor, context and data parallelism it "
      "takes multiples of {} that divide {}",
      ep, taken, most);
}

void add_recompute(RunAgain again, Emitted& emitted) {
  emitted.text += "\n[activation_checkpoint]\n";
  switch (again) {
    case RunAgain::nothing:
      emitted.text += "mode = \"none\"\n";
      return;
    case RunAgain::layers:
      emitted.text += "mode = \"full\"\n";
      return;
    case RunAgain::scores:
      emitted.remarks.push_back(
          "selective recomputation differs: torchtitan's \"op\" keeps the results of attention and "
          "of every other matrix product, planned was to recompute the attention scores only");
      [[fallthrough]];
    case RunAgain::modules:
      if (again == RunAgain::modules) {
        emitted.remarks.push_back(
            "the modules that are recomputed are Megatron-Core's: torchtitan's \"op\" keeps the "
            "results of attention and of every other matrix product");
      }
      [[fallthrough]];
    case RunAgain::torch_selective:
      emitted.text += "mode = \"selective\"\nselective_ac_option = \"op\"\n";
      return;
  }
}

void add_precision(Precision precision, Emitted& emitted) {
  const bool single = precision == Precision::fp32 || precision == Precision::tf32;
  emitted.text += fmt::format("mixed_precision_param = \"{}\"\n", single ? "float32" : "bfloat16");
  if (precision == Precision::fp16) {
    emitted.remarks.push_back("torchtitan has no fp16: this is bf16, of the same speed");
  } else if (precision == Precision::tf32) {
    emitted.remarks.push_back(kTf32);
  } else if (precision == Precision::fp4) {
    emitted.remarks.push_back("FP4 is not set: torchtitan has no FP4 training");
  }
}

}  // namespace

// Keys of torchtitan's TOML job configuration, torchtitan/config/job_config.py of
// pytorch/torchtitan, from #1555 (expert_tensor_parallel_degree) and #1763 (quantize.linear.float8,
// September 2025) on until configurations became Python and #3167 took expert tensor parallelism
// out (2026).
Emitted torchtitan(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  Emitted emitted{.file = "torchtitan job configuration (TOML)", .text = {}, .remarks = {}};
  // A pipeline is fed one local batch at a time; without one micro-batches are accumulated.
  const std::int64_t fed =
      strategy.pp.total() > 1 ? micro_batches_at_once(workload.software, plan.microbatches) : 1;
  if (workload.run.precision == Precision::fp8) {
    emitted.text += "[model]\nconverters = [\"quantize.linear.float8\"]\n\n";
  }
  emitted.text +=
      fmt::format("[training]\nlocal_batch_size = {}\nglobal_batch_size = {}\nseq_len = {}\n",
                  fed * strategy.micro_batch, workload.run.global_batch, workload.run.sequence);
  add_precision(workload.run.precision, emitted);
  emitted.text += "\n[parallelism]\n";
  add_data_parallel(strategy, emitted);
  emitted.text += fmt::format("tensor_parallel_degree = {}\n", strategy.tp.total());
  const bool async_tp =
      strategy.tp.total() > 1 && overlaps_tensor_parallelism(workload.software, strategy);
  if (async_tp) emitted.text += "enable_async_tensor_parallel = true\n";
  add_pipeline(plan, workload, emitted);
  emitted.text += fmt::format("context_parallel_degree = {}\n", strategy.cp.total());
  if (workload.model.moe) {
    emitted.text += fmt::format("expert_parallel_degree = {}\nexpert_tensor_parallel_degree = {}\n",
                                strategy.ep.total(), strategy.expert_tp);
    if (auto remark = remark_on_experts(strategy)) emitted.remarks.push_back(*std::move(remark));
  }
  if (async_tp) emitted.text += "\n[compile]\nenable = true\n";  // refused without
  if (!strategy.sequence_parallel && strategy.tp.total() > 1) {
    emitted.remarks.push_back(
        "sequence parallelism cannot be switched off: torchtitan's tensor parallelism has it");
  }
  // init_device_mesh numbers ranks with the last dimension, tensor parallelism, innermost:
  // pp, dp_replicate, dp_shard, cp, tp (torchtitan/distributed/parallel_dims.py).
  if (rank_order(strategy, workload) != RankOrder::tp_cp_dp_pp) {
    emitted.remarks.push_back(fmt::format(
        "the plan puts tp {}, cp {}, pp {} and dp {} ranks into an HB domain; torchtitan numbers "
        "ranks tp, cp, dp, pp, so the time will differ",
        strategy.tp.hb, strategy.cp.hb, strategy.pp.hb, strategy.dp.hb));
  }
  add_recompute(run_again(strategy, workload), emitted);
  return emitted;
}

}  // namespace planner::handover
