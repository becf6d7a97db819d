#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/report/table_forecast.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 30;

/// A strategy of a list with its number there.
struct Row {
  std::size_t number = 0;
  const Plan* plan = nullptr;
};

/// "tp 16 (8 × 2 domains)": how many ranks inside an HB domain, over how many domains.
std::string degree(std::string_view name, const Split& split) {
  if (split.hb == 1 || split.net == 1) return fmt::format("{} {}", name, split.total());
  return fmt::format("{} {} ({} × {} domains)", name, split.total(), split.hb, split.net);
}

std::string degrees(const Strategy& strategy) {
  std::string text = degree("tp", strategy.tp) + " · " + degree("pp", strategy.pp) + " · " +
                     degree("dp", strategy.dp);
  if (strategy.cp.total() > 1) text += " · " + degree("cp", strategy.cp);
  if (strategy.ep.total() > 1) text += " · " + degree("ep", strategy.ep);
  if (strategy.expert_tp > 1) text += fmt::format(" · expert tp {}", strategy.expert_tp);
  return text;
}

/// Of hybrid sharding.
std::string shards(const Strategy& strategy) {
  if (strategy.shard_ranks == 0) return {};
  return fmt::format(" over {} of {} ranks", strategy.shard_ranks,
                     strategy.dp.total() * strategy.cp.total());
}

std::string modes(const Plan& plan) {
  const Strategy& strategy = plan.strategy;
  return fmt::format(
      "interleave {}, {} micro-batch{} of {}, {} recompute{}{}", strategy.interleave,
      grouped(plan.microbatches), plan.microbatches == 1 ? "" : "es", strategy.micro_batch,
      strategy.recompute == Recompute::none ? "no" : name_of(strategy.recompute),
      strategy.zero > 0 ? fmt::format(", ZeRO {}{}", strategy.zero, shards(strategy)) : "",
      strategy.tp.total() == 1     ? ""
      : strategy.sequence_parallel ? ", SP"
                                   : ", no SP");
}

void write_inputs(const ResolvedInputs& inputs, TerminalWriter& out) {
  const Workload& workload = inputs.workload;
  const System& system = workload.system;
  out.line(bold(fmt::format("{} on {} {}", printable(workload.model.title), grouped(workload.gpus),
                            printable(system.accelerator.title)),
                out.style()));
  out.paragraph(
      fmt::format("batch {} × {} tokens, {}, {}: HB domain {} at {} GB/s, network {} GB/s",
                  grouped(workload.run.global_batch), grouped(workload.run.sequence),
                  name_of(workload.run.precision), printable(system.name),
                  grouped(system.hb_domain), significant(system.hb_bandwidth.in(units::GBps)),
                  significant(system.network_bandwidth.in(units::GBps))),
      0);
  const TransformerSpec& model = workload.model;
  out.paragraph(
      fmt::format(
          "{} parameters: {} layers, hidden {}, {} heads ({} for keys), MLP {}, vocabulary {}",
          with_prefix(total_parameters(model, workload.run.sequence)), model.layers,
          grouped(model.hidden), model.heads, model.kv_heads, grouped(model.ffn_hidden),
          grouped(model.vocab)),
      0);
  if (!inputs.assumed.empty()) {
    std::string text = "Assumed:";
    for (const std::string& option : inputs.assumed) text += " --" + option;
    out.line(dim(wrapped(text, out.style().width, 9), out.style()));
  }
}

void write_headline(std::string_view label, const Plan& plan, TerminalWriter& out) {
  const std::string indent(9, ' ');
  out.line("  " + bold(pad_right(label, 7), out.style()) + degrees(plan.strategy));
  out.paragraph(modes(plan), indent.size());
  const std::string time =
      bold(fmt::format("{} per iteration", duration(plan.time.total())), out.style());
  const std::string rest =
      fmt::format("{} tokens/s   MFU {}   {} of {} GB{}", with_prefix(plan.tokens_per_second),
                  percent(plan.mfu), gigabytes(plan.memory.total()), gigabytes(plan.capacity),
                  plan.fits() ? "" : "  does not fit");
  if (!plan.interval) {
    out.line(indent + time + "   " + rest);
    return;
  }
  out.line(indent + time + " (" + interval_text(plan.interval->low, plan.interval->high) + ")");
  out.line(indent + rest);
}

void bar_line(std::string_view name, const std::string& value, double share, std::string_view note,
              TerminalWriter& out) {
  std::string text = "  " + pad_right(name, 26) + pad_left(value, 9) + "  " +
                     bar(share, kBarWidth) + pad_left(percent(share), 8);
  if (!note.empty()) text += "  " + std::string{note};
  out.line(text);
}

void write_time(const Plan& plan, TerminalWriter& out) {
  const IterationBreakdown& time = plan.time;
  std::vector<TimePart> parts(time_parts().begin(), time_parts().end());
  std::erase_if(parts, [&](const TimePart& part) {
    return part.calibrated_only() && !(time.*part.amount > Seconds{});
  });
  std::stable_sort(parts.begin(), parts.end(), [&](const TimePart& a, const TimePart& b) {
    return time.*a.amount > time.*b.amount;
  });
  out.line();
  out.heading("  Where the time goes", plan.timing == Timing::calibrated ? "" : "Eq.");
  for (const TimePart& part : parts) {
    bar_line(part.name, duration(time.*part.amount), (time.*part.amount) / time.total(),
             plan.timing == Timing::calibrated ? "" : part.equation, out);
  }
}

void write_memory(const Plan& plan, TerminalWriter& out) {
  out.line();
  out.heading("  Memory of the fullest GPU", "");
  for (const MemoryPart& part : memory_parts()) {
    const Bytes size = plan.memory.*part.amount;
    if (part.calibrated_only() && !(size > Bytes{})) continue;
    bar_line(part.name, gigabytes(size) + " GB", size / plan.capacity, "", out);
  }
}

void write_what_binds(const OptimizeResult& result, TerminalWriter& out) {
  if (result.what_binds.empty()) return;
  out.line();
  out.heading("  What binds", "");
  out.line(fmt::format("  best time when one resource is {:g} % larger, searched again",
                       100 * kSensitivityStep));
  std::vector<std::vector<std::string>> rows;
  for (const Sensitivity& sensitivity : result.what_binds) {
    const double change = sensitivity.change;
    rows.push_back({sensitivity.resource, std::abs(change) < 5e-5
                                              ? "no change"
                                              : fmt::format("{:+.1f} %", 100 * change)});
  }
  out.columns(rows, 2);
}

/// Strategies one below the other, each beside the best; axes that none uses are left out.
void write_strategies(const std::vector<Row>& strategies, const OptimizeResult& result,
                      TerminalWriter& out) {
  const auto split = [](const Split& s) {
    return s.hb == 1 || s.net == 1 ? std::to_string(s.total()) : fmt::format("{}×{}", s.hb, s.net);
  };
  std::vector<std::vector<std::string>> rows{
      {"", "tp", "pp", "dp", "cp", "ep", "v", "b", "recompute", "ZeRO", "time", "slower", "GB"}};
  for (const auto& [number, plan] : strategies) {
    const Strategy& s = plan->strategy;
    rows.push_back(
        {std::to_string(number), split(s.tp), split(s.pp), split(s.dp), split(s.cp), split(s.ep),
         std::to_string(s.interleave), std::to_string(s.micro_batch),
         std::string{name_of(s.recompute)} + (s.sequence_parallel ? "" : ", no SP"),
         fmt::format("{}{}", s.zero, s.shard_ranks > 0 ? fmt::format("/{}", s.shard_ranks) : ""),
         duration(plan->time.total()),
         fmt::format("{:+.1f} %", 100 * (plan->time.total() / result.best.time.total() - 1)),
         gigabytes(plan->memory.total())});
  }
  for (const std::size_t unused : {std::size_t{5}, std::size_t{4}}) {
    const bool alike = std::all_of(rows.begin() + 1, rows.end(),
                                   [&](const auto& row) { return row[unused] == "1"; });
    if (!alike) continue;
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(unused));
  }
  out.columns(rows, 2);
}

void write_runners_up(const OptimizeResult& result, TerminalWriter& out) {
  if (result.top.size() < 2) return;
  out.line();
  out.heading("  Runners-up", "");
  std::vector<Row> rows;
  for (std::size_t i = 1; i < result.top.size(); ++i) rows.push_back({i + 1, &result.top[i]});
  write_strategies(rows, result, out);
}

/// The front's fastest strategy in each of so many steps from its least memory to its most.
void write_front(const OptimizeResult& result, TerminalWriter& out) {
  constexpr std::size_t kShown = 12;
  const std::vector<Plan>& front = result.pareto;
  if (front.empty()) return;
  out.line();
  out.heading("  Time against memory", "no strategy is faster in as little memory");
  const Bytes least = front.front().memory.total(), most = front.back().memory.total();
  std::vector<Row> rows;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kShown; ++i) {
    const double share = static_cast<double>(i) / (kShown - 1);
    const Bytes room = least + share * (most - least);
    while (at + 1 < front.size() && front[at + 1].memory.total() <= room) ++at;
    if (i + 1 == kShown) at = front.size() - 1;
    if (rows.empty() || rows.back().number != at + 1) rows.push_back({at + 1, &front[at]});
  }
  write_strategies(rows, result, out);
  if (rows.size() < front.size()) {
    out.paragraph(
        fmt::format("{} of the front's {} strategies; --json has all.", rows.size(), front.size()),
        2);
  }
}

void write_training(const ResolvedInputs& inputs, const std::optional<TrainingTotals>& training,
                    TerminalWriter& out) {
  if (!training) return;
  out.line();
  out.paragraph(
      fmt::format("{} tokens take {} iterations: {} without failures, {} GPU-hours",
                  with_prefix(*inputs.workload.run.tokens), with_prefix(training->iterations),
                  duration(training->time), with_prefix(training->gpu_hours)),
      2);
}

/// "$3.00", "$1.23 M".
std::string dollars(Usd amount) {
  const double value = amount.in(units::usd);
  return "$" + (value < 1e6 ? significant(value) : with_prefix(value));
}

std::string dollars(const Estimate<Usd>& amount) {
  if (amount.exact()) return dollars(amount.expected);
  return fmt::format("{} ({} to {})", dollars(amount.expected), dollars(amount.low),
                     dollars(amount.high));
}

void write_paid(const std::optional<PaidPlan>& paid, const ResolvedInputs& inputs,
                TerminalWriter& out) {
  if (!paid) return;
  const auto hour = [](UsdPerSecond rate) { return rate * units::hour; };
  const Estimate<UsdPerSecond>& rate = paid->price.rate;
  out.line();
  out.heading("  Cost", printable(paid->price.economics.empty() ? paid->price.origin.source
                                                                : paid->price.economics));
  std::vector<std::vector<std::string>> rows{
      {"a GPU-hour, power and all else included",
       dollars({hour(rate.low), hour(rate.expected), hour(rate.high)})},
      {"one iteration", dollars(paid->cost.per_iteration)},
      {"a million tokens", dollars(paid->cost.per_million_tokens)}};
  if (paid->cost.per_run) {
    rows.push_back({fmt::format("the run of {} tokens", with_prefix(*inputs.workload.run.tokens)),
                    dollars(*paid->cost.per_run)});
  }
  if (paid->node_energy) {
    rows.push_back({"energy of the nodes, rated, per iteration",
                    significant(paid->node_energy->in(units::kWh)) + " kWh"});
  }
  out.columns(rows, 2);
}

void write_gpu_counts(const OptimizeResult& result, const ResolvedInputs& inputs,
                      TerminalWriter& out) {
  if (inputs.objective != Objective::cost) return;
  if (result.gpu_counts.empty()) {
    out.paragraph(
        "All GPUs have one price: with their number fixed, the cheapest strategy is the "
        "fastest. --gpus 1024,2048,… lets the cost choose the number.",
        2);
    return;
  }
  out.line();
  out.heading("  By number of GPUs", "each with its cheapest strategy");
  std::vector<std::vector<std::string>> rows{{"GPUs", "iteration", "per iteration", "dearer"}};
  const bool run = result.paid->cost.per_run.has_value();
  if (run) rows.front().insert(rows.front().begin() + 3, "per run");
  for (const GpuCount& count : result.gpu_counts) {
    rows.push_back({grouped(count.gpus)});
    if (!count.plan) {
      rows.back().emplace_back("none fits");
      continue;
    }
    rows.back().push_back(duration(count.plan->time.total()));
    rows.back().push_back(dollars(count.cost->per_iteration.expected));
    if (run) rows.back().push_back(dollars(count.cost->per_run->expected));
    const double dearer =
        count.cost->per_iteration.expected / result.paid->cost.per_iteration.expected - 1;
    rows.back().push_back(
        count.gpus == inputs.workload.gpus ? "cheapest" : fmt::format("{:+.1f} %", 100 * dearer));
  }
  out.columns(rows, 2);
}

/// The formula with each symbol replaced by its number.
std::string filled_in(const ExplainedTerm& term) {
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  std::string text;
  for (std::size_t i = 0; i < term.formula.size();) {
    if (!is_name(term.formula[i])) {
      text += term.formula[i++];
      continue;
    }
    std::size_t end = i;
    while (end < term.formula.size() && is_name(term.formula[end])) ++end;
    const std::string name = term.formula.substr(i, end - i);
    const auto symbol = std::find_if(term.inputs.begin(), term.inputs.end(),
                                     [&](const Symbol& s) { return s.name == name; });
    text += symbol == term.inputs.end() ? name : fmt::format("{:.5g}", symbol->value);
    i = end;
  }
  return text;
}

/// Multiplication as people write it, Greek letters as the paper does.
std::string typeset(std::string text) {
  for (const auto& [plain, pretty] :
       {std::pair{" * ", "·"}, std::pair{"alpha", "α"}, std::pair{"gamma", "γ"}}) {
    for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos;) {
      text.replace(at, std::string_view{plain}.size(), pretty);
    }
  }
  return text;
}

void write_explanation(const std::vector<ExplainedTerm>& terms, TerminalWriter& out) {
  if (terms.empty()) return;
  out.line();
  out.heading("  How it is computed", "SI units");
  for (const ExplainedTerm& term : terms) {
    out.line();
    const std::string value =
        fmt::format("= {:.6g}{}{}", term.value, term.unit.empty() ? "" : " ", term.unit);
    if (term.formula.empty()) {  // a given figure
      out.heading("  " + term.symbol + " " + value, term.equation);
      out.paragraph(term.meaning, 4);
      continue;
    }
    out.heading("  " + typeset(term.symbol) + "  " + term.meaning, term.equation);
    out.paragraph("= " + typeset(term.formula), 4);
    const std::string numbers = typeset(filled_in(term));
    if (!term.inputs.empty()) out.paragraph("= " + numbers, 4);
    out.paragraph(value, 4);
  }
}

}  // namespace

void write_optimize(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<OptimizeResult>(response.result);
  write_inputs(*response.inputs, out);
  out.line();
  write_headline("Best", result.best, out);
  write_training(*response.inputs, result.training, out);
  write_paid(result.paid, *response.inputs, out);
  write_forecast(result.forecast, out);
  write_gpu_counts(result, *response.inputs, out);
  write_time(result.best, out);
  write_memory(result.best, out);
  write_what_binds(result, out);
  write_runners_up(result, out);
  write_front(result, out);
  write_explanation(result.explanation, out);
  out.line();
  const bool explained = !result.explanation.empty();
  const bool zero_bubble = result.best.strategy.without_interleaving != Schedule::one_f_one_b;
  const bool other_schedules = result.best.timing == Timing::calibrated && !zero_bubble;
  out.paragraph(
      fmt::format("{} of {} strategies fit; all were evaluated{}.{}", grouped(result.feasible),
                  grouped(result.strategies),
                  other_schedules
                      ? ", 1F1B and interleaved (--schedule zb-1p, zb-2p: smaller bubbles)"
                      : "",
                  explained ? "" : " --explain shows every formula with its numbers."),
      2);
}

void write_estimate(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<EstimateResult>(response.result);
  write_inputs(*response.inputs, out);
  out.line();
  write_headline("Plan", result.plan, out);
  write_training(*response.inputs, result.training, out);
  write_paid(result.paid, *response.inputs, out);
  write_forecast(result.forecast, out);
  write_time(result.plan, out);
  write_memory(result.plan, out);
  write_explanation(result.explanation, out);
}

}  // namespace planner
