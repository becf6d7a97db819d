// Whoever makes the searches of a question, one thread or several, one process or several, this run
// or one before it: the answer is the same to the last digit, and so is how it was proved.
#include <doctest/doctest.h>

#include <functional>
#include <limits>

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

void check_same(const Outcome& one, const Outcome& other) {
  REQUIRE(other.found.size() == one.found.size());
  for (std::size_t i = 0; i < one.found.size(); ++i) {
    CHECK(other.found[i].place == one.found[i].place);
    REQUIRE(other.found[i].times.size() == one.found[i].times.size());
    for (std::size_t run = 0; run < one.found[i].times.size(); ++run) {
      CHECK(other.found[i].times[run].time == one.found[i].times[run].time);
      CHECK(other.found[i].times[run].strategy == one.found[i].times[run].strategy);
    }
    CHECK(other.found[i].judged.expected == one.found[i].judged.expected);
  }
  const Certificate &a = one.certificate, &b = other.certificate;
  CHECK(a.designs == b.designs);
  CHECK(a.searched == b.searched);
  CHECK(a.over_limits == b.over_limits);
  CHECK(a.by_work == b.by_work);
  CHECK(a.by_full_network == b.by_full_network);
  CHECK(a.by_parts == b.by_parts);
  CHECK(a.searches == b.searches);
}

}  // namespace

TEST_CASE("threads, processes and what was known before change nothing") {
  Random random(7);
  std::size_t shared = 0;
  std::int64_t resumed = 0;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const Space space = random_space(random, round % 4 == 3 ? 2 : 1);
    const Question question = random_question(random);
    Times alone(space, 1);
    const Outcome one = find_designs(space, question, alone);
    for (const int threads : {2, 8}) {
      CAPTURE(threads);
      Times several(space, threads);
      check_same(one, find_designs(space, question, several));
    }
    for (const std::size_t size : {2, 3, 4}) {
      CAPTURE(size);
      Processes processes(size);
      const auto answers = processes.ask<Outcome>(
          space, [&](Times& times) { return find_designs(space, question, times); });
      for (const Outcome& other : answers) check_same(one, other);
      shared += processes.shared();
    }
    // A run that was ended anywhere left some of its searches.
    Times after(space, 1);
    for (const SearchedWay& searched : alone.made().all()) {
      if (random.coin()) continue;
      CHECK(after.holds(searched));
      after.made().add(searched.first, searched.second);
      ++resumed;
    }
    check_same(one, find_designs(space, question, after));
  }
  CHECK(shared > 100);
  CHECK(resumed > 100);
}

namespace {

bool same(const std::optional<Found>& one, const std::optional<Found>& other) {
  if (!one || !other) return !one && !other;
  return one->place == other->place && one->judged.expected == other->judged.expected &&
         one->judged.confident == other->judged.confident;
}

bool same(const std::optional<Flip::Turn>& one, const std::optional<Flip::Turn>& other) {
  if (!one || !other) return !one && !other;
  return one->at == other->at && same(one->best, other->best);
}

/// @return  answers to the questions behind the first
int check_same_answers(const Recommendation& one, const Recommendation& other) {
  check_same(Outcome{one.best, one.search}, Outcome{other.best, other.search});
  REQUIRE(one.front_search.has_value() == other.front_search.has_value());
  if (one.front_search) {
    check_same(Outcome{one.front, *one.front_search}, Outcome{other.front, *other.front_search});
  }
  int answers = 0;
  REQUIRE(one.by_system.size() == other.by_system.size());
  for (std::size_t i = 0; i < one.by_system.size(); ++i) {
    CHECK(same(one.by_system[i], other.by_system[i]));
    answers += one.by_system[i] ? 1 : 0;
  }
  REQUIRE(one.relax.size() == other.relax.size());
  for (std::size_t i = 0; i < one.relax.size(); ++i) {
    CHECK(same(one.relax[i].design, other.relax[i].design));
  }
  REQUIRE(one.margins.size() == other.margins.size());
  for (std::size_t i = 0; i < one.margins.size(); ++i) {
    CHECK(same(one.margins[i].looser.best, other.margins[i].looser.best));
    CHECK(same(one.margins[i].tighter.best, other.margins[i].tighter.best));
    CHECK(same(one.margins[i].without, other.margins[i].without));
  }
  REQUIRE(one.flips.size() == other.flips.size());
  for (std::size_t i = 0; i < one.flips.size(); ++i) {
    CHECK(same(one.flips[i].below, other.flips[i].below));
    CHECK(same(one.flips[i].above, other.flips[i].above));
    answers += one.flips[i].below || one.flips[i].above ? 1 : 0;
  }
  CHECK(one.wins_below == other.wins_below);
  for (const auto& price : one.wins_below) answers += price ? 1 : 0;
  return answers;
}

}  // namespace

TEST_CASE("threads and processes change nothing of what follows from the best") {
  Random random(9);
  int answers = 0, failing = 0;
  std::size_t shared = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const Space space = random_space(random, round % 8 == 7 ? 2 : 1);
    Brief brief{.confidence = random.pick(std::vector<double>{0.5, 0.8, 0.95}),
                .minimise = random.pick(
                    std::vector{Measure::tco, Measure::run_cost, Measure::capex, Measure::days})};
    if (random.below(3) == 0) brief.front = {Measure::tco, Measure::days};
    Times any(space, 1);
    const Outcome best = find_designs(space, question_of(brief, 1), any);
    if (best.found.empty()) continue;
    if (random.coin()) brief.limits = random_limits(random, best.found.front().judged);
    const auto ask = [&](int threads) {
      Times times(space, threads);
      return recommend(space, brief, 2, false, times);
    };
    const Recommendation alone = ask(1);
    answers += check_same_answers(alone, ask(2));
    check_same_answers(alone, ask(8));
    for (const std::size_t size : {2, 3}) {
      CAPTURE(size);
      Processes processes(size);
      const auto all = processes.ask<Recommendation>(
          space, [&](Times& times) { return recommend(space, brief, 2, false, times); });
      for (const Recommendation& one : all) check_same_answers(alone, one);
      shared += processes.shared();
    }
    failing += space.failures ? 1 : 0;
  }
  CHECK(answers > 40);
  CHECK(failing > 5);
  CHECK(shared > 100);
}

TEST_CASE("of questions whose proof nobody is told each system is asked by one process") {
  Random random(14);
  int asked = 0, several = 0;
  for (int round = 0; round < 16; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    if (systems_with_networks(space).size() < 2) continue;
    // Other prices, for which other systems take most.
    Space dearer = space;
    const std::string& node = space.systems[random.below(space.systems.size())].node.name;
    for (Price& price : dearer.book.prices) {
      if (price.part == node && price.amount) {
        const auto more = [](Money one) { return Money::cents(5 * one.in_cents()); };
        price.amount = Estimate<Money>{more(price.amount->low), more(price.amount->expected),
                                       more(price.amount->high)};
      }
    }
    Question question = random_question(random);
    question.front = false;
    question.uncounted = true;
    struct Answer {
      std::vector<Found> found{};
      std::vector<std::int64_t> searches{};  ///< of each system
    };
    const auto ask = [&](Times& times) {
      Learnt learnt(space, question.confidence);
      Answer answer;
      for (const Space* const at : {&space, static_cast<const Space*>(&dearer)}) {
        const Outcome outcome = find_designs(*at, question, times, {}, &learnt);
        answer.found.insert(answer.found.end(), outcome.found.begin(), outcome.found.end());
      }
      for (std::size_t system = 0; system < space.systems.size(); ++system) {
        answer.searches.push_back(times.searches(system));
      }
      return answer;
    };
    Times times(space, 1);
    const Answer alone = ask(times);
    Processes processes(2);
    const std::vector<Answer> all = processes.ask<Answer>(space, ask);
    for (const Answer& one : all) {
      REQUIRE(one.found.size() == alone.found.size());
      for (std::size_t i = 0; i < one.found.size(); ++i) CHECK(same(one.found[i], alone.found[i]));
    }
    for (std::size_t system = 0; system < space.systems.size(); ++system) {
      CHECK(std::min(all[0].searches[system], all[1].searches[system]) == 0);
    }
    const auto any = [](const Answer& one) {
      return std::any_of(one.searches.begin(), one.searches.end(),
                         [](std::int64_t searches) { return searches > 0; });
    };
    asked += any(all[0]) || any(all[1]) ? 1 : 0;
    several += any(all[0]) && any(all[1]) ? 1 : 0;
  }
  CHECK(asked > 8);
  CHECK(several > 4);
}

TEST_CASE("time that runs out at any step is said, by one thread and by several") {
  Random random(10);
  int cut = 0, each_system = 0;
  for (int round = 0; round < 4; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    for (const int threads : {1, 2}) {
      std::int64_t asked = 0;
      const auto late_from = [&](std::int64_t late) {
        asked = 0;
        Times times(space, threads);
        return recommend(space, {}, 1, false, times,
                         {.out_of_time = [&] { return ++asked >= late; }});
      };
      const Recommendation whole = late_from(std::numeric_limits<std::int64_t>::max());
      if (whole.best.empty()) continue;
      for (std::int64_t i = 1, all = asked; i < 16; ++i) {
        const Recommendation one = late_from(std::max<std::int64_t>(1, i * all / 16));
        ++cut;
        CHECK_FALSE((one.search.proved() && one.asked_to_end));
        CHECK(one.wins_below.empty());
        each_system += one.search.proved() && one.by_system.size() < whole.by_system.size() ? 1 : 0;
      }
    }
  }
  CHECK(cut > 50);
  CHECK(each_system > 0);
}

TEST_CASE("what is wrong with a system is the same to all processes, with the first system") {
  Random random(11);
  const Space space = random_space(random);
  using Problems = std::map<std::uint32_t, InputError>;
  const auto problem = [](const char* message) {
    return InputError(Diagnostic{.code = "bad",
                                 .message = message,
                                 .hint = "mend it",
                                 .file = "a \"b\".json",
                                 .line = 7,
                                 .column = 3,
                                 .closest = true});
  };
  InputError both({problem("of 3").diagnostics().front(),
                   Diagnostic{.code = "worse", .message = "of 3 as well"}});
  const std::vector<Problems> of{
      {{7, problem("of 7")}, {12, problem("of 12")}}, {}, {{3, std::move(both)}}};
  const auto said = [&](Times& times, const Problems& own) {
    try {
      throw_first(own, times.team());
    } catch (const InputError& error) {
      std::string all;
      for (const Diagnostic& one : error.diagnostics()) {
        all += to_string(one) + "; " + one.code + one.hint + (one.closest ? ", the closest. " : "");
      }
      return all;
    }
    return std::string("none");
  };
  Processes processes(3);
  for (const std::string& one : processes.ask<std::string>(
           space, [&](Times& times) { return said(times, of[times.team()->rank]); })) {
    CHECK(one == "a \"b\".json:7:3: of 3; badmend it, the closest. of 3 as well; worse");
  }
  Times alone(space, 1);
  CHECK(said(alone, of[0]) == "a \"b\".json:7:3: of 7; badmend it, the closest. ");
  CHECK(said(alone, {}) == "none");
}

TEST_CASE("a problem with a system that one process meets ends all, with the same words") {
  Random random(13);
  int met = 0;
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    if (space.systems.size() < 2) continue;
    space.gpus.to = std::min<std::int64_t>(space.gpus.to, 48);
    lay_out_clusters(random, space);
    const std::string last = space.systems.back().node.name;
    space.stand = [&, stand = space.stand](const SystemOption& option, const Cluster& cluster) {
      if (option.node.name != last) return stand(option, cluster);
      throw InputError(Diagnostic{.code = "bad", .message = "no building for " + last});
    };
    const Question question{.goals = {{.measure = Measure::tco}, {.measure = Measure::days}},
                            .front = true};
    const auto said = [&](Times& times) -> std::string {
      try {
        static_cast<void>(find_designs(space, question, times));
      } catch (const InputError& error) {
        return to_string(error.diagnostics().front());
      }
      return "none";
    };
    Times times(space, 1);
    const std::string alone = said(times);
    met += alone == "none" ? 0 : 1;
    Times two(space, 2);
    CHECK(said(two) == alone);
    Processes processes(2);
    for (const std::string& one : processes.ask<std::string>(space, said)) CHECK(one == alone);
  }
  CHECK(met > 3);
}

TEST_CASE("what a search is said to have found is checked") {
  Random random(8);
  int wrong = 0;
  for (int round = 0; round < 8; ++round) {
    const Space space = random_space(random);
    Times times(space, 1);
    static_cast<void>(find_designs(space, random_question(random), times));
    for (const SearchedWay& searched : times.made().all()) {
      REQUIRE(times.holds(searched));
      if (!searched.second.best) continue;
      SearchedWay other = searched;
      other.second.best->time = 0.99 * other.second.best->time;
      CHECK_FALSE(times.holds(other));
      other = searched;
      other.second.best->strategy.tp.hb += 1;
      CHECK_FALSE(times.holds(other));
      other = searched;
      other.first.system = space.systems.size();
      CHECK_FALSE(times.holds(other));
      ++wrong;
    }
  }
  CHECK(wrong > 30);
}

TEST_CASE("of two searches of a way the one that says more is kept") {
  const Way way{.used = 8, .as_one = 8};
  KnownSearches known;
  CHECK(known.answer(way, Seconds{1}) == nullptr);
  known.add(way, {.beyond = 2});
  CHECK(known.answer(way, Seconds{2}) != nullptr);
  CHECK(known.answer(way, Seconds{3}) == nullptr);
  known.add(way, {.beyond = 1});
  CHECK(known.answer(way, Seconds{2}) != nullptr);
  const KnownWay found{.best = BestOfWay{Seconds{5}, Seconds{4}, {}}, .beyond = 6};
  known.add(way, found);
  known.add(way, {.beyond = 3});
  REQUIRE(known.answer(way, Seconds{9}) != nullptr);
  CHECK(known.all() == std::vector<SearchedWay>{{way, found}});
}
