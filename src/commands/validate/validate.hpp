#pragma once

#include <variant>

#include "planner/calibration/validation.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/published/published.hpp"

namespace planner::commands {

struct ValidateRequest {
  std::vector<std::string> what;  ///< exactly one: "measured" or "published"
  FitChoice fit;
  bool peak_memory = false;
  std::optional<LeaveOut> leave_out;
};

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

struct ValidateAnswer {
  std::variant<PublishedAnswer, MeasuredAnswer> result;
};

/// An error with exit code 1 for each published figure that is missed().
ValidateAnswer validate_all(const ValidateRequest& request, Context& context);
/// The rows as an answer, with what is wrong with them.
ValidateAnswer held_to(published::Checks rows, Context& context);
const json::Table<ValidateAnswer>& validate_fields();
present::Document validate_view(const ValidateAnswer& answer);
present::Document measured_view(const MeasuredAnswer& answer);
present::Document published_view(const PublishedAnswer& answer);

/// `planner validate`: predictions beside measurements.
Command validate();

}  // namespace planner::commands
