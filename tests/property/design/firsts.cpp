// What a list of a way's first strategies says of those that it does not hold.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "planner/design/ways.hpp"
#include "planner/search/search.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;
using design::BestOfWay;
using design::FirstOfWays;

TEST_CASE(
    "a list of first ones holds all up to where it says so, and one that is not cut no fewer") {
  Random random(77);
  int cut_far = 0, cut_long = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    const SearchSpace space = all_calibrated_axes(workload);
    const bool by_time = random.coin();
    const FitRule rule = fit_rule(workload);
    const auto rank = by_time ? rank_by_time : rank_strategies;
    const auto listed = [&](const FirstOfWays::Length& length, Seconds most) {
      std::vector<BestOfWay> best;
      for (const Ranked& one : rank(workload, space,
                                    {.top = length.most,
                                    .within = length.within,
                                    .threads = 1,
                                    .count = false,
                                    .known_time = most})
                                   .best) {
        best.push_back(design::told(one, rule));
      }
      return FirstOfWays::listed(best, length, by_time, most);
    };
    const Seconds any_time{1e300};
    const FirstOfWays::First all = listed({.most = 1'000'000}, any_time);
    CHECK(!all.whole);
    if (all.all.empty()) continue;
    const Seconds least = all.place_of(all.all.front());
    for (const double most : {1e300, 1.5, 1.01, 0.5}) {
      const FirstOfWays::Length length{
          .most = static_cast<std::size_t>(random.pick({1, 5, 50, 100'000})),
          .within = static_cast<double>(random.pick({102, 105, 120})) / 100};
      const Seconds asked = most < 1e300 ? most * least : any_time;
      const FirstOfWays::First first = listed(length, asked);
      CHECK(first.up_to <= asked.si());
      std::vector<BestOfWay> within;
      for (const BestOfWay& one : all.all) {
        if (all.place_of(one).si() <= first.up_to) within.push_back(one);
      }
      REQUIRE(first.all.size() >= within.size());
      CHECK(std::equal(within.begin(), within.end(), first.all.begin()));
      // A list that another search would not make longer is cut by one of its lengths.
      const double beyond = length.within * least.si();
      CHECK(first.whole ==
            (!first.all.empty() && (beyond <= asked.si() || first.all.size() == length.most)));
      cut_long += first.all.size() == length.most ? 1 : 0;
      cut_far += first.whole && first.all.size() < length.most && first.all.size() < all.all.size()
                     ? 1
                     : 0;
    }
  }
  CHECK(cut_far > 10);
  CHECK(cut_long > 10);
}
