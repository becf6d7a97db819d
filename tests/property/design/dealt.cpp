// Whichever process or thread comes to a piece of work first: each is done once, one that is cut
// short leaves the others in step, and what is wrong with the input is the same to all.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/recommend.hpp"
#include "planner/design/search.hpp"
#include "support/design_spaces.hpp"
#include "support/processes.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

using Places = std::vector<std::size_t>;

/// What is answered, or what is wrong.
template <class Answer>
std::string answer_or_problem(const Answer& answer) {
  try {
    return answer();
  } catch (const InputError& error) {
    return to_string(error.diagnostics().front());
  }
}

/// How a piece of work ends of which the fourth part, and the last one, do so.
std::string ended_by(bool problem, Times& times) {
  const auto ask_one = [problem](std::size_t question, const Control&) {
    if (question != 3 && question != 6) return;
    if (!problem) throw Interrupted();
    throw InputError(Diagnostic{.code = "bad", .message = std::to_string(question)});
  };
  return answer_or_problem([&] { return ask_in_turn(7, times, {}, ask_one) ? "cut" : "not"; });
}

Places asked_in_turn(Times& times) {
  Places asked;
  const bool cut = ask_in_turn(7, times, {}, [&](std::size_t question, const Control&) {
    if (times.team() == nullptr) asked.push_back(question);
  });
  return cut ? Places{} : asked;
}

Places asked_side_by_side(Times& times) {
  Places asked;
  std::mutex adding;
  const std::vector<std::uint32_t> systems{5, 2, 6, 0, 1, 4, 3};
  const auto ask_one = [&](std::uint32_t system, const Control&) {
    const std::lock_guard lock(adding);
    asked.push_back(system);
  };
  return ask_side_by_side(systems, WhoseSystems::all, times, {}, ask_one) ? Places{} : asked;
}

/// A space of clusters, one system of which nearly as good as another; the name of its node.
std::string add_nearly_as_good(Random& random, Space& space) {
  space.gpus.to = std::min<std::int64_t>(space.gpus.to, 48);
  lay_out_clusters(random, space);
  SystemOption like = space.systems.front();
  const auto price = std::find_if(space.book.prices.begin(), space.book.prices.end(),
                                  [&](const Price& one) { return one.part == like.node.name; });
  if (!random.coin() || price == space.book.prices.end() || !price->amount) {
    return space.systems.back().node.name;
  }
  const Money dearer =
      *Money::from_dollars(random.uniform(1, 1.3) * price->amount->expected.dollars());
  like.node.name = "twin";
  add_price(space.book, like.node.name, {dearer, dearer, dearer});
  space.systems.push_back(like);
  return like.node.name;
}

constexpr std::int64_t kEvery = std::numeric_limits<std::int64_t>::max();

/// Something is wrong with clusters of such nodes and up to so many GPUs; how often it is met.
void refuse(const std::string& node, std::int64_t most, std::atomic<int>& met, Space& space) {
  space.stand = [node, most, &met, stand = space.stand](const SystemOption& option,
                                                        const Cluster& cluster) {
    if (option.node.name != node || cluster.gpus > most) return stand(option, cluster);
    ++met;
    throw InputError(Diagnostic{.code = "bad", .message = "no building for " + cluster.name});
  };
}

std::string place_of(const std::optional<Found>& found) {
  if (!found) return "none";
  const DesignId& id = found->place.id;
  return fmt::format("{} {} {}", id.system, id.gpus, id.network);
}

}  // namespace

TEST_CASE("work that is dealt out is done once, also behind what was cut short") {
  Random random(15);
  const Space space = random_space(random);
  for (const std::size_t size : {1, 2, 3}) {
    CAPTURE(size);
    Processes processes(size);
    processes.put_on_other_machines();  // with more threads
    using Steps = std::vector<Places>;
    std::vector<Places> all(4);
    for (const Steps& own : processes.ask<Steps>(space, [](Times& times) {
           Steps steps{asked_in_turn(times), asked_side_by_side(times)};
           CHECK(ended_by(false, times) == "cut");
           steps.push_back(asked_side_by_side(times));
           CHECK(ended_by(true, times) == "3");
           steps.push_back(asked_in_turn(times));
           return steps;
         })) {
      for (std::size_t step = 0; step < own.size(); ++step) {
        all[step].insert(all[step].end(), own[step].begin(), own[step].end());
      }
    }
    for (Places& step : all) {
      std::sort(step.begin(), step.end());
      CHECK(step == Places{0, 1, 2, 3, 4, 5, 6});
    }
  }
}

TEST_CASE("what is wrong with a design is said only where it may be the best, by all alike") {
  Random random(17);
  int met = 0, passed_over = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    // What is wrong with it is looked at where it is nearly as good.
    const std::string bad = add_nearly_as_good(random, space);
    std::atomic<int> wrong{0};
    refuse(bad, kEvery, wrong, space);
    const Question question{
        .goals = {{.measure = random.pick(std::vector{Measure::tco, Measure::days})}},
        .uncounted = true};
    const auto said = [&](Times& times) -> std::string {
      return answer_or_problem([&] {
        const Outcome outcome = find_designs(space, question, times);
        return place_of(outcome.found.empty() ? std::nullopt
                                              : std::optional(outcome.found.front()));
      });
    };
    Times times(space, 1);
    const std::string alone = said(times);
    for (const int threads : {2, 8}) {
      Times several(space, threads);
      CHECK(said(several) == alone);
    }
    for (const std::size_t size : {2, 3, 4}) {
      CAPTURE(size);
      Processes processes(size);
      for (const std::string& one : processes.ask<std::string>(space, said)) CHECK(one == alone);
    }
    if (alone.starts_with("no building")) ++met;
    if (!alone.starts_with("no building") && wrong > 0) ++passed_over;
  }
  CHECK(met > 3);
  CHECK(passed_over > 0);
}

TEST_CASE("what is wrong with a design that a limit brings in is said by all alike") {
  Random random(1);
  int answers = 0, passed_over = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    const std::string bad = add_nearly_as_good(random, space);
    Brief brief{.confidence = 0.8, .minimise = Measure::tco};
    Times any(space, 1);
    const Outcome best = find_designs(space, question_of(brief, 1), any);
    if (best.found.empty()) continue;
    brief.limits.days = random.pick(std::vector{0.5, 0.7, 0.8, 0.95}) *
                        best.found.front().judged.confident[at(Measure::days)];
    std::atomic<int> wrong{0};
    refuse(bad, best.found.front().place.id.gpus, wrong, space);
    const auto said = [&](Times& times) -> std::string {
      return answer_or_problem([&] {
        std::string all;
        for (const auto& margin : recommend(space, brief, 1, false, times).margins) {
          all += fmt::format("{}, {}, {}; ", place_of(margin.looser.best),
                             place_of(margin.tighter.best), place_of(margin.without));
        }
        return all;
      });
    };
    Times times(space, 1);
    const std::string alone = said(times);
    for (const std::size_t size : {2, 3}) {
      CAPTURE(size);
      Processes processes(size);
      if (size == 2) processes.take_turns();
      for (const std::string& one : processes.ask<std::string>(space, said)) CHECK(one == alone);
    }
    if (alone.starts_with("no building")) continue;
    ++answers;
    if (wrong > 0) ++passed_over;
  }
  CHECK(answers > 3);
  CHECK(passed_over > 0);
}
