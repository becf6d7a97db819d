#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "planner/commands/clusters/comparison.hpp"
#include "planner/commands/parts/forecast.hpp"

namespace planner::commands {

namespace {

using namespace present;
using C = const ClusterSummary&;

/// Rows of an amount that is not known exactly.
/// @param has  whether the amount of a cluster is of that name
template <class Q>
void add_likely(
    const std::string& name, std::optional<job::Likely<Q>> job::Outlook::*amount, double confidence,
    Better less, std::vector<Measure>& rows,
    const std::function<bool(C)>& has = [](C) { return true; }) {
  const auto of = [amount, has](auto cell) {
    return [=](C c) {
      if (!c.outlook || !((*c.outlook).*amount) || !has(c)) return none();
      return cell(c, *((*c.outlook).*amount));
    };
  };
  const auto value = [](C c, Q end) {
    if constexpr (std::is_same_v<Q, Usd>) {
      return at_least(c.at_least(), usd(Estimate<Usd>::exactly(end)));
    } else {
      return said_in_days(end);
    }
  };
  using L = const job::Likely<Q>&;
  rows.push_back({fmt::format("{}, 80 of 100 in", name), of([](C c, L likely) {
                    if constexpr (std::is_same_v<Q, Usd>) {
                      return range_cell(likely.range, c.at_least());
                    } else {
                      return range_cell(likely.range);
                    }
                  }),
                  Better::neither, true});
  rows.push_back({fmt::format("{}, 50 of 100 within", name), of([=](C c, L likely) {
                    return likely.median ? value(c, *likely.median) : none();
                  }),
                  less, true});
  rows.push_back({fmt::format("{}, {} within", name, of_hundred(confidence)),
                  of([=](C c, L likely) { return value(c, likely.at_confidence); }), less, true});
  if (confidence == 0.95) return;
  rows.push_back({fmt::format("{}, 95 of 100 within", name),
                  of([=](C c, L likely) { return value(c, likely.p95); }), less, true});
}

/// Under each name that it has of a cluster: horizons and the cost of capital are a cluster's own.
/// @param name_of  empty: the cluster has no such figure
void add_owning(const Clusters& clusters, std::optional<job::Likely<Usd>> job::Outlook::*amount,
                double confidence, std::string (*name_of)(C), std::vector<Measure>& rows) {
  std::vector<std::string> names;
  for (const ClusterSummary& cluster : clusters) {
    std::string name = name_of(cluster);
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
    add_likely(name, amount, confidence, Better::lower, rows,
               [=](C c) { return name_of(c) == name; });
    names.push_back(std::move(name));
  }
}

}  // namespace

Group outlook_group(const Clusters& clusters, Better less) {
  using O = job::Outlook;
  const auto& first = clusters.front().outlook;
  const double confidence = first ? first->confidence : job::kUsualConfidence;
  Group group{"How sure: model, failures and prices together", {}};
  add_likely("run", &O::days, confidence, less, group.measures);
  add_likely("cost of the run", &O::cost, confidence, less, group.measures);
  add_owning(clusters, &O::tco, confidence, total_cost_words, group.measures);
  add_owning(clusters, &O::present, confidence, net_present_cost_words, group.measures);
  return group;
}

}  // namespace planner::commands
