#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

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
                                          : ", no SP") +
         (plan.sync_by == GradientSync::hfreduce ? ", HFReduce" : "");
}

void add_training(const TrainingTotals& training, double tokens, Document& document) {
  document.add(
      Text{.text = fmt::format("{} tokens take {} iterations: {} without failures, {} GPU-hours",
                               with_prefix(tokens), with_prefix(training.iterations),
                               duration(training.time), with_prefix(training.gpu_hours)),
           .apart = true});
  document.detail(Facts{{{"iterations", number(training.iterations)},
                         {"days without failures", present::days(training.time)},
                         {"GPU-hours", number(training.gpu_hours)}}});
}

void add_paid(const job::PaidPlan& paid, const PlanInputs& inputs, Document& document) {
  const auto hour = [](UsdPerSecond rate) { return rate * units::hour; };
  const Estimate<UsdPerSecond>& rate = paid.price.rate;
  const PriceSource& origin = paid.price.origin;
  document.add(
      Section{"Cost", paid.price.economics.empty() ? origin.source : paid.price.economics});
  Facts facts{{{"a GPU-hour, power and all else included",
                usd({hour(rate.low), hour(rate.expected), hour(rate.high)})},
               {"one iteration", usd(paid.cost.per_iteration)},
               {"a million tokens", usd(paid.cost.per_million_tokens)}}};
  if (paid.cost.per_run) {
    facts.facts.push_back({fmt::format("the run of {} tokens", with_prefix(*inputs.tokens)),
                           usd(*paid.cost.per_run)});
  }
  if (paid.node_energy) {
    facts.facts.push_back({"energy of the nodes, rated, per iteration",
                           number(paid.node_energy->in(units::kWh), "kWh")});
  }
  document.add(std::move(facts));
  if (paid.price.economics.empty()) return;  // the price of an option has no other source
  document.detail(Sources{{{.text = origin.source,
                            .as_of = origin.as_of,
                            .used_for = {"the price of a GPU-hour"},
                            .verified = origin.verified}}});
}

}  // namespace

Document plan_document(const PlanInputs& inputs, const char* kicker) {
  const System& system = inputs.system;
  const TransformerSpec& model = inputs.model;
  Document document{.title = fmt::format("{} on {} {}", model.title, grouped(inputs.gpus),
                                         system.accelerator.title),
                    .kicker = kicker};
  document.add(Text{
      .text = fmt::format("batch {} × {} tokens, {}, {}: HB domain {} at {} GB/s, network {} GB/s",
                          grouped(inputs.global_batch), grouped(inputs.sequence),
                          name_of(inputs.precision), system.name, grouped(system.hb_domain),
                          significant(system.hb_bandwidth.in(units::GBps)),
                          significant(system.network_bandwidth.in(units::GBps))),
      .indent = 0});
  if (inputs.timing == Timing::closed_form) {
    document.add(
        Text{.text = fmt::format("closed form: counts twice hb_bandwidth, both directions: {} GB/s",
                                 significant((2 * system.hb_bandwidth).in(units::GBps))),
             .indent = 0});
  }
  document.add(Text{
      .text =
          fmt::format("{} parameters: {} layers, hidden {}, {} heads ({} for keys), "
                      "MLP {}, vocabulary {}",
                      with_prefix(inputs.parameters), model.layers, grouped(model.hidden),
                      model.heads, model.kv_heads, grouped(model.ffn_hidden), grouped(model.vocab)),
      .indent = 0});
  if (inputs.assumed.empty()) return document;
  std::string options;
  for (const std::string& option : inputs.assumed) {
    options += (options.empty() ? "--" : " --") + option;
  }
  document.add(
      Text{.text = options, .indent = 0, .lead = "Assumed: ", .emphasis = Emphasis::quiet});
  return document;
}

void add_headline(const std::string& label, const Plan& plan, Document& document) {
  constexpr std::size_t kIndent = 9;
  document.add(Text{.text = degrees(plan.strategy),
                    .lead = pad_right(label, kIndent - 2),
                    .wrap = false,
                    .apart = true});
  document.add(Text{.text = modes(plan), .indent = kIndent});
  const Seconds time = plan.time.total();
  Figures speed{.figures = {{"iteration", present::time(time), "{} per iteration"}},
                .indent = kIndent,
                .strong = true};
  Figures rest{
      .figures = {{"throughput",
                   said(number(plan.tokens_per_second, "tokens/s"),
                        with_prefix(plan.tokens_per_second) + " tokens/s"),
                   "{}"},
                  {"MFU", share(plan.mfu)},
                  {"memory of the fullest GPU",
                   said(memory(plan.memory.total()),
                        fmt::format("{} of {} GB{}", gigabytes(plan.memory.total()),
                                    gigabytes(plan.capacity), plan.fits() ? "" : "  does not fit")),
                   "{}"}},
      .indent = kIndent};
  if (plan.interval) {
    const auto& [low, high] = *plan.interval;
    Cell ends = said(present::time(time), interval_text(low, high));
    ends.ends = Ends{low.si(), high.si()};
    speed.figures.push_back({"interval of the iteration", std::move(ends), "({})"});
    speed.separator = " ";
    document.add(std::move(speed));
  } else {
    rest.figures.insert(rest.figures.begin(), speed.figures.front());
  }
  document.add(std::move(rest));
}

void add_extras(const PlanExtras& extras, const PlanInputs& inputs, Document& document) {
  if (extras.training && inputs.tokens) {
    add_training(*extras.training, *inputs.tokens, document);
  }
  if (extras.paid) add_paid(*extras.paid, inputs, document);
  if (extras.forecast) add_forecast(*extras.forecast, document);
  if (extras.traffic) add_traffic(*extras.traffic, document);
}

void add_breakdown(const Plan& plan, Document& document) {
  const IterationBreakdown& time = plan.time;
  const bool calibrated = plan.timing == Timing::calibrated;
  std::vector<TimePart> parts(time_parts().begin(), time_parts().end());
  std::erase_if(parts, [&](const TimePart& part) {
    return part.calibrated_only() && !(time.*part.amount > Seconds{});
  });
  std::stable_sort(parts.begin(), parts.end(), [&](const TimePart& a, const TimePart& b) {
    return time.*a.amount > time.*b.amount;
  });
  document.add(Section{"Where the time goes", calibrated ? "" : "Eq."});
  Bars times;
  for (const TimePart& part : parts) {
    times.rows.push_back({std::string{part.name}, present::time(time.*part.amount),
                          (time.*part.amount) / time.total(),
                          calibrated ? "" : std::string{part.equation}});
  }
  document.add(std::move(times));
  document.add(Section{"Memory of the fullest GPU"});
  Bars sizes;
  for (const MemoryPart& part : memory_parts()) {
    const Bytes size = plan.memory.*part.amount;
    if (part.calibrated_only() && !(size > Bytes{})) continue;
    sizes.rows.push_back({std::string{part.name}, memory(size), size / plan.capacity});
  }
  document.add(std::move(sizes));
}

Table strategy_table(const std::vector<Plan>& plans) {
  struct Axis {
    const char* name;
    Cell (*cell)(const Plan&);
    bool always = true;  ///< shown where all strategies have 1, too
  };
  static constexpr auto kAxes = std::to_array<Axis>({
      {"tp", [](const Plan& p) { return count(p.strategy.tp.total()); }},
      {"pp", [](const Plan& p) { return count(p.strategy.pp.total()); }},
      {"dp", [](const Plan& p) { return count(p.strategy.dp.total()); }},
      {"tp in HB domain", [](const Plan& p) { return count(p.strategy.tp.hb); }},
      {"pp in HB domain", [](const Plan& p) { return count(p.strategy.pp.hb); }},
      {"dp in HB domain", [](const Plan& p) { return count(p.strategy.dp.hb); }},
      {"interleave", [](const Plan& p) { return count(p.strategy.interleave); }},
      {"micro-batch", [](const Plan& p) { return count(p.strategy.micro_batch); }},
      {"recompute",
       [](const Plan& p) { return words(std::string{name_of(p.strategy.recompute)}); }},
      {"ZeRO", [](const Plan& p) { return count(p.strategy.zero); }},
      {"sequence parallel", [](const Plan& p) { return yes_no(p.strategy.sequence_parallel); }},
      {"iteration",
       [](const Plan& p) {
         Cell cell = present::time(p.time.total());
         if (p.interval) cell.ends = Ends{p.interval->low.si(), p.interval->high.si()};
         return cell;
       }},
      {"memory", [](const Plan& p) { return memory(p.memory.total()); }},
      {"MFU", [](const Plan& p) { return share(p.mfu); }},
      {"tokens/s", [](const Plan& p) { return number(p.tokens_per_second); }},
      {"cp", [](const Plan& p) { return count(p.strategy.cp.total()); }, false},
      {"ep", [](const Plan& p) { return count(p.strategy.ep.total()); }, false},
      {"expert tp", [](const Plan& p) { return count(p.strategy.expert_tp); }, false},
      {"cp in HB domain", [](const Plan& p) { return count(p.strategy.cp.hb); }, false},
      {"ep in HB domain", [](const Plan& p) { return count(p.strategy.ep.hb); }, false},
      {"schedule",
       [](const Plan& p) { return words(std::string{name_of(p.strategy.schedule())}); }},
      {"shard ranks",
       [](const Plan& p) {
         return p.strategy.zero == 3 ? count(p.strategy.ranks_per_replica()) : none();
       },
       false},
  });
  Table table{.header = {"rank"}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    table.add({count(static_cast<std::int64_t>(i) + 1)});
  }
  for (const Axis& axis : kAxes) {
    const bool used = std::any_of(plans.begin(), plans.end(), [&](const Plan& plan) {
      const auto value = axis.cell(plan).number();
      return value && *value != 1;
    });
    if (!axis.always && !used) continue;
    table.header.emplace_back(axis.name);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      table.rows[i].cells.push_back(axis.cell(plans[i]));
    }
  }
  return table;
}

Document handed_over_view(const HandedOver& handed, const PlanInputs& inputs, const Plan& plan) {
  const handover::Emitted emitted{.file = handed.file,
                                  .comments = handover::takes_comments(handed.stack),
                                  .text = handed.text,
                                  .remarks = handed.remarks};
  const std::string whole =
      handover::commented(emitted, {inputs.model.title, inputs.gpus, plan.time.total()});
  Document document{.title = inputs.model.title, .kicker = "Settings", .bare = true};
  document.add(Verbatim{whole.ends_with('\n') ? whole.substr(0, whole.size() - 1) : whole});
  if (!emitted.comments) document.beside = handed.remarks;
  return document;
}

std::vector<SweepFigure> plan_figures(const Plan& plan, const PlanExtras& extras) {
  const auto plain = [](double value) { return number(value); };
  std::vector<SweepFigure> figures{
      {"iteration_time_s", "iteration (s)", plain(plan.time.total().si())},
      {"mfu", "MFU (%)", plain(100 * plan.mfu)},
      {"memory_bytes", "memory (GB)", plain(plan.memory.total().in(units::GB))},
      {"tp", "tp", count(plan.strategy.tp.total())},
      {"pp", "pp", count(plan.strategy.pp.total())},
      {"dp", "dp", count(plan.strategy.dp.total())},
      {"cp", "cp", count(plan.strategy.cp.total()), 1},
      {"ep", "ep", count(plan.strategy.ep.total()), 1}};
  if (extras.training) {
    figures.push_back(
        {"days", "days without failures", plain(extras.training->time.in(units::day))});
  }
  if (extras.forecast) {
    for (SweepFigure& figure : forecast_figures(*extras.forecast)) {
      figures.push_back(std::move(figure));
    }
  }
  if (!extras.paid) return figures;
  const RentCost& cost = extras.paid->cost;
  figures.push_back(
      {"per_iteration_usd", "iteration (USD)", plain(cost.per_iteration.expected.in(units::usd))});
  if (cost.per_run) {
    figures.push_back({"per_run_usd", "run (USD)", plain(cost.per_run->expected.in(units::usd))});
  }
  return figures;
}

}  // namespace planner::commands
