#include "planner/report/emit.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/printable.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/present/text.hpp"

namespace planner {

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

/// Nothing where none is asked for, or there is no plan.
std::optional<Emitted> emitted_of(const Response& response) {
  const Plan* const plan = plan_of(response);
  if (plan == nullptr || !response.emit || !response.inputs) return std::nullopt;
  return emit(*response.emit, *plan, *response.inputs);
}

}  // namespace

Emitted emit(TrainingStack stack, const Plan& plan, const ResolvedInputs& inputs) {
  Emitted emitted;
  switch (stack) {
    case TrainingStack::megatron:
      emitted = emit_megatron(plan, inputs);
      break;
    case TrainingStack::nemo:
      emitted = emit_nemo(plan, inputs);
      break;
    case TrainingStack::torchtitan:
      emitted = emit_torchtitan(plan, inputs);
      break;
    case TrainingStack::deepspeed:
      emitted = emit_deepspeed(plan, inputs);
      break;
  }
  if (!plan.fits()) {
    emitted.remarks.insert(emitted.remarks.begin(),
                           fmt::format("the plan does not fit: it needs {} GB of {} GB",
                                       gigabytes(plan.memory.total()), gigabytes(plan.capacity)));
  }
  return emitted;
}

const Plan* plan_of(const Response& response) {
  if (const auto* found = std::get_if<OptimizeResult>(&response.result)) return &found->best;
  if (const auto* found = std::get_if<EstimateResult>(&response.result)) return &found->plan;
  return nullptr;
}

std::string emitted_text(const Response& response) {
  const std::optional<Emitted> emitted = emitted_of(response);
  if (!emitted) return {};
  if (!emitted->comments) return emitted->text;
  const Workload& workload = response.inputs->workload;
  std::string text = comment(
      fmt::format("{} on {} GPUs: {} per iteration by planner's model. {}: the parallelism, batch, "
                  "recomputation and precision only; model, data and optimizer are yours.",
                  workload.model.title, grouped(workload.gpus),
                  duration(plan_of(response)->time.total()), emitted->file),
      "# ");
  for (const std::string& remark : emitted->remarks) text += comment(remark, "# Note: ");
  return text + emitted->text;
}

std::vector<std::string> remarks_beside(const Response& response) {
  std::optional<Emitted> emitted = emitted_of(response);
  if (!emitted || emitted->comments) return {};
  return std::move(emitted->remarks);
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
      return workload.software.attention == AttentionKernel::unfused ? RunAgain::scores
                                                                     : RunAgain::nothing;
    case Recompute::full:
      return RunAgain::layers;
  }
  return RunAgain::nothing;
}

RankOrder rank_order(const Strategy& strategy, std::int64_t hb_domain) {
  const auto& [tp, pp, dp, cp] = std::tie(strategy.tp, strategy.pp, strategy.dp, strategy.cp);
  if (places_as<4>({tp, cp, dp, pp}, hb_domain)) return RankOrder::tp_cp_dp_pp;
  if (places_as<4>({tp, cp, pp, dp}, hb_domain)) return RankOrder::tp_cp_pp_dp;
  return RankOrder::other;
}

}  // namespace planner
