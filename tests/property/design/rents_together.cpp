// Whoever asks what systems are rented for, one thread or several, one process or several: the
// answer is the same to the last digit.
#include <doctest/doctest.h>

#include "planner/design/rent.hpp"
#include "support/design_spaces.hpp"
#include "support/processes.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

void check_same(const std::vector<Rented>& one, const std::vector<Rented>& other) {
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Rented &a = one[i], &b = other[i];
    CHECK(a.system == b.system);
    CHECK(a.batch == b.batch);
    CHECK(a.terms == b.terms);
    CHECK(a.gpus == b.gpus);
    CHECK(a.time.batch == b.time.batch);
    CHECK(a.time.time == b.time.time);
    CHECK(a.time.strategy == b.time.strategy);
    CHECK(a.time.use.gpus == b.time.use.gpus);
    CHECK(a.time.use.as_one == b.time.use.as_one);
    CHECK(a.run.expected == b.run.expected);
    CHECK(a.run.confident == b.run.confident);
    CHECK(a.cost.low == b.cost.low);
    CHECK(a.cost.expected == b.cost.expected);
    CHECK(a.cost.high == b.cost.high);
    CHECK(a.confident == b.confident);
  }
}

}  // namespace

TEST_CASE("threads and processes change nothing of what is rented") {
  Random random(12);
  std::size_t rents = 0, systems = 0;
  for (int round = 0; round < 24; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    add_rents(random, space);
    const Question question{
        .goals = {{.measure = random.pick(std::vector{Measure::tco, Measure::days})}}};
    const auto ask = [&](Times& times) {
      std::vector<Rented> all = rented(space, question, times, {});
      const RentOfRuns cheapest = cheapest_rent(space, question, times, {});
      for (const std::int64_t runs : {3, 20}) {
        if (const auto one = cheapest(runs)) all.push_back(*one);
      }
      return all;
    };
    Times one_thread(space, 1);
    const std::vector<Rented> alone = ask(one_thread);
    rents += alone.size();
    systems += alone.empty() || alone.front().system == alone.back().system ? 0 : 1;
    for (const int threads : {2, 8}) {
      Times times(space, threads);
      check_same(alone, ask(times));
    }
    for (const std::size_t size : {2, 3}) {
      CAPTURE(size);
      Processes processes(size);
      const auto all = processes.ask<std::vector<Rented>>(space, ask);
      for (const std::vector<Rented>& one : all) check_same(alone, one);
    }
    Processes unlike(2);
    unlike.put_on_other_machines();
    for (const auto& one : unlike.ask<std::vector<Rented>>(space, ask)) check_same(alone, one);
  }
  CHECK(rents > 50);
  CHECK(systems > 5);
}
