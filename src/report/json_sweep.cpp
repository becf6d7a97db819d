#include "planner/report/json_sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/report/answer_json.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

/// A number where the text is one, with or without a suffix: "16K" is 16000.
Json value_json(const std::string& text) {
  constexpr double kLargest = 1e18, kWhole = 9e15;
  if (text == "0") return 0;
  const std::optional<double> number = parse_positive(text, kLargest).value;
  if (!number) return text;
  const auto whole = static_cast<std::int64_t>(std::min(*number, kWhole));
  return static_cast<double>(whole) == *number ? Json(whole) : Json(*number);
}

std::string key_of(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

}  // namespace

Json to_json(const SweepResult& result) {
  Json given = Json::object(), parameters = Json::object(), rows = Json::array();
  for (const auto& [option, text] : result.given) {
    given[key_of(option)] = text.empty() ? Json(true) : value_json(text);
  }
  for (const SweepAxis& axis : result.axes) {
    Json& values = parameters[key_of(axis.option)] = Json::array();
    for (const std::string& value : axis.values) values.push_back(value_json(value));
  }
  for (const SweepRow& row : result.rows) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      json[key_of(result.axes[i].option)] = value_json(row.values[i]);
    }
    Json answer = answer_json(*row.answer);
    for (const char* shared : {"schema_version", "command", "charts"}) answer.erase(shared);
    json.update(answer);
    rows.push_back(std::move(json));
  }
  return {{"command", name_of(result.command)},
          {"arguments", result.arguments},
          {"given", std::move(given)},
          {"parameters", std::move(parameters)},
          {"rows", std::move(rows)}};
}

}  // namespace planner
