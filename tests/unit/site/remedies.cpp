// What was tried against broken rules, and what it leads to.
#include "planner/site/remedies.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

TEST_CASE("broken rules come with what was tried") {
  SiteCluster cluster = h100_16k();
  cluster.site.tray_depth_m = 0.02;
  cluster.site.hall_mw = 15;
  cluster.hardware.chassis.psus = 6;
  cluster.hardware.chassis.psus_needed = 4;
  const site::BuildOptions options{.arrangement = Arrangement::naive};
  const auto built =
      std::get<site::Build>(build(cluster.hardware, cluster.site, cluster.media, options));
  const auto broken =
      broken_rules(built, cluster.hardware, cluster.site, cluster.media, options, {"hall_MW"});
  const auto find = [&](const char* rule) {
    for (const site::Broken& one : broken) {
      if (one.rule == rule) return one;
    }
    return site::Broken{};
  };
  CHECK(find("tray-fill").need > find("tray-fill").have);
  CHECK(find("tray-fill").remedy.find("tiers") != std::string::npos);
  CHECK_FALSE(find("tray-fill").given);
  CHECK(find("hall-power").need == Approx(22.58304 * 1.25));
  CHECK(find("hall-power").given);
  CHECK(find("hall-power").remedy.find("halls of") != std::string::npos);
  CHECK(find("feed-loss").remedy == "3 feeds: a node then lives when one is lost");
}

/// The rule of the regular build of a cluster by its name; an empty one: not broken.
site::Broken rule_of(const SiteCluster& cluster, const char* rule) {
  const site::BuildOptions options{.arrangement = Arrangement::naive};
  const site::Build built = testing::built(cluster, Arrangement::naive);
  for (const site::Broken& one :
       broken_rules(built, cluster.hardware, cluster.site, cluster.media, options, {})) {
    if (one.rule == rule) return one;
  }
  return {};
}

TEST_CASE("remedies of racks heal what they are told against") {
  // Four nodes and a leaf switch take a little more than 42 kW: racks of 42 kW are no remedy.
  SiteCluster cluster = h100_16k();
  cluster.site.switch_position = SwitchPosition::tor;
  CHECK(rule_of(cluster, "rack-power").remedy.rfind("3 nodes a rack: ", 0) == 0);
  CHECK(rule_of(cluster, "rack-air").remedy.rfind("3 nodes a rack: ", 0) == 0);
  // A frame of switches is what it is: the rack has to carry it.
  cluster = h100_16k();
  cluster.hardware = hardware_of({.gpus = 1250,
                                  .radix = 40,
                                  .port_gbps = 200,
                                  .topology = TwoZoneFatTree{.zones = 2, .zone_switches = 2},
                                  .cabling = {.first = CableKind::backplane}},
                                 1, 2500, 400);
  cluster.site.rack_kw = 10;
  const site::Broken frame = rule_of(cluster, "rack-power");
  CHECK(frame.where.rfind("frame-", 0) == 0);
  CHECK(frame.remedy.rfind(
            "racks of " + std::to_string(static_cast<int>(std::ceil(frame.need))) + " kW: ", 0) ==
        0);
  // Racks of switches may be filled less.
  cluster = h100_16k();
  cluster.site.rack_kg = 320;
  CHECK(rule_of(cluster, "rack-weight").remedy.rfind("14 switches a rack: ", 0) == 0);
}

TEST_CASE("remedies of what was searched say that they were not") {
  SiteCluster cluster = h100_of(64);
  cluster.site.switch_position = SwitchPosition::tor;
  const auto remedy = [&](Arrangement arrangement) {
    const site::Build built = testing::built(cluster, arrangement);
    return broken_rules(built, cluster.hardware, cluster.site, cluster.media,
                        {.arrangement = arrangement}, {})
        .front()
        .remedy;
  };
  CHECK(remedy(Arrangement::searched).find(" (arranged regularly, not searched)") !=
        std::string::npos);
  CHECK(remedy(Arrangement::regular).find("searched") == std::string::npos);
}

TEST_CASE("a unit of the power chain gives racks away, or more share its load") {
  SiteCluster cluster = h100_16k();
  const auto unit = [](std::string name, double limit_kw, std::vector<std::int64_t> racks) {
    return PowerUnit{
        .name = std::move(name), .limit = limit_kw * 1000 * units::W, .racks = std::move(racks)};
  };
  // Racks of 41.04 kW.
  cluster.site.power_units = {unit("a", 100, {1, 2, 3}), unit("b", 100, {4})};
  CHECK(rule_of(cluster, "power-chain").remedy == "rack 3 on b: 82.1 kW stay, 82.1 kW there");
  cluster.site.power_units = {unit("a", 100, {1, 2, 3, 4}), unit("b", 170, {5, 6})};
  CHECK(rule_of(cluster, "power-chain").remedy == "racks 3, 4 on b: 82.1 kW stay, 164.2 kW there");
  cluster.site.power_units = {unit("a", 100, {1, 2, 3}), unit("b", 50, {4})};
  CHECK(rule_of(cluster, "power-chain").remedy == "2 such units that share its load: 61.6 kW each");
}

TEST_CASE("what is told against too little power of a hall or a building holds") {
  SiteCluster cluster = h100_16k();
  cluster.site.hall_mw = 20;
  site::Broken hall = rule_of(cluster, "hall-power");
  CHECK(hall.why == "22.58 MW of IT at PUE 1.25");
  CHECK(hall.remedy.find("halls of") != std::string::npos);
  cluster.site.rows = 16;
  cluster.site.rows_per_hall = 16;
  cluster.site.hall_mw = 27;
  cluster.site.facility_mw = 27;
  // Of 22.58 MW nodes draw 20.9: they may draw 95 % of it in 27 / 1.25.
  CHECK(
      rule_of(cluster, "facility-power").remedy.rfind("nodes held to 9.7 kW in place of 10.2", 0) ==
      0);
  cluster.site.facility_mw = 5;  // that is no cap any more
  CHECK(rule_of(cluster, "facility-power").remedy == "by proportion, not built: about 2,902 GPUs");
}

}  // namespace
