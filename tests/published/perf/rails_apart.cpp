// An expert-parallel dispatch with one copy per expert where the network joins no rails: rail-only
// paper (arXiv 2307.12169), Appendix D.
#include <doctest/doctest.h>

#include "planner/domain/topology.hpp"
#include "planner/perf/collectives/group.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("what changes rail crosses the HB domain first: y(x-1)·D/C_F more than the network") {
  // 8 GPUs in each of 16 domains, 200 and 50 GB/s, D bytes from each to each.
  const double x = 8, y = 16, k = x * y;
  const Bytes D = 1 * units::MB;
  const Links links{.hb = 200 * units::GBps, .net = 50 * units::GBps};
  const auto time = [&](bool one_copy, std::int64_t apart) {
    return expert_all_to_all(D,
                             {.top_k = static_cast<std::int64_t>(k),
                              .experts = k,
                              .one_copy = one_copy,
                              .rails_apart = apart},
                             {.hb = x, .net = y}, links);
  };
  const Seconds network = x * (y - 1) * D / links.net;
  const Seconds apart = time(false, kRailEach);
  CHECK(apart.si() == near((network + y * (x - 1) * D / links.hb).si()));
  CHECK(time(false, 1).si() == near((network + (x - 1) * D / links.hb).si()));
  // One copy per domain keeps to its rail.
  CHECK(time(true, kRailEach) == time(true, 1));
  // Of four planes over eight GPUs a GPU shares its own with another one: 3/4 change.
  const Seconds four = time(false, 4);
  CHECK(four.si() == near((network + (x - 1 + x * (y - 1) * 3 / 4) * D / links.hb).si()));
}

TEST_CASE("experts in parts are on as many planes as their first parts stand on") {
  CHECK(networks_of(8, {.rails_apart = kRailEach}) == 8);
  CHECK(networks_of(8, {.rails_apart = 4}) == 4);
  CHECK(networks_of(2, {.rails_apart = 4}) == 2);
  CHECK(networks_of(4, {.parts = 2, .rails_apart = 4}) == 2);
  CHECK(networks_of(2, {.parts = 4, .rails_apart = 4}) == 1);
}
