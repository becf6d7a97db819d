#include "planner/api/measured.hpp"

#include <fmt/format.h>

#include <memory>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

Validation kept_out(const std::vector<MeasuredRow>& rows, Validated what, LeaveOut leave_out,
                    FitOptions options) {
  const auto expected = std::make_shared<const Calibration>(prior_calibration());
  options.steps = kKeptOutSteps;
  const auto usable = rows_with(rows, what);
  const std::vector<double> kept =
      predicted_kept_out(usable, what, folds_of(usable, leave_out), expected, options);
  std::vector<double> predictions(rows.size());
  for (std::size_t i = 0; i < usable.size(); ++i) {
    predictions[static_cast<std::size_t>(usable[i] - rows.data())] = kept[i];
  }
  Validation result = validate_predictions(rows, what, predictions);
  if (what == Validated::time) {
    const Intervals intervals = kept_out_intervals(residuals_of(usable, kept));
    result.dense_intervals = intervals.dense;
    result.moe_intervals = intervals.moe;
  }
  return result;
}

}  // namespace

FitOptions fit_options(const Request& request, const Control& control) {
  return {.threads = static_cast<std::size_t>(request.threads.value_or(0)),
          .progress = control.fit_progress,
          .stop = control.stop};
}

Response validate_measured_runs(const Request& request, const catalog::Catalog& catalog,
                                const Control& control) {
  const Validated what = request.peak_memory ? Validated::memory : Validated::time;
  const std::vector<MeasuredRow> rows =
      request.data ? catalog.load_measured(*request.data)
                   : catalog.load_shipped_measured(request.peak_memory ? "memory" : "runs");
  MeasuredResult result{.data = request.data, .leave_out = request.leave_out};
  if (request.leave_out) {
    if (request.calibration) {
      usage_error("--leave-out and --calibration do not go together",
                  "--leave-out fits constants of its own, from the priors");
    }
    result.calibration = prior_calibration().name;
    result.validation = kept_out(rows, what, *request.leave_out, fit_options(request, control));
    if (control.stop != nullptr && control.stop->load()) throw Interrupted();
  } else {
    const auto constants = std::make_shared<const Calibration>(catalog.load_calibration(
        request.calibration.value_or(std::string{defaults::kCalibration})));
    result.calibration = constants->name;
    result.validation = validate_measured(rows, what, constants);
  }
  return {.command = Command::validate, .result = std::move(result)};
}

Response validated(published::Checks rows) {
  Response response{.command = Command::validate};
  for (const published::Check& row : rows) {
    if (!row.missed()) continue;
    response.exit_code = ExitCode::bug;
    response.errors.push_back(
        {.code = "not-reproduced",
         .message =
             fmt::format("{}, {}: {} is published, ours is {:.6g}{}", row.source, row.quantity,
                         row.published, row.ours, row.unit.empty() ? "" : " " + row.unit),
         .hint = "a defect of this program, or of the catalog it reads"});
  }
  response.result = ValidateResult{std::move(rows)};
  return response;
}

Response validate(const Request& request, const catalog::Catalog& catalog, const Control& control) {
  if (request.arguments == std::vector<std::string>{"measured"}) {
    return validate_measured_runs(request, catalog, control);
  }
  if (request.arguments != std::vector<std::string>{"published"}) {
    usage_error("validate takes one argument: measured or published");
  }
  if (request.data || request.calibration || request.peak_memory || request.leave_out) {
    usage_error(
        "--data, --calibration, --peak-memory and --leave-out are options of validate measured");
  }
  return validated(published::all(catalog));
}

}  // namespace planner
