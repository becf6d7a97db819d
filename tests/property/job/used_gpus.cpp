// The best use of GPUs skips counts and parts of HB domains that cannot win, and finds what looking
// at every strategy of every one of them finds. Random models, machines and supplies, both timing
// models.
#include "planner/job/used_gpus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "planner/job/strategy.hpp"
#include "planner/search/least_times.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

struct Found {
  job::GpuUse use;
  Ranked best;
};

/// Every count and part, most GPUs first, every strategy timed; of equals the most GPUs, then the
/// largest part.
std::optional<Found> every_use(const Workload& workload, const job::GpuSupply& supply,
                               const SearchSpace& space) {
  std::optional<Found> found;
  Seconds least{};
  for (std::int64_t gpus = supply.most; gpus > 0; --gpus) {
    for (std::int64_t as_one = std::min(supply.hb_domain, gpus); as_one > 0; --as_one) {
      if (gpus % as_one != 0) continue;
      const auto use = job::use_of_domains(supply, gpus, as_one);
      if (!use) continue;
      const Workload on = job::on_used(workload, supply, *use);
      const SearchResult one = rank_strategies(on, space, {.top = 1, .prune = false});
      if (one.best.empty()) continue;
      const Seconds value = one.best.front().value(fit_rule(on));
      if (found && !(value < (1 - 1e-9) * least)) continue;
      found = Found{*use, one.best.front()};
      least = value;
    }
    if (supply.exact) break;
  }
  return found;
}

/// How often some of the GPUs stood idle.
int idle(std::uint64_t seed, int rounds, bool calibrated) {
  Random random(seed);
  int idle = 0;
  for (int i = 0; i < rounds; ++i) {
    CAPTURE(i);
    Workload workload = calibrated ? random_calibrated_workload(random) : random_workload(random);
    const std::int64_t domain = random.pick({4, 6, 8, 9, 12, 18});
    workload.system.hb_domain = domain;
    const std::int64_t bought = random.pick({3, 8, 10, 18, 20, 27, 36});
    workload.gpus = bought;
    if (random.coin()) workload.network_tiers = {{.gpus = 2 * domain, .bandwidth_share = 0.4}};
    const job::GpuSupply supply{.bought = bought,
                                .hb_domain = domain,
                                .most = random.coin() ? bought : (bought + 1) / 2,
                                .exact = random.pick({0, 1, 2}) == 0};
    const SearchSpace space = calibrated ? all_calibrated_axes(workload) : all_closed_form_axes();
    const std::optional<Found> expected = every_use(workload, supply, space);
    const std::optional<job::BestUse> best = job::best_use(workload, supply, space, {.top = 1});
    REQUIRE(best.has_value() == expected.has_value());
    if (!best) continue;
    CHECK(best->use == expected->use);
    CHECK(best->found.best.front() == expected->best);
    idle += best->use.gpus < supply.most ? 1 : 0;
  }
  return idle;
}

}  // namespace

TEST_CASE("the best use of GPUs is the best of all counts and parts, by trying every one") {
  CHECK(idle(31, 150, true) > 10);
  CHECK(idle(32, 150, false) > 10);
}

TEST_CASE("no strategy beats the least time of its degrees") {
  Random random(33);
  int close = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const bool calibrated = random.coin();
    Workload workload = calibrated ? random_calibrated_workload(random) : random_workload(random);
    const SearchSpace space = calibrated ? all_calibrated_axes(workload) : all_closed_form_axes();
    LeastTimes work(workload, space, LeastTimes::Counting::work);
    LeastTimes messages(workload, space, LeastTimes::Counting::messages);
    const Enumeration enumeration(workload, space);
    enumeration.for_each_column([&](const Column& column) {
      SearchSpace one = space;
      one.pins.tp = {column.tp};
      one.pins.pp = {column.pp};
      one.pins.dp = {column.dp};
      one.pins.cp = {column.cp};
      one.pins.ep = {column.ep};
      one.pins.expert_tp = {column.expert_tp};
      const SearchResult found = rank_strategies(workload, one, {.top = 1, .prune = false});
      if (!found.fastest) return true;
      const Seconds time = found.fastest->time;
      CHECK(work.of(column) <= messages.of(column) * (1 + 1e-12));  // rounded otherwise
      CHECK(messages.of(column) <= time);
      close += messages.of(column) > 0.8 * time ? 1 : 0;
      return true;
    });
  }
  CHECK(close > 100);
}

TEST_CASE("columns within a bound are those of which no least time is above it") {
  Random random(34);
  int left = 0, out = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    SearchSpace space = all_calibrated_axes(workload);
    if (random.coin()) space.pins.tp = {1, random.pick({2, 4})};
    if (random.coin()) space.pins.pp = {1, random.pick({2, 3})};
    if (random.coin()) space.pins.ep = {1, 2};
    if (random.coin()) space.pins.max_tp = 4;
    LeastTimes times(workload, space, LeastTimes::Counting::messages);
    const std::vector<Column> all = Enumeration(workload, space).columns();
    const Seconds never{std::numeric_limits<double>::infinity()};
    CHECK(times.within(workload.gpus, never) == all);
    CHECK(times.any_within(workload.gpus, never) == !all.empty());
    if (all.empty()) continue;
    const auto any = static_cast<std::size_t>(random.below(static_cast<int>(all.size())));
    const Seconds bound = (1 + 1e-6) * times.of(all[any]);
    std::vector<Column> expected = all;
    std::erase_if(expected, [&](const Column& column) { return times.of(column) > bound; });
    CHECK(times.within(workload.gpus, bound) == expected);
    CHECK(times.any_within(workload.gpus, bound));
    left += static_cast<int>(expected.size());
    out += static_cast<int>(all.size() - expected.size());
  }
  CHECK(left > 100);
  CHECK(out > 100);
}
