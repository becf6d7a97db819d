// What leaves a run of GPUs, and the busiest of equal runs, against all flows one by one.
#include "planner/domain/cut.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using planner::testing::near;
using planner::testing::Random;

namespace {

constexpr auto kRing = FlowKind::ring, kAll = FlowKind::all_to_all, kLine = FlowKind::line;

/// Every flow of every group of `gpus` GPUs, in units of what one rank sends.
double enumerated(const GroupFlows& flows, std::int64_t gpus, std::int64_t first,
                  std::int64_t last) {
  const auto inside = [&](std::int64_t gpu) { return first <= gpu && gpu < last; };
  double out = 0;
  for (std::int64_t from = 0; from < gpus; ++from) {
    if (!inside(from)) continue;
    const std::int64_t period = flows.stride * flows.ranks;
    const std::int64_t group = from / period * period + from % flows.stride;
    const std::int64_t rank = from % period / flows.stride;
    for (std::int64_t other = 0; other < flows.ranks; ++other) {
      if (other == rank || inside(group + other * flows.stride)) continue;
      if (flows.kind == kAll) out += 1.0 / static_cast<double>(flows.ranks - 1);
      if (flows.kind == kRing && other == (rank + 1) % flows.ranks) out += 1;
      if (flows.kind == kLine && std::abs(other - rank) == 1) out += 1;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("flows out of a run of GPUs are those of the enumeration") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const GroupFlows flows{.kind = random.coin() ? kRing : kAll,
                           .stride = random.pick({1, 2, 3, 4, 8, 12}),
                           .ranks = random.pick({1, 2, 3, 4, 6, 8})};
    const std::int64_t gpus = flows.stride * flows.ranks * random.pick({1, 2, 5});
    const auto first = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(gpus)));
    const std::int64_t last =
        first + 1 +
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(gpus - first)));
    CAPTURE(flows.stride);
    CAPTURE(flows.ranks);
    CAPTURE(first);
    CAPTURE(last);
    CHECK(flows_out(flows, first, last) == near(enumerated(flows, gpus, first, last)));
  }
}

TEST_CASE("the busiest unit is that of all units of a cluster that repeats itself") {
  Random random(2);
  constexpr std::array kKinds{kRing, kAll, kLine};
  for (int i = 0; i < 750; ++i) {
    const GroupFlows flows{.kind = kKinds.at(static_cast<std::size_t>(i % 3)),
                           .stride = random.pick({1, 2, 3, 4, 8}),
                           .ranks = random.pick({1, 2, 3, 4, 6, 16})};
    const std::int64_t unit = random.pick({1, 2, 4, 6, 8, 12, 24});
    const std::int64_t gpus = std::lcm(unit, flows.stride * flows.ranks);
    double busiest = 0;
    for (std::int64_t at = 0; at < gpus; at += unit) {
      busiest = std::max(busiest, enumerated(flows, gpus, at, at + unit));
    }
    CAPTURE(flows.stride);
    CAPTURE(flows.ranks);
    CAPTURE(unit);
    CHECK(busiest_flows_out(flows, unit) == near(busiest));
  }
}

TEST_CASE("aligned units: as many flows of rings as groups, of an all-to-all m(n - m)/(n - 1)") {
  CHECK(busiest_flows_out({kRing, 8, 16}, 8) == 8);
  CHECK(busiest_flows_out({kRing, 8, 16}, 64) == 8);
  CHECK(busiest_flows_out({kRing, 1, 128}, 8) == 1);
  CHECK(busiest_flows_out({kRing, 64, 4}, 8) == 8);
  CHECK(busiest_flows_out({kRing, 1, 8}, 8) == 0);
  CHECK(busiest_flows_out({kAll, 1, 64}, 8) == near(8 * 56 / 63.0));
}

TEST_CASE("long periods cost no more than short ones") {
  constexpr std::int64_t kMillion = 1'000'003;  // a prime: no unit is aligned
  CHECK(busiest_flows_out({kRing, 1, kMillion}, 8) == 2);
  CHECK(busiest_flows_out({kRing, kMillion, kMillion}, 8) == 8);
}
