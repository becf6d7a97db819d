#include <fmt/format.h>

#include <type_traits>

#include "planner/commands/clusters/comparison.hpp"

namespace planner::commands {

namespace {

using namespace present;
using C = const ClusterSummary&;

/// Rows of an amount that is not known exactly.
template <class Q>
void add_likely(const char* name, std::optional<job::Likely<Q>> job::Outlook::*amount,
                double confidence, Better less, std::vector<Measure>& rows) {
  const auto of = [amount](auto cell) {
    return [=](C c) {
      if (!c.outlook || !((*c.outlook).*amount)) return none();
      return cell(c, *((*c.outlook).*amount));
    };
  };
  const auto value = [](C c, Q end) {
    if constexpr (std::is_same_v<Q, Usd>) {
      return at_least(c.at_least(), usd(Estimate<Usd>::exactly(end)));
    } else {
      return days(end);
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

}  // namespace

Group outlook_group(const Clusters& clusters, Better less) {
  using O = job::Outlook;
  const auto& first = clusters.front().outlook;
  const double confidence = first ? first->confidence : job::kUsualConfidence;
  Group group{"How sure: model, failures and prices together", {}};
  add_likely("run", &O::days, confidence, less, group.measures);
  add_likely("cost of the run", &O::cost, confidence, less, group.measures);
  add_likely("total cost", &O::tco, confidence, Better::lower, group.measures);
  return group;
}

}  // namespace planner::commands
