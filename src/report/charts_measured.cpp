#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/present/text.hpp"
#include "planner/report/charts_parts.hpp"

// `validate measured`: predictions beside measurements.
namespace planner {

namespace {

Json rows_of(const Json& answer) {
  Json rows = Json::array();
  const Json& all = at(answer, {"result", "rows"});
  for (const Json& row : all.is_array() ? all : Json::array()) {
    const auto measured = number(row, {"measured"}), predicted = number(row, {"predicted"});
    if (!measured || !predicted || *measured <= 0 || *predicted <= 0) continue;
    rows.push_back({{"row", text(row, {"id"})},
                    {"measured", *measured},
                    {"predicted", *predicted},
                    {"error", fmt::format("{:+.1f} %", number(row, {"error_pct"}).value_or(0))}});
  }
  return rows;
}

/// Both axes alike, so that a prediction that holds lies on the diagonal.
std::pair<double, double> common_range(const Json& rows) {
  double low = rows.front()["measured"].get<double>(), high = low;
  for (const Json& row : rows) {
    for (const char* field : {"measured", "predicted"}) {
      low = std::min(low, row[field].get<double>());
      high = std::max(high, row[field].get<double>());
    }
  }
  constexpr double kRoom = 1.2;
  return {low / kRoom, high * kRoom};
}

}  // namespace

Json measured_chart(const Json& answer) {
  const Json rows = rows_of(answer);
  if (rows.empty()) return nullptr;
  const auto [low, high] = common_range(rows);
  const std::string unit = text(answer, {"result", "unit"});
  const std::string title =
      fmt::format("Half of the {} predictions are within {:.1f} % of what was measured",
                  grouped(std::ssize(rows)),
                  number(answer, {"result", "total", "median_abs_pct"}).value_or(NAN));
  const auto axis = [&, range = Json::array({low, high})](const char* field) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"scale", {{"type", "log"}, {"domain", range}, {"nice", false}}},
                {"axis",
                 {{"title", fmt::format("{} ({})", field, unit)},
                  {"format", "~r"},
                  {"labelOverlap", true}}}};
  };
  Json spec = chart_frame(title, "The " + text(answer, {"result", "quantity"}) +
                                     " of each row; on the line, prediction and measurement agree");
  spec["height"] = 400;
  Json tip = Json::array();
  for (const char* field : {"row", "measured", "predicted", "error"}) {
    const bool words = field == std::string_view{"row"} || field == std::string_view{"error"};
    tip.push_back({{"field", field}, {"type", words ? "nominal" : "quantitative"}});
  }
  const Json ends = Json::array(
      {{{"measured", low}, {"predicted", low}}, {{"measured", high}, {"predicted", high}}});
  spec["layer"] = {
      {{"data", {{"values", ends}}},
       {"mark", {{"type", "line"}, {"color", color::kQuietInk}, {"strokeWidth", 1}}},
       {"encoding", {{"x", axis("measured")}, {"y", axis("predicted")}}}},
      {{"data", {{"values", rows}}},
       {"mark",
        {{"type", "point"},
         {"filled", true},
         {"size", 30},
         {"opacity", 0.5},
         {"color", color::of(Shade::blue)}}},
       {"encoding", {{"x", axis("measured")}, {"y", axis("predicted")}, {"tooltip", tip}}}}};
  return {{"name", "predicted_against_measured"}, {"title", title}, {"spec", spec}};
}

}  // namespace planner
