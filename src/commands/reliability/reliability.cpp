#include "planner/commands/reliability/reliability.hpp"

#include <algorithm>
#include <utility>

#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/assumed.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/cluster.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using R = ReliabilityRequest;

std::vector<OptionOf<R>> options() {
  constexpr const char* kRun = "The run";
  constexpr double kMostDays = 1e6, kMostDollars = 1e6;
  return joined<R>(
      {{integers({"gpus", "N", "GPUs in all, or a list of such numbers", kWhat}, &R::gpus, 1,
                 kMostGpus)},
       in(&R::failures, failure_options()),
       {positive({"days", "D", "training time without failures: adds mean, p50, p95", kRun},
                 &R::ideal_days, kMostDays),
        positive({"gpu-hour-price", "USD", "price of a GPU-hour: adds dollars", kRun},
                 &R::usd_per_gpu_hour, kMostDollars)}});
}

CountOutlook outlook_of(const FailureSummary& failures, std::int64_t gpus) {
  CountOutlook outlook{.gpus = gpus,
                       .availability = failures.availability,
                       .availability_range = failures.availability_range,
                       .wall_hours_between = failures.wall_hours_between,
                       .per_month = failures.per_month,
                       .spares_ok = failures.spares_ok,
                       .days_range = failures.days_range};
  if (failures.days) {
    outlook.mean = failures.days->mean;
    outlook.p95 = failures.days->p95;
  }
  if (failures.money) outlook.cost = failures.money->mean;
  return outlook;
}

SweepLine line_of(const CountOutlook& one) {
  using present::number;
  SweepLine line{.part = present::count(one.gpus),
                 .figures = {{"availability", "availability (%)", number(100 * one.availability)}}};
  const auto add = [&](const char* key, const char* header, const std::optional<double>& value) {
    if (value) line.figures.push_back({key, header, number(*value)});
  };
  const auto days = [](const std::optional<Seconds>& time) {
    return time ? std::optional(time->in(units::day)) : std::nullopt;
  };
  add("wall_between_failures_h", "time between failures (h)", one.wall_hours_between);
  add("failures_per_30_days", "failures in 30 days", one.per_month);
  add("days_expected", "days expected", days(one.mean));
  add("days_p95", "days in 95 of 100 runs", days(one.p95));
  if (one.cost) {
    line.figures.push_back({"cost_expected_usd", "cost expected (" + present::money_unit() + ")",
                            present::plain_money(one.cost->in(units::usd))});
  }
  return line;
}

std::vector<SweepLine> lines(const ReliabilityAnswer& answer) {
  if (!answer.counts.empty()) {
    std::vector<SweepLine> each;
    for (const CountOutlook& one : answer.counts) each.push_back(line_of(one));
    return each;
  }
  const FailureSummary& failures = answer.result;
  const auto maybe = [](const std::optional<double>& value) {
    return value ? present::number(*value) : present::none();
  };
  std::vector<SweepFigure> figures{
      {"availability", "availability (%)", present::number(100 * failures.availability)},
      {"wall_between_failures_h", "time between failures (h)", maybe(failures.wall_hours_between)}};
  if (failures.interval) {
    figures.push_back({"checkpoint_interval_s", "checkpoint interval (s)",
                       present::number(failures.interval->si())});
  }
  figures.push_back(
      {"failures_per_30_days", "failures in 30 days", present::number(failures.per_month)});
  if (failures.spares_ok) {
    figures.push_back(
        {"p_spares_ok", "spares suffice (%)", present::number(100 * *failures.spares_ok)});
  }
  if (failures.days) {
    const auto days = [](Seconds time) { return present::number(time.in(units::day)); };
    figures.push_back({"days", "days without failures", days(failures.days->ideal)});
    figures.push_back({"days_expected", "days expected", days(failures.days->mean)});
    figures.push_back({"days_p95", "days in 95 of 100 runs", days(failures.days->p95)});
  }
  if (failures.money && failures.money->mean) {
    const auto dollars = [](Usd amount) { return present::plain_money(amount.in(units::usd)); };
    const std::string unit = present::money_unit();
    figures.push_back(
        {"cost_per_run_usd", "cost per run (" + unit + ")", dollars(*failures.money->ideal)});
    figures.push_back(
        {"cost_expected_usd", "cost expected (" + unit + ")", dollars(*failures.money->mean)});
  }
  return {{.figures = std::move(figures)}};
}

/// What stands by or idle of a cluster does not fail its run.
std::int64_t gpus_of_run(const Cluster& cluster) {
  return cluster.run ? cluster.run->gpus.value_or(cluster.gpus) : cluster.gpus;
}

/// One number of GPUs; nothing: that of the cluster file.
ReliabilityAnswer of_count(const ReliabilityRequest& request, std::optional<std::int64_t> gpus,
                           Context& context) {
  FailureChoice asked = request.failures;
  ReliabilitySettings said = asked.how;
  if (!request.files.empty()) {
    const ClusterNetwork at = cluster_network(request.files.front(), context.catalog);
    if (!asked.rates) asked.rates = at.cluster.rates;
    if (!gpus) gpus = gpus_of_run(at.cluster);
    asked.how = said = overlaid(at.cluster.recovery.value_or(ReliabilitySettings{}), asked.how);
    // A smaller job's share of the network depends on its place in it; its nodes are the cluster's.
    if (*gpus == at.cluster.gpus) asked.how = job::counted_parts(asked.how, at.node, at.count);
    if (asked.rates) {
      asked.how =
          job::with_standing_spares(asked.how, context.catalog.load_rates(*asked.rates),
                                    job::standing_spares(at.cluster, at.system, at.node), *gpus);
    }
    if (at.node) asked.how = job::in_nodes(asked.how, *at.node, *gpus);
    asked.how = job::in_domains(asked.how, at.system.hb_domain,
                                at.node ? at.node->gpus_per_tray : std::nullopt);
  }
  if (!asked.rates) usage_error("--rates is missing", "planner list rates");
  if (!gpus) usage_error("--gpus is missing", "or a cluster file");
  job::check_unit_sizes(request.failures.how, *gpus);
  std::optional<Seconds> ideal;
  if (request.ideal_days) ideal = *request.ideal_days * units::day;
  FailureRates rates = context.catalog.load_rates(*asked.rates);
  job::warn_of_uncounted(said, rates, context.warnings);
  job::ReliabilityResult result =
      job::job_reliability(asked.how, std::move(rates), *gpus, ideal, context.warnings);
  if (request.usd_per_gpu_hour) {
    result.money = job::failure_money(result, *request.usd_per_gpu_hour);
  }
  return {inputs_of(result), summary_of(result)};
}

/// Each by itself; what is said of several is said once.
ReliabilityAnswer of_counts(const ReliabilityRequest& request, Context& context) {
  std::optional<ReliabilityAnswer> first;
  std::vector<CountOutlook> counts;
  for (const std::int64_t gpus : request.gpus) {
    Context one{.catalog = context.catalog};
    ReliabilityAnswer answer = of_count(request, gpus, one);
    counts.push_back(outlook_of(answer.result, gpus));
    for (std::string& warning : one.warnings) {
      const auto& said = context.warnings;
      if (std::find(said.begin(), said.end(), warning) != said.end()) continue;
      context.warnings.push_back(std::move(warning));
    }
    if (!first) first = std::move(answer);
  }
  first->counts = std::move(counts);
  return *std::move(first);
}

const json::FieldTable<CountOutlook>& count_table() {
  using C = CountOutlook;
  using namespace json;
  static const FieldTable<C> kTable{
      .type = "reliability_of_count",
      .doc = "what failures make of one number of GPUs",
      .fields = {naming(required("gpus", &C::gpus, whole(), "GPUs")),
                 required("availability", &C::availability, figure(),
                          "time that is work that stays"),
                 required("availability_range", &C::availability_range, spread(figure()),
                          "80 of 100"),
                 required("wall_between_failures_h", &C::wall_hours_between, or_null(figure()),
                          "between crashes, hours of the calendar; null: none"),
                 required("failures_per_30_days", &C::per_month, figure(), "crashes"),
                 optional("p_spares_ok", &C::spares_ok, figure(), "that they suffice"),
                 optional("days_mean", &C::mean, measure(units::day), "of the run"),
                 optional("days_p95", &C::p95, measure(units::day), "95 of 100 runs are done"),
                 optional("days_range", &C::days_range, spread(measure(units::day)),
                          "80 of 100, the run's own failures too"),
                 optional("cost_expected_usd", &C::cost, measure(units::usd), "of the run")},
      .open = true};
  return kTable;
}

/// A row for each number of GPUs, with those columns that there is something for.
present::Table table_of_counts(const ReliabilityAnswer& answer) {
  using namespace present;
  const bool bound = answer.inputs.stall_range.has_value();
  const CountOutlook& any = answer.counts.front();
  const bool run = any.mean.has_value();
  Table table{.header = {"GPUs", bound ? "at most" : "stays", "from", "to", "failure every"}};
  const auto column = [&](bool there, const char* header) {
    if (there) table.header.emplace_back(header);
  };
  column(!run, "per 30 days");
  column(any.spares_ok.has_value(), "spares suffice");
  column(run, bound ? "days, at least" : "days");
  column(run, "95 of 100");
  column(any.cost.has_value(), "run");
  for (const CountOutlook& one : answer.counts) {
    const auto run_of = [](Seconds time) { return said(present::days(time), in_days(time)); };
    std::vector<Cell> cells{
        count(one.gpus), shown_share(one.availability), shown_share(one.availability_range.low),
        shown_share(one.availability_range.high),
        one.wall_hours_between ? present::time(*one.wall_hours_between * units::hour)
                               : words("never")};
    if (!run) cells.push_back(number(one.per_month));
    if (one.spares_ok) cells.push_back(share(*one.spares_ok));
    if (one.mean) cells.push_back(run_of(*one.mean));
    if (one.p95) cells.push_back(run_of(*one.p95));
    if (one.cost) cells.push_back(usd(Estimate<Usd>::exactly(*one.cost)));
    table.rows.push_back({.cells = std::move(cells)});
  }
  return table;
}

}  // namespace

ReliabilityAnswer meet_failures(const ReliabilityRequest& request, Context& context) {
  if (request.files.size() > 1) usage_error("reliability takes one cluster file or none");
  if (request.gpus.size() > 1) return of_counts(request, context);
  return of_count(
      request, request.gpus.empty() ? std::nullopt : std::optional(request.gpus.front()), context);
}

namespace {

/// What there is of one number of GPUs, and of several a row each.
const json::FieldTable<ReliabilityAnswer>& result_table() {
  using A = ReliabilityAnswer;
  static const json::FieldTable<A> kTable = [] {
    json::FieldTable<A> table{.type = "reliability_result",
                              .doc = "what failures make of a job",
                              .fields = {},
                              .open = true};
    for (const json::Field<FailureSummary>& field : failure_summary_fields().fields) {
      table.fields.push_back(json::lifted<A, FailureSummary>(
          [](auto& answer) -> auto& { return answer.result; }, field));
    }
    table.fields.push_back(json::optional("gpu_counts", &A::counts,
                                          json::list(json::object(count_table())),
                                          "where several numbers of GPUs are given"));
    return table;
  }();
  return kTable;
}

}  // namespace

const json::FieldTable<ReliabilityAnswer>& reliability_fields() {
  using A = ReliabilityAnswer;
  static const json::FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of reliability",
      .fields = {json::required("inputs", &A::inputs, json::object(failure_inputs_fields()),
                                "the job's exposure"),
                 json::group("result", result_table(),
                             "what failures make of it; of several numbers of GPUs, the first")},
      .open = true};
  return kTable;
}

present::Document reliability_view(const ReliabilityAnswer& answer) {
  if (!answer.counts.empty()) {
    present::Document several{.title = "The failures of " + answer.inputs.rates.title,
                              .kicker = "Failures"};
    several.add(present::Text{
        .text = "Share of the time that is work that stays, and from where to where 80 of 100 such "
                "clusters have it"});
    several.add(table_of_counts(answer));
    add_assumed(answer.inputs.assumed, several, "Assumed, or as in the rates: ", true);
    return several;
  }
  present::Document document = failure_document(answer.inputs, answer.result);
  document.add(present::Charts{[result = answer.result] {
    std::vector<present::Chart> charts;
    add_run_charts({{.failures = &result}}, charts);
    return charts;
  }});
  return document;
}

Command reliability() {
  return erased(CommandOf<R, ReliabilityAnswer>{
      .name = "reliability",
      .summary = "failures, checkpoints, spares: availability and days",
      .arguments = "FILE",
      .shows_money = true,
      .options = options(),
      .positional = &R::files,
      .run = meet_failures,
      .fields = reliability_fields,
      .view = reliability_view,
      .lines = lines});
}

}  // namespace planner::commands
