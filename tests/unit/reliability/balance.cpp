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

/// Of a chain whose neighbours lead to each other, and some others at most `wide` further.
struct RandomChain {
  std::vector<std::size_t> last;
  Rates rates;

  RandomChain(std::mt19937_64& random, std::size_t states, std::size_t wide)
      : last(states), rates(states, std::vector<double>(states)) {
    std::uniform_real_distribution<double> even(0, 1);
    std::size_t before = 0;
    for (std::size_t m = 0; m < states; ++m) {
      before = std::max(before, std::min(states - 1, m + 1 + random() % wide));
      last[m] = before;
    }
    for (std::size_t m = 0; m < states; ++m) {
      for (std::size_t other = m + 1; other <= last[m]; ++other) {
        const auto rate = [&] { return std::pow(10, 8 * even(random) - 4); };
        if (other == m + 1 || even(random) < 0.6) rates[m][other] = rate();
        if (other == m + 1 || even(random) < 0.6) rates[other][m] = rate();
      }
    }
  }
};

}  // namespace

TEST_CASE("shares of chains of 2 to 15 states, of any width: as by plain elimination") {
  std::mt19937_64 random{3};
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    const std::size_t states = 2 + random() % 14;
    const RandomChain chain(random, states, 1 + random() % 13);
    Balance balance(chain.last);
    for (std::size_t from = 0; from < states; ++from) {
      for (std::size_t to = 0; to < states; ++to) {
        if (chain.rates[from][to] > 0) balance.add(from, to, chain.rates[from][to]);
      }
    }
    const std::vector<double> found = balance.shares(), plain = plain_shares(chain.rates);
    const double all_found = std::accumulate(found.begin(), found.end(), 0.0),
                 all_plain = std::accumulate(plain.begin(), plain.end(), 0.0);
    for (std::size_t m = 0; m < states; ++m) {
      CAPTURE(m);
      CHECK(found[m] / all_found == near(plain[m] / all_plain));
    }
  }
}

TEST_CASE("shares of a chain of which the first outweighs the last by more than numbers hold") {
  constexpr std::size_t kStates = 80;
  std::vector<std::size_t> last(kStates);
  for (std::size_t m = 0; m < kStates; ++m) last[m] = std::min(m + 1, kStates - 1);
  Balance balance(last);
  for (std::size_t m = 0; m + 1 < kStates; ++m) {
    balance.add(m, m + 1, 1);
    balance.add(m + 1, m, 1e10);
  }
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
