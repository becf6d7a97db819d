#include "planner/commands/reliability/reliability.hpp"

#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/currency.hpp"

namespace planner::commands {

namespace {

using R = ReliabilityRequest;

std::vector<OptionOf<R>> options() {
  constexpr const char* kRun = "The run";
  constexpr double kMostDays = 1e6, kMostDollars = 1e6;
  return joined<R>(
      {{integer({"gpus", "N", "GPUs in all (optimize --objective cost: a list)", kWhat}, &R::gpus,
                1, kMostGpus)},
       in(&R::failures, failure_options()),
       {positive({"days", "D", "training time without failures: adds mean, p50, p95", kRun},
                 &R::ideal_days, kMostDays),
        positive({"gpu-hour-price", "USD", "price of a GPU-hour: adds dollars", kRun},
                 &R::usd_per_gpu_hour, kMostDollars)}});
}

std::vector<SweepLine> lines(const ReliabilityAnswer& answer) {
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

}  // namespace

ReliabilityAnswer meet_failures(const ReliabilityRequest& request, Context& context) {
  if (request.files.size() > 1) usage_error("reliability takes one cluster file or none");
  FailureChoice asked = request.failures;
  std::optional<std::int64_t> gpus = request.gpus;
  if (!request.files.empty()) {
    const ClusterNetwork at = cluster_network(request.files.front(), context.catalog);
    if (!asked.rates) asked.rates = at.cluster.rates;
    if (!gpus) gpus = at.cluster.gpus;
    asked.how = overlaid(at.cluster.recovery.value_or(ReliabilitySettings{}), asked.how);
    // A smaller job's share of the network depends on its place in it; its nodes are the cluster's.
    if (*gpus == at.cluster.gpus) asked.how = job::counted_parts(asked.how, at.node, at.count);
    if (at.node) asked.how = job::in_nodes(asked.how, *at.node, *gpus);
    asked.how = job::in_domains(asked.how, at.system.hb_domain);
  }
  if (!asked.rates) usage_error("--rates is missing", "planner list rates");
  if (!gpus) usage_error("--gpus is missing", "or a cluster file");
  job::check_unit_sizes(request.failures.how, *gpus);
  std::optional<Seconds> ideal;
  if (request.ideal_days) ideal = *request.ideal_days * units::day;
  job::ReliabilityResult result = job::job_reliability(
      asked.how, context.catalog.load_rates(*asked.rates), *gpus, ideal, context.warnings);
  if (request.usd_per_gpu_hour) {
    result.money = job::failure_money(result, *request.usd_per_gpu_hour);
  }
  return {inputs_of(result), summary_of(result)};
}

const json::Table<ReliabilityAnswer>& reliability_fields() {
  using A = ReliabilityAnswer;
  static const json::Table<A> kTable{
      .type = "answer",
      .doc = "an answer of reliability",
      .fields = {json::required("inputs", &A::inputs, json::object(failure_inputs_fields()),
                                "the job's exposure"),
                 json::required("result", &A::result, json::object(failure_summary_fields()),
                                "what failures make of it")},
      .open = true};
  return kTable;
}

present::Document reliability_view(const ReliabilityAnswer& answer) {
  present::Document document = failure_document(answer.inputs, answer.result);
  std::vector<present::Chart> charts;
  add_run_charts({{.failures = &answer.result}}, charts);
  if (!charts.empty()) document.add(present::Charts{std::move(charts)});
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
