#pragma once

#include <variant>

#include "planner/calibration/validation.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/nearest_runs.hpp"
#include "planner/published/published.hpp"

namespace planner::commands {

struct ValidateRequest {
  std::vector<std::string> what;  ///< exactly one: "measured", "nearest" or "published"
  FitChoice fit;
  bool peak_memory = false;
  std::optional<LeaveOut> leave_out;
  // Of "nearest".
  std::optional<std::string> model;
  MachineChoice machine;
  std::optional<std::int64_t> gpus, sequence, top;
  std::optional<Precision> precision;
};
inline constexpr std::int64_t kNearest = 8;

/// Published figures beside ours.
struct PublishedAnswer {
  published::Checks rows;
};

/// Predictions of the calibrated model beside measured runs.
struct MeasuredAnswer {
  std::optional<std::string> data;    ///< file given; none: the rows that we ship
  std::string calibration;            ///< name
  std::optional<LeaveOut> leave_out;  ///< rows were predicted by fits without them
  Validation validation;
};

/// The measured runs most like what is to be trained.
struct NearestAnswer {
  std::string calibration, model, gpu;
  std::int64_t gpus = 0;
  std::vector<NearestRow> rows;
};

struct ValidateAnswer {
  std::variant<PublishedAnswer, MeasuredAnswer, NearestAnswer> result;
};

/// An error with exit code 1 for each published figure that is missed().
ValidateAnswer validate_all(const ValidateRequest& request, Context& context);
/// The rows as an answer, with what is wrong with them.
ValidateAnswer held_to(published::Checks rows, Context& context);
const json::FieldTable<ValidateAnswer>& validate_fields();
present::Document validate_view(const ValidateAnswer& answer);
present::Document measured_view(const MeasuredAnswer& answer);
present::Document published_view(const PublishedAnswer& answer);

/// @throws UsageError without a model and a number of GPUs
NearestAnswer nearest_to(const ValidateRequest& request, Context& context);
const json::FieldTable<NearestAnswer>& nearest_fields();
present::Document nearest_view(const NearestAnswer& answer);

/// `planner validate`: predictions beside measurements.
Command validate();

}  // namespace planner::commands
