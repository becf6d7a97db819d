// The search where routing slows what the network carries: gradients then decide which strategies
// are looked at, in either order of ranks.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/placement.hpp"
#include "support/on_routed_network.hpp"
#include "support/search_checks.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("with routing too the search is the sorted list of all strategies") {
  Random random(183);
  int stages_outermost = 0, replicas_outermost = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    const auto top = static_cast<std::size_t>(random.pick({1, 3, 20}));
    const SearchResult expected = check_sorted_list(job.workload, job.space, all_of(job), top);
    if (expected.best.empty()) continue;
    const Ranked& best = expected.best.front();
    const SearchResult known = rank_strategies(
        job.workload, job.space,
        {.top = 1, .count = false, .known_time = best.value(fit_rule(job.workload))});
    REQUIRE(!known.best.empty());
    CHECK(known.best.front() == best);
    for (const Ranked& each : expected.best) {
      if (!each.strategy.outermost) continue;
      (each.strategy.replicas_outermost() ? replicas_outermost : stages_outermost) += 1;
    }
  }
  CHECK(stages_outermost > 30);
  CHECK(replicas_outermost > 30);
}

// A stage that recomputes hides more of the sends and of the gradients than one that does not, and
// is the fastest where only it has memory enough.
TEST_CASE("sends and gradients that a longer stage hides bound none that has one") {
  Random random(190);
  int recompute = 0;
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    job.workload.model.moe.reset();
    job.workload.model.layers = 8;
    job.workload.gpus = 8;
    job.workload.run.global_batch = random.pick({4, 8, 16});
    job.workload.system.network_bandwidth = random.scale(0.05, 20) * units::GBps;
    job.workload.run.sequence = random.pick({512, 2048, 4096});
    job.workload.system.accelerator.memory = random.scale(3.6, 6) * units::GB;
    job.space = all_calibrated_axes(job.workload);
    job.space.recompute = {Recompute::none, Recompute::full};
    job.space.pins.cp = {1};
    job.space.pins.tp = {1};
    job.space.pins.pp = {random.pick({2, 4})};
    job.space.pins.interleave = {2, 4};
    const SearchResult found = rank_strategies(job.workload, job.space, {.top = 1}),
                       all = rank_strategies(job.workload, job.space, {.top = 1, .prune = false});
    REQUIRE(found.best.size() == all.best.size());
    if (all.best.empty()) continue;
    CHECK(found.best.front() == all.best.front());
    const Strategy& best = all.best.front().strategy;
    recompute += best.recompute == Recompute::full && best.interleave > 1 ? 1 : 0;
  }
  CHECK(recompute > 50);
}

/// Among the settings of a strategy's column.
std::size_t place_of_setting(const Enumeration& enumeration, const Column& column,
                             const Strategy& strategy) {
  const std::vector<Strategy> settings = enumeration.settings(column);
  const auto at = std::find_if(settings.begin(), settings.end(), [&](const Strategy& setting) {
    return setting.recompute == strategy.recompute &&
           setting.recompute_modules == strategy.recompute_modules &&
           setting.zero == strategy.zero && setting.shard_ranks == strategy.shard_ranks &&
           setting.sequence_parallel == strategy.sequence_parallel;
  });
  return static_cast<std::size_t>(at - settings.begin());
}

bool defers(const Strategy& strategy) {
  return strategy.without_interleaving == Schedule::zero_bubble_1p;
}

// A hundredth more would be above the time of some.
TEST_CASE("what a search comes to know of a column holds of all its strategies") {
  Random random(193);
  int slow = 0, near = 0, none_fits = 0, unfit = 0, left_out = 0, left_out_of_more = 0;
  int slow_setting = 0, unfit_setting = 0;
  for (int i = 0; i < 70; ++i) {
    CAPTURE(i);
    OnRoutedNetwork job(random);
    if (random.coin()) job.workload.routing.reset();
    job.workload.system.accelerator.memory = random.scale(3, 20) * units::GB;
    std::vector<SearchedColumn> searched;
    const auto top = static_cast<std::size_t>(random.pick({1, 3}));
    const double told_up_to = i % 3 == 0 ? 1 : i % 3 == 1 ? 1.01 : 1.5;
    rank_strategies(job.workload, job.space,
                    {.top = top, .searched = &searched, .told_up_to = told_up_to});
    const Enumeration enumeration(job.workload, job.space);
    const std::vector<Column> columns = enumeration.columns();
    REQUIRE(searched.size() == columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) CHECK(searched[c].column == columns[c]);
    const Calibrated model(job.workload);
    const FitRule rule = fit_rule(job.workload);
    constexpr Seconds kNever{std::numeric_limits<double>::infinity()};
    std::vector<Seconds> fastest(columns.size(), kNever);
    for (const Strategy& each : all_of(job)) {
      const auto at = std::find(columns.begin(), columns.end(), column_of(each));
      REQUIRE(at != columns.end());
      const auto c = static_cast<std::size_t>(at - columns.begin());
      const Prediction prediction = model.evaluate(model.in_best_order(each));
      const Bytes memory = prediction.memory.total();
      const bool fits = rule.fits(memory), known = memory < searched[c].up_to;
      CHECK((searched[c].any_fits || !fits));
      if (fits || known) fastest[c] = std::min(fastest[c], prediction.time.total());
      if (!searched[c].of_settings.empty()) {
        const std::size_t place = place_of_setting(enumeration, columns[c], each);
        REQUIRE(place < searched[c].of_settings.size());
        const auto& [least, up_to] = searched[c].of_settings[place];
        // Weight gradients that wait take more than activations do: of zero-bubble schedules larger
        // micro-batches may need less.
        const bool below = memory < up_to && (least < kNever || !defers(each));
        if (fits || below) CHECK(prediction.time.total() >= least);
        CHECK(up_to >= searched[c].up_to);
        slow_setting += fits && least > searched[c].least ? 1 : 0;
        unfit_setting += !fits && below ? 1 : 0;
      }
      unfit += known && !fits ? 1 : 0;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      none_fits += searched[c].any_fits ? 0 : 1;
      CHECK(fastest[c] >= searched[c].least);
      slow += searched[c].least > Seconds{} ? 1 : 0;
      near += fastest[c] < 1.01 * searched[c].least ? 1 : 0;
    }
    // What a search with more of something finds is in none of the columns that are left out.
    const auto fewer = [&](const Workload& larger, double times_as_long) {
      const SearchResult best = rank_strategies(larger, job.space, {.top = 1});
      if (best.best.empty()) return 0;
      LeastTimes least(larger, job.space, LeastTimes::Counting::messages);
      const Seconds bound = best.best.front().value(fit_rule(larger));
      const std::size_t all = least.within(larger.gpus, bound).size();
      least.leave_out(&searched, times_as_long, fit_rule(larger).limit(), rule.limit());
      const std::vector<Column> within = least.within(larger.gpus, bound);
      const Column of_best = column_of(best.best.front().strategy);
      CHECK(std::find(within.begin(), within.end(), of_best) != within.end());
      const SearchResult known =
          rank_strategies(larger, job.space,
                          {.top = 1, .count = false, .known_time = bound, .least_times = &least});
      REQUIRE(!known.best.empty());
      CHECK(known.best.front() == best.best.front());
      return static_cast<int>(all - within.size());
    };
    // A network of a tenth more takes at most a tenth off a time, more memory nothing.
    constexpr double kLarger = 1.1;
    if (job.workload.system.host) continue;
    Workload larger = job.workload;
    larger.system.network_bandwidth = kLarger * larger.system.network_bandwidth;
    left_out += fewer(larger, kLarger);
    larger = job.workload;
    set_memory(larger.system.accelerator, random.scale(1, 1.5) * memory_limit(larger));
    left_out_of_more += fewer(larger, 1);
  }
  CHECK(slow_setting > 1000);
  CHECK(unfit_setting > 20);
  CHECK(left_out > 20);
  CHECK(left_out_of_more > 20);
  CHECK(unfit > 20);
  CHECK(slow > 100);
  CHECK(near > 3);
  CHECK(none_fits > 20);
}

TEST_CASE("no bound of a kernel is above the time of a strategy that routing slows") {
  Random random(184);
  BoundsTried bounds;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    check_kernel_bounds(job.workload, job.space, random, bounds);
  }
  CHECK(bounds.tried > 3000);
  CHECK(bounds.cut > 1000);
}

// What one setting has memory for says nothing of what another has.
TEST_CASE("a placement ruled out with few sizes of micro-batches is asked again with more") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Random random(186);
  int ruled_out = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    const Enumeration enumeration(job.workload, job.space);
    for (const Column& column : enumeration.columns()) {
      const auto pairs = enumeration.inner_pairs(column);
      const auto placements = enumeration.placements(column);
      if (pairs.empty() || placements.empty()) continue;
      if (pairs.front().micro_batch == pairs.back().micro_batch) continue;
      const Strategy at = placed_as(placements.front(), enumeration.settings(column).back());
      CalibratedKernel kernel(job.workload);
      kernel.start(column, pairs, placements, job.workload.run.global_batch / column.dp);
      std::vector<double> bytes(kernel.padded_size()), seconds(kernel.padded_size());
      kernel.memories(at, kInfinity, bytes);
      kernel.times(at, 0, kInfinity, bytes, kInfinity, seconds);
      const double bound = seconds[pairs.size() - 1];
      kernel.start(column, pairs, placements, job.workload.run.global_batch / column.dp);
      const double few = bytes[0];  // of the smallest micro-batches
      kernel.memories(at, few, bytes);
      ruled_out += kernel.none_fitting_within(at, 0, bound) ||
                           !kernel.times(at, 0, bound, bytes, few, seconds)
                       ? 1
                       : 0;
      kernel.memories(at, kInfinity, bytes);
      CHECK_FALSE(kernel.none_fitting_within(at, 0, bound));
      REQUIRE(kernel.times(at, 0, bound, bytes, kInfinity, seconds));
      CHECK(seconds[pairs.size() - 1] == bound);
    }
  }
  CHECK(ruled_out > 50);
}
