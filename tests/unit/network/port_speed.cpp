// What a network's ports carry of its GPUs' cards, worked out by hand.
#include "planner/network/port_speed.hpp"

#include <doctest/doctest.h>

#include "planner/core/real.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "support/fabrics.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

const BytesPerSecond kManyCards = 1e6 * units::Gbps;

/// Gb/s of a GPU's ports.
double gbps(const FabricDesign& design, double gpus_per_endpoint = 1) {
  const FabricCount count = counted(design);
  const auto gpus = static_cast<std::int64_t>(gpus_per_endpoint * real(count.endpoints));
  return slower_ports(design, count, gpus, kManyCards)->in(units::Gbps);
}

}  // namespace

TEST_CASE("ports of half the cards' speed, and ports that are no slower") {
  const FabricDesign design{.gpus = 1024, .radix = 40, .port_gbps = 200, .topology = FatTree{}};
  const FabricCount count = counted(design);
  CHECK(slower_ports(design, count, 1024, 400 * units::Gbps) == 25 * units::GBps);
  CHECK_FALSE(slower_ports(design, count, 1024, 200 * units::Gbps));
  CHECK_FALSE(slower_ports(design, count, 1024, 50 * units::Gbps));
}

TEST_CASE("ports of all planes count") {
  const FabricDesign ports{.gpus = 1024, .radix = 64, .port_gbps = 200};
  const auto of = [&](const TopologyOptions& topology) {
    FabricDesign design = ports;
    design.topology = topology;
    return gbps(design);
  };
  CHECK(of(RailOptimized{}) == 200);
  CHECK(of(RailOptimized{.planes = 2}) == 400);
  CHECK(of(SuperPod{.planes = 2, .fabric_manager_ports = 3}) == 400);
  CHECK(of(RailOnly{.rails = 8}) == 200);
  CHECK(of(MultiPlane{.planes = 4, .ports_per_gpu = 1}) == 200);
  CHECK(of(MultiPlane{.planes = 4, .ports_per_gpu = 4}) == 800);
  CHECK(of(Dragonfly{}) == 200);
  CHECK(of(TwoZoneFatTree{.storage_ports_per_zone = 90}) == 200);
  CHECK(of(Torus{.ocs = false}) == 6 * 200);
}

TEST_CASE("host ports of another speed than that between switches, those in reserve apart") {
  CHECK(gbps(default_design(Topology::hpn)) == 2 * 200);
  CHECK(gbps({.gpus = 100, .radix = 128, .port_gbps = 400, .topology = Hpn{.tors_per_rail = 1}}) ==
        200);
  CHECK(gbps(default_design(Topology::dcn_plus)) == 2 * 200);
}

TEST_CASE("GPUs that share an endpoint, and GPUs with several") {
  const FabricDesign design{.gpus = 960, .radix = 40, .port_gbps = 200, .topology = FatTree{}};
  CHECK(gbps(design, 8) == 25);
  CHECK(gbps(design, 0.5) == 400);
  CHECK(gbps(design, 0.9) == 200);  // some are left over
}
