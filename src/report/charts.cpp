#include "planner/report/charts.hpp"

#include "planner/report/charts_parts.hpp"
#include "planner/report/sweep_view.hpp"

namespace planner {

Bar bar_of(const std::string& name, const Json& parts, const std::vector<Category>& categories) {
  Bar bar{.name = name, .values = {}};
  for (const Category& category : categories) {
    bar.values.push_back(number(parts, {category.key}).value_or(0));
  }
  return bar;
}

Json json_of(const present::Chart& chart) {
  return {{"name", chart.name}, {"title", chart.title}, {"spec", *chart.spec}};
}

namespace {

/// The runs of an answer that is not about clusters.
std::vector<ExpectedSeries> one_series(const Json& answer) {
  const Json& result = at(answer, {"result"});
  const std::string command = text(answer, {"command"});
  if (command == "reliability" || command == "routing") return {{"", {{command, result}}}};
  const Json& expected = at(result, {"expected"});
  return expected.is_object() ? std::vector<ExpectedSeries>{{"", expected}}
                              : std::vector<ExpectedSeries>{};
}

std::vector<ExpectedSeries> series_of(const std::vector<Json>& clusters,
                                      const std::vector<std::string>& names) {
  std::vector<ExpectedSeries> series;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const Json& expected = at(clusters[i], {"expected"});
    if (expected.is_object()) series.push_back({clusters.size() > 1 ? names[i] : "", expected});
  }
  return series;
}

void add_expected(const std::vector<ExpectedSeries>& series, Json& list) {
  if (series.empty()) return;
  for (Json& chart : expected_charts(series)) list.push_back(std::move(chart));
  if (Json chart = link_load_chart(series); !chart.is_null()) list.push_back(std::move(chart));
}

}  // namespace

Json charts(const Json& answer) {
  if (text(answer, {"command"}) == "sweep") return sweep_charts(answer);
  const std::vector<Json> clusters = clusters_of(answer);
  Json list = Json::array();
  if (clusters.empty()) {
    add_expected(one_series(answer), list);
    return list;
  }
  const std::vector<std::string> names = short_names(clusters);
  for (Json& chart : cluster_charts(clusters, names)) list.push_back(std::move(chart));
  add_expected(series_of(clusters, names), list);
  return list;
}

}  // namespace planner
