// What holds for every build, on random designs of every topology: each rack on a place of its own,
// every device in a rack, all cables laid, none shorter than the bound allows, and the power of the
// racks that of the parts.

#include <doctest/doctest.h>

#include <set>

#include "support/random_fabrics.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

/// Of the modules of a network, as they are planned or as they are laid.
double module_watts(const site::NetworkHardware& network, const LaidLinks& laid) {
  if (network.by_medium.empty()) return 15.0 * static_cast<double>(network.count.modules);
  double sum = 0;
  for (const LaidModules& of : laid.modules) {
    for (const site::MediumPower& power : network.by_medium) {
      if (power.medium != of.medium || power.gbps != of.gbps) continue;
      sum += static_cast<double>(of.modules) *
             (of.at_switch ? power.switch_module : power.nic_module).si();
      break;
    }
  }
  return sum;
}

double switch_watts(const site::NetworkHardware& network) {
  double sum = 0;
  for (std::size_t tier = 0; tier < network.count.switches.size(); ++tier) {
    sum += network.switch_power[tier].si() *
           static_cast<double>(network.count.switches[tier].switches);
  }
  return sum;
}

double watts_of(const site::Hardware& hardware, const site::Build& build) {
  std::int64_t cards = 0, spares = 0;
  for (const site::DeviceKind& kind : build.plan.wiring.kinds) {
    if (kind.network > 0) continue;
    if (kind.name == "gpu") cards = kind.count;
    if (kind.name == "spare") spares = kind.count;
  }
  const std::int64_t per_node =
      std::max<std::int64_t>(1, (cards + hardware.nodes - 1) / hardware.nodes);
  const auto nodes = [&](std::int64_t of) { return (of + per_node - 1) / per_node; };
  double sum =
      hardware.node_power.si() * static_cast<double>(std::max(hardware.nodes, nodes(cards)) +
                                                     std::max(nodes(spares), hardware.spare_nodes));
  for (const site::OtherLoad& load : hardware.others) sum += load.power->si();
  for (std::size_t i = 0; i <= hardware.beside.size(); ++i) {
    sum += switch_watts(hardware.of(i)) + module_watts(hardware.of(i), build.laid.links[i]);
  }
  return sum;
}

/// Lines of a network by name are those that it counts, each in cables or in a backplane.
void require_counted(const site::NetworkHardware& network, std::size_t number,
                     const site::Build& build) {
  const std::string before = network.name.empty() ? "" : network.name + "_";
  for (const LinkLayer& layer : network.count.layers) {
    std::int64_t links = 0;
    for (const site::WiredLayer& wired : build.plan.wiring.layers) {
      if (wired.network == number && wired.name == before + layer.name) {
        links += static_cast<std::int64_t>(wired.links.size());
      }
    }
    REQUIRE(links == layer.links);
  }
  std::int64_t switches = 0;
  for (const site::DeviceKind& kind : build.plan.wiring.kinds) {
    if (kind.network == number && kind.is_switch && kind.name != "hb-switch") {
      switches += kind.count;
    }
  }
  REQUIRE(switches == network.count.total_switches());
}

site::NetworkHardware network_of(const FabricDesign& design, const FabricCount& count) {
  return {.design = design,
          .count = count,
          .switch_power = std::vector<Watts>(count.switches.size(), 500 * units::W),
          .switch_units = std::vector<std::int64_t>(count.switches.size(), 1),
          .nic_module = 15 * units::W,
          .switch_module = 15 * units::W};
}

site::Hardware random_hardware(const FabricDesign& design, const FabricCount& count) {
  return {.network = network_of(design, count),
          .chassis = {.kg = 100, .port_units = {1, 2}},
          .gpus = *design.gpus,
          .nodes = (*design.gpus + 3) / 4,
          .node_gpus = 4,
          .hb_domain = 4,
          .node_units = 4,
          .node_power = 5000 * units::W};
}

/// Spare nodes, storage, and a front end that everything hangs on.
void add_front_end(std::mt19937_64& random, site::Hardware& hardware) {
  hardware.spare_nodes = any(random, 0, 9);
  const std::int64_t servers = any(random, 1, 60), ports = any(random, 1, 2);
  hardware.others.push_back({.name = site::kStorageLoad,
                             .power = 700.0 * static_cast<double>(servers) * units::W,
                             .pieces = servers,
                             .units = 2});
  const FabricDesign design{
      .gpus = (hardware.nodes + hardware.spare_nodes) * ports + servers + any(random, 0, 8),
      .radix = 32,
      .port_gbps = 200,
      .topology = FatTree{.pod_aligned = any(random, 0, 1) == 1},
      .cabling = {.ports_per_switch_module = any(random, 1, 2)}};
  site::NetworkHardware front = network_of(design, count_of(design));
  front.name = "frontend";
  front.node_ports = ports;
  front.storage_ports = 1;
  hardware.beside.push_back(std::move(front));
}

/// Draws that differ by medium and by end.
void draw_by_medium(site::NetworkHardware& network) {
  for (const LinkLayer& layer : network.count.layers) {
    for (std::size_t medium = 0; medium < 6; ++medium) {
      const double watts = 10 + static_cast<double>(medium);
      network.by_medium.push_back({.medium = medium,
                                   .gbps = layer.gbps,
                                   .switch_module = watts * units::W,
                                   .nic_module = (watts / 2) * units::W});
    }
  }
}

TEST_CASE("property: every build stands, whatever the topology") {
  constexpr int kEach = 12;
  for (int topology = 0; topology < 12; ++topology) {
    std::mt19937_64 random(70 + topology);
    for (int made = 0, tried = 0; made < kEach && tried < 3000; ++tried) {
      const auto fabric = random_fabric(random, topology, 1500, 20'000);
      if (!fabric) continue;
      ++made;
      site::Hardware hardware = random_hardware(fabric->first, fabric->second);
      if (tried % 3 == 1) add_front_end(random, hardware);
      if (tried % 2 == 1) {
        draw_by_medium(hardware.network);
        for (site::NetworkHardware& beside : hardware.beside) draw_by_medium(beside);
      }
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
        REQUIRE(build.laid.cables == hardware.links());
        for (std::size_t i = 0; i <= hardware.beside.size(); ++i) {
          require_counted(hardware.of(i), i, build);
        }
        REQUIRE(build.all_metres() >= build.bound_m * (1 - 1e-9));
        REQUIRE(build.power.it.si() == Approx(watts_of(hardware, build)));
        std::int64_t gpus = 0;
        for (const site::Rack& rack : build.plan.racks) gpus += rack.gpus;
        REQUIRE(gpus == hardware.gpus);
      }
    }
  }
}

}  // namespace
