// What must hold of any answer: a looser limit never costs more, nor do more choices; a dearer part
// never makes the best cheaper; limits that hold in more cases never cost less.
#include <doctest/doctest.h>

#include "planner/design/search.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

std::optional<double> least(const Space& space, const Question& question) {
  Times times(space, 1);
  const Outcome outcome = find_designs(space, question, times);
  if (outcome.found.empty()) return std::nullopt;
  return figure(outcome.found.front().judged, question.goals.front());
}

/// Nothing is more than anything.
bool no_more(const std::optional<double>& a, const std::optional<double>& b) {
  return !b || (a && *a <= *b);
}

}  // namespace

TEST_CASE("more room and more choice never cost more") {
  Random random(77);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    Question question = random_question(random);
    question.front = false;
    question.top = 1;
    for (Goal& goal : question.goals) goal.confident = false;
    Times times(space, 1);
    const Outcome any = find_designs(space, question, times);
    if (any.found.empty()) continue;
    question.limits = random_limits(random, any.found.front().judged);
    const std::optional<double> before = least(space, question);
    compared += before ? 1 : 0;

    Question looser = question;
    if (looser.limits.days) looser.limits.days = 1.1 * *looser.limits.days;
    if (looser.limits.power) looser.limits.power = 1.2 * *looser.limits.power;
    CHECK(no_more(least(space, looser), before));
    looser.limits.capex.reset();
    looser.limits.gpus.reset();
    CHECK(no_more(least(space, looser), before));

    Question surer = question;
    surer.confidence = 0.99;
    CHECK(no_more(before, least(space, surer)));

    Space fewer = space;
    if (fewer.systems.size() > 1) fewer.systems.pop_back();
    if (fewer.systems.front().networks.size() > 1) fewer.systems.front().networks.pop_back();
    CHECK(no_more(before, least(fewer, question)));

    Space dearer = space;
    Price& price = dearer.book.prices[static_cast<std::size_t>(
        random.below(static_cast<std::int64_t>(dearer.book.prices.size())))];
    price.amount->expected = Money::cents(price.amount->expected.in_cents() * 5 / 4);
    price.amount->high = Money::cents(price.amount->high.in_cents() * 5 / 4);
    CHECK(no_more(before, least(dearer, question)));
  }
  CHECK(compared > 20);
}

TEST_CASE("the front begins with the best and each of its designs is the best within its figures") {
  Random random(78);
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    // With failures the mean is no quantile that a limit could name.
    space.failures.reset();
    Times times(space, 1);
    Question question{.goals = {{.measure = Measure::tco}, {.measure = Measure::days}},
                      .front = true};
    const Outcome front = find_designs(space, question, times);
    question.front = false;
    const Outcome best = find_designs(space, question, times);
    REQUIRE(front.found.empty() == best.found.empty());
    if (front.found.empty()) continue;
    CHECK(front.found.front().place == best.found.front().place);
    for (const Found& one : front.found) {
      question.confidence = 0.5;
      question.limits.days = one.judged.expected[at(Measure::days)];
      const Outcome within_days = find_designs(space, question, times);
      REQUIRE(!within_days.found.empty());
      CHECK(within_days.found.front().judged.expected[at(Measure::tco)] ==
            one.judged.expected[at(Measure::tco)]);
    }
  }
}
