#include "planner/report/charts.hpp"

#include "planner/report/chart_colors.hpp"
#include "planner/report/charts_parts.hpp"
#include "planner/report/sweep_view.hpp"

namespace planner {

Json chart_frame(const std::string& title, const std::string& subtitle) {
  return {
      {"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
      {"title", {{"text", title}, {"subtitle", subtitle}, {"anchor", "start"}}},
      {"description", title + ". " + subtitle + "."},
      {"width", "container"},
      {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
      {"background", "transparent"},
      {"padding", 4},
      {"config",
       {{"font", "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"},
        {"view", {{"stroke", nullptr}}},
        {"axis",
         {{"labelFontSize", 12},
          {"titleFontSize", 12},
          {"titleFontWeight", "normal"},
          {"labelColor", color::kQuietInk},
          {"titleColor", color::kQuietInk},
          {"domain", false},
          {"ticks", false},
          {"labelPadding", 6},
          {"gridColor", color::kGrid}}},
        {"legend", {{"labelFontSize", 12}, {"labelColor", color::kQuietInk}, {"rowPadding", 4}}}}}};
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
    for (Json& chart : plan_charts(answer)) list.push_back(std::move(chart));
    for (Json chart : {bandwidth_chart(answer), measured_chart(answer)}) {
      if (!chart.is_null()) list.push_back(std::move(chart));
    }
    add_expected(one_series(answer), list);
    return list;
  }
  const std::vector<std::string> names = short_names(clusters);
  for (Json& chart : cluster_charts(clusters, names)) list.push_back(std::move(chart));
  add_expected(series_of(clusters, names), list);
  return list;
}

}  // namespace planner
