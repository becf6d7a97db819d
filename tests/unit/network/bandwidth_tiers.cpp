// Where a counted network passes less than the cards' bandwidth, worked out by hand.
#include "planner/network/bandwidth_tiers.hpp"

#include <doctest/doctest.h>

#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;
using planner::testing::near;

namespace {

std::vector<NetworkTier> tiers(const FabricDesign& design, std::int64_t gpus_per_endpoint = 1) {
  const FabricCount count = counted(design);
  return bandwidth_tiers(design, count, gpus_per_endpoint * count.endpoints);
}

}  // namespace

TEST_CASE("full bisection has no tier") {
  CHECK(tiers({.gpus = 1024, .radix = 64, .topology = FatTree{}}).empty());
  CHECK(tiers({.gpus = 1024, .radix = 64, .topology = RailOptimized{.rails = 8}}).empty());
}

TEST_CASE("a fat tree of 3:1 leaves: 48 GPUs below 16 uplinks") {
  const FatTree tree{.oversubscription = {.down = 3, .up = 1}};
  CHECK(tiers({.gpus = 960, .radix = 64, .topology = tree}) ==
        std::vector<NetworkTier>{{.gpus = 48, .bandwidth_share = 1.0 / 3}});
}

TEST_CASE("a rail's leaf holds one rank of its domains: 8 rails of 48 domains") {
  const RailOnly rails{.rails = 8, .oversubscription = {.down = 3, .up = 1}};
  CHECK(tiers({.gpus = 7680, .radix = 64, .topology = rails}) ==
        std::vector<NetworkTier>{{.gpus = 8 * 48, .bandwidth_share = 1.0 / 3}});
}

TEST_CASE("four planes side by side: as many leaves of 48 as a GPU has no port on") {
  const Ratio ratio{.down = 3, .up = 1};
  const auto of = [&](std::int64_t ports) {
    return tiers({.gpus = 3072,
                  .radix = 64,
                  .topology = MultiPlane{.ports_per_gpu = ports, .oversubscription = ratio}});
  };
  CHECK(of(1) == std::vector<NetworkTier>{{.gpus = 4 * 48, .bandwidth_share = 1.0 / 3}});
  CHECK(of(2) == std::vector<NetworkTier>{{.gpus = 2 * 48, .bandwidth_share = 1.0 / 3}});
  CHECK(of(4) == std::vector<NetworkTier>{{.gpus = 48, .bandwidth_share = 1.0 / 3}});
}

TEST_CASE("GPUs that share a network card") {
  const FatTree tree{.oversubscription = {.down = 3, .up = 1}};
  CHECK(tiers({.gpus = 960, .radix = 64, .topology = tree}, 8) ==
        std::vector<NetworkTier>{{.gpus = 8 * 48, .bandwidth_share = 1.0 / 3}});
}

TEST_CASE("Meta AI Zone: 7:1 between zones of 3,072 (Llama 3 paper, § 3.3)") {
  const std::vector<NetworkTier> zones = tiers(default_design(Topology::meta_ai_zone));
  REQUIRE(zones.size() == 1);
  CHECK(zones[0].gpus == 3072);
  // 7:1 in whole ports: 384 down and 55 up on a 576-port chassis.
  CHECK(zones[0].bandwidth_share == near(55.0 / 384));
}

TEST_CASE("HPN: 16:15 out of a segment of 1,024, 15:1 out of a pod of 15,360 (HPN paper, §5-7)") {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).core_layer = true;
  const std::vector<NetworkTier> found = tiers(design);
  REQUIRE(found.size() == 2);
  CHECK(found[0] == NetworkTier{.gpus = 1024, .bandwidth_share = 15.0 / 16});
  CHECK(found[1].gpus == 15360);
  CHECK(found[1].bandwidth_share == near(15.0 / 16 / 15));
}
