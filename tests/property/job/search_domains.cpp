// The search over parts of an HB domain skips what cannot win, and finds what looking at every
// strategy of every part finds. Random models, machines and GPU counts, both timing models.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/divisors.hpp"
#include "planner/job/strategy.hpp"
#include "planner/search/least_times.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Every part of the domain, largest first, every strategy timed; of equals the largest part.
SearchResult every_domain(Workload& workload, const SearchSpace& space, SearchOptions options) {
  options.prune = false;
  const Workload asked = workload;
  SearchResult found = rank_strategies(asked, space, options);
  if (options.objective == Objective::memory || found.best.empty()) return found;
  const std::vector<std::int64_t> parts =
      divisors(usable_hb_domain(asked.system.hb_domain, asked.gpus));
  const FitRule rule = fit_rule(asked);
  const std::int64_t usable = parts.back();
  Seconds least = found.best.front().value(rule);
  std::optional<Ranked> fastest = found.fastest;
  std::int64_t of_fastest = usable, of_best = usable;
  for (auto gpus = parts.rbegin() + 1; gpus != parts.rend(); ++gpus) {
    Workload part = asked;
    part.system.hb_domain = *gpus;
    SearchResult one = rank_strategies(part, space, options);
    if (one.fastest && one.fastest->time < (1 - 1e-9) * fastest->time) {
      fastest = one.fastest;
      of_fastest = *gpus;
    }
    if (one.best.empty() || !(one.best.front().value(rule) < (1 - 1e-9) * least)) continue;
    least = one.best.front().value(rule);
    found = std::move(one);
    of_best = workload.system.hb_domain = *gpus;
  }
  found.fastest = fastest;
  found.fastest_hb_domain = of_fastest == of_best ? 0 : of_fastest;
  return found;
}

/// How often a part of the domain was the better.
int parts_used(std::uint64_t seed, int rounds, bool calibrated) {
  Random random(seed);
  int parts = 0;
  for (int i = 0; i < rounds; ++i) {
    CAPTURE(i);
    Workload asked = calibrated ? random_calibrated_workload(random) : random_workload(random);
    asked.system.hb_domain = random.pick({4, 8, 12, 16});
    if (calibrated) asked.gpus = random.pick({4, 8, 12, 16, 24});
    const SearchSpace space = calibrated ? all_calibrated_axes(asked) : all_closed_form_axes();
    SearchOptions options{.top = static_cast<std::size_t>(random.pick({1, 3, 10})),
                          .threads = static_cast<int>(random.pick({1, 2})),
                          .front = random.coin()};
    options.count = random.coin();
    Workload every = asked, pruned = asked;
    SearchResult expected = every_domain(every, space, options);
    CHECK(job::search_domains(pruned, space, options) == expected);
    CHECK(pruned.system.hb_domain == every.system.hb_domain);
    parts += every.system.hb_domain < asked.system.hb_domain ? 1 : 0;
    if (expected.best.empty()) continue;
    // What has grown: a bound from the start, and nothing counted.
    every.system.network_bandwidth = 1.1 * every.system.network_bandwidth;
    SearchOptions quick{.top = 1, .threads = options.threads, .prune = false, .count = false};
    const SearchResult unbound = rank_strategies(every, space, quick);
    quick.prune = true;
    quick.known_time = unbound.best.front().value(fit_rule(every));
    CHECK(rank_strategies(every, space, quick) == unbound);
  }
  return parts;
}

}  // namespace

TEST_CASE("parts of HB domains: the pruned search finds what looking at all strategies finds") {
  CHECK(parts_used(91, 600, true) > 50);
  CHECK(parts_used(92, 600, false) > 25);
}

TEST_CASE("the fastest that surely fits is that of all strategies, whatever was found before") {
  Random random(93);
  int searched = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    const SearchSpace space = all_calibrated_axes(workload);
    const SearchOptions options{
        .objective = random.coin() ? Objective::time : Objective::memory,
        .top = static_cast<std::size_t>(random.pick({1, 5})),
        .threads = 1,
        .least_p_fits = random.coin() ? 0.95 : 0,
    };
    const SearchResult found = rank_strategies(workload, space, options);
    if (found.best.empty()) continue;
    const SearchResult all =
        rank_strategies(workload, space,
                        {.top = 1,
                         .threads = 1,
                         .least_p_fits = std::max(kSurely, options.least_p_fits),
                         .prune = false,
                         .count = false});
    LeastTimes least(workload, space, LeastTimes::Counting::messages);
    const auto sure = job::fastest_that_surely_fits(workload, space, options, found, least);
    REQUIRE(sure.has_value() == !all.best.empty());
    if (!sure) continue;
    CHECK(*sure == all.best.front());
    searched += *sure != found.best.front() ? 1 : 0;
  }
  CHECK(searched > 20);
}
