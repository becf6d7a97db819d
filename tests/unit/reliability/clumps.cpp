// Shortages that come soon after one another.
#include "planner/reliability/clumps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "planner/core/real.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

SparePool pool_of(std::int64_t active, std::int64_t spares, double losses, double repair,
                  double crews = std::numeric_limits<double>::infinity()) {
  return {.active = active,
          .spares = spares,
          .rate = losses / real(active) * units::per_hour,
          .repair = hours(repair),
          .crews = crews};
}

/// Moments of the time from all spares out to the next shortage: each a step to a state next to
/// this one, solved for all states by going round until none moves.
struct Next {
  double mean = 0, square = 0;
};
Next next_shortage(const SparePool& pool) {
  const auto states = static_cast<std::size_t>(pool.spares) + 1;
  std::vector<Next> from(states + 1);
  for (int round = 0; round < 20'000; ++round) {
    for (std::size_t j = states; j-- > 0;) {
      const double lost = real(pool.active + pool.spares - static_cast<std::int64_t>(j)) *
                          pool.rate.si(),
                   back = std::min(static_cast<double>(j), pool.crews) / pool.repair.si(),
                   all = lost + back;
      const Next &more = from[j + 1], fewer = j > 0 ? from[j - 1] : Next{};
      const double after = (lost * more.mean + back * fewer.mean) / all;
      from[j] = {1 / all + after, 2 / (all * all) + 2 / all * after +
                                      (lost * more.square + back * fewer.square) / all};
    }
  }
  return from[states - 1];
}

}  // namespace

TEST_CASE("clumps of shortages vary as the renewal process that shortages are") {
  for (const SparePool& pool :
       {pool_of(20, 1, 0.05, 10), pool_of(20, 4, 0.4, 10), pool_of(200, 12, 0.5, 24),
        pool_of(50, 6, 2, 10), pool_of(30, 5, 0.2, 12, 2), pool_of(12, 9, 0.3, 12, 3.5)}) {
    CAPTURE(pool.spares);
    CAPTURE(pool.crews);
    const auto [mean, square] = next_shortage(pool);
    const Clump found = clump(pool, 1, 0, 1);
    // Time to the first from any state: that of a renewal process, E[X²]/(2·E[X]).
    CHECK(found.shortages == near(square / (2 * mean * mean), 1e-9));
    // What one adds to the rate of others is what comes after the first.
    const double losses = real(pool.active) * pool.rate.si();
    CHECK((losses - 1 / mean) * found.time.si() == near(found.shortages - 1, 1e-9));
  }
}

TEST_CASE("shortages come one by one without spares, and where they are rare") {
  CHECK(clump(pool_of(20, 0, 0.1, 10), 1, 0, 1).shortages == 1);
  CHECK(clump(pool_of(2000, 8, 0.001, 1), 1, 0, 1).shortages == near(1, 1e-3));
  CHECK(clump(pool_of(20, 4, 0, 10), 1, 0, 1).shortages == 1);
  CHECK(clump(pool_of(20, 4, 1e9, 10), 1, 0, 1).shortages == near(1, 1e-6));
}

TEST_CASE("repairs that are faster while the job runs are as shorter ones") {
  const Clump slow = clump(pool_of(100, 9, 0.5, 20), 2.5, 0, 2.5),
              fast = clump(pool_of(100, 9, 0.5, 8), 1, 0, 1);
  CHECK(slow.shortages == near(fast.shortages, 1e-12));
  CHECK(slow.time / fast.time == near(1, 1e-12));
}

TEST_CASE("a short run meets a part of a clump, and all clumps take as long as their waits") {
  const Pauses waits{PerSecond{1e-5}, hours(3), hours(3), 2.5, hours(40)};
  double before = 1;
  for (const double run : {0.0, 0.01, 1.0, 20.0, 400.0, 1e9}) {
    CAPTURE(run);
    const Pauses clumps = waits.as_clumps(hours(run));
    const double of_clump = waits.rate / clumps.rate;
    CHECK(of_clump >= before);
    CHECK(of_clump <= 2.5);
    CHECK(clumps.rate * clumps.each == near(waits.rate * waits.each, 1e-12));
    CHECK(clumps.deviation / clumps.each == near(1, 1e-12));  // exponential, as each wait
    before = of_clump;
  }
  CHECK(before == near(2.5, 1e-6));
  CHECK(waits.as_clumps(Seconds{}).rate == waits.rate);
}

TEST_CASE("waits for other pools bring units back, so that fewer shortages follow") {
  const SparePool pool = pool_of(20, 4, 0.4, 10);
  const double alone = 2 * clump(pool, 1, 0, 1).shortages - 1;
  // A wait of 10 h/5, in which each unit that is out is back with a chance of 1/5: what that takes
  // from the shortages to come, by states, is what a loss of each adds.
  const double losses = real(pool.active) * pool.rate.si(), repair = pool.repair.si();
  std::vector<double> share{1};
  for (std::int64_t j = 1; j <= pool.spares; ++j) {
    const double lost = real(pool.active + pool.spares - j + 1) * pool.rate.si();
    share.push_back(share.back() * lost * repair / real(j));
  }
  const double all = std::accumulate(share.begin(), share.end(), 0.0),
               often = losses * share[4] / all;
  double takes = 0, up_to = 0;
  for (std::size_t j = 1; j < share.size(); ++j) {
    up_to += share[j - 1];
    const double lost =
        real(pool.active + pool.spares - static_cast<std::int64_t>(j) + 1) * pool.rate.si();
    takes += share[j] / all * static_cast<double>(j) / 5 * often * up_to / (lost * share[j - 1]);
  }
  CHECK(2 * clump(pool, 1, 1, 1).shortages - 1 == near(alone / (1 + takes), 1e-12));
  CHECK(2 * clump(pool, 1, 0.4, 1).shortages - 1 == near(alone / (1 + 0.4 * takes), 1e-12));
  CHECK(clump(pool, 1, 100, 1).shortages == 1);
}

TEST_CASE("a run that begins with more out meets more shortages, as many as by all states") {
  for (const SparePool& pool :
       {pool_of(20, 4, 0.4, 10), pool_of(200, 12, 0.5, 24), pool_of(30, 5, 0.2, 12, 2)}) {
    CAPTURE(pool.spares);
    // Repairs take ρ/1.3 while the job runs, and without recoveries ρ/1.1.
    constexpr double kSlower = 1.3, kStart = 1.1;
    const Clump found = clump(pool, kSlower, 0, kStart);
    const auto states = static_cast<std::size_t>(pool.spares) + 1;
    const auto lost = [&](std::size_t j) {
      return (real(pool.active + pool.spares) - static_cast<double>(j)) * pool.rate.si();
    };
    const auto back = [&](std::size_t j, double slower) {
      return std::min(static_cast<double>(j), pool.crews) / pool.repair.si() * slower;
    };
    const auto shares = [&](double slower) {
      std::vector<double> share{1};
      for (std::size_t j = 1; j < states; ++j) {
        share.push_back(share.back() * lost(j - 1) / back(j, slower));
      }
      const double all = std::accumulate(share.begin(), share.end(), 0.0);
      for (double& one : share) one /= all;
      return share;
    };
    const double usual = shares(kSlower).back();
    std::vector<double> now = shares(kStart);
    CHECK(found.at_start == near(now.back() / usual, 1e-12));
    // Shares of the states, step by step of a run, up to 40 repairs.
    const double step = pool.repair.si() / 20'000, losses = real(pool.active) * pool.rate.si();
    double more = 0;
    for (int i = 0; i < 800'000; ++i) {
      std::vector<double> next = now;
      for (std::size_t j = 0; j + 1 < states; ++j) {
        const double moved = step * (now[j] * lost(j) - now[j + 1] * back(j + 1, kSlower));
        next[j] -= moved;
        next[j + 1] += moved;
      }
      more += step * losses * ((now.back() + next.back()) / 2 - usual);
      now = next;
      if (i + 1 != 10'000 && i + 1 != 100'000) continue;
      // In half a repair, and in five, by the exponential.
      const Pauses run{.rate = PerSecond{losses * usual},
                       .each = hours(1),
                       .at_start = found.at_start,
                       .settles = found.settles};
      const Seconds ran{step * (i + 1)};
      CHECK((run.as_clumps(ran).rate - run.rate) * ran == near(more, 0.15));
    }
    CHECK((found.at_start - 1) * losses * usual * found.settles.si() == near(more, 1e-3));
  }
  const Clump alike = clump(pool_of(20, 4, 0.4, 10), 1.3, 0, 1.3);
  CHECK(alike.at_start == 1);
  CHECK(clump(pool_of(20, 0, 0.1, 10), 1.3, 0, 1).at_start == 1);
}

TEST_CASE("a short run has as many shortages as at its start, a long one as there usually are") {
  const Pauses waits{.rate = PerSecond{1e-5}, .each = hours(3), .at_start = 2, .settles = hours(9)};
  CHECK(waits.as_clumps(Seconds{}).rate / waits.rate == near(2, 1e-9));
  CHECK(waits.as_clumps(hours(9)).rate / waits.rate == near(1 + 1 - std::exp(-1), 1e-9));
  CHECK(waits.as_clumps(hours(9e9)).rate / waits.rate == near(1, 1e-6));
  CHECK(waits.as_clumps(hours(9)).each == hours(3));
}
