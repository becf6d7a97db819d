// A search by any objective agrees with the search by time and memory.
#include "planner/search/custom_objective.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "planner/search/search.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload small_job() {
  Workload workload = gpt_1t_on_gh200();
  workload.gpus = 2048;
  workload.run.bytes_per_parameter = 6;
  return workload;
}

double seconds(const Plan& plan) {
  return plan.time.total().si();
}

}  // namespace

TEST_CASE("by time it finds what the pruned search finds") {
  const Workload workload = small_job();
  const SearchSpace space = all_closed_form_axes();
  const auto ours = search_by(workload, space, seconds, 20);
  const SearchResult theirs = rank_strategies(workload, space, {.top = 20});
  REQUIRE(ours.size() == 20);
  REQUIRE(theirs.best.size() == 20);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    CHECK(ours[i].plan.strategy == theirs.best[i].strategy);
    CHECK(ours[i].plan.time.total() == theirs.best[i].time);
  }
}

TEST_CASE("ties go to the earlier strategy, whatever the threads") {
  const Workload workload = small_job();
  const auto by_degree = [](const Plan& plan) {
    return static_cast<double>(plan.strategy.tp.total());
  };
  const auto one = search_by(workload, {}, by_degree, 50, 1);
  REQUIRE(one.size() == 50);
  for (int run = 0; run < 3; ++run) CHECK(search_by(workload, {}, by_degree, 50, 4) == one);
  for (std::size_t i = 1; i < one.size(); ++i) CHECK(one[i - 1].score <= one[i].score);
}

TEST_CASE("NaN and infinity rule plans out") {
  const Workload workload = small_job();
  const auto without_interleaving = [](const Plan& plan) {
    return plan.strategy.interleave > 1 ? std::nan("") : seconds(plan);
  };
  const auto best = search_by(workload, {}, without_interleaving, 10);
  REQUIRE(best.size() == 10);
  for (const auto& [plan, score] : best) CHECK(plan.strategy.interleave == 1);
  const auto none = [](const Plan&) { return std::numeric_limits<double>::infinity(); };
  CHECK(search_by(workload, {}, none, 10).empty());
}

TEST_CASE("only plans that fit are scored") {
  Workload workload = small_job();
  workload.system.accelerator.memory = 1 * units::GB;
  CHECK(search_by(workload, {}, seconds, 1).empty());
}
