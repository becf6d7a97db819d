#include <fmt/format.h>

#include <array>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/printable.hpp"
#include "planner/handover/stacks.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/present/text.hpp"

namespace planner::handover {

namespace {

/// Whether ranks numbered in this order put into an HB domain what the plan puts there.
template <std::size_t N>
bool places_as(const std::array<Split, N>& innermost_first, std::int64_t hb_domain) {
  std::int64_t room = hb_domain;
  for (const Split& split : innermost_first) {
    const std::int64_t inside = std::gcd(split.total(), room);
    if (split.hb != inside) return false;
    room /= inside;
  }
  return true;
}

std::string comment(const std::string& sentence, const char* first) {
  constexpr std::size_t kWidth = 70;
  std::string lines = first + wrapped(printable(sentence), kWidth, 2) + '\n';
  for (std::size_t at = 0; (at = lines.find('\n', at)) + 1 < lines.size(); at += 2) {
    lines.insert(at + 1, "# ");
  }
  return lines;
}

}  // namespace

Emitted emit(TrainingStack stack, const Plan& plan, const Workload& workload) {
  constexpr std::array kStacks{megatron, nemo, torchtitan, deepspeed, maxtext};
  Emitted emitted = kStacks[static_cast<std::size_t>(stack)](plan, workload);
  if (plan.sync_by == GradientSync::hfreduce) {
    emitted.remarks.emplace_back(
        "the plan's time has gradients summed by HFReduce, which this stack does not have: "
        "--gradient-sync nccl says what its own rings take");
  }
  if (!plan.fits()) {
    emitted.remarks.insert(emitted.remarks.begin(),
                           fmt::format("the plan does not fit: it needs {} GB of {} GB",
                                       gigabytes(plan.memory.total()), gigabytes(plan.capacity)));
  }
  return emitted;
}

bool takes_comments(TrainingStack stack) {
  return stack != TrainingStack::deepspeed;  // whose settings are JSON
}

std::string commented(const Emitted& emitted, const Subject& subject) {
  if (!emitted.comments) return emitted.text;
  std::string text = comment(
      fmt::format("{} on {} GPUs: {} per iteration by planner's model. {}: the parallelism, batch, "
                  "recomputation and precision only; model, data and optimizer are yours.",
                  subject.model, grouped(subject.gpus), duration(subject.iteration), emitted.file),
      "# ");
  for (const std::string& remark : emitted.remarks) text += comment(remark, "# Note: ");
  return text + emitted.text;
}

std::int64_t interleaved_chunks(const Strategy& strategy) {
  return strategy.pp.total() > 1 ? strategy.interleave : 1;
}

std::int64_t layers_per_chunk(const Strategy& strategy, const TransformerSpec& model) {
  const std::int64_t chunks = strategy.pp.total() * interleaved_chunks(strategy);
  return ceil_div(model.layers, chunks);  // of the fullest
}

bool ends_share(const Strategy& strategy, const TransformerSpec& model) {
  const std::int64_t p = strategy.pp.total();
  return model.layers % p != 0 && (model.layers + 2) % p == 0;
}

std::optional<std::string> remark_on_flushes(const Plan& plan, const Workload& workload) {
  const std::int64_t fed = micro_batches_at_once(workload.software, plan.microbatches);
  if (plan.strategy.pp.total() == 1 || fed == plan.microbatches) return std::nullopt;
  return fmt::format(
      "the pipeline drains once a step, not after every {} micro-batches: faster than planned, and "
      "where it has more than {} stages, with more memory",
      fed, fed);
}

RunAgain run_again(const Strategy& strategy, const Workload& workload) {
  switch (strategy.recompute) {
    case Recompute::none:
      return RunAgain::nothing;
    case Recompute::selective:
      if (!workload.timing.calibrated()) return RunAgain::scores;
      if (workload.software.stack == SoftwareClass::torch) return RunAgain::torch_selective;
      if (!strategy.recompute_modules.empty()) return RunAgain::modules;
      return workload.software.attention == AttentionKernel::unfused ? RunAgain::scores
                                                                     : RunAgain::nothing;
    case Recompute::full:
      return RunAgain::layers;
  }
  return RunAgain::nothing;
}

RankOrder rank_order(const Strategy& strategy, const Workload& workload) {
  const std::int64_t hb_domain = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  const auto& [tp, pp, dp, cp] = std::tie(strategy.tp, strategy.pp, strategy.dp, strategy.cp);
  const auto other_outermost = [&](Outermost axis) {
    return strategy.outermost && *strategy.outermost != axis;
  };
  if (places_as<4>({tp, cp, dp, pp}, hb_domain) && !other_outermost(Outermost::pipeline)) {
    return RankOrder::tp_cp_dp_pp;
  }
  if (places_as<4>({tp, cp, pp, dp}, hb_domain) && !other_outermost(Outermost::data)) {
    return RankOrder::tp_cp_pp_dp;
  }
  return RankOrder::other;
}

}  // namespace planner::handover
