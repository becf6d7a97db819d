#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/present/charts/charts.hpp"
#include "planner/present/charts/colors.hpp"

namespace planner::present {

namespace {

/// Points so near each other that their names share one label, as parts of the axes.
constexpr double kNearTime = 0.2, kNearCost = 0.07;

struct Range {
  double low = 0, high = 1;
  [[nodiscard]] double size() const { return high - low; }
};

/// Room for labels around the points; 5 % of the value where all are the same.
Range time_range(const std::vector<Point>& points) {
  const auto [first, last] = std::minmax_element(
      points.begin(), points.end(), [](const Point& a, const Point& b) { return a.time < b.time; });
  const double room = std::max(0.15 * (last->time - first->time), 0.05 * last->time);
  return {first->time - room, last->time + room};
}

Range cost_range(const std::vector<Point>& points) {
  double largest = 0;
  for (const Point& point : points) largest = std::max(largest, point.cost);
  return {0, largest > 0 ? 1.15 * largest : 1};
}

/// Where a label next to a point at `cost` stands so that it is not on the line of another one:
/// towards the middle of the chart, a line further for each.
double free_line(double cost, const Range& costs, const Json& placed) {
  const double line = (cost > costs.size() / 2 ? -1 : 1) * kNearCost * costs.size();
  const auto is_taken = [&](double at) {
    return std::any_of(placed.begin(), placed.end(), [&](const Json& other) {
      return std::abs(other["cost"].get<double>() - at) < 0.99 * std::abs(line);
    });
  };
  while (is_taken(cost)) cost += line;
  return cost;
}

/// One label for points that lie on each other, one line per name.
Json labels(const std::vector<Point>& points, const Range& times, const Range& costs) {
  Json rows = Json::array();
  std::vector<bool> taken(points.size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (taken[i]) continue;
    Json names = Json::array();
    for (std::size_t j = i; j < points.size(); ++j) {
      const bool near = std::abs(points[j].time - points[i].time) < kNearTime * times.size() &&
                        std::abs(points[j].cost - points[i].cost) < kNearCost * costs.size();
      if (taken[j] || !near) continue;
      taken[j] = true;
      names.push_back(points[j].at_least ? "at least: " + points[j].name : points[j].name);
    }
    const bool right = points[i].time < times.low + times.size() / 2;
    rows.push_back({{"time", points[i].time},
                    {"cost", free_line(points[i].cost, costs, rows)},
                    {"names", names},
                    {"side", right ? "right" : "left"}});
  }
  return rows;
}

/// The front as steps: from the top down to its fastest point, and on to the right.
Json front_line(const std::vector<Point>& points, const std::vector<bool>& front,
                const Range& times, const Range& costs) {
  std::vector<Point> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (front[i]) best.push_back(points[i]);
  }
  if (best.empty()) return Json::array();
  std::sort(best.begin(), best.end(),
            [](const Point& a, const Point& b) { return a.time < b.time; });
  Json rows = Json::array();
  rows.push_back({{"time", best.front().time}, {"cost", costs.high}});
  for (const Point& point : best) {
    rows.push_back({{"time", point.time}, {"cost", point.cost}});
  }
  rows.push_back({{"time", times.high}, {"cost", best.back().cost}});
  return rows;
}

std::string front_title(const std::vector<Point>& points, const std::vector<bool>& front) {
  const auto count = std::count(front.begin(), front.end(), true);
  if (count == 0) return "The costs are lower bounds, so no front can be drawn";
  if (count == 1) {
    const auto best = std::find(front.begin(), front.end(), true) - front.begin();
    return fmt::format("Nothing is faster or cheaper than {}",
                       points[static_cast<std::size_t>(best)].name);
  }
  return fmt::format("{} of {} clusters are on the front: no other is both cheaper and faster",
                     count, points.size());
}

Json layer(const char* name, Json data, Json mark, const Json& x, const Json& y) {
  return {{"name", name},
          {"data", {{"values", std::move(data)}}},
          {"mark", std::move(mark)},
          {"encoding", {{"x", x}, {"y", y}}}};
}

Json text_layer(const char* name, Json data, const char* side, const char* field, const Json& x,
                const Json& y) {
  const bool right = std::string_view{side} == "right";
  Json made = layer(name, std::move(data),
                    {{"type", "text"},
                     {"align", right ? "left" : "right"},
                     {"baseline", "middle"},
                     {"dx", right ? 10 : -10},
                     {"fontSize", 13},
                     {"lineHeight", 16},
                     {"limit", {{"expr", "width * 0.75"}}},
                     {"color", color::kInk}},
                    x, y);
  made["encoding"]["text"] = {{"field", field}, {"type", "nominal"}};
  return made;
}

}  // namespace

std::vector<bool> on_front(const std::vector<Point>& points) {
  std::vector<bool> front(points.size(), false);
  const bool unknown =
      std::any_of(points.begin(), points.end(), [](const Point& p) { return p.at_least; });
  if (unknown) return front;
  // A thousandth either way is the same: the model is not that exact.
  const auto beats = [](const Point& a, const Point& b) {
    const bool no_worse = a.time <= b.time * 1.001 && a.cost <= b.cost * 1.001;
    const bool better = a.time < b.time * 0.999 || a.cost < b.cost * 0.999;
    return no_worse && better;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    front[i] = std::none_of(points.begin(), points.end(),
                            [&](const Point& other) { return beats(other, points[i]); });
  }
  return front;
}

Chart cost_against_time(const std::vector<Point>& points, const std::string& what,
                        Measured quantity) {
  const Range times = time_range(points), costs = cost_range(points);
  const std::vector<bool> front = on_front(points);
  const std::string title = front_title(points, front);
  Json x{{"field", "time"},
         {"type", "quantitative"},
         {"scale", {{"domain", {times.low, times.high}}, {"nice", false}, {"zero", false}}},
         {"axis",
          {{"title", "seconds per iteration"},
           {"tickCount", {{"expr", "max(2, floor(width / 110))"}}}}}};
  Json y{{"field", "cost"},
         {"type", "quantitative"},
         {"scale", {{"domain", {0, costs.high}}, {"nice", false}}},
         {"axis",
          {{"title", nullptr},
           {"tickCount", 5},
           {"labelExpr", tick_label(axis_unit(quantity, costs.high))}}}};
  Json best = Json::array(), beaten = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) {
    (front[i] ? best : beaten)
        .push_back({{"cluster", points[i].name},
                    {"time", points[i].time},
                    {"cost", points[i].cost},
                    {"at_least", points[i].at_least}});
  }
  Json left = Json::array(), right = Json::array();
  for (const Json& label : labels(points, times, costs)) {
    (label["side"] == "right" ? right : left).push_back(label);
  }
  const Json line = front_line(points, front, times, costs);
  Json end = Json::array();
  if (!line.empty()) end.push_back({{"time", times.high}, {"cost", line.back()["cost"]}});
  for (Json& row : end) row["text"] = "Pareto front";
  Json end_label = text_layer("front_label", end, "left", "text", x, y);
  end_label["mark"].update({{"dx", -4}, {"dy", 10}, {"color", color::kQuietInk}, {"fontSize", 12}});

  Json spec = chart_frame(title, fmt::format("{} against iteration time: lower left is better. "
                                             "The time axis does not start at zero.",
                                             what));
  spec["height"] = 320;
  const Json dot{{"type", "point"}, {"size", 110}, {"strokeWidth", 2}};
  Json full = dot, hollow = dot;
  full.update({{"filled", true}, {"opacity", 1}, {"color", color::kInk}});
  hollow.update({{"filled", false}, {"opacity", 1}, {"color", color::kQuietInk}});
  spec["layer"] = {layer("front", line,
                         {{"type", "line"},
                          {"interpolate", "step-after"},
                          {"strokeDash", {5, 4}},
                          {"strokeWidth", 1.5},
                          {"color", color::kQuietInk}},
                         x, y),
                   end_label,
                   layer("beaten", beaten, hollow, x, y),
                   layer("best", best, full, x, y),
                   text_layer("point_label", right, "right", "names", x, y),
                   text_layer("point_label_left", left, "left", "names", x, y)};
  return drawn("cost_against_time", title, std::move(spec));
}

}  // namespace planner::present
