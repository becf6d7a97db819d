#include <fmt/format.h>

#include <memory>

#include "planner/commands/validate/validate.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/workload.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/text.hpp"

// `validate nearest`: the runs that somebody measured beside what is to be trained.
namespace planner::commands {

NearestAnswer nearest_to(const ValidateRequest& request, Context& context) {
  if (!request.model || !request.gpus) {
    usage_error("validate nearest needs --model and --gpus",
                "planner validate nearest --model llama3.1-405b --gpus 16384");
  }
  if (request.leave_out || request.peak_memory) {
    usage_error("validate nearest takes neither --leave-out nor --peak-memory");
  }
  const FitChoice& fit = request.fit;
  const auto rows = fit.data ? context.catalog.load_measured(*fit.data)
                             : context.catalog.load_shipped_measured("runs");
  const auto constants = std::make_shared<const Calibration>(
      context.catalog.load_calibration(fit.calibration.value_or(kShippedCalibration)));
  job::WorkloadParts parts{.model = context.catalog.load_model(*request.model).spec,
                           .system = machine_of(request.machine, context.catalog),
                           .gpus = *request.gpus,
                           .run = {.sequence = request.sequence, .precision = request.precision},
                           .timing = constants};
  // Any batch is as near as another.
  if (!parts.model.reference_run) {
    parts.run.global_batch = 1;
    if (!parts.run.sequence) usage_error("--seq is missing: the model has no reference run");
  }
  std::vector<std::string> warnings;  // of a plan that nobody asked for
  const Workload workload = job::workload_of(std::move(parts), warnings);
  NearestAnswer answer{.calibration = constants->name,
                       .model = workload.model.title,
                       .gpu = workload.system.accelerator.title,
                       .gpus = workload.gpus};
  answer.rows = nearest_rows(rows, workload, request.top.value_or(kNearest));
  return answer;
}

const json::FieldTable<NearestAnswer>& nearest_fields() {
  using namespace json;
  using A = NearestAnswer;
  static const json::FieldTable<A> kTable{
      .type = "nearest",
      .doc = "measured runs most like what is to be trained",
      .fields = {required("calibration", &A::calibration, any_text(), "constants of ours"),
                 required("model", &A::model, any_text(), "in question"),
                 required("gpu", &A::gpu, any_text(), "in question"),
                 required("gpus", &A::gpus, whole(), "in question"),
                 required("nearest", &A::rows, list(object(nearest_row_fields())),
                          "nearest first")},
      .open = true};
  return kTable;
}

present::Document nearest_view(const NearestAnswer& answer) {
  present::Document document{.title = fmt::format("Measured runs like {} on {} {}", answer.model,
                                                  grouped(answer.gpus), answer.gpu),
                             .kicker = "Validation"};
  add_nearest(answer.rows, document);
  return document;
}

}  // namespace planner::commands
