// A job that can stand in several places is looked at in each no further than it may be faster.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/job/strategy.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the value below one that is known is what the search of all parts of a domain finds") {
  Random random(94);
  int found = 0, parts = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const bool calibrated = random.coin();
    Workload asked = calibrated ? random_calibrated_workload(random) : random_workload(random);
    asked.system.hb_domain = random.pick({4, 8, 12, 16});
    if (calibrated) asked.gpus = random.pick({4, 8, 12, 16, 24});
    const SearchSpace space = calibrated ? all_calibrated_axes(asked) : all_closed_form_axes();
    const SearchOptions quick{.top = 1, .threads = 1, .count = false};
    Workload placed = asked;
    const SearchResult best = job::search_domains(placed, space, quick);
    if (best.best.empty()) {
      CHECK(!job::value_below(Seconds{1e9}, asked, space, quick));
      continue;
    }
    const Seconds value = best.best.front().value(fit_rule(asked));
    for (const double more : {1 + 1e-6, 1.2, 100.0}) {
      const auto below = job::value_below(more * value, asked, space, quick);
      REQUIRE(below);
      CHECK(below->si() == doctest::Approx(value.si()).epsilon(2e-9));
    }
    CHECK(!job::value_below((1 - 1e-6) * value, asked, space, quick));
    ++found;
    parts += placed.system.hb_domain < asked.system.hb_domain ? 1 : 0;
  }
  CHECK(found > 150);
  CHECK(parts > 20);
}

TEST_CASE("where each group is slowed the least of several placements no strategy takes longer") {
  Random random(95);
  int faster = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    Workload one = random_calibrated_workload(random);
    if (one.system.host) continue;  // a longer stage there waits the less for others
    one.gpus = random.pick({4, 8, 12, 16, 24});
    Workload other = one, all = one;
    one.routing = random_factors(random);
    other.routing = random_factors(random);
    all.routing = least_of({*one.routing, *other.routing});
    const SearchSpace space = all_calibrated_axes(one);
    const Enumeration strategies(one, space);
    const std::vector<Column> columns = strategies.columns();
    for (std::size_t at = 0; at < columns.size(); at += 1 + columns.size() / 8) {
      const auto placements = strategies.placements(columns[at]);
      const auto settings = strategies.settings(columns[at]);
      const auto pairs = strategies.inner_pairs(columns[at]);
      if (placements.empty() || settings.empty() || pairs.empty()) continue;
      for (int k = 0; k < 12; ++k) {
        const auto& pair = random.pick(pairs);
        Strategy strategy = placed_as(random.pick(placements), random.pick(settings));
        strategy.micro_batch = pair.micro_batch;
        strategy.interleave = pair.interleave;
        const Seconds least =
            std::min(evaluate(one, strategy).time.total(), evaluate(other, strategy).time.total());
        const Seconds there = evaluate(all, strategy).time.total();
        CHECK(there <= (1 + 1e-12) * least);
        faster += there < (1 - 1e-6) * least ? 1 : 0;
      }
    }
  }
  CHECK(faster > 100);
}
