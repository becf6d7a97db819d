// Collectives on links of 100 GB/s inside a domain and 10 GB/s between domains, 1 and 10 µs.
#include "planner/perf/collectives/collectives.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {
constexpr Links kLinks{.hb = 100 * units::GBps,
                       .net = 10 * units::GBps,
                       .hb_latency = 1 * units::us,
                       .net_latency = 10 * units::us};

}  // namespace

TEST_CASE("hierarchical all-gather, Eq. 1: rails first, then the domain, one latency per phase") {
  const auto seconds = [](std::int64_t x, std::int64_t y) {
    return hierarchical_all_gather(800 * units::MB, x, y, kLinks).si();
  };
  CHECK(seconds(1, 1) == 0);
  CHECK(seconds(8, 1) == near(7.0 / 8 * 0.008 + 1e-6));  // 0.8 GB at 100 GB/s: 8 ms
  CHECK(seconds(1, 4) == near(3.0 / 4 * 0.080 + 10e-6));
  CHECK(seconds(8, 4) == near(3.0 / 32 * 0.080 + 7.0 / 8 * 0.008 + 11e-6));
}

TEST_CASE("both fabrics of an all-to-all work at once when the network reaches everyone, Eq. 20") {
  const auto seconds = [](std::int64_t x, std::int64_t y) {
    return full_bisection_all_to_all(1 * units::MB, x, y, kLinks).si();
  };
  CHECK(seconds(8, 4) == near(24 * 1e-4));   // 8·3 shards of 0.1 ms; inside only 7 of 0.01 ms
  CHECK(seconds(72, 1) == near(71 * 1e-5));  // one domain: the network is idle
  CHECK(seconds(1, 1) == 0);
}

TEST_CASE("rails only: shards are forwarded inside the domain first, Eq. 21") {
  const auto seconds = [](std::int64_t x, std::int64_t y) {
    return rail_only_all_to_all(1 * units::MB, x, y, kLinks).si();
  };
  CHECK(seconds(8, 4) == near(4 * 7 * 1e-5 + 8 * 3 * 1e-4));
  CHECK(seconds(72, 1) == near(71 * 1e-5));
  CHECK(seconds(1, 4) == near(3 * 1e-4));
}
