// The time runs out on one of several processes, at any step of what they answer together: all end
// at the same step, with the same answer, and say that it was cut.
#include "planner/commands/design/together.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <limits>
#include <map>
#include <thread>

#include "planner/design/recommend.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::design;
using namespace planner::testing;

namespace {

/// Processes as threads. One that is out of step is told what others have said before.
class Processes {
 public:
  explicit Processes(std::size_t size)
      : texts_(size), shared_(size), meeting_(static_cast<std::ptrdiff_t>(size)) {}

  template <class Answer>
  std::vector<Answer> ask(const std::function<Answer(const Peers&)>& question) {
    std::vector<Answer> answers(texts_.size());
    dealt_ = 0;
    std::vector<std::thread> all;
    for (std::size_t rank = 0; rank < texts_.size(); ++rank) {
      all.emplace_back([&, rank] {
        answers[rank] =
            question({.rank = rank,
                      .size = texts_.size(),
                      .share = [&, rank](const std::string& own) { return share(rank, own); },
                      .next = [this] { return dealt_++; }});
        meeting_.arrive_and_drop();
      });
    }
    for (std::thread& one : all) one.join();
    return answers;
  }
  [[nodiscard]] bool in_step() const {
    return std::all_of(shared_.begin(), shared_.end(),
                       [&](std::int64_t one) { return one == shared_.front(); });
  }

 private:
  std::vector<std::string> share(std::size_t rank, const std::string& own) {
    texts_[rank] = own;
    ++shared_[rank];
    meeting_.arrive_and_wait();
    std::vector<std::string> all = texts_;
    meeting_.arrive_and_wait();
    return all;
  }

  std::vector<std::string> texts_;
  std::vector<std::int64_t> shared_;
  std::barrier<> meeting_;
  std::atomic<std::size_t> dealt_{0};
};

/// As far as an answer came.
auto reached(const Recommendation& of) {
  return std::tuple{of.search.not_reached, of.front_search ? of.front_search->not_reached : -1,
                    of.by_system.size(),   of.relax.size(),
                    of.margins.size(),     of.flips.size(),
                    of.wins_below,         of.asked_to_end};
}

}  // namespace

TEST_CASE("where the time of one process runs out all end in step and say so") {
  planner::testing::Random random(22);
  std::map<std::string, int> cut;
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    space.gpus.to = std::min<std::int64_t>(space.gpus.to, 48);
    Brief brief{.minimise = random.pick(std::vector{Measure::tco, Measure::days})};
    if (random.coin()) brief.front = {Measure::tco, Measure::days};
    Times any(space, 1);
    const Outcome best = find_designs(space, question_of(brief, 1), any);
    if (best.found.empty()) continue;
    if (random.coin()) brief.limits = random_limits(random, best.found.front().judged);
    Times times(space, 1);
    const Recommendation whole = recommend(space, brief, 1, false, times);
    CHECK(whole.asked_to_end);
    const std::size_t size = random.pick({2, 3});
    // Rank 1 is asked so often whether it is late, and is from one of these times on.
    std::int64_t asked = 0;
    const auto late_from = [&](std::int64_t late, Processes& processes) {
      return processes.ask<Recommendation>([&](const Peers& peers) {
        std::int64_t own_asked = 0;
        Together together(
            &peers, nullptr, [&] { return ++own_asked >= late && peers.rank == 1; }, 1);
        Times own(space, 1, together.stop(), together.team());
        Recommendation answer = recommend(space, brief, 1, false, own, together.control());
        if (peers.rank == 1) asked = own_asked;
        static_cast<void>(find_designs(space, question_of(brief, 1), own, together.control()));
        return answer;
      });
    };
    Processes in_time(size);
    late_from(std::numeric_limits<std::int64_t>::max(), in_time);
    const std::int64_t all = asked;
    std::vector<std::int64_t> steps;
    for (std::int64_t i = 1; i < 16; ++i) steps.push_back(std::max<std::int64_t>(1, i * all / 16));
    for (std::int64_t i = 0; i < 16; ++i) steps.push_back(std::max<std::int64_t>(1, all - i));
    for (const std::int64_t late : steps) {
      CAPTURE(late);
      Processes processes(size);
      const auto answers = late_from(late, processes);
      CHECK(processes.in_step());
      for (const Recommendation& one : answers) CHECK(reached(one) == reached(answers.front()));
      const Recommendation& one = answers.front();
      if (!one.search.proved()) {
        ++cut["best"];
      } else if (one.asked_to_end) {
        CHECK(reached(one) == reached(whole));
      } else {
        ++cut[one.front_search && !one.front_search->proved() ? "front"
              : one.by_system.empty()                         ? "each system"
              : one.margins.size() < whole.margins.size()     ? "margins"
              : one.flips.size() < whole.flips.size()         ? "flips"
                                                              : "prices"];
      }
    }
  }
  for (const std::string question :
       {"best", "front", "each system", "margins", "flips", "prices"}) {
    CAPTURE(question);
    CHECK(cut[question] > 0);
  }
}

TEST_CASE("a process that the user ends inside a building ends all in step") {
  planner::testing::Random random(24);
  using Answer = std::pair<Recommendation, bool>;
  int stopped = 0, cut = 0;
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    space.gpus.to = std::min<std::int64_t>(space.gpus.to, 48);
    lay_out_clusters(random, space);
    Brief brief{.minimise = random.pick(std::vector{Measure::tco, Measure::days})};
    if (random.coin()) brief.front = {Measure::tco, Measure::days};
    Times times(space, 1);
    const Recommendation whole = recommend(space, brief, 1, false, times);
    std::int64_t stood = 0;
    // Rank 1 is ended while it lays out this one of its buildings.
    const auto ended_in = [&](std::int64_t building, Processes& processes) {
      return processes.ask<Answer>([&](const Peers& peers) {
        std::atomic<bool> stop{false};
        Space own = space;
        std::int64_t own_stood = 0;
        own.stand = [&](const SystemOption& option, const Cluster& cluster) {
          if (++own_stood == building && peers.rank == 1) stop = true;
          return space.stand(option, cluster);
        };
        Together together(&peers, &stop, {}, 1);
        Times own_times(own, 1, together.stop(), together.team());
        Recommendation answer = recommend(own, brief, 1, false, own_times, together.control());
        if (peers.rank == 1) stood = own_stood;
        return Answer{std::move(answer), together.stopped()};
      });
    };
    const std::size_t size = random.pick({2, 3});
    Processes never(size);
    ended_in(-1, never);
    const std::int64_t buildings = stood;
    for (std::int64_t i = 0; i < 6 && i < buildings; ++i) {
      Processes processes(size);
      const auto answers = ended_in(1 + i * buildings / 6, processes);
      CHECK(processes.in_step());
      const auto& [one, ended] = answers.front();
      for (const auto& [other, other_ended] : answers) {
        CHECK(reached(other) == reached(one));
        CHECK(other_ended == ended);
      }
      if (one.asked_to_end && one.search.proved()) CHECK(reached(one) == reached(whole));
      if (!one.asked_to_end) CHECK(ended);
      stopped += ended ? 1 : 0;
      cut += one.asked_to_end ? 0 : 1;
    }
  }
  CHECK(stopped > 10);
  CHECK(cut > 10);
}

TEST_CASE("what processes say to each other comes to all as it was said") {
  const std::vector<std::string> texts{"", "two\nlines", "\n", "0.1 - y"};
  const auto said_by = [&](std::size_t rank, std::size_t time) {
    Said said{.text = texts[(rank + time) % texts.size()]};
    for (std::size_t i = 0; i < (rank + 2 * time) % 3; ++i) {
      const Way way{.system = rank, .used = 8, .as_one = 4, .levels = {{16, 0.1}}};
      const BestOfWay best{Seconds{1.0 / 3}, Seconds{0.1 + 0.2}, {}};
      said.searches.emplace_back(way, i == 0 ? KnownWay{.best = best} : KnownWay{.beyond = 2e-7});
    }
    return said;
  };
  const auto same = [](const Said& one, const Said& other) {
    return one.searches == other.searches && one.text == other.text;
  };
  Processes processes(3);
  const auto wrong = processes.ask<int>([&](const Peers& peers) {
    const Together together(&peers, nullptr, {});
    int other = 0;
    for (std::size_t time = 0; time < 6; ++time) {
      const std::vector<Said> all = together.team()->say(said_by(peers.rank, time));
      for (std::size_t rank = 0; rank < peers.size; ++rank) {
        other += same(all[rank], said_by(rank, time)) ? 0 : 1;
      }
    }
    return other;
  });
  for (const int one : wrong) CHECK(one == 0);
}
