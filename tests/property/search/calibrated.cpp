// The search under the calibrated model: all axes, every legal strategy, exactly what sorting them
// all would return, with pruning and without, on one thread and on many.
#include <doctest/doctest.h>

#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the front of time against memory is that of all calibrated strategies") {
  Random random(72);
  std::size_t longest = 0;
  for (int i = 0; i < 12; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    const SearchSpace space = all_calibrated_axes(workload);
    const Objective objective = random.coin() ? Objective::time : Objective::memory;
    const SearchResult expected =
        exhaustive(workload, every_calibrated_strategy(workload, space), objective, 3, true);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(prune);
        CAPTURE(threads);
        CHECK(rank_strategies(workload, space,
                              {.objective = objective,
                               .top = 3,
                               .threads = threads,
                               .front = true,
                               .prune = prune}) == expected);
      }
    }
    const SearchOptions uncounted{.objective = objective, .top = 3, .front = true, .count = false};
    CHECK(rank_strategies(workload, space, uncounted) == SearchResult{.best = expected.best,
                                                                      .fastest = expected.fastest,
                                                                      .front = expected.front});
    longest = std::max(longest, expected.front.size());
  }
  CHECK(longest > 8);
}

TEST_CASE("search() is the sorted list of all calibrated strategies") {
  Random random(71);
  int with_best = 0, with_miss = 0, with_experts = 0, with_context = 0;
  for (int i = 0; i < 48; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    SearchSpace space = all_calibrated_axes(workload);
    if (random.coin()) space.recompute = {Recompute::full};
    space.recomputed_layers = 0.25 * static_cast<double>(random.pick({1, 2, 4}));
    const Objective objective = random.coin() ? Objective::time : Objective::memory;
    const auto top = static_cast<std::size_t>(random.pick({1, 2, 5, 40}));
    const SearchResult expected =
        exhaustive(workload, every_calibrated_strategy(workload, space), objective, top);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(prune);
        CAPTURE(threads);
        CHECK(rank_strategies(
                  workload, space,
                  {.objective = objective, .top = top, .threads = threads, .prune = prune}) ==
              expected);
      }
    }
    CHECK(rank_strategies(workload, space, {.objective = objective, .top = top, .count = false}) ==
          SearchResult{.best = expected.best, .fastest = expected.fastest});
    if (!expected.best.empty()) {
      // A known time only helps the pruning.
      const Seconds best = expected.best.front().value(fit_rule(workload));
      if (objective == Objective::time) {
        for (const bool count : {true, false}) {
          const SearchOptions options{.top = 1, .count = count, .known_time = best};
          const SearchResult known = rank_strategies(workload, space, options);
          REQUIRE(!known.best.empty());
          CHECK(known.best.front() == expected.best.front());
        }
      }
      ++with_best;
    }
    with_miss += expected.closest_miss ? 1 : 0;
    for (const Ranked& ranked : expected.best) {
      with_experts += ranked.strategy.ep.total() > 1 ? 1 : 0;
      with_context += ranked.strategy.cp.total() > 1 ? 1 : 0;
    }
  }
  CHECK(with_best > 15);
  CHECK(with_miss > 2);
  CHECK(with_experts > 20);
  CHECK(with_context > 20);
}

namespace {

/// The best that any placement and pair reaches in a setting of a column.
double least_of_setting(const CalibratedKernel& kernel, const std::vector<Strategy>& placements,
                        const std::vector<InnerPair>& pairs, const Strategy& setting) {
  double least = std::numeric_limits<double>::infinity();
  for (const Strategy& placement : placements) {
    Strategy at = placed_as(placement, setting);
    for (const auto& [micro_batch, interleave] : pairs) {
      at.micro_batch = micro_batch;
      at.interleave = interleave;
      least = std::min(least, kernel.evaluate(kernel.in_best_order(at)).time.total().si());
    }
  }
  return least;
}

/// Bounds that a kernel was asked of, and those close below the best of which it saw that nothing
/// reaches them.
struct Seen {
  int asked = 0, close = 0;
};

/// Whether it grants the best itself, and sees a bound 0.1 % below it.
template <class Settings>
void check_bound(CalibratedKernel& kernel, const Settings& settings, double least, Seen& seen) {
  CHECK_FALSE(kernel.none_within(settings, least, nullptr));
  ++seen.asked;
  if (kernel.none_within(settings, 0.999 * least, nullptr)) ++seen.close;
}

/// A workload that is routed, on so many GPUs that both orders of ranks are open.
Workload random_routed_workload(Random& random) {
  Workload workload = random_calibrated_workload(random);
  workload.routing = random_factors(random);
  workload.network_tiers.clear();
  workload.gpus = random.pick({4, 8, 16, 24});
  workload.run.global_batch = random.pick({8, 16, 24});
  workload.system.hb_domain = random.pick({1, 2, 4});
  return workload;
}

struct SeenOf {
  Seen columns, settings;
  int two_orders = 0;   ///< placements of which neither order is in nothing slower
  int two_reduces = 0;  ///< and HFReduce takes less than all else in the second alone
};

void look_at_orders(const Workload& workload, const Strategy& strategy, SeenOf& seen) {
  const Calibrated::Orders orders = Calibrated(workload).orders(strategy);
  if (!orders.second) return;
  ++seen.two_orders;
  const auto [first, second] = std::pair(orders.first.sync, orders.second->sync);
  if (!first.by_hfreduce) return;
  const Seconds others = std::min({*first.by_hfreduce, first.gradients, second.gradients});
  if (*second.by_hfreduce < others) ++seen.two_reduces;
}

/// Holds the bounds of some columns and of all their settings against the best times there are.
void check_bounds(Random& random, const Workload& workload, SeenOf& seen) {
  const SearchSpace space = all_calibrated_axes(workload);
  const Enumeration enumeration(workload, space);
  CalibratedKernel kernel(workload);
  const std::vector<Column> columns = enumeration.columns();
  for (int draw = 0; draw < 8 && !columns.empty(); ++draw) {
    const Column column = random.pick(columns);
    const auto placements = enumeration.placements(column);
    const auto pairs = enumeration.inner_pairs(column);
    const auto settings = enumeration.settings(column);
    if (placements.empty() || pairs.empty()) continue;
    const std::int64_t samples = workload.run.global_batch / column.dp;
    double least_of_all = std::numeric_limits<double>::infinity();
    for (const Strategy& setting : settings) {
      kernel.start(column, pairs, placements, samples);
      const double least = least_of_setting(kernel, placements, pairs, setting);
      check_bound(kernel, setting, least, seen.settings);
      least_of_all = std::min(least_of_all, least);
      look_at_orders(workload, placed_as(random.pick(placements), setting), seen);
    }
    kernel.start(column, pairs, placements, samples);
    check_bound(kernel, std::span<const Strategy>(settings), least_of_all, seen.columns);
  }
}

}  // namespace

TEST_CASE("no strategy is faster than the bound of its column or setting, synchronisation in it") {
  Random random(73);
  SeenOf seen;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    check_bounds(random, random_routed_workload(random), seen);
  }
  // Not a bound that rejects nothing: with one order of ranks it is all but the time itself.
  CHECK(seen.settings.asked > 1000);
  CHECK(seen.settings.close > 0.95 * seen.settings.asked);
  CHECK(seen.columns.asked > 100);
  CHECK(seen.columns.close > 0.6 * seen.columns.asked);
  CHECK(seen.two_orders > 100);
}

TEST_CASE("no strategy is faster than its bound where HFReduce sums, in either order of ranks") {
  Random random(74);
  SeenOf seen;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    Workload workload = random_routed_workload(random);
    put_in_shared_nodes(random, workload);
    workload.model.vocab = 5'000'000;  // gradients that take longer than the steps of a tree
    // Rings are slow between GPUs and cards, sums by the CPUs as fast as the routed network.
    workload.gpus = 16;
    workload.system.network_bandwidth = 1 * units::GBps;
    Node& node = *workload.system.host;
    node.accelerators = 2;
    node.host_memory_bandwidth = 5000 * units::GBps;
    node.pcie->gpus_per_host_bridge.assign(1, 2);
    node.pcie->gpu_bandwidth = 500 * units::GBps;
    node.pcie->host_bridge_bandwidth = 500 * units::GBps;
    node.pcie->gpu_to_nic_bandwidth = 0.1 * units::GBps;
    workload.system.hb_domain = 1;
    workload.software.gradient_sync = GradientSync::automatic;
    check_bounds(random, workload, seen);
  }
  CHECK(seen.settings.asked > 1000);
  CHECK(seen.settings.close > 0.9 * seen.settings.asked);
  CHECK(seen.two_reduces > 50);
}
