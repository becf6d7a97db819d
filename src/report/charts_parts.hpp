#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/present/charts/charts.hpp"
#include "planner/report/answer_view.hpp"

// What the charts are made of.
namespace planner {

using present::any_at_least, present::axis_unit, present::Bar, present::BarChart, present::category,
    present::Category, present::chart_frame, present::largest_share, present::largest_total,
    present::Measured, present::memory_categories, present::on_front, present::part_categories,
    present::Point, present::tick_label, present::time_terms, present::Unit, present::unit_of;
namespace color = present::color;

/// The bar of the numbers that an answer has under the categories' keys.
Bar bar_of(const std::string& name, const Json& parts, const std::vector<Category>& categories);
/// {"name","title","spec"}
Json json_of(const present::Chart& chart);

/// Of `cost` and `compare`: cost, time, both against each other, and power.
std::vector<Json> cluster_charts(const std::vector<Json>& clusters,
                                 const std::vector<std::string>& names);

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

}  // namespace planner
