#include <nlohmann/json.hpp>

#include "planner/catalog/tables/calibration.hpp"
#include "planner/commands/calibrate/calibrate.hpp"
#include "planner/commands/parts/error_summary.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using A = CalibrateAnswer;

const FieldTable<FittedRows>& fitted_fields() {
  using F = FittedRows;
  static const FieldTable<F> kTable{
      .type = "fitted",
      .doc = "rows that were fitted",
      .fields = {required("rows", &F::rows, whole(), "rows"),
                 required("sources", &F::sources, whole(), "that they come from"),
                 required("fitted", &F::errors, object(error_summary_fields()),
                          "errors of the new constants on them")},
      .open = true};
  return kTable;
}

const FieldTable<A>& interval_fields() {
  static const FieldTable<A> kTable{
      .type = "intervals",
      .doc =
          "share of rows that 80 % intervals hold, each held against a source that it was not "
          "taken from; null: those that the fit started from stay",
      .fields = {required("dense", &A::held_dense, or_null(percent()), "of dense models"),
                 required("mixtures_of_experts", &A::held_moe, or_null(percent()),
                          "of mixtures of experts")},
      .open = true};
  return kTable;
}

const FieldTable<NewConstant>& constant_fields() {
  using C = NewConstant;
  static const FieldTable<C> kTable{
      .type = "new constant",
      .doc = "a constant that measurements speak of",
      .fields = {naming(required("name", &C::name, any_text(), "as in the calibration")),
                 required("before", &C::before, figure(), "what the fit started from"),
                 required("measured", &C::measured, boolean(), "by itself, or fitted")},
      .open = true};
  return kTable;
}

const FieldTable<OwnRuns>& own_runs_fields() {
  using O = OwnRuns;
  static const FieldTable<O> kTable{
      .type = "own runs",
      .doc = "runs of one's own on an accelerator by a software class",
      .fields = {required("accelerator", &O::accelerator, any_text(), "name in the catalog"),
                 required("software", &O::stack, json::choice(kSoftwareClasses), "that trained"),
                 required("mixture_of_experts", &O::mixture_of_experts, boolean(), "or dense"),
                 when([](const O& o) { return o.mixture_of_experts; },
                      optional("parameters", &O::parameters, figure(), "of that model")),
                 required("rows", &O::rows, whole(), "measured runs"),
                 required("factor", &O::factor, figure(), "of predicted times"),
                 required("low", &O::low, figure(), "of ln(measured/predicted), 80 %"),
                 required("high", &O::high, figure(), "of ln(measured/predicted), 80 %")},
      .open = true};
  return kTable;
}

const FieldTable<OwnFit>& own_fields() {
  using F = OwnFit;
  static const FieldTable<F> kTable = [] {
    FieldTable<F> table{
        .type = "own fit", .doc = "what one's own runs changed", .fields = {}, .open = true};
    for (const Field<OwnRuns>& field : own_runs_fields().fields) {
      table.fields.push_back(lifted<F, OwnRuns>(
          [](auto& fit) -> auto& { return fit.runs; }, field));
    }
    for (Field<F>& field : std::vector<Field<F>>{
             required("low_before", &F::low_before, figure(), "without them; 0 and 0: none"),
             required("high_before", &F::high_before, figure(), "without them; 0 and 0: none"),
             required("before", &F::before, object(error_summary_fields()),
                      "errors on these runs without them"),
             required("after", &F::after, object(error_summary_fields()), "with them")}) {
      table.fields.push_back(std::move(field));
    }
    return table;
  }();
  return kTable;
}

const FieldTable<A>& result_fields() {
  static const FieldTable<A> kTable{
      .type = "calibrate",
      .doc = "a new calibration, and what it was made from",
      .fields = {required("data", &A::data, json::list(any_text()),
                          "files by option; none: the rows that we ship"),
                 required("expected", &A::expected, any_text(), "what the fit started from"),
                 required("time", &A::time, object(fitted_fields()), "of iterations"),
                 required("memory", &A::memory, object(fitted_fields()), "peak memory"),
                 group("intervals_hold_pct", interval_fields(), "what its intervals hold"),
                 optional("own_runs", &A::own, json::list(object(own_fields())),
                          "of one or two sources: constants stay, these are corrected"),
                 required("calibration", &A::calibration,
                          defined("calibration", object(catalog::calibration_table())),
                          "as a file of the catalog"),
                 optional("new_constants", &A::constants, json::list(object(constant_fields())),
                          "that are not as before")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<A>& calibrate_fields() {
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of calibrate",
      .fields = {group("result", result_fields(), "the new calibration")},
      .open = true};
  return kTable;
}

std::string calibration_file(const A& answer) {
  return catalog::to_json(answer.calibration).dump(2) + "\n";
}

}  // namespace planner::commands
