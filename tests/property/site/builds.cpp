// What holds for every build, on random designs of every topology: each rack on a place of its own,
// every device in a rack, all cables laid, none shorter than the bound allows, and the power of the
// racks that of the parts.

#include <doctest/doctest.h>

#include <set>

#include "support/random_fabrics.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::test;
using doctest::Approx;

double watts_of(const site::Hardware& hardware, const site::Wiring& wiring) {
  std::int64_t cards = 0, spares = 0;
  for (const site::DeviceKind& kind : wiring.kinds) {
    if (kind.name == "gpu") cards = kind.count;
    if (kind.name == "spare") spares = kind.count;
  }
  const std::int64_t per_node =
      std::max<std::int64_t>(1, (cards + hardware.nodes - 1) / hardware.nodes);
  const auto nodes = [&](std::int64_t of) { return (of + per_node - 1) / per_node; };
  double sum = hardware.node_power.si() *
               static_cast<double>(std::max(hardware.nodes, nodes(cards)) + nodes(spares));
  for (std::size_t tier = 0; tier < hardware.count.switches.size(); ++tier) {
    sum += hardware.switch_power[tier].si() *
           static_cast<double>(hardware.count.switches[tier].switches);
  }
  return sum + 15.0 * static_cast<double>(hardware.count.modules);
}

site::Hardware random_hardware(const FabricDesign& design, const FabricCount& count) {
  site::Hardware hardware{.design = design,
                          .count = count,
                          .chassis = {.kg = 100, .port_units = {1, 2}},
                          .gpus = *design.gpus,
                          .nodes = (*design.gpus + 3) / 4,
                          .node_gpus = 4,
                          .hb_domain = 4,
                          .node_units = 4,
                          .node_power = 5000 * units::W,
                          .nic_module = 15 * units::W,
                          .switch_module = 15 * units::W};
  hardware.switch_power.assign(count.switches.size(), 500 * units::W);
  hardware.switch_units.assign(count.switches.size(), 1);
  return hardware;
}

TEST_CASE("property: every build stands, whatever the topology") {
  constexpr int kEach = 12;
  for (int topology = 0; topology < 12; ++topology) {
    Random random(70 + topology);
    for (int made = 0, tried = 0; made < kEach && tried < 3000; ++tried) {
      const auto fabric = random_fabric(random, topology, 1500, 20'000);
      if (!fabric) continue;
      ++made;
      const site::Hardware hardware = random_hardware(fabric->first, fabric->second);
      const Site site{.switch_position = kSwitchPositions[tried % kSwitchPositions.size()]};
      CAPTURE(name_of(topology_of(fabric->first)));
      CAPTURE(hardware.gpus);
      CAPTURE(tried);
      for (const Arrangement arrangement : {Arrangement::naive, Arrangement::regular}) {
        const auto result = site::build(hardware, site, media_800g(), {.arrangement = arrangement});
        REQUIRE(std::holds_alternative<site::Build>(result));
        const auto& build = std::get<site::Build>(result);
        std::set<std::int32_t> places(build.places.begin(), build.places.end());
        REQUIRE(places.size() == build.plan.racks.size());
        REQUIRE(*places.begin() >= 0);
        std::int64_t homeless = 0;
        for (const auto& racks : build.plan.rack_of) {
          homeless += std::count(racks.begin(), racks.end(), -1);
        }
        REQUIRE(homeless == 0);
        REQUIRE(build.laid.cables == hardware.count.total_links());
        REQUIRE(build.all_metres() >= build.bound_m * (1 - 1e-9));
        REQUIRE(build.power.it.si() == Approx(watts_of(hardware, build.plan.wiring)));
        std::int64_t gpus = 0;
        for (const site::Rack& rack : build.plan.racks) gpus += rack.gpus;
        REQUIRE(gpus == hardware.gpus);
      }
    }
  }
}

}  // namespace
