#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "planner/commands/parts/forecast.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/text.hpp"

// What failures and uneven links make of runs: of `planner reliability` and `planner routing`,
// plans and clusters.
namespace planner::commands {

namespace {

using namespace present;
using Runs = std::vector<ChartedRun>;

/// The colour of each of the runs, with a legend of such symbols where there are several.
Json run_colors(const Runs& runs, const char* symbol) {
  static const std::vector<std::string> kColors{
      color::of(Shade::blue),       color::of(Shade::dark_orange), color::of(Shade::grey),
      color::of(Shade::light_blue), color::of(Shade::orange),      color::of(Shade::brown)};
  Json names = Json::array(), colors = Json::array(), legend;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    names.push_back(runs[i].name);
    colors.push_back(kColors[i % kColors.size()]);
  }
  if (runs.size() > 1) {
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

/// The share of the calendar that a cause takes from a run; with days, the network's are among
/// them.
double lost_share(const ChartedRun& run, LostCause cause) {
  if (run.forecast != nullptr) {
    if (const std::optional<double> share = run.forecast->lost_share(cause)) return *share;
  }
  if (run.failures == nullptr) return 0;
  for (const WasteCause& waste : kWasteCauses) {
    if (waste.cause == cause) return run.failures->waste.*waste.share;
  }
  return 0;
}

std::optional<Chart> waste_chart(const Runs& runs) {
  std::vector<Category> causes;
  std::vector<Bar> bars;
  for (const ChartedRun& run : runs) bars.push_back({.name = run.name, .values = {}});
  double total = 0, most = 0;
  std::string largest;
  for (const LostCauseNames& cause : kLostCauses) {
    std::vector<double> shares;
    double sum = 0;
    for (const ChartedRun& run : runs) sum += shares.emplace_back(lost_share(run, cause.cause));
    if (sum <= 0) continue;
    causes.push_back(category(cause.key, cause.words, cause.shade));
    for (std::size_t i = 0; i < runs.size(); ++i) bars[i].values.push_back(shares[i]);
    total += sum;
    if (sum > most) largest = cause.words;
    most = std::max(most, sum);
  }
  if (total <= 0) return std::nullopt;
  const std::string title =
      fmt::format("{}: {:.0f} % of the time that is wasted", largest, 100 * most / total);
  return stacked_bars({"waste_by_cause", title,
                       "Share of the calendar that does not advance the job", causes, bars,
                       Measured::share});
}

/// Lines through rows of {x, y, cluster}, one for each run.
Json line_spec(Json spec, Json rows, const Runs& runs, const Json& x, const Json& y) {
  spec["height"] = 240;
  spec["data"] = {{"values", std::move(rows)}};
  spec["mark"] = {{"type", "line"}, {"strokeWidth", 2}, {"point", false}};
  spec["encoding"] = {{"x", x}, {"y", y}, {"color", run_colors(runs, "stroke")}};
  return spec;
}

Json quantitative(const char* field, const char* title, const char* format, const Json& scale) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", scale},
          {"axis", {{"title", title}, {"format", format}}}};
}

Json rule_layer(double at, const std::string& label, const char* field) {
  // A name of its own, by which the page's style knows its marks.
  std::string name = label;
  std::replace(name.begin(), name.end(), ' ', '_');
  return {{"data", {{"values", Json::array({{{field, at}, {"label", label}}})}}},
          {"layer",
           {{{"name", "rule_line_" + name},
             {"mark", {{"type", "rule"}, {"color", color::kQuietInk}, {"strokeDash", {4, 3}}}},
             {"encoding", {{"x", {{"field", field}, {"type", "quantitative"}}}}}},
            {{"name", "rule_label_" + name},
             {"mark",
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

std::string of_run(const ChartedRun& run) {
  return run.name.empty() ? "" : run.name + ": ";
}

std::optional<Chart> interval_chart(const Runs& runs) {
  Json rows = Json::array();
  std::vector<std::string> sentences;
  std::vector<Json> rules;
  for (const ChartedRun& run : runs) {
    if (run.failures == nullptr || run.failures->by_interval.empty() || !run.failures->interval) {
      continue;
    }
    const Seconds used = *run.failures->interval;
    for (const job::IntervalPoint& point : run.failures->by_interval) {
      rows.push_back({{"minutes", point.interval.si() / 60},
                      {"availability", point.availability},
                      {"cluster", run.name}});
    }
    sentences.push_back(fmt::format("{}a checkpoint every {} keeps {} of the time", of_run(run),
                                    duration(used), percent(run.failures->availability)));
    rules.push_back(rule_layer(used.si() / 60, run.name.empty() ? "used" : run.name, "minutes"));
  }
  if (rows.empty()) return std::nullopt;
  std::string title = fmt::format("{}", fmt::join(sentences, "; "));
  if (title.front() == 'a') title.front() = 'A';
  const Json spec = line_spec(
      chart_frame(title, "Availability against the work between two checkpoints"), rows, runs,
      minutes_axis(), quantitative("availability", "availability", "~%", {{"domain", {0, 1}}}));
  return drawn("availability_by_interval", title,
               runs.size() == 1 ? with_rules(spec, rules) : spec);
}

/// Days and the chance to be done: by all that is not known, or by failures alone.
std::vector<std::pair<double, double>> done_by_of(const ChartedRun& run) {
  if (run.outlook == nullptr || run.outlook->done_by.empty()) {
    return run.failures->days->distribution;
  }
  std::vector<std::pair<double, double>> points;
  for (const job::DoneBy& at : run.outlook->done_by) {
    points.emplace_back(at.time.in(units::day), at.chance);
  }
  return points;
}

std::optional<Chart> days_chart(const Runs& runs) {
  constexpr Seconds kMostDrawn = 1e6 * units::day;  // what is longer has no day to plan for
  Json rows = Json::array();
  std::vector<std::string> sentences;
  std::vector<Json> rules;
  for (const ChartedRun& run : runs) {
    if (run.failures == nullptr || !run.failures->days) continue;
    const FailureSummary::Days& days = *run.failures->days;
    if (days.mean > kMostDrawn) continue;
    for (const auto& [day, chance] : done_by_of(run)) {
      rows.push_back({{"days", day}, {"probability", chance}, {"cluster", run.name}});
    }
    const Seconds late =
        run.outlook != nullptr && run.outlook->days ? run.outlook->days->p95 : days.p95;
    sentences.push_back(fmt::format("{}{} days on average, {} without failures", of_run(run),
                                    in_days(days.mean), in_days(days.ideal)));
    rules = {rule_layer(days.ideal.in(units::day), "no failure", "days"),
             rule_layer(late.in(units::day), "95 of 100", "days")};
  }
  if (rows.empty()) return std::nullopt;
  const std::string title = fmt::format("{}", fmt::join(sentences, "; "));
  const Json spec =
      line_spec(chart_frame(title, "Probability that the run is done by a day"), rows, runs,
                quantitative("days", "days", "~r", {{"zero", false}}),
                quantitative("probability", "probability", "~%", {{"domain", {0, 1}}}));
  return drawn("days_distribution", title, runs.size() == 1 ? with_rules(spec, rules) : spec);
}

std::optional<Chart> load_chart(const Runs& runs) {
  Json values = Json::array();
  std::string stage;
  for (const ChartedRun& run : runs) {
    if (run.routing == nullptr || run.routing->loads.empty()) continue;
    if (stage.empty()) stage = run.routing->load_stage;
    for (const LoadBin& bin : run.routing->loads) {
      values.push_back(
          {{"load", (bin.low + bin.high) / 2}, {"share", bin.share}, {"cluster", run.name}});
    }
  }
  if (values.empty()) return std::nullopt;
  const bool many = runs.size() > 1;
  const std::string title =
      many ? "How evenly links are loaded" : "How evenly " + stage + " are loaded";
  Json spec = chart_frame(title, "Share of links by their load over the mean");
  spec["height"] = 220;
  spec["data"] = {{"values", values}};
  spec["mark"] = {{"type", "bar"}, {"size", 12}, {"opacity", many ? 0.6 : 1}};
  spec["encoding"] = {{"x",
                       {{"field", "load"},
                        {"type", "quantitative"},
                        {"scale", {{"nice", false}, {"padding", 12}}},
                        {"axis", {{"title", "load over mean"}, {"grid", false}}}}},
                      {"y",
                       {{"field", "share"},
                        {"type", "quantitative"},
                        {"stack", nullptr},
                        {"scale", {{"zero", true}}},
                        {"axis", {{"title", nullptr}, {"format", "%"}}}}},
                      {"color", run_colors(runs, "square")},
                      {"tooltip",
                       {{{"field", "load"}, {"type", "quantitative"}, {"format", ".2f"}},
                        {{"field", "share"}, {"type", "quantitative"}, {"format", ".1%"}}}}};
  return drawn("link_load", title, std::move(spec));
}

}  // namespace

void add_run_charts(const Runs& runs, std::vector<Chart>& charts) {
  if (runs.empty()) return;
  for (std::optional<Chart> chart :
       {waste_chart(runs), interval_chart(runs), days_chart(runs), load_chart(runs)}) {
    if (chart) charts.push_back(*std::move(chart));
  }
}

}  // namespace planner::commands
