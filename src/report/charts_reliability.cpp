#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/present/text.hpp"
#include "planner/report/charts_parts.hpp"
#include "planner/report/lost_causes.hpp"

// What failures and uneven links make of runs: of `planner reliability`, plans and clusters.
namespace planner {

namespace {

/// Shares of the calendar that are lost, by cause; with a run, the network's are among them.
Bar waste_bar(const ExpectedSeries& one) {
  Bar bar{.name = one.name, .values = {}};
  const auto mean = number(one.expected, {"days", "mean"});
  for (const LostCause& cause : kLostCauses) {
    const auto days = number(one.expected, {"lost_days", cause.key});
    bar.values.push_back(days && mean && *mean > 0
                             ? *days / *mean
                             : number(one.reliability(), {"waste", cause.key}).value_or(0));
  }
  return bar;
}

Json waste_chart(const std::vector<ExpectedSeries>& series) {
  std::vector<Bar> all;
  for (const ExpectedSeries& one : series) all.push_back(waste_bar(one));
  std::vector<Category> causes;
  std::vector<Bar> bars;
  for (const Bar& bar : all) bars.push_back({.name = bar.name, .values = {}});
  double total = 0, most = 0;
  std::string largest;
  for (std::size_t i = 0; i < kLostCauses.size(); ++i) {
    const LostCause& cause = kLostCauses[i];
    double sum = 0;
    for (const Bar& bar : all) sum += bar.values[i];
    if (sum <= 0) continue;
    causes.push_back(category(cause.key, cause.words, cause.shade));
    for (std::size_t j = 0; j < all.size(); ++j) bars[j].values.push_back(all[j].values[i]);
    total += sum;
    if (sum > most) largest = cause.words;
    most = std::max(most, sum);
  }
  if (total <= 0) return nullptr;
  const std::string title =
      fmt::format("{}: {:.0f} % of the time that is wasted", largest, 100 * most / total);
  return json_of(present::stacked_bars({"waste_by_cause", title,
                                        "Share of the calendar that does not advance the job",
                                        causes, bars, Measured::share}));
}

/// Lines through rows of {x, y, cluster}, one for each of the series.
Json line_spec(Json spec, Json rows, const std::vector<ExpectedSeries>& series, const Json& x,
               const Json& y) {
  spec["height"] = 240;
  spec["data"] = {{"values", std::move(rows)}};
  spec["mark"] = {{"type", "line"}, {"strokeWidth", 2}, {"point", false}};
  spec["encoding"] = {{"x", x}, {"y", y}, {"color", series_colors(series, "stroke")}};
  return spec;
}

Json quantitative(const char* field, const char* title, const char* format, const Json& scale) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", scale},
          {"axis", {{"title", title}, {"format", format}}}};
}

Json rule_layer(double at, const std::string& label, const char* field) {
  return {{"data", {{"values", Json::array({{{field, at}, {"label", label}}})}}},
          {"layer",
           {{{"mark", {{"type", "rule"}, {"color", color::kQuietInk}, {"strokeDash", {4, 3}}}},
             {"encoding", {{"x", {{"field", field}, {"type", "quantitative"}}}}}},
            {{"mark",
              {{"type", "text"}, {"align", "left"}, {"dx", 4}, {"y", 8}, {"color", color::kInk}}},
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

/// A tick at each power of ten.
Json minutes_axis() {
  Json axis = quantitative("minutes", "minutes between checkpoints", ",~g", {{"type", "log"}});
  axis["axis"]["values"] = {0.01, 0.1, 1, 10, 100, 1000, 10'000, 100'000};
  return axis;
}

Json interval_chart(const std::vector<ExpectedSeries>& series) {
  Json rows = Json::array();
  std::vector<std::string> words;
  std::vector<Json> rules;
  for (const ExpectedSeries& one : series) {
    const Json& points = at(one.reliability(), {"availability_by_interval"});
    const auto used = number(one.reliability(), {"checkpoint_interval_s"});
    const auto availability = number(one.reliability(), {"availability"});
    if (!points.is_array() || points.empty() || !used || !availability) continue;
    for (const Json& point : points) {
      rows.push_back({{"minutes", number(point, {"interval_s"}).value_or(0) / 60},
                      {"availability", at(point, {"availability"})},
                      {"cluster", one.name}});
    }
    words.push_back(fmt::format("{}a checkpoint every {} keeps {} of the time",
                                one.name.empty() ? "" : one.name + ": ",
                                duration(*used * units::second), percent(*availability)));
    rules.push_back(rule_layer(*used / 60, one.name.empty() ? "used" : one.name, "minutes"));
  }
  if (rows.empty()) return nullptr;
  std::string title = fmt::format("{}", fmt::join(words, "; "));
  if (title.front() == 'a') title.front() = 'A';
  const Json spec = line_spec(
      chart_frame(title, "Availability against the work between two checkpoints"), rows, series,
      minutes_axis(), quantitative("availability", "availability", "~%", {{"domain", {0, 1}}}));
  return {{"name", "availability_by_interval"},
          {"title", title},
          {"spec", series.size() == 1 ? with_rules(spec, rules) : spec}};
}

Json days_chart(const std::vector<ExpectedSeries>& series) {
  Json rows = Json::array();
  std::vector<std::string> words;
  std::vector<Json> rules;
  for (const ExpectedSeries& one : series) {
    const Json& points = at(one.reliability(), {"days", "distribution"});
    const auto mean = number(one.reliability(), {"days", "mean"});
    const auto p95 = number(one.reliability(), {"days", "p95"});
    const auto ideal = number(one.reliability(), {"days", "ideal"});
    if (!points.is_array() || !mean || !p95 || !ideal) continue;
    for (Json point : points) {
      point["cluster"] = one.name;
      rows.push_back(std::move(point));
    }
    words.push_back(fmt::format("{}{} days on average, {} without failures",
                                one.name.empty() ? "" : one.name + ": ", significant(*mean),
                                significant(*ideal)));
    rules = {rule_layer(*ideal, "ideal", "days"), rule_layer(*p95, "95 of 100", "days")};
  }
  if (rows.empty()) return nullptr;
  const std::string title = fmt::format("{}", fmt::join(words, "; "));
  const Json spec =
      line_spec(chart_frame(title, "Probability that the run is done by a day"), rows, series,
                quantitative("days", "days", "~r", {{"zero", false}}),
                quantitative("probability", "probability", "~%", {{"domain", {0, 1}}}));
  return {{"name", "days_distribution"},
          {"title", title},
          {"spec", series.size() == 1 ? with_rules(spec, rules) : spec}};
}

}  // namespace

Json series_colors(const std::vector<ExpectedSeries>& series, const char* symbol) {
  static const std::vector<std::string> kColors{
      color::of(Shade::blue),       color::of(Shade::dark_orange), color::of(Shade::grey),
      color::of(Shade::light_blue), color::of(Shade::orange),      color::of(Shade::brown)};
  Json names = Json::array(), colors = Json::array();
  for (std::size_t i = 0; i < series.size(); ++i) {
    names.push_back(series[i].name);
    colors.push_back(kColors[i % kColors.size()]);
  }
  Json legend = nullptr;
  if (series.size() > 1) {
    legend = {{"title", nullptr},      {"orient", "top"},      {"direction", "vertical"},
              {"labelLimit", 320},     {"symbolType", symbol}, {"symbolSize", 300},
              {"symbolStrokeWidth", 3}};
  }
  return {{"field", "cluster"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"scale", {{"domain", names}, {"range", colors}}},
          {"legend", legend}};
}

std::vector<Json> expected_charts(const std::vector<ExpectedSeries>& series) {
  std::vector<Json> list;
  for (Json chart : {waste_chart(series), interval_chart(series), days_chart(series)}) {
    if (!chart.is_null()) list.push_back(std::move(chart));
  }
  return list;
}

}  // namespace planner
