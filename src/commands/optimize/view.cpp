#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/optimize/optimize.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/domain/names.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

void add_what_binds(const OptimizeResult& result, Document& document) {
  const std::vector<job::Sensitivity>& found = result.what_binds;
  if (found.empty()) return;
  document.add(Section{"What binds"});
  document.add(
      Text{.text = fmt::format("best time{} when one resource is {:g} % larger, searched again",
                               result.best.timing == Timing::calibrated ? ", as sure to fit," : "",
                               100 * job::kSensitivityStep),
           .wrap = false});
  Facts facts;
  for (const job::Sensitivity& one : found) {
    const bool none = std::abs(one.change) < 5e-5;
    facts.facts.push_back(
        {one.resource,
         said(share(one.change), none ? "no change" : fmt::format("{:+.1f} %", 100 * one.change))});
  }
  document.add(std::move(facts));
}

/// A strategy of a list with its number there, or what else it is called.
struct Numbered {
  std::size_t number = 0;
  const Plan* plan = nullptr;
  std::string name{};
};

/// "+1.4 %" of the best time.
Cell slower_than(const Plan& best, const Plan& plan) {
  const double slower = plan.time.total() / best.time.total() - 1;
  return said(share(slower), fmt::format("{:+.1f} %", 100 * slower));
}

/// Strategies one below the other, each beside the best; axes that none uses are left out.
Table beside_best(const std::vector<Numbered>& strategies, const Plan& best) {
  const auto split = [](const Split& s) {
    return s.hb == 1 || s.net == 1 ? count(s.total()) : words(fmt::format("{}×{}", s.hb, s.net));
  };
  Table table{.header = {"", "tp", "pp", "dp", "cp", "ep", "v", "b", "recompute", "ZeRO", "time",
                         "slower", "GB", "fits"},
              .ranking = true};
  for (const auto& [place, plan, name] : strategies) {
    const Strategy& s = plan->strategy;
    table.add({words(name.empty() ? std::to_string(place) : name), split(s.tp), split(s.pp),
               split(s.dp), split(s.cp), split(s.ep), words(std::to_string(s.interleave)),
               words(std::to_string(s.micro_batch)),
               words(short_recomputation(s) + (s.sequence_parallel ? "" : ", no SP")),
               words(fmt::format("{}{}", s.zero,
                                 s.shard_ranks > 0 ? fmt::format("/{}", s.shard_ranks) : "")),
               present::time(plan->time.total()), slower_than(best, *plan),
               said(memory(plan->memory.total()), gigabytes(plan->memory.total())),
               fit_chance(*plan)});
  }
  if (best.timing != Timing::calibrated) {
    table.header.pop_back();
    for (Table::Row& row : table.rows) row.cells.pop_back();
  }
  for (const std::ptrdiff_t unused : {5, 4}) {
    const auto at = static_cast<std::size_t>(unused);
    const bool alike =
        std::all_of(table.rows.begin(), table.rows.end(),
                    [&](const Table::Row& row) { return row.cells[at].text == "1"; });
    if (!alike) continue;
    table.header.erase(table.header.begin() + unused);
    for (Table::Row& row : table.rows) row.cells.erase(row.cells.begin() + unused);
  }
  return table;
}

/// What the ranking passed over for its memory, where that is another strategy.
void add_fastest(const OptimizeResult& result, Document& document) {
  std::vector<Numbered> rows;
  const auto add = [&](const std::optional<Plan>& plan, const char* name) {
    if (plan && plan->strategy != result.best.strategy) rows.push_back({0, &*plan, name});
  };
  add(result.fastest, "of all");
  add(result.fastest_surely, "sure");
  if (rows.empty()) return;
  document.add(Section{"The fastest"});
  document.add(Text{fmt::format(
      "Of all, and of those with P(fits) of {:g} or more (sure). The ranking adds {:g} % to the "
      "time where P(fits) is less, {:g} % where it is less than {:g}{}.",
      kSurely, 100 * kRiskOfUnsure, 100 * (kRiskOfUnsure + kRiskOfUnlikely), kEvenChance,
      result.best.memory_known()
          ? ""
          : fmt::format(
                "; what is predicted beyond {:.0f} % of the capacity is the best only where "
                "there is nothing else",
                100 * kRefusedBeyond))});
  document.add(beside_best(rows, result.best));
}

void add_runners_up(const OptimizeResult& result, Document& document) {
  if (result.top.size() < 2) return;
  std::vector<Numbered> rows;
  for (std::size_t i = 1; i < result.top.size(); ++i) rows.push_back({i + 1, &result.top[i]});
  document.add(Section{"Runners-up"});
  document.add(beside_best(rows, result.best));
}

/// On a terminal, the front's fastest strategy in each of so many steps from its least memory to
/// its most.
void add_front(const OptimizeResult& result, Document& document) {
  constexpr std::size_t kShown = 12;
  const std::vector<Plan>& front = result.front;
  if (front.empty()) return;
  document.add(Section{"Time against memory", "no strategy is faster in as little memory"});
  const Bytes least = front.front().memory.total(), most = front.back().memory.total();
  std::vector<Numbered> rows;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kShown; ++i) {
    const double share = static_cast<double>(i) / (kShown - 1);
    const Bytes room = least + share * (most - least);
    while (at + 1 < front.size() && front[at + 1].memory.total() <= room) ++at;
    if (i + 1 == kShown) at = front.size() - 1;
    if (rows.empty() || rows.back().number != at + 1) rows.push_back({at + 1, &front[at]});
  }
  document.blocks.push_back({beside_best(rows, result.best), Where::terminal});
  if (rows.size() < front.size()) {
    document.blocks.push_back(
        {Text{.text = fmt::format("{} of the front's {} strategies; --json has all.", rows.size(),
                                  front.size())},
         Where::terminal});
  }
  Table all = strategy_table(front);
  all.header.emplace_back("slower");
  for (std::size_t i = 0; i < front.size(); ++i) {
    all.rows[i].cells.push_back(slower_than(result.best, front[i]));
  }
  document.detail(std::move(all));
}

void add_gpu_counts(const OptimizeResult& result, const PlanInputs& inputs, Document& document) {
  if (inputs.objective != Objective::cost || !result.extras.paid) return;
  if (result.gpu_counts.empty()) {
    document.add(Text{.text = "All GPUs have one price: on the same ones the cheapest strategy is "
                              "the fastest. --gpus 1024,2048,… lets the cost choose the number."});
    return;
  }
  const auto chosen = std::find_if(result.gpu_counts.begin(), result.gpu_counts.end(),
                                   [&](const GpuCount& one) { return one.gpus == inputs.gpus; });
  const bool run = chosen->per_run.has_value(), expected = chosen->expected_per_run.has_value();
  document.add(Section{"By number of GPUs",
                       expected ? "each with its cheapest strategy, by a run with its failures"
                                : "each with its cheapest strategy"});
  Table table{.header = {"GPUs", "iteration", "per iteration"}};
  if (run) table.header.emplace_back(expected ? "no failures" : "per run");
  if (expected) table.header.emplace_back("per run");
  table.header.emplace_back("dearer");
  const auto dollars = [](const std::optional<Usd>& amount) {
    return amount ? usd(Estimate<Usd>::exactly(*amount)) : unknown();
  };
  for (const GpuCount& one : result.gpu_counts) {
    std::vector<Cell> cells{count(one.gpus)};
    if (!one.iteration || !one.per_iteration) {
      cells.push_back(unknown("none fits"));
      table.add(std::move(cells));
      continue;
    }
    cells.push_back(present::time(*one.iteration));
    cells.push_back(dollars(one.per_iteration));
    if (run) cells.push_back(dollars(one.per_run));
    if (expected) cells.push_back(dollars(one.expected_per_run));
    const double dearer = *one.ranked_by() / *chosen->ranked_by() - 1;
    cells.push_back(said(share(dearer), one.gpus == inputs.gpus
                                            ? "cheapest"
                                            : fmt::format("{:+.1f} %", 100 * dearer)));
    table.add(std::move(cells));
  }
  document.add(std::move(table));
}

/// How many strategies there are, and what else can be asked.
Text closing(const OptimizeResult& result) {
  const bool zero_bubble = result.best.strategy.without_interleaving != Schedule::one_f_one_b;
  const bool other_schedules = result.best.timing == Timing::calibrated && !zero_bubble;
  return {.text = fmt::format(
              "{} of {} strategies fit; all were evaluated{}.{}", grouped(result.feasible),
              grouped(result.strategies),
              other_schedules ? ", 1F1B and interleaved (--schedule zb-1p, zb-2p: smaller bubbles)"
                              : "",
              result.extras.explanation.empty() ? " --explain shows every formula with its numbers."
                                                : ""),
          .apart = true};
}

}  // namespace

Document optimize_view(const OptimizeAnswer& answer) {
  const PlanInputs& inputs = answer.inputs;
  if (!answer.result) return plan_document(inputs, "Plan");
  const OptimizeResult& result = *answer.result;
  Document document = answer.emitted ? handed_over_view(*answer.emitted, inputs, result.best)
                                     : plan_document(inputs, "Plan");
  if (answer.emitted) {
    add_plan_charts(result.top, result.front, result.extras, document);
    return document;
  }
  add_headline("Best", result.best, document);
  add_extras(result.extras, inputs, document);
  add_gpu_counts(result, inputs, document);
  document.detail(Section{"Strategies, best first"});
  document.detail(strategy_table(result.top));
  add_plan_charts(result.top, result.front, result.extras, document);
  add_breakdown(result.best, result.extras, inputs, document);
  add_what_binds(result, document);
  add_fastest(result, document);
  add_runners_up(result, document);
  add_front(result, document);
  add_explanation(result.extras.explanation, document);
  document.add(closing(result));
  return document;
}

}  // namespace planner::commands
