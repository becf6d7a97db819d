// The balance of a chain of states, and the rates of its wide steps.
#include "planner/reliability/balance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/reliability/group_flows.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Rates = std::vector<std::vector<double>>;

/// Shares of the states, eliminated from the last one.
std::vector<double> plain_shares(Rates rates) {
  const std::size_t states = rates.size();
  std::vector<double> leaves(states);
  for (std::size_t m = states; --m > 0;) {
    for (std::size_t to = 0; to < m; ++to) leaves[m] += rates[m][to];
    for (std::size_t from = 0; from < m; ++from) {
      for (std::size_t to = 0; to < m; ++to) {
        if (to != from) rates[from][to] += rates[from][m] * rates[m][to] / leaves[m];
      }
    }
  }
  std::vector<double> shares(states);
  shares[0] = 1;
  for (std::size_t m = 1; m < states; ++m) {
    for (std::size_t from = 0; from < m; ++from) shares[m] += shares[from] * rates[from][m];
    shares[m] /= leaves[m];
  }
  return shares;
}

/// Levels of states, some linked state by state, and some otherwise.
struct RandomLevels {
  struct Level {
    std::vector<StepRates> states, links;
    std::vector<std::size_t> from;
  };
  std::vector<Level> levels;
  std::size_t states = 0;

  explicit RandomLevels(std::mt19937_64& random) : levels(1 + random() % 5) {
    std::uniform_real_distribution<double> even(0, 1);
    const auto rates = [&] {
      const auto rate = [&] { return std::pow(10, 8 * even(random) - 4); };
      return StepRates{rate(), rate()};
    };
    std::size_t before = 0;
    for (Level& level : levels) {
      const bool alike = before > 0 && even(random) < 0.5;
      const std::size_t number = alike ? before : 1 + random() % 10;
      for (std::size_t i = 0; i < number; ++i) level.states.push_back(rates());
      if (states > 0) {
        for (std::size_t i = 0; i < number; ++i) {
          level.links.push_back(rates());
          if (even(random) < 0.2) level.links.back().more = 0;
          if (!alike) level.from.push_back(random() % before);
        }
        std::ranges::sort(level.from);
        level.links.back().more = 1;
      }
      states += number;
      before = number;
    }
  }
  [[nodiscard]] Rates rates() const {
    Rates found(states, std::vector<double>(states));
    std::size_t first = 0, before = 0;
    for (const Level& level : levels) {
      for (std::size_t i = 0; i < level.states.size(); ++i) {
        const std::size_t at = first + i;
        if (i > 0) found[at][at - 1] = level.states[i].fewer;
        if (i + 1 < level.states.size()) found[at][at + 1] = level.states[i].more;
        if (level.links.empty()) continue;
        const std::size_t from = before + (level.from.empty() ? i : level.from[i]);
        found[from][at] = level.links[i].more;
        found[at][from] = level.links[i].fewer;
      }
      before = first;
      first += level.states.size();
    }
    return found;
  }
  [[nodiscard]] std::vector<double> shares() const {
    Balance balance(states, levels.front().states);
    for (auto level = levels.begin() + 1; level != levels.end(); ++level) {
      balance.add_level(level->states, level->links, level->from);
    }
    return balance.shares();
  }
};

}  // namespace

TEST_CASE("shares of 1 to 5 levels of 1 to 10 states, linked in any way: as by plain elimination") {
  std::mt19937_64 random{3};
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    const RandomLevels chain(random);
    const std::vector<double> found = chain.shares(), plain = plain_shares(chain.rates());
    const double all_found = std::accumulate(found.begin(), found.end(), 0.0),
                 all_plain = std::accumulate(plain.begin(), plain.end(), 0.0);
    REQUIRE(found.size() == plain.size());
    for (std::size_t m = 0; m < found.size(); ++m) {
      CAPTURE(m);
      CHECK(found[m] / all_found == near(plain[m] / all_plain));
    }
  }
}

TEST_CASE("shares of levels of which the first outweighs the last by more than numbers hold") {
  constexpr std::size_t kLevels = 80;
  const std::vector<StepRates> states(1), links{{.more = 1, .fewer = 1e10}};
  Balance balance(kLevels, states);
  for (std::size_t m = 1; m < kLevels; ++m) balance.add_level(states, links);
  const std::vector<double> shares = balance.shares();
  for (std::size_t m = 0; m < 10; ++m) CHECK(shares[m] / shares[m + 1] == near(1e10));
  CHECK(shares.back() == 0);
}

TEST_CASE("rates of wide steps: as by the plain sum of powers") {
  for (const double q : {0.0, 1e-3, 0.3, 0.97, 1.0}) {
    for (std::int64_t width = 1; width <= 70; ++width) {
      CAPTURE(q);
      CAPTURE(width);
      double sum = 0, power = 1;  // q^width in the end
      for (std::int64_t i = 0; i < width; ++i, power *= q) sum += power;
      const double with = 5 / (real(width) * sum);
      const StepRates up = wide_step(5, 5 * q, width), down = wide_step(5 * q, 5, width);
      CHECK(up.more == near(with));
      CHECK(up.fewer == near(with * power));
      CHECK(down.fewer == near(with));
      CHECK(down.more == near(with * power));
    }
  }
}

TEST_CASE("rates between steps counted as one: the flow between their middles") {
  for (const double q : {1e-4, 0.2, 0.9, 0.9999, 1.0}) {  // smaller rate over the larger
    for (const std::int64_t steps : {1, 2, 3, 8}) {
      for (const std::int64_t more : {1, 2, 5, 16}) {
        CAPTURE(q);
        CAPTURE(steps);
        CAPTURE(more);
        // One step after the other has q times the share of the last; a step's middle one has its
        // part of the step's.
        const auto sum_to = [&](double n) { return q < 1 ? (1 - std::pow(q, n)) / (1 - q) : n; };
        const auto of_middle = [&](std::int64_t n) {
          return std::pow(q, real(n - 1) / 2) / sum_to(real(n));
        };
        const double apart = real(steps + more) / 2, flow = 5 / sum_to(apart);
        const double with = flow * of_middle(steps),
                     against = flow * of_middle(more) * std::pow(q, apart);
        const StepRates falls = between_wide({5, 5 * q}, steps, more),
                        rises = between_wide({5 * q, 5}, steps, more);
        CHECK(falls.more == near(with, 1e-11));
        CHECK(falls.fewer == near(against, 1e-11));
        CHECK(rises.more == near(flow * of_middle(steps) * std::pow(q, apart), 1e-11));
        CHECK(rises.fewer == near(flow * of_middle(more), 1e-11));
      }
    }
  }
}
