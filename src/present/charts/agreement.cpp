#include <fmt/format.h>

#include <algorithm>

#include "planner/present/charts/charts.hpp"
#include "planner/present/charts/colors.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

/// Both axes alike, so that a prediction that holds lies on the diagonal.
std::pair<double, double> common_range(const std::vector<AgreementPoint>& points) {
  double low = points.front().measured, high = low;
  for (const AgreementPoint& point : points) {
    low = std::min({low, point.measured, point.predicted});
    high = std::max({high, point.measured, point.predicted});
  }
  constexpr double kRoom = 1.2;
  return {low / kRoom, high * kRoom};
}

Json layer(Json data, Json mark, const Json& x, const Json& y) {
  return {{"data", {{"values", std::move(data)}}},
          {"mark", std::move(mark)},
          {"encoding", {{"x", x}, {"y", y}}}};
}

}  // namespace

std::optional<Chart> predicted_against_measured(std::vector<AgreementPoint> points,
                                                const std::string& quantity,
                                                const std::string& unit, double median) {
  std::erase_if(points, [](const AgreementPoint& point) {
    return !(point.measured > 0 && point.predicted > 0);
  });
  if (points.empty()) return std::nullopt;
  const auto [low, high] = common_range(points);
  const std::string title =
      fmt::format("Half of the {} predictions are within {:.1f} % of what was measured",
                  grouped(std::ssize(points)), 100 * median);
  const auto axis = [&, range = Json::array({low, high})](const char* field) {
    return Json{{"field", field},
                {"type", "quantitative"},
                {"scale", {{"type", "log"}, {"domain", range}, {"nice", false}}},
                {"axis",
                 {{"title", fmt::format("{} ({})", field, unit)},
                  {"format", "~r"},
                  {"labelOverlap", true}}}};
  };
  const Json x = axis("measured"), y = axis("predicted");
  Json rows = Json::array();
  for (const AgreementPoint& point : points) {
    rows.push_back({{"row", point.name},
                    {"measured", point.measured},
                    {"predicted", point.predicted},
                    {"error", fmt::format("{:+.1f} %", 100 * point.error)}});
  }
  const Json ends = Json::array(
      {{{"measured", low}, {"predicted", low}}, {{"measured", high}, {"predicted", high}}});
  Json dots = layer(std::move(rows),
                    {{"type", "point"},
                     {"filled", true},
                     {"size", 30},
                     {"opacity", 0.5},
                     {"color", color::of(Shade::blue)}},
                    x, y);
  Json& tip = dots["encoding"]["tooltip"];
  for (const auto& [field, type] :
       {std::pair{"row", "nominal"}, std::pair{"measured", "quantitative"},
        std::pair{"predicted", "quantitative"}, std::pair{"error", "nominal"}}) {
    tip.push_back({{"field", field}, {"type", type}});
  }
  Json spec = chart_frame(
      title, "The " + quantity + " of each row; on the line, prediction and measurement agree");
  spec["height"] = 400;
  spec["layer"] = {
      layer(ends, {{"type", "line"}, {"color", color::kQuietInk}, {"strokeWidth", 1}}, x, y),
      std::move(dots)};
  return drawn("predicted_against_measured", title, std::move(spec));
}

}  // namespace planner::present
