#include <fmt/format.h>

#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::commands {

namespace {

/// What --shard-ranks can be with the other degrees, if these are legal.
std::string legal_shards(const Strategy& strategy, const Workload& workload, std::int64_t n_d) {
  const std::int64_t t = strategy.tp.total(), p = strategy.pp.total();
  if (workload.gpus % n_d != 0 || workload.gpus / n_d % t != 0) return "";
  if (workload.gpus / n_d / t != p) return "";
  const std::int64_t n_e = workload.gpus / p / strategy.ep.total() / strategy.expert_tp;
  std::string hint = fmt::format("legal: {}", n_d);
  for (const std::int64_t ranks : DegreeRules::shard_ranks(n_d, n_e)) {
    hint += fmt::format(", {}", ranks);
  }
  return hint;
}

}  // namespace

Diagnostic explain(const Violation& violation, const Strategy& strategy, const Workload& workload,
                   const job::StrategyChoice& asked_axes) {
  const std::int64_t t = strategy.tp.total(), p = strategy.pp.total(), d = strategy.dp.total();
  const std::string cp =
      strategy.cp.total() > 1 ? fmt::format(" · cp {}", strategy.cp.total()) : std::string{};
  const auto text = [&]() -> std::pair<std::string, std::string> {
    switch (violation.constraint) {
      case Constraint::gpu_count:
        if (asked_axes.pins.dp.empty()) {
          return {fmt::format("tp {} · pp {}{} does not divide the {} GPUs (Eq. 11)", t, p, cp,
                              violation.need),
                  ""};
        }
        return {fmt::format("tp {} · pp {} · dp {}{} needs {} GPUs, but --gpus is {} (Eq. 11)", t,
                            p, d, cp, violation.have, violation.need),
                "leave --dp out and it follows from the others"};
      case Constraint::hb_domain:
        return {fmt::format("the ranks inside an HB domain are {}, but it has {} GPUs (Eq. 12)",
                            violation.have, violation.need),
                "leave the placement out and the best legal one is taken"};
      case Constraint::pods:
        return {fmt::format("the groups of a stage span {} GPUs, a pod has {}", violation.have,
                            violation.need),
                "placement pp-across-pods lets only pipelines leave a pod: raise --pp"};
      case Constraint::microbatches:
        return {fmt::format("--micro-batch {} does not divide the {} sequences of each data "
                            "parallel rank (Eq. 13)",
                            violation.need, violation.have),
                ""};
      case Constraint::degrees:
        return {"every degree is at least 1 (Eq. 17)", ""};
      case Constraint::layers:
        return {fmt::format("pp {} × interleave {} does not divide the {} layers of {} (Eq. 18)", p,
                            strategy.interleave, violation.have, workload.model.title),
                ""};
      case Constraint::sequence:
        return {fmt::format("--tp {} does not divide the sequence of {} tokens (Eq. 18)",
                            violation.need, violation.have),
                ""};
      case Constraint::hidden:
        return {fmt::format("--tp {} does not divide the hidden size {} of {} (Eq. 18)",
                            violation.need, violation.have, workload.model.title),
                ""};
      case Constraint::batch:
        return {fmt::format("dp {} does not divide the global batch of {} (Eq. 18)", violation.need,
                            violation.have),
                ""};
      case Constraint::tensor:
        if (violation.have % t == 0 && !workload.model.mla && workload.model.kv_heads % t != 0) {
          return {fmt::format("--tp {}: ranks have neither whole key-value heads, of {}'s {}, nor "
                              "equal shares of one",
                              t, workload.model.title, workload.model.kv_heads),
                  ""};
        }
        return {
            fmt::format("--tp {} does not divide the {} heads, the hidden size and the MLP of {}",
                        t, workload.model.heads, workload.model.title),
            ""};
      case Constraint::stages:
        return {fmt::format("--pp {}: {} has {} layers, which leaves more than one stage not full",
                            p, workload.model.title, violation.have),
                ""};
      case Constraint::chunks:
        if (p > 1 && violation.have % strategy.interleave == 0) {
          return {fmt::format("--interleave {}: {} chunks are more than the {} layers",
                              strategy.interleave, p * strategy.interleave, workload.model.layers),
                  ""};
        }
        return {fmt::format("--interleave {} does not divide the {} layers of the fullest stage",
                            strategy.interleave, violation.have),
                p == 1 ? "without a pipeline there is nothing to interleave" : ""};
      case Constraint::flushes:
        return {fmt::format("--micro-batches-per-flush {} does not divide the {} micro-batches",
                            violation.need, violation.have),
                ""};
      case Constraint::turns:
        return {fmt::format("--interleave {}: {} micro-batches are fewer than the {} stages whose "
                            "chunks take turns at them",
                            strategy.interleave, violation.have, violation.need),
                ""};
      case Constraint::context:
        return {fmt::format("--cp {0}: a sequence of {1} tokens has no {2} equal chunks of 128 "
                            "tokens or more, two for each rank",
                            strategy.cp.total(), violation.have, 2 * strategy.cp.total()),
                ""};
      case Constraint::experts:
        return {
            workload.model.moe
                ? fmt::format("--ep {} does not divide the {} experts of {}", violation.need,
                              violation.have, workload.model.title)
                : fmt::format("--ep {}: {} has no experts", violation.need, workload.model.title),
            ""};
      case Constraint::expert_tensor:
        return {
            fmt::format("--expert-tp {} is neither 1 nor the tensor parallel degree {}, or does "
                        "not divide an expert of {}",
                        violation.need, violation.have, workload.model.title),
            ""};
      case Constraint::expert_sequence:
        return {
            fmt::format("--tp {} splits the tokens of the experts of {} by sequence parallelism",
                        violation.need, workload.model.title),
            "without --no-sequence-parallel"};
      case Constraint::shards:
        if (violation.need == 1) {
          return {"--shard-ranks 1: one rank shards nothing", "give --zero 0, 1 or 2"};
        }
        if (violation.have % violation.need != 0) {
          return {fmt::format("--shard-ranks {} does not divide the {} data and context parallel "
                              "ranks of a stage",
                              violation.need, violation.have),
                  legal_shards(strategy, workload, violation.have)};
        }
        return {fmt::format("--shard-ranks {} makes {} replicas of the weights, of which the ranks "
                            "that share experts cannot hold as many",
                            violation.need, violation.have / violation.need),
                legal_shards(strategy, workload, violation.have)};
      case Constraint::expert_placement:
      case Constraint::expert_ranks:
        return {fmt::format("ep × expert tp = {} does not divide the {} ranks of a pipeline stage",
                            violation.need, violation.have),
                ""};
    }
    return {};
  };
  auto [message, hint] = text();
  return {.code = "illegal-strategy", .message = std::move(message), .hint = std::move(hint)};
}

namespace {

Diagnostic no_placement(const job::StrategyChoice& asked_axes, const Workload& workload,
                        const Strategy& asked) {
  const std::int64_t stage = asked.tp.total() * asked.cp.total() * asked.dp.total();
  if (workload.stage_limit && stage > *workload.stage_limit) {
    return explain({Constraint::pods, *workload.stage_limit, stage}, asked, workload, asked_axes);
  }
  const auto given = [](const std::vector<std::int64_t>& values) {
    return values.empty() ? std::string{"any"} : std::to_string(values.front());
  };
  return {
      .code = "illegal-strategy",
      .message = fmt::format("no placement with tp-hb {}, pp-hb {}, dp-hb {} fills an HB domain "
                             "of {} GPUs (Eqs. 12, 14-16)",
                             given(asked_axes.pins.tp_hb), given(asked_axes.pins.pp_hb),
                             given(asked_axes.pins.dp_hb),
                             usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      .hint = "leave the placement out and the best legal one is taken"};
}

}  // namespace

Strategy asked_strategy(const PlanRequest& request, PlanJob& planned) {
  const Strategy asked = job::asked_strategy(request.strategy, planned.workload);
  for (std::string& axis : assumed_axes(request, planned.workload)) {
    planned.assumed.push_back(std::move(axis));
  }
  return asked;
}

std::optional<Strategy> placed_strategy(const PlanRequest& request, Workload& workload,
                                        const Strategy& asked, Context& context) {
  for (const Violation& violation : violations(workload, asked)) {
    // The placement is chosen below.
    if (violation.constraint == Constraint::hb_domain || violation.constraint == Constraint::pods ||
        violation.constraint == Constraint::expert_placement) {
      continue;
    }
    context.fail(ExitCode::infeasible, explain(violation, asked, workload, request.strategy));
  }
  if (!context.errors.empty()) return std::nullopt;
  auto strategy =
      job::place_in_domains(workload, job::search_space(request.strategy, workload), asked);
  if (!strategy) {
    context.fail(ExitCode::infeasible, no_placement(request.strategy, workload, asked));
  }
  return strategy;
}

std::optional<Plan> placed_plan(const PlanRequest& request, PlanJob& planned, const Strategy& asked,
                                Context& context) {
  const std::vector<PlanJob> others = placed_otherwise(request, planned);
  const auto strategy = placed_strategy(request, planned.workload, asked, context);
  if (!strategy) return std::nullopt;
  Plan plan = make_plan(planned.workload, *strategy);
  for (PlanJob other : others) {
    const auto placed = placed_strategy(request, other.workload, asked, context);
    Plan there = make_plan(other.workload, placed.value_or(*strategy));
    if (!(there.time.total() < job::kFaster * plan.time.total())) continue;
    plan = std::move(there);
    planned = std::move(other);
  }
  warn_about_leaves(planned, context.warnings);
  return plan;
}

}  // namespace planner::commands
