#include <fmt/format.h>

#include <array>

#include "planner/report/charts_parts.hpp"
#include "planner/report/text.hpp"

// The charts of `planner reliability`.
namespace planner {

namespace {

/// Causes of waste, named as in the answer.
const std::vector<Category>& causes() {
  static const std::vector<Category> kCauses{
      {"lost", "lost work", "#b3500f", "#ffffff"},
      {"checkpoint", "checkpoints", "#ea9a3e", "#1d252c"},
      {"detect", "detection", "#f6cf98", "#1d252c"},
      {"diagnose", "diagnosis", "#7d3a0a", "#ffffff"},
      {"restart", "restart", "#6f7c87", "#ffffff"},
      {"spare_wait", "waiting for a spare", "#a9b4bd", "#1d252c"},
      {"degraded", "slowed or stalled", "#ccd4da", "#1d252c"},
  };
  return kCauses;
}

Json waste_chart(const Json& result) {
  Bar waste{.name = "share of the time"};
  const Category* largest = nullptr;
  double most = 0;
  for (const Category& cause : causes()) {
    const double share = number(result, {"waste", cause.key}).value_or(0);
    waste.values.push_back(share);
    if (share <= most) continue;
    most = share;
    largest = &cause;
  }
  if (largest == nullptr) return nullptr;
  const std::string title = fmt::format("{}: {:.0f} % of the time that is wasted", largest->label,
                                        100 * most / waste.total());
  return stacked_bars({"waste_by_cause",
                       title,
                       "Share of the calendar that does not advance the job",
                       causes(),
                       {waste},
                       Measured::share});
}

/// A line through rows of {x, y}.
Json line_spec(Json spec, Json rows, const Json& x, const Json& y) {
  spec["height"] = 240;
  spec["data"] = {{"values", std::move(rows)}};
  spec["mark"] = {{"type", "line"}, {"color", "#2f74b8"}, {"strokeWidth", 2}, {"point", false}};
  spec["encoding"] = {{"x", x}, {"y", y}};
  return spec;
}

Json quantitative(const char* field, const char* title, const char* format, const Json& scale) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", scale},
          {"axis", {{"title", title}, {"format", format}}}};
}

Json rule_layer(double at, const std::string& label, const char* field) {
  return {
      {"data", {{"values", Json::array({{{field, at}, {"label", label}}})}}},
      {"layer",
       {{{"mark", {{"type", "rule"}, {"color", "#5b6770"}, {"strokeDash", {4, 3}}}},
         {"encoding", {{"x", {{"field", field}, {"type", "quantitative"}}}}}},
        {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}, {"y", 8}, {"color", "#1d252c"}}},
         {"encoding",
          {{"x", {{"field", field}, {"type", "quantitative"}}},
           {"text", {{"field", "label"}, {"type", "nominal"}}}}}}}}};
}

/// The line with dashed rules at points of interest.
Json with_rules(const Json& line, const std::vector<Json>& rules) {
  Json spec = line;
  spec["layer"] = Json::array(
      {{{"data", line["data"]}, {"mark", line["mark"]}, {"encoding", line["encoding"]}}});
  for (const Json& rule : rules) spec["layer"].push_back(rule);
  for (const char* moved : {"data", "mark", "encoding"}) spec.erase(moved);
  return spec;
}

Json interval_chart(const Json& result) {
  const Json& points = at(result, {"availability_by_interval"});
  const auto used = number(result, {"checkpoint_interval_s"});
  const auto availability = number(result, {"availability"});
  if (!points.is_array() || points.empty() || !used || !availability) return nullptr;
  Json rows = Json::array();
  for (const Json& point : points) {
    rows.push_back({{"minutes", number(point, {"interval_s"}).value_or(0) / 60},
                    {"availability", at(point, {"availability"})}});
  }
  const std::string title = fmt::format("A checkpoint every {} keeps {} of the time",
                                        duration(*used * units::second), percent(*availability));
  const Json spec =
      line_spec(chart_frame(title, "Availability against the work between two checkpoints"), rows,
                quantitative("minutes", "minutes between checkpoints", "~s", {{"type", "log"}}),
                quantitative("availability", "availability", "~%", {{"domain", {0, 1}}}));
  return {{"name", "availability_by_interval"},
          {"title", title},
          {"spec", with_rules(spec, {rule_layer(*used / 60, "used", "minutes")})}};
}

Json days_chart(const Json& result) {
  const Json& points = at(result, {"days", "distribution"});
  const auto mean = number(result, {"days", "mean"}), p95 = number(result, {"days", "p95"});
  const auto ideal = number(result, {"days", "ideal"});
  if (!points.is_array() || !mean || !p95 || !ideal) return nullptr;
  const std::string title = fmt::format("{} days on average, {} without failures",
                                        significant(*mean), significant(*ideal));
  const Json spec =
      line_spec(chart_frame(title, "Probability that the run is done by a day"), points,
                quantitative("days", "days", "~r", {{"zero", false}}),
                quantitative("probability", "probability", "~%", {{"domain", {0, 1}}}));
  return {{"name", "days_distribution"},
          {"title", title},
          {"spec", with_rules(spec, {rule_layer(*ideal, "ideal", "days"),
                                     rule_layer(*p95, "95 of 100", "days")})}};
}

}  // namespace

Json reliability_charts(const Json& answer) {
  const Json& result = at(answer, {"result"});
  Json list = Json::array();
  if (!result.is_object()) return list;
  for (Json chart : {waste_chart(result), interval_chart(result), days_chart(result)}) {
    if (!chart.is_null()) list.push_back(std::move(chart));
  }
  return list;
}

}  // namespace planner
