// Ports of random networks of every topology, at several speeds.
#include "planner/network/port_speed.hpp"

#include <doctest/doctest.h>

#include "support/random_fabrics.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("a faster port is never slower, and one of half the speed carries half") {
  std::mt19937_64 random(7);
  constexpr BytesPerSecond kCards = 400 * units::Gbps;
  int slower = 0, full = 0;
  for (int trial = 0; trial < 1200; ++trial) {
    const auto fabric = random_fabric(random, trial % 12, 1500, 10'000);
    if (!fabric) continue;
    FabricDesign design = fabric->first;
    const FabricCount& count = fabric->second;
    // Hosts of these two have a speed of their own.
    if (topology_of(design) == Topology::hpn || topology_of(design) == Topology::dcn_plus) continue;
    const std::int64_t gpus = any(random, 1, 3 * count.endpoints);
    CAPTURE(trial);
    const auto at = [&](std::int64_t gbps, BytesPerSecond cards) {
      design.port_gbps = gbps;
      const CountResult counted = count_fabric(design);
      return slower_ports(design, std::get<FabricCount>(counted), gpus, cards).value_or(cards);
    };
    BytesPerSecond before{};
    for (const std::int64_t gbps : {25, 50, 100, 200, 400, 800}) {
      const BytesPerSecond now = at(gbps, kCards);
      CHECK(now >= before);
      CHECK(now <= kCards);
      CHECK(at(2 * gbps, 2.0 * kCards) == 2.0 * now);
      (now < kCards ? slower : full) += 1;
      before = now;
    }
  }
  CHECK(slower > 1000);
  CHECK(full > 500);
}
