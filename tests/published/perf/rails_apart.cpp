// An expert-parallel dispatch with one copy per expert where the network joins no rails: rail-only
// paper (arXiv 2307.12169), Appendix D.
#include <doctest/doctest.h>

#include "planner/perf/collectives/group.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("what changes rail crosses the HB domain first: y(x-1)·D/C_F more than the network") {
  // 8 GPUs in each of 16 domains, 200 and 50 GB/s, D bytes from each to each.
  const double x = 8, y = 16, k = x * y;
  const Bytes D = 1 * units::MB;
  const Links links{.hb = 200 * units::GBps, .net = 50 * units::GBps};
  const auto time = [&](bool one_copy, bool apart) {
    return expert_all_to_all(D,
                             {.top_k = static_cast<std::int64_t>(k),
                              .experts = k,
                              .one_copy = one_copy,
                              .rails_apart = apart},
                             {.hb = x, .net = y}, links);
  };
  const Seconds network = x * (y - 1) * D / links.net;
  const Seconds apart = time(false, true);
  CHECK(apart / network == near(1.2333, 1e-3));
  CHECK(apart.si() == near((network + y * (x - 1) * D / links.hb).si()));
  CHECK(time(false, false).si() == near((network + (x - 1) * D / links.hb).si()));
  // One copy per domain keeps to its rail.
  CHECK(time(true, true) == time(true, false));
}
