#pragma once

#include <string>
#include <variant>

#include "planner/network/count.hpp"
#include "planner/site/build.hpp"

// Five clusters as they were laid out by hand-written models: racks, power and media assumed.
namespace planner::testing {

struct SiteCluster {
  std::string name;
  site::Hardware hardware;
  Site site;
  site::Media media;
};

inline Medium medium(std::string name, MediumKind kind, double reach, std::vector<double> sold) {
  const bool copper = kind == MediumKind::copper || kind == MediumKind::active_copper;
  return {.name = std::move(name),
          .kind = kind,
          .reach_m = reach,
          .sold_m = std::move(sold),
          .diameter_mm = copper ? 9.43 : 3.0,
          .kg_per_m = copper ? 0.045 : 0.009};
}

inline site::Media media_800g() {
  using K = MediumKind;
  return {{medium("dac", K::copper, 3, {1, 1.5, 2, 2.5, 3}),
           medium("acc", K::active_copper, 5, {3, 4, 5}),
           medium("sr", K::multi_mode, 50, {3, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50}),
           medium("dr-100", K::single_mode, 100,
                  {3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100}),
           medium("dr-500", K::single_mode, 500, {150, 200, 250, 300, 350, 400, 450, 500}),
           medium("fr", K::single_mode, 2000, {600, 800, 1000, 1500, 2000})}};
}

inline FabricCount count_of(const FabricDesign& design) {
  return std::get<FabricCount>(count_fabric(design));
}

inline site::Hardware hardware_of(FabricDesign design, std::int64_t node_gpus, double node_w,
                                  double switch_w) {
  const FabricCount count = count_of(design);
  const std::size_t tiers = count.switches.size();
  const std::int64_t gpus = count.endpoints;
  return {.network = {.design = design,
                      .count = count,
                      .switch_power = std::vector<Watts>(tiers, switch_w * units::W),
                      .switch_units = std::vector<std::int64_t>(tiers, 1),
                      .nic_module = 15 * units::W,
                      .switch_module = 15 * units::W},
          .chassis = {.kg = 130.45, .port_units = {2.5}},
          .gpus = gpus,
          .nodes = gpus / node_gpus,
          .node_gpus = node_gpus,
          .hb_domain = node_gpus,
          .node_units = 8,
          .node_power = node_w * units::W};
}

inline SiteCluster h100_of(std::int64_t gpus) {
  const FabricDesign design{.gpus = gpus,
                            .topology = RailOptimized{.rails = 8},
                            .cabling = {.ports_per_switch_module = 2, .ports_per_nic_module = 2}};
  return {"h100", hardware_of(design, 8, 10200, 747), {}, media_800g()};
}

inline SiteCluster h100_16k() {
  SiteCluster cluster = h100_of(16384);
  cluster.name = "h100-16k";
  return cluster;
}

inline SiteCluster nvl72_9216() {
  const FabricDesign design{
      .gpus = 9216, .topology = FatTree{}, .cabling = {.ports_per_switch_module = 2}};
  SiteCluster cluster{"nvl72-9216", hardware_of(design, 72, 120000, 747), {}, media_800g()};
  cluster.hardware.network.nic_module = Watts{};
  cluster.hardware.node_units = 48;
  Chassis& chassis = cluster.hardware.chassis;
  chassis = {.kg = 1360, .liquid_share = 0.85, .racks_per_sidecar = 8};
  chassis.sidecar_power = 10000 * units::W;
  for (int tray = 0; tray < 18; ++tray) {
    for (int i = 0; i < 4; ++i) chassis.port_units.push_back(tray < 10 ? 11 + tray : 20 + tray);
  }
  cluster.site.switches_per_rack = 18;
  cluster.site.bay_racks = 12;
  cluster.site.block_racks = 24;
  return cluster;
}

inline SiteCluster hpn() {
  const FabricDesign design{.gpus = 15360, .radix = 128, .topology = Hpn{}};
  SiteCluster cluster{"hpn", hardware_of(design, 8, 10200, 540), {}, {}};
  cluster.hardware.network.nic_module = Watts{};
  cluster.site.bay_racks = 20;
  using K = MediumKind;
  cluster.media = {
      {medium("sr-100", K::multi_mode, 100, {3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100}),
       medium("dr-500", K::single_mode, 500, {150, 200, 250, 300, 350, 400, 500})}};
  return cluster;
}

inline SiteCluster rails_of_256(TopologyOptions topology, std::string name) {
  const FabricDesign design{.gpus = 32768, .topology = topology};
  SiteCluster cluster{std::move(name), hardware_of(design, 8, 10000, 747), {}, media_800g()};
  cluster.hardware.hb_domain = 256;
  cluster.hardware.node_units = 16;
  cluster.hardware.chassis = {.kg = 200,
                              .port_units = {1, 3, 5, 7, 9, 11, 13, 15},
                              .most_per_rack = 2,
                              .domain_switch_racks = 2,
                              .domain_switch_power = 12000 * units::W,
                              .domain_switch_kg = 600,
                              .domain_cables_per_rack = 72};
  cluster.site.bay_racks = 20;
  return cluster;
}

inline SiteCluster rail_only_32768() {
  return rails_of_256(RailOnly{.rails = 256}, "rail-only-32768");
}
inline SiteCluster rail_optimized_32768() {
  return rails_of_256(RailOptimized{.rails = 256}, "rail-optimized-32768");
}

inline site::Build built(const SiteCluster& cluster, Arrangement arrangement) {
  auto result =
      site::build(cluster.hardware, cluster.site, cluster.media, {.arrangement = arrangement});
  return std::get<site::Build>(std::move(result));
}

}  // namespace planner::testing
