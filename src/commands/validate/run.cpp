#include <fmt/format.h>

#include <memory>

#include "planner/commands/validate/validate.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

MeasuredAnswer measured_runs(const ValidateRequest& request, Context& context) {
  const Validated what = request.peak_memory ? Validated::memory : Validated::time;
  const FitChoice& fit = request.fit;
  const std::vector<MeasuredRow> rows =
      fit.data ? context.catalog.load_measured(*fit.data)
               : context.catalog.load_shipped_measured(request.peak_memory ? "memory" : "runs");
  MeasuredAnswer answer{.data = fit.data, .leave_out = request.leave_out};
  if (!request.leave_out) {
    const auto constants = std::make_shared<const Calibration>(
        context.catalog.load_calibration(fit.calibration.value_or(kShippedCalibration)));
    answer.calibration = constants->name;
    answer.validation = validate_measured(rows, what, constants);
    return answer;
  }
  if (fit.calibration) {
    usage_error("--leave-out and --calibration do not go together",
                "--leave-out fits constants of its own, from the priors");
  }
  answer.calibration = prior_calibration().name;
  answer.validation = validate_kept_out(rows, what, *request.leave_out, fit_settings(fit, context));
  need_all_of_it(context);
  return answer;
}

std::vector<OptionOf<ValidateRequest>> options() {
  using R = ValidateRequest;
  constexpr const char *kMeasured = "Measured runs", *kNearestRuns = "The nearest measured runs";
  return joined<R>(
      {in(&R::fit, fit_options()),
       {turn_on({"peak-memory", "", "memory instead of time", kMeasured}, &R::peak_memory),
        choice({"leave-out", "WHAT", "{}: predict rows by fits without them", kMeasured},
               &R::leave_out, kLeaveOuts)},
       {text({"model", "NAME|FILE", "whose like to look for", kNearestRuns}, &R::model),
        integer({"gpus", "N", "on so many", kNearestRuns}, &R::gpus, 1, kMostGpus),
        integer({"seq", "N", "tokens per sequence (default: reference run)", kNearestRuns},
                &R::sequence, 1, kMostSequences),
        choice({"precision", "NAME", "{} (bf16)", kNearestRuns}, &R::precision, kPrecisions),
        integer({"top", "K", fmt::format("how many runs ({})", kNearest), kNearestRuns}, &R::top, 1,
                1000)},
       in(&R::machine, system_options())});
}

}  // namespace

ValidateAnswer held_to(published::Checks rows, Context& context) {
  for (const published::Check& row : rows) {
    if (!row.missed()) continue;
    context.fail(ExitCode::bug,
                 {.code = "not-reproduced",
                  .message = fmt::format("{}, {}: {} is published, ours is {:.6g}{}", row.source,
                                         row.quantity, row.published, row.ours,
                                         row.unit.empty() ? "" : " " + row.unit),
                  .hint = "a defect of this program, or of the catalog it reads"});
  }
  return {PublishedAnswer{std::move(rows)}};
}

ValidateAnswer validate_all(const ValidateRequest& request, Context& context) {
  if (request.what == std::vector<std::string>{"measured"}) {
    return {measured_runs(request, context)};
  }
  if (request.what == std::vector<std::string>{"nearest"}) {
    return {nearest_to(request, context)};
  }
  if (request.what != std::vector<std::string>{"published"}) {
    usage_error("validate takes one argument: measured, nearest or published");
  }
  if (request.fit.data || request.fit.calibration || request.peak_memory || request.leave_out) {
    usage_error(
        "--data, --calibration, --peak-memory and --leave-out are options of validate measured");
  }
  return held_to(published::all(context.catalog), context);
}

Command validate() {
  return erased(CommandOf<ValidateRequest, ValidateAnswer>{
      .name = "validate",
      .summary = "predictions beside measurements; exit 1 on a miss",
      .arguments = "measured|nearest|published",
      .words =
          [] {
            return std::vector<std::string>{"measured", "nearest", "published"};
          },
      .options = options(),
      .positional = &ValidateRequest::what,
      .run = validate_all,
      .fields = validate_fields,
      .view = validate_view});
}

}  // namespace planner::commands
