#include "planner/report/json_sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/report/answer_json.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

/// The number that the option reads in the text, where it does.
Json value_json(const std::string& option, const std::string& text) {
  constexpr double kWhole = 9e15;
  const std::optional<double> number = number_in(option, text);
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
    given[key_of(option)] = text.empty() ? Json(true) : value_json(option, text);
  }
  for (const SweepAxis& axis : result.axes) {
    Json& values = parameters[key_of(axis.option)] = Json::array();
    for (const std::string& value : axis.values) values.push_back(value_json(axis.option, value));
  }
  for (const SweepRow& row : result.rows) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const std::string& option = result.axes[i].option;
      json[key_of(option)] = value_json(option, row.values[i]);
    }
    Json answer = figures_json(*row.answer);
    for (const char* shared : {"schema_version", "command"}) answer.erase(shared);
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
