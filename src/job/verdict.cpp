#include "planner/job/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/cost/capex.hpp"
#include "planner/cost/cost.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/opex.hpp"
#include "planner/job/evidence.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/verdict_turns.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "planner/perf/collectives/collectives.hpp"

namespace planner::job {

namespace {

constexpr double kAlike = 5e-4;  // less is 0.0 % in words

std::optional<Seconds> iteration(const ClusterReport& cluster) {
  if (!cluster.training) return std::nullopt;
  return cluster.training->plan.time.total();
}

/// "25.0 % more" or, of what costs ten times as much, "11 times as much".
std::string changed_by(double change) {
  constexpr double kInTimes = 9;
  if (change >= kInTimes) return fmt::format("{:.3g} times as much", 1 + change);
  return fmt::format("{:.1f} % {}", 100 * std::abs(change), change < 0 ? "less" : "more");
}

/// "37.5 % less network", "the same network", or nothing where a price is missing.
std::string network_words(const ClusterReport& one, const ClusterReport& reference) {
  if (one.cost.rent || reference.cost.rent) return "has no total cost to compare";
  const Total a = network_cost(one), b = network_cost(reference);
  if (one.cost.currency != reference.cost.currency) return "is priced in another unit";
  if (a.at_least() || b.at_least()) return "has a network whose cost is not known in full";
  const double before = b.amount.expected.dollars(), now = a.amount.expected.dollars();
  if (before <= 0) return "has a network without a price to compare";
  const double change = now / before - 1;
  if (std::abs(change) < kAlike) return "costs as much for the network";
  return fmt::format("costs {} for the network", changed_by(change));
}

/// What two clusters cost over the same years, in dollars.
struct WholeCosts {
  double one = 0, reference = 0;
  std::string at{};  ///< "net present cost, at 9 % a year": what figures they are; empty: as paid

  [[nodiscard]] double change() const { return one / reference - 1; }
};

/// What the clusters cost today, where money costs the same for both, else as it is paid; nothing
/// where a part has no price, or they are not alike.
std::optional<WholeCosts> whole_costs(const ClusterReport& one, const ClusterReport& reference) {
  const CostBreakdown &a = one.cost, &b = reference.cost;
  if (!a.ownership || !b.ownership) return std::nullopt;
  if (a.capex.at_least() || b.capex.at_least()) return std::nullopt;
  if (a.ownership->horizon_years != b.ownership->horizon_years) return std::nullopt;
  const auto dollars = [](const Estimate<Money>& amount) { return amount.expected.dollars(); };
  WholeCosts costs{dollars(a.ownership->total), dollars(b.ownership->total)};
  const bool alike = a.financed && b.financed &&
                     a.financed->cost_of_capital == b.financed->cost_of_capital &&
                     a.financed->tax_rate == b.financed->tax_rate;
  if (alike) {
    costs = {dollars(a.financed->present_cost), dollars(b.financed->present_cost),
             present_cost_words(*a.financed)};
  } else if (a.financed || b.financed) {
    costs.at = "before the cost of capital and taxes, which differ";
  }
  if (costs.reference <= 0) return std::nullopt;
  return costs;
}

/// Whether at least half of the change of the total cost is the network's.
bool network_decides(const ClusterReport& one, const ClusterReport& reference,
                     const WholeCosts& costs) {
  if (one.cost.rent || reference.cost.rent) return false;
  const double of_network = network_cost(one).amount.expected.dollars() -
                            network_cost(reference).amount.expected.dollars();
  const double of_all = costs.one - costs.reference;
  return of_network * of_all > 0 && std::abs(of_network) >= 0.5 * std::abs(of_all);
}

bool leaves_out(const ClusterReport& cluster, OpexItem item) {
  const auto& items = cluster.cost.left_out;
  return std::find(items.begin(), items.end(), item) != items.end();
}

/// "maintenance of A, staff of B": what nobody gave of one of the two, and the other has.
std::string given_of_one(const ClusterReport& one, const ClusterReport& reference) {
  std::string words;
  for (const OpexItem item : kOpexItems) {
    const bool here = leaves_out(one, item);
    if (here == leaves_out(reference, item)) continue;
    words += fmt::format("{}{} of {}", words.empty() ? "" : ", ", name_of(item),
                         (here ? one : reference).cluster.title);
  }
  return words;
}

/// "compute", "compute, cables": what has lines without a price.
std::string unpriced_categories(const CostBreakdown& cost) {
  std::vector<std::string_view> names;
  for (const CategoryCost& category : cost.categories) {
    if (category.total.at_least()) names.push_back(name_of(category.category));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "compute", "compute of A": what has no price of either, of the reference by its name.
std::string unpriced_of_either(const ClusterReport& one, const ClusterReport& reference) {
  std::string words;
  if (!one.cost.capex.known()) words = unpriced_categories(one.cost);
  if (!reference.cost.capex.known()) {
    const std::string theirs = unpriced_categories(reference.cost);
    // Of both alike once: "compute".
    if (words == theirs) return words;
    words +=
        fmt::format("{}{} of {}", words.empty() ? "" : " and ", theirs, reference.cluster.title);
  }
  return words;
}

/// Of parts alone: "costs 3.1 % less to buy"; empty where that is not known of both.
std::string purchase_words(const ClusterReport& one, const ClusterReport& reference) {
  const Total &a = one.cost.capex, &b = reference.cost.capex;
  const double before = b.amount.expected.dollars();
  const bool known = !one.cost.rent && !reference.cost.rent && !a.at_least() && !b.at_least();
  if (!known || before <= 0) return {};
  const double change = a.amount.expected.dollars() / before - 1;
  if (std::abs(change) < kAlike) return "costs as much to buy, ";
  return fmt::format("costs {} to buy, ", changed_by(change));
}

/// "costs 3.1 % less over 4 years", with the network's part where that decides; the network alone
/// where no more is known.
std::string money_words(const ClusterReport& one, const ClusterReport& reference) {
  if (const std::string what = unpriced_of_either(one, reference); !what.empty()) {
    return fmt::format("has no total cost to compare ({} not priced), {}", what,
                       network_words(one, reference));
  }
  const std::optional<WholeCosts> costs = whole_costs(one, reference);
  if (!costs) return network_words(one, reference);
  const std::string uneven = given_of_one(one, reference);
  if (!uneven.empty()) {
    return fmt::format("{}has no total cost to compare (nobody gave {})",
                       purchase_words(one, reference), uneven);
  }
  const double change = costs->change();
  const std::string over = fmt::format("over {:g} years{}", one.cost.ownership->horizon_years,
                                       costs->at.empty() ? "" : " (" + costs->at + ")");
  const bool in_full = !one.cost.at_least() && !reference.cost.at_least();
  std::string words = fmt::format("costs{} {} {}", in_full ? "" : ", of what is priced,",
                                  std::abs(change) < kAlike ? "as much" : changed_by(change), over);
  if (network_decides(one, reference, *costs)) {
    words += fmt::format(" (it {})", network_words(one, reference));
  }
  return words;
}

bool train_the_same(const ClusterReport& one, const ClusterReport& reference) {
  return trained_iteration(one.training->workload) ==
         trained_iteration(reference.training->workload);
}

/// Whether their runs have equally many tokens, as far as these are known.
bool run_as_long(const ClusterReport& one, const ClusterReport& reference) {
  const auto& a = one.training->workload.run.tokens;
  const auto& b = reference.training->workload.run.tokens;
  return !a || !b || *a == *b;
}

/// " (a run of 2e+12 tokens, not 1e+12)".
std::string tokens_words(const ClusterReport& one, const ClusterReport& reference) {
  if (run_as_long(one, reference)) return {};
  return fmt::format(" (a run of {:g} tokens, not {:g})", *one.training->workload.run.tokens,
                     *reference.training->workload.run.tokens);
}

/// " (as routed, the other with all GPUs sending at once)": of times that routing is in one of.
std::string links_words(const ClusterReport& one, const ClusterReport& reference) {
  const LinkLoad a = link_load(one.training->workload), b = link_load(reference.training->workload);
  if ((a == LinkLoad::routed) == (b == LinkLoad::routed)) return {};
  const auto other = [](LinkLoad load) {
    return load == LinkLoad::balanced ? "on balanced links" : "with all GPUs sending at once";
  };
  return a == LinkLoad::routed ? fmt::format(" (as routed, the other {})", other(b))
                               : fmt::format(" ({}, the other as routed)", other(a));
}

std::string time_words(const ClusterReport& one, const ClusterReport& reference) {
  const auto a = iteration(one), b = iteration(reference);
  if (a && b && !train_the_same(one, reference)) return "trains something else";
  if (!a || !b) return "has no training time to compare";
  const double change = *a / *b - 1;
  const std::string notes = links_words(one, reference) + tokens_words(one, reference);
  if (std::abs(change) < kAlike) return "trains as fast" + notes;
  return fmt::format("takes {:.1f} % {} per iteration{}", 100 * std::abs(change),
                     change < 0 ? "less" : "longer", notes);
}

bool stall_unknown(const ClusterReport& one) {
  return one.forecast && one.forecast->reliability && one.forecast->reliability->unknown_stall;
}

/// Where checkpoints cost what nobody knows, the cluster with more of them looks too good.
std::string unknown_stall(const ClusterReport& one, const ClusterReport& reference) {
  const bool first = stall_unknown(one), second = stall_unknown(reference);
  if (!first && !second) return {};
  return fmt::format(
      "; the stall of checkpoints of {} not known and not counted, which favours the one that "
      "saves more often",
      first && second ? "both" : (first ? one : reference).cluster.title);
}

/// What routing and failures make of the run; nothing where they are not counted.
const ExpectedRun* expected_run(const ClusterReport& cluster) {
  return cluster.forecast && cluster.forecast->run ? &*cluster.forecast->run : nullptr;
}

/// " (at 20 % a year)": on what terms a run's cost is, where it is not on those of the other; on
/// none: what the other has and it has not.
std::string own_terms(const CostBreakdown& cost, const CostBreakdown& other) {
  const std::string words = financed_words(cost.financed);
  if (words == financed_words(other.financed)) return {};
  if (!words.empty()) return fmt::format(" ({})", words.substr(2));
  const bool dear = other.financed->cost_of_capital > 0, taxed = other.financed->tax_rate > 0;
  return fmt::format(" ({}{}{})", dear ? "no cost of capital" : "", dear && taxed ? ", " : "",
                     taxed ? "before tax" : "");
}

/// " for at least $23.4 M instead of $39.5 M"; empty where that is not known of both.
/// @param expected  with routing and failures
std::string run_cost_words(const ClusterReport& one, const ClusterReport& reference, bool expected,
                           const MoneyWords& money) {
  const auto paid = [&](const ClusterReport& cluster) -> std::optional<std::string> {
    std::optional<Money> amount;
    if (!expected && cluster.cost.run && cluster.cost.run->cost) {
      amount = cluster.cost.run->cost->expected;
    } else if (expected && cluster.forecast->cost) {
      amount = Money::from_dollars(cluster.forecast->cost->mean.expected.in(units::usd));
    }
    if (!amount) return std::nullopt;
    return (cluster.cost.at_least() ? "at least " : "") + money(*amount) +
           own_terms(cluster.cost, (&cluster == &one ? reference : one).cost);
  };
  const auto now = paid(one), before = paid(reference);
  return now && before ? fmt::format(" for {} instead of {}", *now, *before) : std::string{};
}

std::string run_days(Seconds now, Seconds before) {
  const double a = now.in(units::day), b = before.in(units::day);
  return a < 1 || b < 1 ? fmt::format("{:.3g} days instead of {:.3g}", a, b)
                        : fmt::format("{:.1f} days instead of {:.1f}", a, b);
}

/// The days of a run that routing and failures make of both, and its cost.
std::string expected_words(const ClusterReport& one, const ClusterReport& reference,
                           const MoneyWords& money) {
  const ExpectedRun &a = *expected_run(one), &b = *expected_run(reference);
  const std::string told = ", its run, routing and failures counted, " + run_days(a.mean, b.mean);
  const std::string cost = run_cost_words(one, reference, true, money);
  const std::string stall = unknown_stall(one, reference);
  if (!run_as_long(one, reference)) return told + cost + stall;
  return told + fmt::format(" ({:+.1f} %{})", 100 * (a.mean / b.mean - 1), stall) + cost;
}

/// How long a run takes and what it costs: with routing and failures where both clusters' are
/// known, else where its cost is.
std::string run_words(const ClusterReport& one, const ClusterReport& reference,
                      const MoneyWords& money) {
  if (!one.training || !reference.training || !train_the_same(one, reference)) return {};
  if (expected_run(one) != nullptr && expected_run(reference) != nullptr) {
    return expected_words(one, reference, money);
  }
  const std::string cost = run_cost_words(one, reference, false, money);
  const auto &a = one.training->totals, &b = reference.training->totals;
  if (cost.empty() || !a || !b) return {};
  return ", its run " + run_days(a->time, b->time) + cost;
}

/// Cost of the nodes for each GPU; nothing where a price is missing.
std::optional<double> nodes_per_gpu(const ClusterReport& cluster) {
  for (const CategoryCost& category : cluster.cost.categories) {
    if (category.category != PartCategory::compute || category.total.at_least()) continue;
    return category.total.amount.expected.dollars() / static_cast<double>(cluster.cluster.gpus);
  }
  return std::nullopt;
}

std::string value_words(const ClusterReport& one, const ClusterReport& reference) {
  const auto value = cost_performance_of(one, reference);
  const bool same_nodes = value && value->computed && std::abs(value->cost - 1) < kAlike;
  if (!value || same_nodes) return {};  // the time says it
  // Beside days that have the failures of both in them.
  const bool failures = expected_run(one) != nullptr && expected_run(reference) != nullptr;
  return fmt::format(
      ", with {:.1f} % of the performance ({}{}) for {:.1f} % of the nodes' cost per GPU "
      "(cost-performance {:.2f})",
      100 * value->performance, value->computed ? "computed" : "as their files say",
      failures ? ", without failures" : "", 100 * value->cost, value->ratio);
}

/// Which clusters' training times rest on no run like theirs: no comparison may hide that.
void add_evidence(const std::vector<ClusterReport>& clusters, Verdict& result) {
  std::string unmeasured;
  for (const ClusterReport& one : clusters) {
    if (!one.training || !one.training->plan.evidence) continue;
    const Evidence& evidence = *one.training->plan.evidence;
    if (evidence.measured()) continue;
    unmeasured += fmt::format("{}{}: {}", unmeasured.empty() ? " " : "; ", one.cluster.title,
                              unmeasured_subject(evidence));
    result.turns.push_back(fmt::format("{}: {}", one.cluster.title, measurement_to_make(evidence)));
  }
  if (unmeasured.empty()) return;
  result.sentence +=
      unmeasured +
      ". Such times may be far off; of those that were checked all misses were slower.";
}

}  // namespace

TrainedIteration trained_iteration(const Workload& workload) {
  return {.model = workload.model.name,
          .global_batch = workload.run.global_batch,
          .sequence = workload.run.sequence,
          .precision = workload.run.precision};
}

void compute_performance(std::vector<ClusterReport>& clusters) {
  const ClusterReport& reference = clusters.front();
  const bool comparable =
      std::all_of(clusters.begin(), clusters.end(), [&](const ClusterReport& one) {
        return one.training && reference.training && train_the_same(one, reference);
      });
  if (!comparable) return;
  // Of a GPU that is there: those that stand idle are paid for too.
  const auto of_gpu = [](const ClusterReport& one) {
    return one.training->plan.tokens_per_second / static_cast<double>(one.cluster.gpus);
  };
  const double usual = of_gpu(reference);
  for (ClusterReport& one : clusters) one.computed_performance = of_gpu(one) / usual;
}

std::optional<CostPerformance> cost_performance_of(const ClusterReport& one,
                                                   const ClusterReport& reference) {
  const auto performance = one.performance(), usual = reference.performance();
  const auto cost = nodes_per_gpu(one), usual_cost = nodes_per_gpu(reference);
  const bool same_unit = one.cost.currency == reference.cost.currency;
  if (!performance || !usual || !cost || !usual_cost || *usual_cost <= 0 || !same_unit) {
    return std::nullopt;
  }
  CostPerformance value{.performance = *performance / *usual,
                        .cost = *cost / *usual_cost,
                        .computed = one.computed_performance && reference.computed_performance};
  if (value.cost <= 0) return std::nullopt;
  value.ratio = cost_performance(value.performance, value.cost);
  return value;
}

Verdict verdict(const std::vector<ClusterReport>& clusters, const MoneyWords& money) {
  const ClusterReport& reference = clusters.front();
  Verdict result;
  for (std::size_t i = 1; i < clusters.size(); ++i) {
    const ClusterReport& one = clusters[i];
    result.sentence += fmt::format("{}{} {} and {}{}{}", i == 1 ? "" : "; ", one.cluster.title,
                                   money_words(one, reference), time_words(one, reference),
                                   run_words(one, reference, money), value_words(one, reference));
  }
  result.sentence += fmt::format(", against {}.", reference.cluster.title);
  result.turns = price_turns(clusters);
  add_evidence(clusters, result);
  for (std::string& turn : network_turns(clusters)) result.turns.push_back(std::move(turn));
  return result;
}

}  // namespace planner::job
