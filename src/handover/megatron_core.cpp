#include "planner/handover/megatron_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/handover/pipeline_layout.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::handover {

namespace {

void add_layout_remarks(const Strategy& strategy, const TransformerSpec& model,
                        std::vector<std::string>& remarks) {
  if (model.mtp_layers > 0) {
    remarks.push_back(fmt::format(
        "the layout places {} MTP layer{}: the model must have as many (mtp_num_layers)",
        model.mtp_layers, model.mtp_layers == 1 ? "" : "s"));
  }
  // The last chunk has the loss layer; https://github.com/NVIDIA/Megatron-LM/issues/1852.
  const std::vector<std::int64_t> layers = layers_of_chunks(strategy, model);
  if (std::find(layers.begin(), layers.end() - 1, 0) != layers.end() - 1) {
    remarks.push_back(
        "the last stage has fewer layers than chunks, and Megatron Core may not run empty ones "
        "(issue 1852 of Megatron-LM): a lower --interleave avoids them");
  }
}

}  // namespace

std::vector<std::string> shared_remarks(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  const std::int64_t p = strategy.pp.total();
  std::vector<std::string> remarks;
  if (auto remark = remark_on_flushes(plan, workload)) remarks.push_back(*std::move(remark));
  if (strategy.interleave > 1 && p == 1) {
    remarks.push_back(kNoPipeline);
  }
  const TransformerSpec& model = workload.model;
  if (needs_layout(strategy, model)) add_layout_remarks(strategy, model, remarks);
  if (strategy.sequence_parallel && strategy.tp.total() == 1) {
    remarks.push_back("sequence parallelism is left out: it shards over tensor parallel ranks");
  }
  if (rank_order(strategy, workload) == RankOrder::other) {
    remarks.push_back(fmt::format(
        "the plan puts tp {}, cp {}, pp {} and dp {} ranks into an HB domain; no rank order of "
        "Megatron does, so the time will differ",
        strategy.tp.hb, strategy.cp.hb, strategy.pp.hb, strategy.dp.hb));
  }
  if (strategy.schedule() == Schedule::zero_bubble_1p ||
      strategy.schedule() == Schedule::zero_bubble_2p) {
    remarks.push_back("the zero-bubble schedule is not in Megatron Core: it runs 1F1B");
  }
  if (run_again(strategy, workload) == RunAgain::torch_selective) {
    remarks.push_back(
        "the selective recomputation of the software class torch is not in Megatron Core: nothing "
        "is recomputed, so each GPU needs more memory than planned");
  }
  if (workload.run.precision == Precision::tf32) {
    remarks.push_back(kTf32);
  }
  if (workload.software.fp8_attention) {
    remarks.push_back(
        "the time counts on fused attention in 8 bits: fp8_dot_product_attention of the model's "
        "configuration");
  }
  if (workload.software.free_stage_inputs) {
    remarks.push_back(
        "Megatron Core keeps the input of each chunk of a pipeline for its first norm: each GPU "
        "needs more memory than planned");
  }
  if (workload.software.loss_chunks > 1) {
    remarks.push_back(fmt::format(
        "Megatron Core takes the loss layer at once: {} chunks of it are left out, so the last "
        "stage needs more memory than planned",
        workload.software.loss_chunks));
  }
  return remarks;
}

std::optional<std::int64_t> layers_left(const Strategy& strategy, const TransformerSpec& model) {
  const std::int64_t p = strategy.pp.total();
  const bool apart = interleaved_chunks(strategy) > 1 || ends_share(strategy, model);
  if (model.layers % p == 0 || apart) return std::nullopt;
  return model.layers - (p - 1) * layers_per_chunk(strategy, model);
}

std::optional<std::int64_t> group_besides(const Plan& plan) {
  if (interleaved_chunks(plan.strategy) == 1) return std::nullopt;
  const std::int64_t p = plan.strategy.pp.total();
  const std::int64_t group = interleaving_group(p, plan.microbatches);
  return group == p ? std::nullopt : std::optional{group};
}

std::string_view fp8_recipe(const Workload& workload) {
  // What the parts are fastest with: Blackwell scales blocks of 32 by itself.
  if (workload.system.accelerator.generation == Generation::blackwell) return "mxfp8";
  return workload.software.scaling == Scaling::block ? "blockwise" : "tensorwise";
}

std::int64_t recomputed_layers(const Strategy& strategy, const TransformerSpec& model) {
  if (strategy.recomputed_layers == 1) return 0;
  const double layers = real(layers_per_chunk(strategy, model)) * strategy.recomputed_layers;
  return std::max<std::int64_t>(1, std::llround(layers));
}

std::int64_t optimizer_copies(const Strategy& strategy, const Workload& workload) {
  if (strategy.zero != 1) return 1;
  return strategy.dp.total() * strategy.cp.total() / zero1_ranks(workload.software, strategy);
}

std::vector<std::string_view> recompute_modules(const Strategy& strategy) {
  std::vector<std::string_view> names;
  for (const RecomputeModule module : kRecomputeModules) {
    if (strategy.recompute_modules.has(module)) names.push_back(name_of(module));
  }
  return names;
}

bool core_software(const Workload& workload) {
  const SoftwareClass stack = workload.software.stack;
  return workload.timing.calibrated() &&
         (stack == SoftwareClass::mcore || stack == SoftwareClass::te);
}

bool overlaps(const Workload& workload) {
  return workload.timing.calibrated() && workload.software.stack == SoftwareClass::te;
}

}  // namespace planner::handover
