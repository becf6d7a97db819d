#include "planner/api/measured.hpp"

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

}  // namespace planner
