#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/parts/assumed.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/plans/communication.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/cost/estimate_math.hpp"
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

/// The modules of selective recomputation, each by the word that `called` has for it.
std::string modules(const Strategy& strategy, std::string_view between,
                    std::string_view (*called)(RecomputeModule)) {
  std::string text;
  for (const RecomputeModule module : kRecomputeModules) {
    if (!strategy.recompute_modules.has(module)) continue;
    if (!text.empty()) text += between;
    text += called(module);
  }
  return text;
}

std::string_view short_name(RecomputeModule module) {
  switch (module) {
    case RecomputeModule::core_attn:
      return "attn";
    case RecomputeModule::layernorm:
      return "norm";
    case RecomputeModule::mlp:
      return "mlp";
    case RecomputeModule::moe_act:
      return "act";
    case RecomputeModule::moe:
      return "moe";
    case RecomputeModule::shared_experts:
      return "shared";
    case RecomputeModule::mla_up_proj:
      return "up";
  }
  return "";
}

bool names_modules(const Strategy& strategy) {
  return strategy.recompute == Recompute::selective && !strategy.recompute_modules.empty();
}

/// " of 30 % of the layers"
std::string share_of_layers(const Strategy& strategy) {
  if (strategy.recompute != Recompute::full || strategy.recomputed_layers == 1) return {};
  return fmt::format(" of {:.3g} % of the layers", 100 * strategy.recomputed_layers);
}

std::string modes(const Plan& plan) {
  const Strategy& strategy = plan.strategy;
  return fmt::format(
             "interleave {}, {} micro-batch{} of {}, {}{}{}", strategy.interleave,
             grouped(plan.microbatches), plan.microbatches == 1 ? "" : "es", strategy.micro_batch,
             names_modules(strategy) ? "recompute " + recomputation(strategy)
                                     : (strategy.recompute == Recompute::none
                                            ? std::string{"no"}
                                            : std::string{name_of(strategy.recompute)}) +
                                           " recompute" + share_of_layers(strategy),
             strategy.zero > 0 ? fmt::format(", ZeRO {}{}", strategy.zero, shards(strategy)) : "",
             strategy.tp.total() == 1     ? ""
             : strategy.sequence_parallel ? ", SP"
                                          : ", no SP") +
         (plan.sync_by == GradientSync::hfreduce ? ", HFReduce" : "") +
         (strategy.outermost ? fmt::format(", {} outermost", name_of(*strategy.outermost)) : "");
}

void add_training(const PlanExtras::Training& of, double tokens, Document& document) {
  const TrainingTotals& training = of.totals;
  document.add(
      Text{.text = fmt::format("{} tokens take {} iterations: {} without failures{}, {} GPU-hours",
                               with_prefix(tokens), with_prefix(training.iterations),
                               duration(training.time), range_words(of.range),
                               with_prefix(training.gpu_hours)),
           .apart = true});
  document.detail(Facts{{{"iterations", number(training.iterations)},
                         {"days without failures", present::days(training.time)},
                         {"GPU-hours", number(training.gpu_hours)}}});
}

/// @param spares  whether the run holds some, which its cost with failures has in it
void add_paid(const job::PaidPlan& paid, const PlanInputs& inputs, bool spares,
              Document& document) {
  const PriceSource& origin = paid.price.origin;
  document.add(
      Section{"Cost", paid.price.economics.empty() ? origin.source : paid.price.economics});
  Facts facts{{{"a GPU-hour, power and all else included",
                usd(each([](UsdPerSecond rate) { return rate * units::hour; }, paid.price.rate))},
               {"one iteration", usd(paid.cost.per_iteration)},
               {paid.years_paid ? "a million tokens" : "a million tokens, without failures",
                usd(paid.cost.per_million_tokens)}}};
  if (const std::int64_t idle = paid.gpus - inputs.gpus; idle > 0) {
    const Cell gpus = said(count(paid.gpus),
                           fmt::format("{}, {} of them idle", grouped(paid.gpus), grouped(idle)));
    facts.facts.insert(facts.facts.begin() + 1, {"GPUs paid for, those that stand idle too", gpus});
  }
  if (paid.cost.per_run) {
    const std::string run = fmt::format("the run of {} tokens", with_prefix(*inputs.tokens));
    const std::string paid_for = paid.years_paid
                                     ? fmt::format(", all hours of {:g} year{}", *paid.years_paid,
                                                   *paid.years_paid == 1 ? "" : "s")
                                 : spares ? ", without failures and spares"
                                          : ", without failures";
    facts.facts.push_back({run + paid_for, usd(paid.run_range.value_or(*paid.cost.per_run))});
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

std::string recomputation(const Strategy& strategy) {
  if (!names_modules(strategy)) {
    return std::string{name_of(strategy.recompute)} + share_of_layers(strategy);
  }
  return modules(strategy, "+", [](RecomputeModule module) { return name_of(module); });
}

std::string short_recomputation(const Strategy& strategy) {
  if (!names_modules(strategy)) return std::string{name_of(strategy.recompute)};
  return modules(strategy, "+", short_name);
}

Cell fit_chance(const Plan& plan) {
  if (plan.timing != Timing::calibrated) return none();
  // Never "100 %": no peak is that well known.
  const double percent = std::clamp(100 * plan.p_fits(), 0.0, 99.9);
  return said(share(plan.p_fits()), percent < 99 && percent > 1 ? fmt::format("{:.0f} %", percent)
                                    : percent >= 99             ? "99 %"
                                                                : "< 1 %");
}

Document plan_document(const PlanInputs& inputs, const char* kicker) {
  const System& system = inputs.system;
  const TransformerSpec& model = inputs.model;
  Document document{.title = fmt::format("{} on {} {}", model.title, grouped(inputs.gpus),
                                         system.accelerator.title),
                    .kicker = kicker};
  const bool in_parts = inputs.hb_domain_used != usable_hb_domain(system.hb_domain, inputs.gpus);
  document.add(Text{.text = fmt::format(
                        "batch {} × {} tokens, {}, {}: HB domain {}{} at {} GB/s, network {} GB/s",
                        grouped(inputs.global_batch), grouped(inputs.sequence),
                        name_of(inputs.precision), system.name, grouped(system.hb_domain),
                        in_parts ? fmt::format(" ({} used as one)", inputs.hb_domain_used) : "",
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
  add_evidence(inputs.evidence, document);
  add_assumed(inputs.assumed, document);
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
  if (plan.timing == Timing::calibrated) {
    rest.figures.push_back({"probability that it fits", fit_chance(plan), "P(fits) {}"});
  }
  if (plan.interval) {
    const Seconds low = plan.interval->low, high = plan.interval->high;
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
  if (extras.paid) {
    const auto& failures = extras.forecast ? extras.forecast->failures : std::nullopt;
    const auto spares = failures ? failures->inputs.spares : std::nullopt;
    add_paid(*extras.paid, inputs, spares && spares->spares > 0, document);
  }
  if (extras.forecast) add_forecast(*extras.forecast, document);
  if (extras.outlook) {
    add_outlook(*extras.outlook, {.expected = extras.forecast && stall_unknown(*extras.forecast)},
                document);
  }
  if (extras.traffic) add_traffic(*extras.traffic, document);
  if (!extras.nearest.empty()) {
    document.add(Section{"Measured runs like it"});
    add_nearest(extras.nearest, document);
  }
}

/// What the capacity is, and what a figure above it means.
std::string memory_note(const Plan& plan, const PlanInputs& inputs) {
  const Bytes label = inputs.system.accelerator.memory;
  std::string text;
  if (plan.capacity != label) {
    text = fmt::format(
        "{} GB, of 1e9 bytes, is what the driver offers of the {:.0f} GB on the label. ",
        gigabytes(plan.capacity), label.in(units::GB));
  }
  const bool above = plan.memory.total() > plan.capacity;
  if (above && plan.fits()) {
    text += "More is predicted than that, by less than predictions are off: it may fit. ";
  }
  if (!plan.memory_known()) {
    return text + fmt::format(
                      "No peak of {} was measured, and runs that ran are predicted at up to {:.1f} "
                      "times what there is: P(fits) rests on judgement ({:.0f} %, standard "
                      "deviation), and refused are plans predicted beyond {:.1f} times.",
                      name_of(plan.evidence->stack), kMostOfRunsThatRan,
                      100 * kUnmeasuredMemorySpread, kUnmeasuredRefusedBeyond);
  }
  text += fmt::format(
      "P(fits): predicted peaks are off by {:.0f} %, standard deviation; refused are plans "
      "predicted beyond {:.0f} % of the capacity.",
      100 * kMemorySpread, 100 * kRefusedBeyond);
  return text;
}

void add_breakdown(const Plan& plan, const PlanExtras& extras, const PlanInputs& inputs,
                   Document& document) {
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
  add_communication(plan, extras.exposed_network.time, document);
  document.add(Section{"Memory of the fullest GPU"});
  Bars sizes;
  for (const MemoryPart& part : memory_parts()) {
    const Bytes size = plan.memory.*part.amount;
    if (part.calibrated_only() && !(size > Bytes{})) continue;
    sizes.rows.push_back({std::string{part.name}, memory(size), size / plan.capacity});
  }
  document.add(std::move(sizes));
  if (calibrated) document.add(Text{memory_note(plan, inputs)});
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
      {"recompute", [](const Plan& p) { return words(recomputation(p.strategy)); }},
      {"ZeRO", [](const Plan& p) { return count(p.strategy.zero); }},
      {"sequence parallel", [](const Plan& p) { return yes_no(p.strategy.sequence_parallel); }},
      {"iteration",
       [](const Plan& p) {
         Cell cell = present::time(p.time.total());
         if (p.interval) cell.ends = Ends{p.interval->low.si(), p.interval->high.si()};
         return cell;
       }},
      {"memory", [](const Plan& p) { return memory(p.memory.total()); }},
      {"P(fits)", [](const Plan& p) { return fit_chance(p); }, false},
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

}  // namespace planner::commands
