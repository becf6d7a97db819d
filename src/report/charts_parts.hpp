#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/report/answer_view.hpp"
#include "planner/report/chart_colors.hpp"

// What the charts are made of.
namespace planner {

/// What a segment of a bar stands for, always in the same colour.
struct Category {
  std::string key, label;
  std::string color;  ///< on light and dark paper
  std::string ink;    ///< of text on that colour
};
inline Category category(std::string_view key, std::string_view label, Shade shade) {
  const color::Paint paint = color::paint(shade);
  return {std::string{key}, std::string{label}, paint.color, paint.ink};
}

/// One bar of segments, in the order of the categories.
struct Bar {
  std::string name;
  std::vector<double> values;  ///< one per category
  bool at_least = false;       ///< some of it is not known

  [[nodiscard]] double total() const;
};

enum class Measured { dollars, relative_money, power, time, memory, share };

/// How the numbers of a chart read.
struct Unit {
  std::string before, after;  ///< "$" and " M"
  double scale = 1;           ///< of one unit

  [[nodiscard]] std::string format(double value) const;
};

/// The unit for values of this size: "$… M", kW, ms.
Unit unit_of(Measured quantity, double value);
/// The one for an axis up to `largest`, in whole numbers of it.
Unit axis_unit(Measured quantity, double largest);
/// The label of a tick as a Vega expression.
std::string tick_label(const Unit& unit);

struct BarChart {
  std::string name, title, subtitle;
  std::vector<Category> categories;
  std::vector<Bar> bars;
  Measured quantity = Measured::dollars;
  std::string bar_is = "cluster";  ///< what each of the bars is
  double limit = 0;                ///< marked with a line; 0: none
};

/// The categories of a bill of materials, of an iteration's time and of a GPU's memory, named as in
/// the answer.
const std::vector<Category>& part_categories();
const std::vector<Category>& time_terms();
const std::vector<Category>& memory_categories();

/// The bar of the numbers that an answer has under the categories' keys.
Bar bar_of(const std::string& name, const Json& parts, const std::vector<Category>& categories);
/// Of the longest bar.
double largest_total(const std::vector<Bar>& bars);
/// Whether some of any bar is not known.
bool any_at_least(const std::vector<Bar>& bars);
/// "compute: 84 %", the largest category over all bars.
std::string largest_share(const std::vector<Bar>& bars, const std::vector<Category>& categories);

/// {"name","title","spec"} of stacked horizontal bars.
Json stacked_bars(const BarChart& chart);
/// The one of iterations, by the terms of their time.
Json time_by_term(const std::string& title, std::vector<Bar> bars, const std::string& bar_is);

struct Point {
  std::string name;
  double time = 0, cost = 0;  ///< seconds, money
  bool at_least = false;      ///< the cost is a lower bound
};

/// Which points no other beats in both cost and time; none while a cost is a lower bound.
std::vector<bool> on_front(const std::vector<Point>& points);

/// {"name","title","spec"} of cost against time, with the Pareto front.
Json cost_against_time(const std::vector<Point>& points, const std::string& what,
                       Measured quantity);

/// Of `cost` and `compare`: cost, time, both against each other, and power.
std::vector<Json> cluster_charts(const std::vector<Json>& clusters,
                                 const std::vector<std::string>& names);
/// Of `optimize` and `estimate`: time by term and memory by part of the best strategies, and the
/// front of time against memory where it was asked for.
std::vector<Json> plan_charts(const Json& answer);
/// {"name","title","spec"} of a collective's bus bandwidth against its size; null for one size.
Json bandwidth_chart(const Json& answer);
/// {"name","title","spec"} of predictions against measurements; null where there are none.
Json measured_chart(const Json& answer);

/// What is to be expected of a run, as answers have it; null where there is nothing.
struct ExpectedSeries {
  std::string name;  ///< empty: there is one
  Json expected;     ///< "days", "lost_days", "routing", "reliability"

  [[nodiscard]] const Json& routing() const { return at(expected, {"routing"}); }
  [[nodiscard]] const Json& reliability() const { return at(expected, {"reliability"}); }
};

/// Waste by cause, availability against the checkpoint interval, days as a distribution; those that
/// there is something for.
std::vector<Json> expected_charts(const std::vector<ExpectedSeries>& series);
/// {"name","title","spec"} of how links are loaded; null where nothing is routed.
Json link_load_chart(const std::vector<ExpectedSeries>& series);
/// The colour of each of the series, with a legend of such symbols where there are several.
Json series_colors(const std::vector<ExpectedSeries>& series, const char* symbol);

/// What all charts share: schema, size, fonts.
Json chart_frame(const std::string& title, const std::string& subtitle);

}  // namespace planner
