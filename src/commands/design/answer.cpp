#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/design/design.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/cluster.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/present/text.hpp"
#include "planner/search/search.hpp"

namespace planner::commands {

namespace {

Money cents(double amount) {
  return Money::cents(std::llround(amount));
}

/// The least amount that is not below it: a limit of as much holds.
Money enough_cents(double amount) {
  return Money::cents(static_cast<std::int64_t>(std::ceil(amount)));
}

/// The run whose plan a design is told by: of several the longest, of equals the first.
std::size_t told_run(const design::Found& found) {
  const auto& runs = found.judged.runs;
  const auto longest = std::max_element(
      runs.begin(), runs.end(),
      [](const design::RunTimes& a, const design::RunTimes& b) { return a.expected < b.expected; });
  return static_cast<std::size_t>(longest - runs.begin());
}

/// What a cluster file cannot say: it has one run.
std::string other_runs_words(const Brief& brief, std::size_t run) {
  std::string others;
  for (std::size_t other = 0; other < brief.runs.size(); ++other) {
    if (other == run) continue;
    others += (others.empty() ? "" : ", ") + brief.runs[other].called();
  }
  return fmt::format("its run is {}, the longest of {}; the cluster trains {} too",
                     brief.runs[run].called(), brief.runs.size(), others);
}

/// The file of a design.
Cluster cluster_file(const OpenSpace& open, const Brief& brief, const design::Found& found) {
  const design::DesignId& id = found.place.id;
  const design::SystemOption& option = open.space.systems[id.system];
  Cluster cluster = design::cluster_of(open.space, id);
  cluster.system = open.systems[id.system];
  const std::size_t run = told_run(found);
  const auto& [batch, used] = found.place.runs[run];
  cluster.run = ClusterRun{.model = brief.runs[run].model,
                           .global_batch = open.space.batches[batch].size,
                           .sequence = option.runs[run].job.run.sequence,
                           .tokens = open.space.tokens[run]};
  cluster.run->precision = brief.precision;
  cluster.run->gpus = used;
  cluster.run->gpus_exact = true;
  cluster.prices = brief.prices;
  cluster.economics = brief.economics;
  cluster.rates = brief.rates;
  cluster.build = brief.build;
  cluster.routing = brief.routing;
  if (open.space.failures) {
    cluster.recovery = brief.recovery.value_or(ReliabilitySettings{});
    cluster.recovery->spares = design::spares_of(open.space, id, found.times[run].use);
  }
  cluster.name =
      fmt::format("{}-{}-{}", option.system().name, id.gpus, name_of(topology_of(cluster.fabric)));
  cluster.title = fmt::format("{} × {} ({} GPUs), {}", grouped(nodes_of(cluster, option.node)),
                              option.node.title, grouped(id.gpus), network_words(cluster));
  if (brief.runs.size() > 1) cluster.notes.push_back(other_runs_words(brief, run));
  return cluster;
}

/// One run of a design.
RunSummary run_summary(const OpenSpace& open, const Brief& brief, const design::Found& found,
                       std::size_t run) {
  const design::BestTime& best = found.times[run];
  const design::RunTimes& times = found.judged.runs[run];
  const Workload job = design::job_of(open.space, found.place.id, found.cluster, best);
  const design::Figures alone =
      design::Judge(open.space, brief.confidence).judge(found.cluster, {times}).expected;
  const bool known = open.space.economics.grid_kg_co2_per_kwh.has_value();
  return {.name = brief.runs[run].called(),
          .model_title = open.model_titles[run],
          .global_batch = job.run.global_batch,
          .used_gpus = best.use.gpus,
          .plan = make_plan(job, best.strategy),
          .time = times.expected,
          .without_failures = design::iterations(open.space, best.batch) * best.time,
          .time_range = design::run_range(open.space, found.place.id, found.cluster, best),
          .confident_time = times.confident,
          .cost = cents(alone[design::at(Measure::run_cost)]),
          .energy = Joules{alone[design::at(Measure::energy)]},
          .co2_kg = known ? std::optional(alone[design::at(Measure::co2)]) : std::nullopt};
}

DesignSummary design_summary(const OpenSpace& open, const Brief& brief,
                             const design::Found& found) {
  const design::DesignId& id = found.place.id;
  std::vector<RunSummary> runs;
  for (std::size_t run = 0; run < brief.runs.size(); ++run) {
    runs.push_back(run_summary(open, brief, found, run));
  }
  const std::size_t told = told_run(found);
  const design::RunTimes all = found.judged.all_runs();
  const auto value = [&](Measure measure) { return found.judged.expected[design::at(measure)]; };
  const auto sure = [&](Measure measure) { return found.judged.confident[design::at(measure)]; };
  // The purchase is told whole, the measure of it is what is left to pay.
  const double owned = real(open.space.owned_value.in_cents());
  DesignSummary summary{
      .cluster = cluster_file(open, brief, found),
      .system_title = open.space.systems[id.system].system().title,
      .gpus = id.gpus,
      .used_gpus = runs[told].used_gpus,
      .standing_by = design::gpus_standing_by(open.space, id, found.cluster, found.times[told].use),
      .plan = runs[told].plan,
      .lead = found.cluster.lead,
      .time = all.expected,
      .capex = found.cluster.capex,
      .tco = found.cluster.tco,
      .financed = found.cluster.financed,
      .run_cost = cents(value(Measure::run_cost)),
      .at_confidence = {.confidence = brief.confidence,
                        .time = all.confident,
                        .capex = enough_cents(sure(Measure::capex) + owned),
                        .tco = enough_cents(sure(Measure::tco)),
                        .run_cost = enough_cents(sure(Measure::run_cost))},
      .it = found.cluster.power.it,
      .energy = Joules{value(Measure::energy)}};
  for (const RunSummary& run : runs) {
    summary.without_failures += run.without_failures;
    summary.time_range.low += run.time_range.low;
    summary.time_range.expected += run.time_range.expected;
    summary.time_range.high += run.time_range.high;
  }
  if (runs.size() > 1) summary.runs = std::move(runs);
  const Node& node = open.space.systems[id.system].node;
  summary.node_title = node.title;
  summary.nodes = nodes_of(summary.cluster, node);
  if (found.cluster.power.facility) summary.facility = found.cluster.power.facility->expected;
  if (!brief.owned.empty()) {
    const design::SystemOption& option = open.space.systems[id.system];
    const std::int64_t kept = design::kept_nodes(option, id.gpus);
    const Money kept_value = Money::cents(kept * option.owned.node.in_cents());
    summary.owned = {
        .kept_gpus = kept * node.accelerators,
        .kept = kept_value,
        .sold = Money::cents(open.space.owned_value.in_cents() - kept_value.in_cents()),
        .to_pay = cents(value(Measure::capex))};
  }
  if (open.space.economics.grid_kg_co2_per_kwh) summary.co2_kg = value(Measure::co2);
  return summary;
}

/// What failures and routing make of a design's run, where there are any.
std::optional<job::Forecast> expected_of(const OpenSpace& open, const design::Found& found,
                                         std::vector<std::string>& warnings) {
  if (!open.space.failures && !open.space.routing) return std::nullopt;
  return design::forecast_of(open.space, found.place.id, found.cluster,
                             found.times[told_run(found)], warnings);
}

/// Days and money of the run of a design as `cost` of its cluster tells them.
job::Outlook outlook_of(const OpenSpace& open, const design::Found& found,
                        const DesignSummary& summary, const design::Purchase& bought,
                        std::optional<job::Forecast> forecast, double confidence) {
  const design::DesignId& id = found.place.id;
  const design::SystemOption& option = open.space.systems[id.system];
  const std::size_t run = told_run(found);
  const design::BestTime& best = found.times[run];
  const Workload job = design::job_of(open.space, id, found.cluster, best);
  job::ClusterReport report{.cluster = summary.cluster,
                            .system = option.system(),
                            .node = option.node,
                            .economics = open.space.economics,
                            .bill = bought.bill,
                            .cost = bought.cost};
  if (bought.standing) report.cluster.racks = bought.standing->racks;
  report.training =
      job::ClusterTraining{.workload = job,
                           .plan = summary.plan,
                           .use = best.use,
                           .totals = training_totals(job, summary.plan, open.space.tokens[run])};
  CostResult costed = cost_of(report.bill, job::use_of(report));
  if (auto* const with_run = std::get_if<CostBreakdown>(&costed)) {
    report.cost = std::move(*with_run);
  }
  report.forecast = std::move(forecast);
  job::add_expected_cost(report);
  return job::outlook_of(report, confidence);
}

/// Nothing where the plan itself surely fits, or none does.
std::optional<DesignSummary::SurelyFitting> surely_fitting(const OpenSpace& open,
                                                           const design::Found& found,
                                                           const Plan& plan,
                                                           const Context& context) {
  if (plan.p_fits() >= kSurelyFits) return std::nullopt;
  const design::DesignId& id = found.place.id;
  const design::BestTime& best = found.times[told_run(found)];
  const Workload job = design::job_of(open.space, id, found.cluster, best);
  const SearchResult sure = rank_strategies(
      job, design::run_on(open.space, id.system, best.batch).strategies,
      {.top = 1, .least_p_fits = kSurelyFits, .count = false, .stop = context.stop});
  if (sure.interrupted || sure.best.empty()) return std::nullopt;
  Plan other = make_plan(job, sure.best.front().strategy);
  const Seconds run = design::iterations(open.space, best.batch) * other.time.total();
  return DesignSummary::SurelyFitting{std::move(other), run};
}

LimitMargin told_margin(const design::Margin& margin, const DesignAnswer& answer,
                        const design::Found& best, const auto& told) {
  const Measure limit = margin.limit, goal = answer.brief.minimise;
  const auto other = [&](const design::Alternative& one) {
    return OtherLimit{.limit = in_brief_unit(limit, one.limit),
                      .design = one.best ? std::optional(told(*one.best)) : std::nullopt};
  };
  LimitMargin one{.limit = limit,
                  .limited_to = in_brief_unit(limit, *design::limit_of(answer.brief.limits, limit)),
                  .needed = in_brief_unit(limit, design::needed(best, limit)),
                  .looser = other(margin.looser),
                  .tighter = other(margin.tighter)};
  if (margin.without) {
    one.binds =
        figure(margin.without->judged, {.measure = goal}) < figure(best.judged, {.measure = goal});
    one.without = told(*margin.without);
  }
  return one;
}

PriceFlip told_flip(const design::Flip& flip, const auto& told) {
  const auto turn = [&](const std::optional<design::Flip::Turn>& one) {
    return one ? std::optional(PriceFlip::Turn{one->at, told(one->best)}) : std::nullopt;
  };
  return {.part = flip.part.empty() ? "electricity" : flip.part,
          .now = flip.now,
          .low = flip.low,
          .high = flip.high,
          .below = turn(flip.below),
          .above = turn(flip.above)};
}

std::optional<Money> node_price(const OpenSpace& open, std::size_t system) {
  for (const Price& price : open.space.book.prices) {
    if (price.part == open.space.systems[system].node.name && price.amount) {
      return price.amount->expected;
    }
  }
  return std::nullopt;
}

}  // namespace

double in_brief_unit(Measure measure, double figure) {
  switch (measure) {
    case Measure::tco:
    case Measure::capex:
    case Measure::run_cost:
      return std::ceil(figure) / 100;
    case Measure::power:
    case Measure::facility_power:
      return figure / 1e6;
    case Measure::days:
    case Measure::energy:
    case Measure::co2:
    case Measure::gpus:
      break;
  }
  return figure;
}

namespace {

std::optional<RentTerms> mixed_only(const RentTerms& terms) {
  return terms.kinds() > 1 ? std::optional(terms) : std::nullopt;
}

}  // namespace

RentedRun told_rent(const design::Rented& rented, const OpenSpace& open) {
  Workload job = design::job_of(open.space, rented.system, rented.batch, rented.time.use.gpus);
  job.system.hb_domain = rented.time.use.as_one;
  return {.system = open.systems[rented.system],
          .term = rented.terms.first(),
          .mixed = mixed_only(rented.terms),
          .gpus = rented.gpus,
          .used_gpus = rented.time.use.gpus,
          .global_batch = job.run.global_batch,
          .plan = make_plan(job, rented.time.strategy),
          .time = rented.run.expected,
          .cost = rented.cost,
          .confident_time = rented.run.confident,
          .confident_cost = rented.confident};
}

BuyingRuns told_buying(const design::BuyingPays& pays, const OpenSpace& open) {
  return {.most = pays.most,
          .from = pays.from,
          .rent = pays.rented.cost.expected,
          .system = pays.most > 0 ? open.systems[pays.rented.system] : "",
          .term = pays.rented.terms.first(),
          .mixed = mixed_only(pays.rented.terms),
          .gpus = pays.rented.gpus};
}

void tell(const design::Recommendation& found, const OpenSpace& open, DesignAnswer& answer,
          Context& context) {
  const Brief& brief = answer.brief;
  const auto told = [&](const design::Found& one) { return design_summary(open, brief, one); };
  answer.search = found.search;
  answer.front_search = found.front_search;
  for (const design::Found& one : found.best) answer.top.push_back(told(one));
  if (!answer.top.empty()) {
    answer.best = answer.top.front();
    auto forecast = expected_of(open, found.best.front(), context.warnings);
    if (forecast) answer.best->expected = summary_of(*forecast);
    answer.best->surely_fitting =
        surely_fitting(open, found.best.front(), answer.best->plan, context);
    auto purchase = design::purchase_of(open.space, found.best.front().place.id);
    if (auto* bought = std::get_if<design::Purchase>(&purchase)) {
      if (brief.runs.size() == 1) {
        answer.best->outlook = outlook_of(open, found.best.front(), *answer.best, *bought,
                                          std::move(forecast), brief.confidence);
      }
      answer.best->purchase = {.bill = std::move(bought->bill),
                               .capex = bought->cost.capex,
                               .fabric = std::move(bought->fabric)};
      if (const design::StandingResult& standing = bought->standing) {
        answer.best->purchase->racks = standing->racks;
        answer.best->purchase->longest_cable_m = standing->longest_m;
        answer.best->purchase->broken =
            broken_in(open.space.systems[found.best.front().place.id.system], answer.best->cluster,
                      context.catalog, context.stop);
      }
    }
  }
  for (const design::Found& one : found.front) answer.front.push_back(told(one));
  for (std::size_t i = 0; i < found.by_system.size(); ++i) {
    const auto& best = found.by_system[i];
    answer.by_system.push_back(
        {.system = open.systems[i],
         .best = best ? std::optional(told(*best)) : std::nullopt,
         .node_price = node_price(open, i),
         .wins_below = i < found.wins_below.size() ? found.wins_below[i] : std::nullopt});
  }
  for (const design::Margin& one : found.margins) {
    answer.margins.push_back(told_margin(one, answer, found.best.front(), told));
  }
  for (const design::Flip& one : found.flips) answer.flips.push_back(told_flip(one, told));
  for (const design::Relaxation& one : found.relax) {
    RelaxedLimit relaxed{
        .limit = one.limit,
        .limited_to = in_brief_unit(one.limit, *design::limit_of(brief.limits, one.limit))};
    if (one.design) {
      relaxed.needed = in_brief_unit(one.limit, design::needed(*one.design, one.limit));
      relaxed.design = told(*one.design);
    }
    answer.relax.push_back(std::move(relaxed));
  }
}

}  // namespace planner::commands
