#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/clusters/comparison.hpp"
#include "planner/cost/opex.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;
using C = const ClusterSummary&;

/// The categories that any of the clusters has, each with its sum.
void add_categories(const Clusters& clusters, std::vector<Measure>& measures) {
  for (const PartCategory category : kPartCategories) {
    const auto sum_in = [category](C c) -> const Total* {
      for (const CategoryCost& sum : c.categories) {
        if (sum.category == category) return &sum.total;
      }
      return nullptr;
    };
    if (std::none_of(clusters.begin(), clusters.end(), sum_in)) continue;
    measures.push_back(
        {fmt::format("capex, {}", name_of(category)),
         [sum_in](C c) {
           const Total* const sum = sum_in(c);
           return sum == nullptr ? none()
                                 : total_cell(with_amount(*sum, sum->amount.expected), c.currency);
         },
         Better::lower});
  }
}

/// One row for each name that the figure has of a cluster: horizons and taxes are a cluster's own.
/// @param name  empty: the cluster has no such figure
void add_by_name(const Clusters& clusters, const std::function<std::string(C)>& name,
                 const std::function<Cell(C)>& cell, std::vector<Measure>& rows) {
  std::vector<std::string> names;
  for (const ClusterSummary& cluster : clusters) {
    std::string one = name(cluster);
    if (one.empty() || std::find(names.begin(), names.end(), one) != names.end()) continue;
    rows.push_back(
        {one, [=](C c) { return name(c) == one ? cell(c) : none(); }, Better::lower, true});
    names.push_back(std::move(one));
  }
}

/// What is counted over a cluster's years, each under the years and taxes that it is of.
void add_owning(const Clusters& clusters, std::vector<Measure>& rows) {
  add_by_name(
      clusters, total_cost_words,
      [](C c) { return at_least(c.at_least(), money(c.tco->expected)); }, rows);
  add_by_name(
      clusters, net_present_cost_words,
      [](C c) { return at_least(c.at_least(), money(c.financed->present_cost.expected)); }, rows);
  add_by_name(
      clusters,
      [](C c) {
        return c.per_gpu_hour ? "a GPU-hour, of the GPUs asked for" + financed_words(c.financed)
                              : std::string{};
      },
      [](C c) {
        return at_least(c.at_least(), usd(Estimate<Usd>::exactly(c.per_gpu_hour->expected)));
      },
      rows);
}

}  // namespace

std::string total_cost_words(const ClusterSummary& cluster) {
  return cluster.tco ? fmt::format("total cost over {:g} years", *cluster.tco_years) : "";
}

std::string net_present_cost_words(const ClusterSummary& cluster) {
  if (!cluster.financed) return {};
  return fmt::format("{}, over {:g} years", present_cost_words(*cluster.financed),
                     *cluster.tco_years);
}

Total with_amount(Total sum, Money amount) {
  sum.unbounded = !sum.known();
  sum.missing_at_most = Money{};
  sum.amount = Estimate<Money>::exactly(amount);
  return sum;
}

Group cost_group(const Clusters& clusters) {
  Group group{"Cost", {}};
  add_categories(clusters, group.measures);
  const bool ranges =
      std::any_of(clusters.begin(), clusters.end(), [](C c) { return !c.capex.amount.exact(); });
  const auto capex = [](Money Estimate<Money>::*end) {
    return [end](C c) { return total_cell(with_amount(c.capex, c.capex.amount.*end), c.currency); };
  };
  auto& rows = group.measures;
  if (ranges)
    rows.push_back({"capex, 80 of 100 from", capex(&Estimate<Money>::low), Better::lower, true});
  rows.push_back({"capex", capex(&Estimate<Money>::expected), Better::lower, true});
  if (ranges)
    rows.push_back({"capex, 80 of 100 to", capex(&Estimate<Money>::high), Better::lower, true});
  rows.push_back({"rent of a GPU-hour",
                  [](C c) {
                    return known(c.rent, [](const CloudPrice& rent) {
                      return usd(Estimate<Usd>::exactly(rent.rent.expected * units::hour));
                    });
                  },
                  Better::lower, true});
  rows.push_back({"lines without a price", [](C c) { return count(c.capex.missing); }});
  rows.push_back({"opex per year",
                  [](C c) {
                    if (!any_known(c.opex)) return none();
                    return at_least(c.opex_per_year.at_least(),
                                    money(c.opex_per_year.amount.expected));
                  },
                  Better::lower, true});
  add_owning(clusters, rows);
  rows.push_back({"cheaper than renting on demand above, use",
                  [](C c) {
                    return known(c.break_even, [](const ClusterSummary::AgainstRent& rent) {
                      return at_least(rent.at_least, share(rent.when.utilisation.expected));
                    });
                  },
                  Better::lower});
  return group;
}

}  // namespace planner::commands
