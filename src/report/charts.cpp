#include "planner/report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/report/charts_parts.hpp"
#include "planner/report/sweep_view.hpp"
#include "planner/report/text.hpp"

namespace planner {

namespace {

// Blue is computing, orange moves data between GPUs, grey is the rest. The two hues stay apart for
// every kind of colour blindness, the shades differ in lightness.
constexpr const char* kBlue = "#2f74b8";
constexpr const char* kDarkOrange = "#b3500f";
constexpr const char* kOrange = "#ea9a3e";
constexpr const char* kLightOrange = "#f6cf98";
constexpr const char* kLightBlue = "#8ab6e0";
constexpr const char* kPaleBlue = "#c9ddf1";
constexpr const char* kBrown = "#7d3a0a";
constexpr const char* kTan = "#cf7a33";
constexpr const char* kDarkGrey = "#48535c";
constexpr const char* kGrey = "#6f7c87";
constexpr const char* kLightGrey = "#a9b4bd";
constexpr const char* kPaleGrey = "#ccd4da";
constexpr const char* kOnDark = "#ffffff";
constexpr const char* kOnLight = "#1d252c";

/// The categories of a bill of materials, named as in the answer.
const std::vector<Category>& part_categories() {
  static const std::vector<Category> kParts{
      {"compute", "GPUs and nodes", kBlue, kOnDark},
      {"nics", "network cards", kBrown, kOnDark},
      {"switches", "switches", kDarkOrange, kOnDark},
      {"transceivers", "transceivers", kOrange, kOnLight},
      {"cables", "cables", kLightOrange, kOnLight},
      {"network", "network as a whole", kDarkOrange, kOnDark},
      {"storage", "storage", kGrey, kOnDark},
      {"facility", "facility", kLightGrey, kOnLight},
      {"other", "other", kPaleGrey, kOnLight},
  };
  return kParts;
}

/// The terms of an iteration, named as in the answer.
const std::vector<Category>& time_terms() {
  static const std::vector<Category> kTerms{
      {"last_stage_compute", "compute", kBlue, kOnDark},
      {"last_stage_tp_communication", "tensor parallel", kDarkOrange, kOnDark},
      {"sync", "gradient synchronisation", kOrange, kOnLight},
      {"last_stage_pp_communication", "pipeline transfers", kLightOrange, kOnLight},
      {"bubble_compute", "pipeline bubble", kGrey, kOnDark},
      {"bubble_communication", "bubble, transfers", kLightGrey, kOnLight},
      {"loss_layer", "output layer and loss", kLightBlue, kOnLight},
      {"cp_communication", "context parallel", kBrown, kOnDark},
      {"ep_communication", "expert parallel", kTan, kOnLight},
      {"host", "kernel launches", kDarkGrey, kOnDark},
      {"optimizer", "optimizer", kPaleBlue, kOnLight},
      {"straggling", "slowest GPU of many", kPaleGrey, kOnLight},
  };
  return kTerms;
}

double largest_total(const std::vector<Bar>& bars) {
  double largest = 0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.total());
  return largest;
}

bool any_at_least(const std::vector<Bar>& bars) {
  return std::any_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.at_least; });
}

/// "rail-only costs least, 37.5 % less than fat tree": what the longest and the shortest bar say.
std::string difference(const std::vector<Bar>& bars, const std::string& least,
                       const std::string& same) {
  const auto shorter = [](const Bar& a, const Bar& b) { return a.total() < b.total(); };
  const Bar& low = *std::min_element(bars.begin(), bars.end(), shorter);
  const Bar& high = *std::max_element(bars.begin(), bars.end(), shorter);
  const double share = 1 - low.total() / high.total();
  if (share < 5e-4) return same;
  return fmt::format("{} {}, {:.1f} % less than {}", low.name, least, 100 * share, high.name);
}

/// "compute: 84 %", the largest category over all bars.
std::string largest_share(const std::vector<Bar>& bars, const std::vector<Category>& categories) {
  std::vector<double> sums(categories.size());
  double total = 0;
  for (const Bar& bar : bars) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bar.values[i];
    total += bar.total();
  }
  const auto largest = std::max_element(sums.begin(), sums.end());
  const auto index = static_cast<std::size_t>(largest - sums.begin());
  return fmt::format("{}: {:.0f} %", categories[index].label, 100 * *largest / total);
}

/// The categories in which a cluster has lines without a price. Sums that lack different ones do
/// not compare.
std::vector<std::string> unpriced_categories(const Json& cluster) {
  std::vector<std::string> found;
  for (const Category& category : part_categories()) {
    const Json& sum = at(cluster, {"capex_by_category", category.key});
    if (number(sum, {"unpriced_lines"}).value_or(0) > 0) found.push_back(category.key);
  }
  return found;
}

Json cost_chart(const std::vector<Json>& clusters, const std::vector<std::string>& names) {
  const bool relative = is_relative(clusters.front());
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (is_relative(clusters[i]) != relative) continue;  // no common axis
    Bar bar{.name = names[i], .at_least = capital_cost(clusters[i]).at_least};
    for (const Category& category : part_categories()) {
      const Json& sum = at(clusters[i], {"capex_by_category", category.key});
      bar.values.push_back(number(sum, {"amount", "expected"}).value_or(0));
    }
    bars.push_back(std::move(bar));
  }
  if (largest_total(bars) <= 0) return nullptr;
  const bool partly = any_at_least(bars);
  const bool alike = std::all_of(clusters.begin(), clusters.end(), [&](const Json& cluster) {
    return unpriced_categories(cluster) == unpriced_categories(clusters.front());
  });
  std::string title = partly ? "Of what is priced, " : "";
  if (!alike) {
    title = "Prices are missing: where they are, a bar is a lower bound";
  } else if (bars.size() == 1) {
    title += largest_share(bars, part_categories()) + (partly ? "" : " of the capital cost");
  } else {
    title += difference(bars, "costs least", "all cost the same");
  }
  std::string subtitle = relative ? "Capital cost in the price book's relative units"
                                  : "Capital cost by category, US dollars";
  if (any_at_least(bars)) subtitle += "; “+ ?” marks a bar with lines that have no price";
  return stacked_bars({"cost_by_category", title, subtitle, part_categories(), bars,
                       relative ? Measured::relative_money : Measured::dollars});
}

Json time_chart(const std::vector<Json>& clusters, const std::vector<std::string>& names) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const Json& terms = at(clusters[i], {"training", "plan", "breakdown_s"});
    if (!terms.is_object()) continue;
    Bar bar{.name = names[i]};
    for (const Category& term : time_terms()) {
      bar.values.push_back(number(terms, {term.key}).value_or(0));
    }
    bars.push_back(std::move(bar));
  }
  if (largest_total(bars) <= 0) return nullptr;
  const std::string share = largest_share(bars, time_terms());
  const std::string title = bars.size() == 1 || !same_workload(clusters)
                                ? share + " of the iteration time"
                                : difference(bars, "is fastest", "All train equally fast") + "; " +
                                      share + " of the time";
  return stacked_bars({"time_by_term", title, "Time of one iteration by term, without failures",
                       time_terms(), bars, Measured::time});
}

Json scatter_chart(const std::vector<Json>& clusters, const std::vector<std::string>& names) {
  if (!same_workload(clusters)) return nullptr;
  const auto complete = [&](Sum (*cost)(const Json&)) {
    return std::all_of(clusters.begin(), clusters.end(), [&](const Json& cluster) {
      const Sum sum = cost(cluster);
      return sum.amount && !sum.at_least;
    });
  };
  // Where GPUs have no price anywhere, the network alone still compares.
  const bool network = !complete(capital_cost) && complete(network_cost);
  const bool relative = is_relative(clusters.front());
  std::vector<Point> points;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const Sum cost = network ? network_cost(clusters[i]) : capital_cost(clusters[i]);
    const auto time = number(clusters[i], {"training", "iteration_time_s"});
    if (!time || !cost.amount || is_relative(clusters[i]) != relative) continue;
    points.push_back({names[i], *time, *cost.amount, cost.at_least});
  }
  if (points.size() < 2) return nullptr;
  return cost_against_time(points, network ? "Network cost" : "Capital cost",
                           relative ? Measured::relative_money : Measured::dollars);
}

Json power_chart(const std::vector<Json>& clusters, const std::vector<std::string>& names) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    Bar bar{.name = names[i],
            .at_least = number(clusters[i], {"power_w", "lines_without_power"}).value_or(0) > 0};
    bar.values.resize(part_categories().size());
    const Json& lines = at(clusters[i], {"lines"});
    for (const Json& line : lines.is_array() ? lines : Json::array()) {
      for (std::size_t k = 0; k < bar.values.size(); ++k) {
        if (text(line, {"category"}) != part_categories()[k].key) continue;
        bar.values[k] += number(line, {"power_w"}).value_or(0);
      }
    }
    bars.push_back(std::move(bar));
  }
  if (largest_total(bars) <= 0) return nullptr;
  const std::string share = largest_share(bars, part_categories());
  std::string title = share + " of the power";
  if (any_at_least(bars)) {
    title += " that is known";
  } else if (bars.size() > 1) {
    title = difference(bars, "draws least", "All draw the same") + "; " + title;
  }
  std::string subtitle = "Rated power of the IT equipment by part, cooling not included";
  if (any_at_least(bars)) subtitle += "; “+ ?” marks parts of unknown power";
  return stacked_bars({"power_by_part", title, subtitle, part_categories(), bars, Measured::power});
}

}  // namespace

Json chart_frame(const std::string& title, const std::string& subtitle) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
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
              {"labelColor", "#5b6770"},
              {"titleColor", "#5b6770"},
              {"domain", false},
              {"ticks", false},
              {"labelPadding", 6},
              {"gridColor", "#e3e7ea"}}},
            {"legend", {{"labelFontSize", 12}, {"labelColor", "#5b6770"}, {"rowPadding", 4}}}}}};
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
    if (Json chart = memory_against_time(answer); !chart.is_null())
      list.push_back(std::move(chart));
    add_expected(one_series(answer), list);
    return list;
  }
  const std::vector<std::string> names = short_names(clusters);
  for (Json chart : {cost_chart(clusters, names), time_chart(clusters, names),
                     scatter_chart(clusters, names), power_chart(clusters, names)}) {
    if (!chart.is_null()) list.push_back(std::move(chart));
  }
  add_expected(series_of(clusters, names), list);
  return list;
}

}  // namespace planner
