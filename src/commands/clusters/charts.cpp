#include "planner/present/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/cost/capex.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/present/currency.hpp"

namespace planner::commands {

namespace {

using namespace present;
using Names = std::vector<std::string>;

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

Measured money_of(Currency currency) {
  return currency == Currency::relative ? Measured::relative_money : Measured::money;
}

/// The categories in which a cluster has lines without a price. Sums that lack different ones do
/// not compare.
std::vector<PartCategory> unpriced_categories(const ClusterSummary& cluster) {
  std::vector<PartCategory> found;
  for (const CategoryCost& sum : cluster.categories) {
    if (sum.total.at_least()) found.push_back(sum.category);
  }
  return found;
}

/// The categories of all, or of the network alone: of what has a total.
Bar cost_bar(const ClusterSummary& cluster, const std::string& name, bool network) {
  Bar bar{.name = name,
          .values = std::vector<double>(part_categories().size()),
          .at_least = network ? network_cost(cluster)->at_least() : cluster.capex.at_least()};
  for (const CategoryCost& sum : cluster.categories) {
    if (network && !is_network(sum.category)) continue;
    for (std::size_t k = 0; k < bar.values.size(); ++k) {
      if (part_categories()[k].key != name_of(sum.category)) continue;
      bar.values[k] = shown_amount(sum.total.amount.expected.dollars(), cluster.currency);
    }
  }
  return bar;
}

std::optional<Chart> cost_chart(const Clusters& clusters, const Names& names) {
  const Currency currency = clusters.front().currency;
  const auto all = [&](auto&& known) {
    return std::all_of(clusters.begin(), clusters.end(), known);
  };
  const bool network = !all([](const ClusterSummary& cluster) { return cluster.capex.known(); });
  const bool known = !network || all([](const ClusterSummary& cluster) {
    const auto sum = network_cost(cluster);
    return sum && sum->known();
  });
  if (!known) return std::nullopt;  // the bars would be totals
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].currency != currency) continue;  // no common axis
    bars.push_back(cost_bar(clusters[i], names[i], network));
  }
  if (largest_total(bars) <= 0) return std::nullopt;
  const bool partly = any_at_least(bars);
  const bool alike =
      std::all_of(clusters.begin(), clusters.end(), [&](const ClusterSummary& cluster) {
        return network || unpriced_categories(cluster) == unpriced_categories(clusters.front());
      });
  std::string title = partly ? "Of what is priced, " : "";
  if (!alike) {
    title = "Prices are missing: where they are, a bar is a lower bound";
  } else if (bars.size() == 1) {
    title += largest_share(bars, part_categories()) + (partly    ? ""
                                                       : network ? " of the network’s cost"
                                                                 : " of the capital cost");
  } else {
    title += difference(bars, network ? "has the cheapest network" : "costs least",
                        network ? "all networks cost the same" : "all cost the same");
  }
  std::string subtitle =
      network ? "Cost of the network, for the nodes have no price" : "Capital cost by category";
  subtitle += currency == Currency::relative ? ", in the price book's relative units"
                                             : ", " + money_words();
  if (partly) subtitle += "; “+ ?” marks a bar with lines that have no price";
  return stacked_bars(
      {"cost_by_category", title, subtitle, part_categories(), bars, money_of(currency)});
}

std::optional<Chart> time_chart(const Clusters& clusters, const Names& names) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].training) continue;
    Bar& bar = bars.emplace_back(Bar{.name = names[i], .values = {}});
    for (const Category& term : time_terms()) {
      for (const TimePart& part : time_parts()) {
        if (part.key == term.key) {
          bar.values.push_back((clusters[i].training->plan.time.*part.amount).si());
        }
      }
    }
  }
  if (largest_total(bars) <= 0) return std::nullopt;
  const std::string share = largest_share(bars, time_terms());
  const std::string title = bars.size() == 1 || !all_train_the_same(clusters)
                                ? share + " of the iteration time"
                                : difference(bars, "is fastest", "All train equally fast") + "; " +
                                      share + " of the time";
  return time_by_term(title, std::move(bars), "cluster");
}

/// The network's cost where that is all that is known everywhere, else the capital cost.
std::optional<Chart> scatter_chart(const Clusters& clusters, const Names& names) {
  if (!all_train_the_same(clusters)) return std::nullopt;
  const auto complete = [&](auto&& cost) {
    return std::all_of(clusters.begin(), clusters.end(), [&](const ClusterSummary& cluster) {
      const std::optional<Total> sum = cost(cluster);
      return sum && !sum->at_least();
    });
  };
  const auto capital_cost = [](const ClusterSummary& cluster) {
    return std::optional<Total>(cluster.capex);
  };
  const bool network = !complete(capital_cost) && complete(network_cost);
  const Currency currency = clusters.front().currency;
  std::vector<Point> points;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterSummary& cluster = clusters[i];
    const std::optional<Total> cost = network ? network_cost(cluster) : capital_cost(cluster);
    if (!cluster.training || !cost || !cost->known() || cluster.currency != currency) continue;
    points.push_back({names[i], cluster.training->plan.time.total().si(),
                      shown_amount(cost->amount.expected.dollars(), currency), cost->at_least()});
  }
  if (points.size() < 2) return std::nullopt;
  return cost_against_time(points, network ? "Network cost" : "Capital cost", money_of(currency));
}

std::optional<Chart> power_chart(const Clusters& clusters, const Names& names) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    Bar& bar = bars.emplace_back(Bar{.name = names[i],
                                     .values = std::vector<double>(part_categories().size()),
                                     .at_least = clusters[i].power_at_least()});
    for (const BillLine& line : clusters[i].bill.lines) {
      for (std::size_t k = 0; k < bar.values.size(); ++k) {
        if (part_categories()[k].key != name_of(line.part.category)) continue;
        bar.values[k] += line.power.value_or(Watts{}).in(units::W);
      }
    }
  }
  if (largest_total(bars) <= 0) return std::nullopt;
  std::string title = largest_share(bars, part_categories()) + " of the power";
  if (any_at_least(bars)) {
    title += " that is known";
  } else if (bars.size() > 1) {
    title = difference(bars, "draws least", "All draw the same") + "; " + title;
  }
  std::string subtitle = "Rated power of the IT equipment by part, cooling not included";
  if (any_at_least(bars)) subtitle += "; “+ ?” marks parts of unknown power";
  return stacked_bars({"power_by_part", title, subtitle, part_categories(), bars, Measured::power});
}

std::vector<Chart> drawn_of(const Clusters& clusters) {
  const Names names = short_names(clusters);
  std::vector<Chart> charts;
  for (auto* const chart : {cost_chart, time_chart, scatter_chart, power_chart}) {
    if (auto drawn = chart(clusters, names)) charts.push_back(*std::move(drawn));
  }
  std::vector<ChartedRun> runs;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].expected) continue;
    runs.push_back(
        charted(*clusters[i].expected, clusters[i].outlook, clusters.size() > 1 ? names[i] : ""));
  }
  if (!runs.empty()) add_run_charts(runs, charts);
  return charts;
}

}  // namespace

void add_cluster_charts(const Clusters& clusters, Document& document) {
  document.add(Charts{.draw = [clusters] { return drawn_of(clusters); },
                      .legend = {{"compute", "blue is computing"},
                                 {"move", "orange moves data between GPUs"},
                                 {"rest", "grey is the rest"}}});
}

}  // namespace planner::commands
