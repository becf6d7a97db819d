#include <fmt/format.h>

#include "planner/api/commands.hpp"
#include "planner/api/forecast.hpp"
#include "planner/api/range_warnings.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/model/constraints.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/placement.hpp"

namespace planner {

namespace {

/// The one value of an axis, `otherwise` if none was given.
std::int64_t single(const std::vector<std::int64_t>& values, std::string_view option,
                    std::int64_t otherwise) {
  if (values.size() > 1) usage_error(fmt::format("--{}: estimate takes one value", option));
  return values.empty() ? otherwise : values.front();
}

void set_schedule(const Request& request, Strategy& strategy) {
  if (!request.schedule) return;
  if (*request.schedule == Schedule::interleaved) {
    if (strategy.interleave == 1)
      usage_error("--schedule interleaved needs --interleave 2 or more");
    return;
  }
  if (strategy.interleave > 1) {
    usage_error(fmt::format("--schedule {} has one model chunk per rank, not --interleave {}",
                            name_of(*request.schedule), strategy.interleave));
  }
  strategy.without_interleaving = *request.schedule;
}

/// The strategy asked for; an absent dp follows from the others where it can, and is 1 elsewhere.
Strategy asked_for(const Request& request, const Workload& workload) {
  if (request.recompute.size() > 1) usage_error("--recompute: estimate takes one value");
  const std::int64_t t = single(request.tp, "tp", 1), p = single(request.pp, "pp", 1);
  const std::int64_t c = single(request.cp, "cp", 1);
  std::int64_t ranks = 0;
  const bool divides = !__builtin_mul_overflow(t, p, &ranks) &&
                       !__builtin_mul_overflow(ranks, c, &ranks) && workload.gpus % ranks == 0;
  Strategy strategy;
  strategy.tp.net = t;
  strategy.pp.net = p;
  strategy.cp.net = c;
  strategy.dp.net = single(request.dp, "dp", divides ? workload.gpus / ranks : 1);
  strategy.ep.net = single(request.ep, "ep", 1);
  strategy.expert_tp = single(request.expert_tp, "expert-tp", 1);
  strategy.interleave = single(request.interleave, "interleave", 1);
  strategy.micro_batch = single(request.micro_batch, "micro-batch", 1);
  if (!request.recompute.empty()) strategy.recompute = request.recompute.front();
  strategy.zero =
      static_cast<int>(single(request.zero, "zero", request.shard_ranks.empty() ? 0 : 3));
  strategy.shard_ranks = single(request.shard_ranks, "shard-ranks", 0);
  std::int64_t data_ranks = 0;
  const bool countable = !__builtin_mul_overflow(strategy.dp.net, c, &data_ranks);
  if (countable && strategy.shard_ranks == data_ranks) strategy.shard_ranks = 0;  // all of them
  strategy.sequence_parallel = request.sequence_parallel.value_or(true);
  set_schedule(request, strategy);
  return strategy;
}

/// The axes that asked_for() filled in.
void add_assumed_axes(const Request& request, const Workload& workload,
                      std::vector<std::string>& assumed) {
  const auto add = [&](bool given, const char* option) {
    if (!given) assumed.emplace_back(option);
  };
  add(!request.tp.empty(), "tp");
  add(!request.pp.empty(), "pp");
  add(!request.dp.empty(), "dp");
  if (workload.timing.calibrated()) {
    add(!request.cp.empty(), "cp");
    if (workload.model.moe) {
      add(!request.ep.empty(), "ep");
      add(!request.expert_tp.empty(), "expert-tp");
    }
  }
  add(!request.interleave.empty(), "interleave");
  add(!request.micro_batch.empty(), "micro-batch");
  add(!request.recompute.empty(), "recompute");
  add(!request.zero.empty() || !request.shard_ranks.empty(), "zero");
  add(request.sequence_parallel.has_value(), "sequence-parallel");
}

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

Diagnostic explain(const Violation& violation, const Strategy& strategy, const Workload& workload,
                   const Request& request) {
  const std::int64_t t = strategy.tp.total(), p = strategy.pp.total(), d = strategy.dp.total();
  const std::string cp =
      strategy.cp.total() > 1 ? fmt::format(" · cp {}", strategy.cp.total()) : std::string{};
  const auto text = [&]() -> std::pair<std::string, std::string> {
    switch (violation.constraint) {
      case Constraint::gpu_count:
        if (request.dp.empty()) {
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

Diagnostic no_placement(const Request& request, const ResolvedInputs& inputs,
                        const Strategy& asked) {
  const Workload& workload = inputs.workload;
  const std::int64_t stage = asked.tp.total() * asked.cp.total() * asked.dp.total();
  if (workload.stage_limit && stage > *workload.stage_limit) {
    return explain({Constraint::pods, *workload.stage_limit, stage}, asked, workload, request);
  }
  const auto given = [](const std::vector<std::int64_t>& values) {
    return values.empty() ? std::string{"any"} : std::to_string(values.front());
  };
  return {
      .code = "illegal-strategy",
      .message = fmt::format("no placement with tp-hb {}, pp-hb {}, dp-hb {} fills an HB domain "
                             "of {} GPUs (Eqs. 12, 14-16)",
                             given(request.tp_hb), given(request.pp_hb), given(request.dp_hb),
                             inputs.usable_hb_domain),
      .hint = "leave the placement out and the best legal one is taken"};
}

}  // namespace

std::string memory_words(Bytes memory) {
  const double amount = memory.in(units::GB);
  constexpr double kFourDigits = 999.95;
  return amount < kFourDigits ? fmt::format("{:.4g} GB", amount) : fmt::format("{:.0f} GB", amount);
}

Response estimate(const Request& request, const catalog::Catalog& catalog) {
  Response response{.command = Command::estimate};
  response.inputs = resolve(request, catalog, response.warnings);
  const Workload& workload = response.inputs->workload;
  const Strategy asked = asked_for(request, workload);
  add_assumed_axes(request, workload, response.inputs->assumed);

  for (const Violation& violation : violations(workload, asked)) {
    // The placement is chosen below.
    if (violation.constraint == Constraint::hb_domain || violation.constraint == Constraint::pods ||
        violation.constraint == Constraint::expert_placement) {
      continue;
    }
    response.errors.push_back(explain(violation, asked, workload, request));
  }
  std::optional<Strategy> strategy;
  if (response.errors.empty()) {
    strategy = fastest_placement(workload, search_space(request, workload), asked);
    if (!strategy) response.errors.push_back(no_placement(request, *response.inputs, asked));
  }
  if (!strategy) {
    response.exit_code = ExitCode::infeasible;
    return response;
  }

  EstimateResult result{.plan = make_plan(workload, *strategy)};
  if (workload.run.tokens) {
    result.training = training_totals(workload, result.plan, *workload.run.tokens);
  }
  result.paid = paid_plan(request, workload, result.plan, catalog);
  result.forecast = plan_forecast(request, *response.inputs, result.plan, result.paid, catalog,
                                  response.warnings);
  if (request.explain) result.explanation = explain(workload, *strategy);
  if (!result.plan.fits()) {
    response.exit_code = ExitCode::infeasible;
    response.errors.push_back(
        {.code = "does-not-fit",
         .message = fmt::format("does not fit: needs {}, has {}, {} short",
                                memory_words(result.plan.memory.total()),
                                memory_words(result.plan.capacity),
                                memory_words(result.plan.memory.total() - result.plan.capacity)),
         .hint = "planner optimize finds the strategies that do"});
  }
  warn_about_idle_gpus(*response.inputs, response.warnings);
  warn_about_measured_range(workload, result.plan, response.warnings);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
