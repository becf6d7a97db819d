// Feeds, the power chain above racks, and what carries a building when the utility fails.

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/site/feeds.hpp"
#include "planner/site/power_chain.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using doctest::Approx;

TEST_CASE("each feed carries its share of a load when one of the others is lost") {
  const Watts rack = 41e3 * units::W, circuit = 34.5e3 * units::W;
  CHECK(site::of_each_feed(rack, 1) == rack);
  CHECK(site::of_each_feed(rack, 2) == rack);
  CHECK(site::of_each_feed(rack, 3).si() == Approx(20.5e3));
  CHECK(site::circuits_of(site::of_each_feed(rack, 2), circuit) == 2);
  CHECK(site::circuits_of(site::of_each_feed(rack, 3), circuit) == 1);
}

TEST_CASE("what is left of a power chain takes the load of what is lost, or trips") {
  const auto kw = [](double value) { return value * 1000 * units::W; };
  const std::vector<Watts> racks(4, kw(10));
  const auto chain = [&](double limit, std::size_t units, std::vector<std::int64_t> on) {
    std::vector<PowerUnit> all;
    for (std::size_t i = 0; i < units; ++i) {
      all.push_back(
          {.name = std::string(1, static_cast<char>('A' + i)), .limit = kw(limit), .racks = on});
    }
    return all;
  };
  const std::vector<PowerUnit> weak = chain(25, 2, {1, 2, 3, 4});
  const auto carried = site::PowerChain(weak, racks).carried();
  CHECK(carried[0].load.si() == Approx(20e3));
  CHECK(carried[0].worst.si() == Approx(40e3));
  CHECK(carried[0].lost == "B");
  CHECK(carried[0].broken());
  // A is lost, B trips: no rack has a feed left.
  const auto losses = site::PowerChain(weak, racks).losses();
  REQUIRE(losses[0].size() == 4);
  CHECK(losses[0][0].lost == 2);
  const std::vector<PowerUnit> strong = chain(40, 2, {1, 2, 3, 4});
  CHECK_FALSE(site::PowerChain(strong, racks).carried()[0].broken());
  CHECK(site::PowerChain(strong, racks).losses()[0][0].lost == 1);
  // Of three, two carry half each.
  const std::vector<PowerUnit> three = chain(20, 3, {1, 2, 3, 4});
  CHECK(site::PowerChain(three, racks).carried()[2].worst.si() == Approx(20e3));
  CHECK_FALSE(site::PowerChain(three, racks).carried()[2].broken());
  // Racks whose nodes stop with a feed draw nothing from the other.
  const auto stops = [](std::int64_t, std::int64_t, std::int64_t lost) { return lost == 0; };
  CHECK(site::PowerChain(weak, racks, stops).carried()[0].worst.si() == Approx(20e3));
  // A root takes its branches with it, and what it loses comes to nobody else's branch.
  const std::vector<PowerUnit> tree{
      {.name = "ups", .limit = kw(100)},
      {.name = "left", .of = "ups", .limit = kw(50), .racks = {1, 2}},
      {.name = "right", .of = "ups", .limit = kw(50), .racks = {2, 3, 4}}};
  const auto of_tree = site::PowerChain(tree, racks).carried();
  CHECK(of_tree[0].worst.si() == Approx(40e3));
  CHECK(of_tree[1].load.si() == Approx(15e3));
  CHECK(of_tree[1].worst.si() == Approx(20e3));
  CHECK(site::PowerChain(tree, racks).losses()[0].size() == 4);
}

TEST_CASE("hosts in reserve draw what others do, and nodes held to less could draw more") {
  testing::SiteCluster cluster = testing::hpn();
  const double node = cluster.hardware.node_power.si();
  const site::Power all = testing::built(cluster, Arrangement::naive).power;
  CHECK(all.spare_nodes == 120);
  CHECK(all.spare.si() == Approx(120 * node));
  CHECK(all.rated == all.it);
  cluster.hardware.node_rated = 2 * cluster.hardware.node_power;
  cluster.hardware.spare_nodes = 130;
  const site::Power held = testing::built(cluster, Arrangement::naive).power;
  CHECK(held.spare_nodes == 130);
  CHECK(held.it.si() == Approx(all.it.si() + 10 * node));
  CHECK(held.rated.si() == Approx(held.it.si() + (1920 + 130) * node));
}

TEST_CASE("a UPS carries IT power for minutes, generators cooling too") {
  const Watts it = 1.2e7 * units::W, facility = 1.5e7 * units::W;
  Site given;
  CHECK(site::backup_of(given, it, facility) == site::Backup{});  // nothing is known
  given.ups_minutes = 5;                                          // of all, where no share is given
  CHECK(site::backup_of(given, it, facility).ups->si() == Approx(1.2e7));
  CHECK(*site::backup_of(given, it, facility).ups_kwh == Approx(1000));
  given.ups_share = 0.25;
  given.generator_share = 0.8;
  const site::Backup backup = site::backup_of(given, it, facility);
  CHECK(*backup.ups_kwh == Approx(250));
  CHECK(backup.generators->si() == Approx(1.2e7));
  given.ups_minutes = {};
  CHECK_FALSE(site::backup_of(given, it, facility).ups_kwh);  // how long it lasts is not known
}

}  // namespace
