
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const FieldTable<PlanExtras::Training>& training_table() {
  using T = PlanExtras::Training;
  const auto total = [](auto field) {
    return lifted<T, TrainingTotals>(
        [](auto& training) -> auto& { return training.totals; }, std::move(field));
  };
  using A = TrainingTotals;
  static const FieldTable<T> kTable{
      .type = "training",
      .doc = "the whole run",
      .fields = {total(required("iterations", &A::iterations, figure(), "of the run")),
                 total(required("days", &A::time, measure(units::day), "without failures")),
                 total(required("gpu_hours", &A::gpu_hours, figure(), "GPU-hours")),
                 optional("days_range", &T::range, spread(measure(units::day)), "80 of 100 runs")},
      .open = true};
  return kTable;
}

/// `name`_usd, and the range where there is one.
template <class V>
std::array<Field<Estimate<V>>, 2> dollars(const std::string& name, const Codec<V>& amount) {
  using E = Estimate<V>;
  return {computed<E>(
              name + "_usd", [](const E& e) { return e.expected; },
              [](E& e, V expected) { e = E::exactly(expected); }, amount, "US dollars"),
          computed<E>(
              name + "_usd_range",
              [](const E& e) { return e.exact() ? std::nullopt : std::optional{e}; },
              [](E& e, const std::optional<E>& range) { e = range.value_or(e); },
              or_null(spread(amount)), "null: no range")};
}

const FieldTable<job::PaidPlan>& paid_table() {
  using P = job::PaidPlan;
  static const FieldTable<P> kTable = [] {
    FieldTable<P> table{.type = "cost", .doc = "GPUs that are paid by the hour", .open = true};
    auto& fields = table.fields;
    const auto a_sum = measure(units::usd);
    const auto a_rate =
        measure<UsdPerSecond>([](UsdPerSecond rate) { return (rate * units::hour).in(units::usd); },
                              [](double dollars) { return dollars * units::usd / units::hour; });
    const auto add = [&](auto access, const auto& parts) {
      for (const auto& part : parts) fields.push_back(lifted<P>(access, part));
    };
    add(
        [](auto& paid) -> auto& { return paid.price.rate; }, dollars("gpu_hour", a_rate));
    fields.push_back(required("paid_gpus", &P::gpus, whole(),
                              "those that stand idle in the job's HB domains too"));
    fields.push_back(lifted<P>(
        [](auto& paid) -> auto& { return paid.price; },
        required("economics", &job::GpuPrice::economics, text_or_null(), "the file")));
    fields.push_back(lifted<P>(
        [](auto& paid) -> auto& { return paid.price; },
        optional("term", &job::GpuPrice::term, json::choice(kRentTerms),
                 "that they are rented for: whole terms are paid")));
    fields.push_back(
        optional("years_paid", &P::years_paid, figure(), "by the run, in whole terms"));
    using S = PriceSource;
    add(
        [](auto& paid) -> auto& { return paid.price.origin; },
        std::vector{required("source", &S::source, any_text(), "of the price"),
                    required("as_of", &S::as_of, text_or_null(), "date"),
                    required("verified", &S::verified, boolean(), "read at its source")});
    add(
        [](auto& paid) -> auto& { return paid.cost.per_iteration; },
        dollars("per_iteration", a_sum));
    add(
        [](auto& paid) -> auto& { return paid.cost.per_million_tokens; },
        dollars("per_million_tokens", a_sum));
    const auto per_run = [](auto& paid) -> auto& {
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(paid)>>) {
        if (!paid.cost.per_run) paid.cost.per_run.emplace();
      }
      return *paid.cost.per_run;
    };
    for (const auto& part : dollars("per_run", a_sum)) {
      fields.push_back(when([](const P& paid) { return paid.cost.per_run.has_value(); },
                            lifted<P>(per_run, part)));
    }
    fields.push_back(optional("cost_per_run_range_usd", &P::run_range, spread(a_sum),
                              "80 of 100 runs without failures, by time and price"));
    fields.push_back(shown<P, std::string>(
        "includes",
        [](const P&) { return std::string{"everything charged for a GPU-hour, power among it"}; },
        any_text(), "what the price covers"));
    fields.push_back(required("node_energy_kWh_per_iteration", &P::node_energy,
                              or_null(measure(units::kWh)),
                              "nodes at rated power; null: not known"));
    return table;
  }();
  return kTable;
}

const FieldTable<PlanExtras::ExposedNetwork>& exposed_network_table() {
  using N = PlanExtras::ExposedNetwork;
  static const FieldTable<N> kTable{
      .type = "exposed_network",
      .doc = "by how much an iteration would be shorter if bytes took no time on the network",
      .fields = {required("time_s", &N::time, measure(units::second), "of an iteration"),
                 required("share", &N::share, figure(), "of iteration_time_s")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<PlanExtras>& plan_extras_fields() {
  using E = PlanExtras;
  static const FieldTable<E> kTable = [] {
    FieldTable<E> table{
        .type = "extras",
        .doc = "what may be told of a plan besides",
        .fields = {optional("training", &E::training, object(training_table()), "the whole run"),
                   optional("cost", &E::paid, object(paid_table()), "GPUs paid by the hour"),
                   optional("expected", &E::forecast, object(forecast_fields()),
                            "on the network as it behaves and the cluster as it breaks"),
                   optional("traffic", &E::traffic, object(traffic_summary_fields()),
                            "what the plan sends in an iteration"),
                   added("exposed_network", &E::exposed_network, object(exposed_network_table()),
                         "what of it nothing hides"),
                   optional("nearest_runs", &E::nearest, list(object(nearest_row_fields())),
                            "measured runs most like it, nearest first"),
                   optional("explanation", &E::explanation, explained_terms(),
                            "every formula with its numbers")},
        .open = true};
    for (Field<E>& field : fields_of_outlook(&E::outlook)) table.fields.push_back(std::move(field));
    return table;
  }();
  return kTable;
}

}  // namespace planner::commands
