#include "planner/commands/parts/forecast.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using json::object;
using json::optional;
using json::or_null;
using json::required;

const json::FieldTable<ForecastSummary::Iteration>& iteration_table() {
  using I = ForecastSummary::Iteration;
  const auto seconds = json::measure(units::second);
  static const json::FieldTable<I> kTable{
      .type = "iteration",
      .doc = "one iteration",
      .fields = {required("ideal", &I::ideal, seconds, "balanced links, no storage"),
                 required("routed", &I::routed, seconds, "links as they are"),
                 required("guaranteed", &I::guaranteed, or_null(seconds),
                          "at most, by the traffic class")},
      .open = true};
  return kTable;
}

const json::FieldTable<ForecastSummary::Days>& days_table() {
  using D = ForecastSummary::Days;
  const auto day = json::measure(units::day);
  static const json::FieldTable<D> kTable{
      .type = "days",
      .doc = "the run",
      .fields = {required("ideal", &D::ideal, day, "balanced links, no failure"),
                 required("without_failures", &D::without_failures, day, "links as they are"),
                 required("mean", &D::mean, day, "on average"),
                 required("p50", &D::p50, day, "half of the runs are done"),
                 required("p95", &D::p95, day, "95 of 100 runs are done"),
                 required("guaranteed", &D::guaranteed, or_null(day),
                          "on average at most, by the traffic class")},
      .open = true};
  return kTable;
}

const json::FieldTable<ForecastSummary::Cost>& cost_table() {
  using C = ForecastSummary::Cost;
  const auto dollar = json::measure(units::usd);
  static const json::FieldTable<C> kTable{
      .type = "cost",
      .doc = "US dollars of the run, spares included",
      .fields = {required("ideal", &C::ideal, dollar, "balanced links, no failure"),
                 required("mean", &C::mean, dollar, "on average"),
                 required("p95", &C::p95, dollar, "in 95 of 100 runs"),
                 required("guaranteed", &C::guaranteed, or_null(dollar),
                          "at most, by the traffic class"),
                 required("mean_range", &C::range, json::spread(dollar), "by the price"),
                 required("at_least", &C::at_least, json::boolean(), "lines have no price")},
      .open = true};
  return kTable;
}

/// Days by cause. What only another version knows is passed over.
json::Codec<std::vector<LostTime>> lost_days() {
  using Pairs = std::vector<std::pair<std::string, Seconds>>;
  const auto named = [](const std::vector<LostTime>& lost) {
    Pairs pairs;
    for (const LostTime& one : lost) pairs.emplace_back(names_of(one.cause).key, one.time);
    return pairs;
  };
  const auto by_cause = [](const Pairs& pairs) {
    std::vector<LostTime> lost;
    for (const auto& [key, time] : pairs) {
      for (const LostCauseNames& names : kLostCauses) {
        if (names.key == key) lost.push_back({names.cause, time});
      }
    }
    return lost;
  };
  return json::written_as<std::vector<LostTime>>(json::named(json::measure(units::day)), named,
                                                 by_cause);
}

const json::FieldTable<ForecastSummary::Failures>& failures_table() {
  using F = ForecastSummary::Failures;
  static const json::FieldTable<F> kTable = [] {
    json::FieldTable<F> table{
        .type = "reliability", .doc = failure_summary_fields().doc, .open = true};
    for (const auto& field : failure_summary_fields().fields) {
      table.fields.push_back(json::lifted<F, FailureSummary>(
          [](auto& failures) -> auto& { return failures.summary; }, field));
    }
    table.fields.push_back(
        required("inputs", &F::inputs, object(failure_inputs_fields()), "the job's exposure"));
    return table;
  }();
  return kTable;
}

}  // namespace

const json::FieldTable<ForecastSummary>& forecast_fields() {
  using F = ForecastSummary;
  static const json::FieldTable<F> kTable{
      .type = "forecast",
      .doc = "a plan on its network as it behaves and its cluster as it breaks",
      .fields = {required("iteration_time_s", &F::iteration, or_null(object(iteration_table())),
                          "null: no plan"),
                 optional("links", &F::links, json::choice(kLinkLoads), kLinksDoc),
                 required("days", &F::days, or_null(object(days_table())), "null: no tokens"),
                 required("p95_varies", &F::varies, or_null(json::list(json::any_text())),
                          "what p95 is the 95th of 100 of"),
                 required("lost_days", &F::lost, or_null(lost_days()), "by cause"),
                 required("cost_per_run_usd", &F::cost, or_null(object(cost_table())),
                          "null: no price"),
                 required("routing", &F::routing, or_null(object(routing_summary_fields())),
                          "null: nobody asks"),
                 required("sharing", &F::sharing, or_null(object(sharing_fields())),
                          "null: nobody asks"),
                 required("reliability", &F::failures, or_null(object(failures_table())),
                          "null: nobody asks"),
                 optional("days_range", &F::days_range, json::spread(json::measure(units::day)),
                          "80 of 100 runs lie within, by all that is not known"),
                 optional("cost_per_run_range_usd", &F::cost_range,
                          json::spread(json::measure(units::usd)),
                          "80 of 100 runs lie within, by all that is not known")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
