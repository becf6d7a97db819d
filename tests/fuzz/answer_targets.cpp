#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/targets.hpp"
#include "planner/api/json_request.hpp"
#include "planner/api/saved_answer.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/planner.h"
#include "planner/report/format.hpp"

namespace planner::fuzz {

namespace {

/// Measured rows, predicted as `validate measured` and `calibrate` do.
void predicted_rows(std::string_view text) {
  static const auto kConstants =
      std::make_shared<const Calibration>(catalog().load_calibration("default"));
  const std::vector<MeasuredRow> rows = read_measured_rows(text);
  for (const Validated what : {Validated::time, Validated::memory}) {
    validate_measured(rows, what, kConstants);
  }
}

/// A saved answer is read, then shown in every format that needs no temporary file.
void saved_answer(std::string_view text) {
  const auto answer = parse_answer(text, "fuzz");
  for (const Format format : {Format::csv, Format::markdown, Format::html}) {
    try {
      render(answer, format);
    } catch (const InputError&) {
    }
  }
}

void request(std::string_view text) {
  read_json_request(text);
}

/// Through the C interface. Not what takes seconds by its nature: fits, and all measured runs.
void call(std::string_view text) {
  const Request asked = read_json_request(text).request;
  const bool swept = asked.command == Command::sweep && !asked.arguments.empty();
  const auto slow = [](std::string_view name) { return name == "calibrate" || name == "validate"; };
  if (asked.command == Command::calibrate || asked.command == Command::validate ||
      (swept && slow(asked.arguments.front()))) {
    return;
  }
  char* const answer = planner_call(std::string(text).c_str());
  const auto json = nlohmann::ordered_json::parse(answer);
  planner_free(answer);
  if (json.contains("errors") && json["errors"][0]["code"] == "bug") {
    throw std::logic_error(json["errors"][0]["message"].get<std::string>());
  }
}

const Targets kTargets({
    {"predicted_rows", predicted_rows},
    {"saved_answer", saved_answer},
    {"request", request},
    {"call", call},
});

}  // namespace

}  // namespace planner::fuzz
