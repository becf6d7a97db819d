#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/present/charts/colors.hpp"
#include "planner/present/document.hpp"

// Vega-Lite charts with their data inside, of typed figures.
// Blue is computing, orange moves data between GPUs, grey is the rest: in every stacked bar.
namespace planner::present {

using Json = nlohmann::ordered_json;

/// What all charts share: schema, size, fonts.
Json chart_frame(const std::string& title, const std::string& subtitle);
/// A chart of its specification.
Chart drawn(std::string name, std::string title, Json spec);
/// [{"name","title","spec"}] of all charts of a document.
Json charts_of(const Document& document);

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

enum class Measured { money, relative_money, power, time, days, memory, share };

/// How the numbers of a chart read. Those of money are in the currency that is shown.
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
  Measured quantity = Measured::money;
  std::string bar_is = "cluster";  ///< what each of the bars is
  double limit = 0;                ///< marked with a line; 0: none
};

/// The categories of a bill of materials, of an iteration's time and of a GPU's memory, by their
/// keys in JSON.
const std::vector<Category>& part_categories();
const std::vector<Category>& time_terms();
const std::vector<Category>& memory_categories();

/// Of the longest bar.
double largest_total(const std::vector<Bar>& bars);
/// Whether some of any bar is not known.
bool any_at_least(const std::vector<Bar>& bars);
/// "compute: 84 %", the largest category over all bars.
std::string largest_share(const std::vector<Bar>& bars, const std::vector<Category>& categories);

/// Stacked horizontal bars.
Chart stacked_bars(const BarChart& chart);
/// The one of iterations, by the terms of their time.
Chart time_by_term(const std::string& title, std::vector<Bar> bars, const std::string& bar_is);

/// From one end to the other.
struct RangeBar {
  std::string name;
  double low = 0, high = 0;
};
struct RangeChart {
  std::string name, title, subtitle;
  std::vector<RangeBar> bars;
  double middle = 0;  ///< marked with a line through all bars
  Measured quantity = Measured::money;
};
/// Horizontal bars between two ends, each end with its amount: a tornado.
Chart range_bars(const RangeChart& chart);

struct Point {
  std::string name;
  double time = 0, cost = 0;  ///< seconds, money
  bool at_least = false;      ///< the cost is a lower bound
};

/// Which points no other beats in both cost and time; none while a cost is a lower bound.
std::vector<bool> on_front(const std::vector<Point>& points);

/// Cost against time, with the Pareto front.
Chart cost_against_time(const std::vector<Point>& points, const std::string& what,
                        Measured quantity);

/// A prediction beside its measurement, both in one unit.
struct AgreementPoint {
  std::string name;
  double measured = 0, predicted = 0;
  double error = 0;  ///< predicted/measured - 1
};

/// Predictions against measurements, whose diagonal is agreement; nothing without points above 0.
/// @param median  of the absolute errors
std::optional<Chart> predicted_against_measured(std::vector<AgreementPoint> points,
                                                const std::string& quantity,
                                                const std::string& unit, double median);

}  // namespace planner::present
