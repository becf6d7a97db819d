
#include "planner/commands/optimize/optimize.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const FieldTable<job::Sensitivity>& sensitivity_table() {
  using S = job::Sensitivity;
  static const FieldTable<S> kTable{
      .type = "sensitivity",
      .doc = "the best time when one resource is larger",
      .fields = {naming(required("resource", &S::resource, any_text(), "\"network bandwidth\"")),
                 shown<S, double>(
                     "larger_by", [](const S&) { return job::kSensitivityStep; }, figure(),
                     "share that is added"),
                 required("iteration_time_s", &S::time, measure(units::second), "searched again"),
                 required("change", &S::change, figure(), "-0.03 is 3 % faster")},
      .open = true};
  return kTable;
}

const FieldTable<GpuCount>& count_table() {
  using C = GpuCount;
  static const FieldTable<C> kTable{
      .type = "gpu_count",
      .doc = "the cheapest strategy of one number of GPUs",
      .fields = {required("gpus", &C::gpus, whole(), "GPUs"),
                 required("iteration_time_s", &C::iteration, or_null(measure(units::second)),
                          "null: none fits"),
                 required("per_iteration_usd", &C::per_iteration, or_null(measure(units::usd)),
                          "null: none fits"),
                 required("per_run_usd", &C::per_run, or_null(measure(units::usd)),
                          "without failures; null: no number of tokens"),
                 optional("expected_per_run_usd", &C::expected_per_run, measure(units::usd),
                          "with its failures and spares, where they count: what the numbers of "
                          "GPUs are ranked by")},
      .open = true};
  return kTable;
}

/// How many strategies there are.
const FieldTable<OptimizeResult>& search_table() {
  using R = OptimizeResult;
  static const FieldTable<R> kTable{
      .type = "search",
      .doc = "how many strategies there are",
      .fields = {required("strategies", &R::strategies, whole(), "legal ones"),
                 required("feasible", &R::feasible, whole(), "those that fit the memory")},
      .open = true};
  return kTable;
}

const FieldTable<OptimizeResult>& result_table() {
  using R = OptimizeResult;
  static const FieldTable<R> kTable = [] {
    FieldTable<R> table{
        .type = "optimize",
        .doc = "the best strategies",
        .fields = {in_place_of_all(
                       required("best", &R::best, object(plan_fields()), "the best strategy")),
                   group("search", search_table(), "how many strategies there are"),
                   required("top", &R::top, list(object(plan_fields())), "best first"),
                   optional("fastest", &R::fastest, object(plan_fields()),
                            "of all that are not refused, however unlikely to fit; calibrated"),
                   optional("fastest_surely_fits", &R::fastest_surely, object(plan_fields()),
                            "of those that fit with a probability of 0.9; calibrated"),
                   required("what_binds", &R::what_binds, list(object(sensitivity_table())),
                            "largest effect first"),
                   optional("gpu_counts", &R::gpu_counts, list(object(count_table())),
                            "to choose from"),
                   optional("pareto", &R::front, list(object(plan_fields())),
                            "time against memory")},
        .open = true};
    for (const Field<PlanExtras>& field : plan_extras_fields().fields) {
      table.fields.push_back(lifted<R, PlanExtras>(
          [](auto& result) -> auto& { return result.extras; }, field));
    }
    return table;
  }();
  return kTable;
}

}  // namespace

const FieldTable<OptimizeAnswer>& optimize_fields() {
  using A = OptimizeAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of optimize",
      .fields = {required("inputs", &A::inputs, object(plan_inputs_fields()), "what it is for"),
                 optional("result", &A::result, object(result_table()), "the best strategies"),
                 optional("emitted", &A::emitted, object(handed_over_fields()),
                          "the plan as settings of a training stack")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
