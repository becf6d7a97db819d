#include <fmt/format.h>

#include <algorithm>

#include "planner/report/charts_parts.hpp"

// `cost` and `compare`.
namespace planner {

namespace {

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
  return json_of(
      present::stacked_bars({"cost_by_category", title, subtitle, part_categories(), bars,
                             relative ? Measured::relative_money : Measured::dollars}));
}

Json time_chart(const std::vector<Json>& clusters, const std::vector<std::string>& names) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const Json& terms = at(clusters[i], {"training", "plan", "breakdown_s"});
    if (!terms.is_object()) continue;
    bars.push_back(bar_of(names[i], terms, time_terms()));
  }
  if (largest_total(bars) <= 0) return nullptr;
  const std::string share = largest_share(bars, time_terms());
  const std::string title = bars.size() == 1 || !same_workload(clusters)
                                ? share + " of the iteration time"
                                : difference(bars, "is fastest", "All train equally fast") + "; " +
                                      share + " of the time";
  return json_of(present::time_by_term(title, std::move(bars), "cluster"));
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
  return json_of(
      present::cost_against_time(points, network ? "Network cost" : "Capital cost",
                                 relative ? Measured::relative_money : Measured::dollars));
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
  return json_of(present::stacked_bars(
      {"power_by_part", title, subtitle, part_categories(), bars, Measured::power}));
}

}  // namespace

std::vector<Json> cluster_charts(const std::vector<Json>& clusters,
                                 const std::vector<std::string>& names) {
  std::vector<Json> list;
  for (Json chart : {cost_chart(clusters, names), time_chart(clusters, names),
                     scatter_chart(clusters, names), power_chart(clusters, names)}) {
    if (!chart.is_null()) list.push_back(std::move(chart));
  }
  return list;
}

}  // namespace planner
