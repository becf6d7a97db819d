#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/targets.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/commands/format.hpp"
#include "planner/commands/request_json.hpp"
#include "planner/planner.h"

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
  const commands::Reply reply = commands::saved_reply(text, "fuzz");
  for (const commands::Format& format : commands::formats()) {
    if (format.is_text) rendered(reply, format);
  }
}

void request(std::string_view text) {
  commands::read_json_request(text);
}

/// Through the C interface. Not what takes seconds by its nature: fits, and all measured runs.
void call(std::string_view text) {
  const commands::Call asked = commands::read_json_request(text).call;
  const auto slow = [](std::string_view name) { return name == "calibrate" || name == "validate"; };
  const bool swept = asked.command == "sweep" && !asked.arguments.empty();
  if (slow(asked.command) || (swept && slow(asked.arguments.front()))) return;
  char* const answer = planner_call(std::string(text).c_str());
  const auto json = nlohmann::ordered_json::parse(answer);
  planner_free(answer);
  if (json.contains("errors") && json["errors"][0]["code"] == "bug") {
    throw std::logic_error(json["errors"][0]["message"].get<std::string>());
  }
}

const Targets kAnswerTargets({
    {"predicted_rows", predicted_rows},
    {"saved_answer", saved_answer},
    {"request", request},
    {"call", call},
});

}  // namespace

}  // namespace planner::fuzz
