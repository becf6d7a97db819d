// What fails together: racks, feeds, cooling units, trays.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

site::FailureDomain domain(const site::Build& built, const char* kind) {
  for (const site::FailureDomain& one : built.domains) {
    if (one.kind == kind) return one;
  }
  return {};
}

site::Build with_feeds(std::optional<std::int64_t> psus, double feeds) {
  SiteCluster cluster = h100_16k();
  cluster.site.feeds = feeds;
  cluster.hardware.chassis.psus = psus;
  if (psus) cluster.hardware.chassis.psus_needed = 4;
  return testing::built(cluster, Arrangement::naive);
}

TEST_CASE("a cross tray cuts off the GPUs whose every host cable runs through it") {
  const SiteCluster cluster = rail_optimized_32768();
  const auto result = site::build(cluster.hardware, cluster.site, cluster.media,
                                  {.arrangement = Arrangement::naive});
  const auto& built = std::get<site::Build>(result);
  std::map<std::int64_t, std::set<std::uint32_t>> by_tray;  // a port a GPU
  for (const site::WiredLayer& layer : built.plan.wiring.layers) {
    if (layer.name != "host") continue;
    for (const site::Link& link : layer.links) {
      const std::int64_t a = built.places[built.plan.rack_of[layer.from][link.from]];
      const std::int64_t b = built.places[built.plan.rack_of[layer.to][link.to]];
      const site::Floor& floor = built.floor;
      if (floor.row(a) == floor.row(b)) continue;
      by_tray[floor.via(floor.col(a), floor.col(b))].insert(link.from);
    }
  }
  std::int64_t most = 0;
  for (const auto& [tray, gpus] : by_tray) {
    most = std::max(most, static_cast<std::int64_t>(gpus.size()));
  }
  CHECK(most > 0);
  CHECK(domain(built, "cross tray").gpus_cut == most);
  // One port a GPU: none keeps some of them, but the others of its HB domain lose cables of that.
  CHECK(*domain(built, "cross tray").gpus_slowed > 0);
}

TEST_CASE("with two ports on two switches a cross tray slows those that keep one") {
  const site::Build built = testing::built(hpn(), Arrangement::naive);
  const site::FailureDomain tray = domain(built, "cross tray");
  CHECK(*tray.gpus_cut + *tray.gpus_slowed > 0);
  CHECK(*tray.gpus_cut + *tray.gpus_slowed <= 2 * 15360);
}

TEST_CASE("each figure is the worst of any part of its kind") {
  const site::FailureDomain rack = domain(testing::built(h100_16k(), Arrangement::naive), "rack");
  // A rack of 8 leaves cuts off 256 GPUs and loses 512 cables, one of 16 spines loses 1,024.
  CHECK(rack.gpus_cut == 256);
  CHECK(rack.links_lost == 1024);
}

TEST_CASE("a rack of switches slows whom one of them slows in the network's count") {
  for (const SiteCluster& cluster : {h100_16k(), hpn(), nvl72_9216(), rail_optimized_32768()}) {
    CAPTURE(cluster.name);
    const site::FailureDomain rack = domain(testing::built(cluster, Arrangement::naive), "rack");
    std::int64_t most = 0;
    for (const FailureImpact& one : cluster.hardware.network.count.failures) {
      if (cluster.hardware.network.count.switches_named(one.part) == 0) continue;
      most = std::max(most, one.gpus_slowed);
    }
    CHECK(most > 0);
    CHECK(*rack.gpus_slowed >= most);
    CHECK(*rack.gpus_slowed <= cluster.hardware.gpus);
  }
}

TEST_CASE("a dead feed takes what does not live on the others") {
  const site::Build two = with_feeds(6, 2), one = with_feeds(6, 1), three = with_feeds(6, 3);
  std::int64_t most = 0;
  for (const site::RowPower& row : two.power.by_row) most = std::max(most, row.gpus);
  // Nodes need four of six supplies; switches live on one of two.
  CHECK(domain(two, "feed of a row").gpus_cut == most);
  CHECK(domain(two, "feed of a row").gpus_slowed == 0);
  CHECK(domain(three, "feed of a row").gpus_cut == 0);
  CHECK(domain(three, "feed of a row").links_lost == 0);
  // The only feed takes its switches too, and the GPUs elsewhere that hang on them.
  CHECK(domain(one, "feed of a row").gpus_cut == domain(one, "row").gpus_cut);
  CHECK(domain(one, "feed of a row").links_lost == domain(one, "row").links_lost);
  CHECK(*domain(one, "feed of a row").gpus_cut >= *domain(two, "feed of a row").gpus_cut);
  CHECK(*domain(one, "feed of a row").links_lost > *domain(two, "feed of a row").links_lost);
}

TEST_CASE("what nobody knows of power supplies is unknown, not safe") {
  const site::Build two = with_feeds(std::nullopt, 2), one = with_feeds(std::nullopt, 1);
  CHECK_FALSE(domain(two, "feed of a row").gpus_cut);
  CHECK_FALSE(domain(two, "feed of a row").links_lost);
  CHECK(domain(one, "feed of a row").gpus_cut == domain(one, "row").gpus_cut);
  SiteCluster cluster = h100_16k();
  const auto losses = [&](const site::Build& built) {
    return feed_losses(built.plan, cluster.hardware, cluster.site, built.floor, built.places);
  };
  CHECK_FALSE(losses(two).known);
  CHECK(losses(two).feeds == 0);
  cluster.site.feeds = 1;
  CHECK(losses(one).known);
  CHECK(losses(one).feeds > 0);
  CHECK(losses(one).feeds <= domain(one, "row").count);  // some rows have spines alone
}

TEST_CASE("one feed breaks a rule, as two do that nodes do not outlive") {
  for (const std::optional<std::int64_t> psus : {std::optional<std::int64_t>(6), {}}) {
    SiteCluster cluster = h100_16k();
    cluster.site.feeds = 1;
    cluster.hardware.chassis.psus = psus;
    if (psus) cluster.hardware.chassis.psus_needed = 4;
    const site::BuildOptions options{.arrangement = Arrangement::naive};
    const site::Build built = testing::built(cluster, Arrangement::naive);
    const auto broken =
        broken_rules(built, cluster.hardware, cluster.site, cluster.media, options, {});
    CHECK(std::any_of(broken.begin(), broken.end(),
                      [](const site::Broken& rule) { return rule.rule == "feed-loss"; }));
  }
}

TEST_CASE("feeds that stop nodes are told, one as well as two, with what would carry them") {
  Chassis chassis{.psus = 6, .psus_needed = 4};
  CHECK(site::words_of_lost_feed(chassis, 1) ==
        "a node has one feed and stops with it; of 2 it would need both (4 of its 6 power supplies "
        "must work, 3 would be left): with 3 feeds it lives");
  CHECK(site::words_of_lost_feed(chassis, 2) ==
        "a node stops with any of its 2 feeds, so that it stops 2 times as often as with one (4 of "
        "its 6 power supplies must work, 3 are left): with 3 feeds it lives, or with supplies of "
        "which 3 carry it");
  chassis.psus_needed = 3;
  CHECK(site::words_of_lost_feed(chassis, 1) ==
        "a node has one feed and stops with it: with 2 feeds it lives");
  chassis.psus_needed = 6;
  CHECK(site::words_of_lost_feed(chassis, 2).find("no number of feeds") != std::string::npos);
  CHECK(site::words_of_lost_feed({}, 1).find("not known") != std::string::npos);
  CHECK(site::feeds_to_survive(6, 4, 1) == 3);
  CHECK(site::feeds_to_survive(6, 5, 2) == 6);
  CHECK_FALSE(site::feeds_to_survive(6, 6, 1));
  for (const double feeds : {1.0, 2.0, 3.0}) {
    SiteCluster cluster = h100_16k();
    cluster.site.feeds = feeds;
    cluster.hardware.chassis.psus = 6;
    cluster.hardware.chassis.psus_needed = 4;
    const site::Build built = testing::built(cluster, Arrangement::naive);
    const site::FeedLosses losses =
        feed_losses(built.plan, cluster.hardware, cluster.site, built.floor, built.places);
    CHECK(losses.each == (feeds < 3 ? static_cast<std::int64_t>(feeds) : 0));
  }
}

TEST_CASE("a unit of the power chain takes all that hangs on it") {
  SiteCluster cluster = h100_16k();
  cluster.hardware.chassis.psus = 6;
  cluster.hardware.chassis.psus_needed = 3;
  // Rack 1 on two PDUs of one UPS, rack 2 on one of them.
  cluster.site.power_units = {
      {.name = "ups", .limit = 1e6 * units::W, .racks = {}},
      {.name = "pdu-a", .of = "ups", .limit = 1e6 * units::W, .racks = {1, 2}},
      {.name = "pdu-b", .of = "ups", .limit = 1e6 * units::W, .racks = {1}}};
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(domain(built, "power unit").count == 3);
  CHECK(domain(built, "power unit").gpus_cut == 64);  // the UPS: both racks
  const site::FeedLosses losses =
      feed_losses(built.plan, cluster.hardware, cluster.site, built.floor, built.places);
  CHECK(losses.feeds == 1);  // pdu-a: rack 2 alone
  CHECK(losses.each == 1);   // which hangs on nothing else
  CHECK(losses.hosts == 4);
}

TEST_CASE("cooling racks: one count, their pumps are no IT power, and one takes what it cools") {
  const site::Build built = testing::built(nvl72_9216(), Arrangement::naive);
  const auto racks = std::count_if(built.plan.racks.begin(), built.plan.racks.end(),
                                   [](const site::Rack& rack) { return rack.kind == "cdu"; });
  CHECK(racks == 16);
  CHECK(built.power.cdus == 16);
  CHECK(domain(built, "cooling unit").count == 16);
  CHECK(domain(built, "cooling unit").gpus_cut == 8 * 72);
  Watts nodes_and_switches{}, drawn{};
  for (const site::Rack& rack : built.plan.racks) {
    if (rack.kind != "cdu") nodes_and_switches += rack.power;
    drawn += rack.drawn();
  }
  CHECK(built.power.it.si() == Approx(nodes_and_switches.si()));
  CHECK(drawn.si() - built.power.it.si() == Approx(16 * 10000));
}

TEST_CASE("a cooling unit in reserve takes the place of a lost one") {
  SiteCluster cluster = nvl72_9216();
  const auto rules = [&] {
    const site::Build built = testing::built(cluster, Arrangement::naive);
    std::vector<std::string> all;
    for (const site::Broken& broken :
         broken_rules(built, cluster.hardware, cluster.site, cluster.media, {}, {})) {
      if (broken.rule.rfind("cooling", 0) == 0) all.push_back(broken.rule + ": " + broken.remedy);
    }
    return all;
  };
  REQUIRE(rules().size() == 1);
  CHECK(rules().front().rfind("cooling-loss: one more for each unit's loop (cdu_reserve 1)", 0) ==
        0);
  // As the site says: none, or one more.
  cluster.site.cdu_reserve = 0;
  CHECK(rules().empty());
  cluster.site.cdu_reserve = 1;
  CHECK(rules().empty());
  const site::Build built = testing::built(cluster, Arrangement::naive);
  // Units of 8 racks with a loop each.
  CHECK(built.power.cdus_needed == 16);
  CHECK(built.power.cdus == 32);
  CHECK(domain(built, "cooling unit").gpus_cut == 0);
  // Where no chassis says what one carries, the building's figure holds: 8 racks of 102 kW on one.
  CHECK(built.power.cdu_heat.si() == Approx(8 * 0.85 * 120e3));
  CHECK(built.power.cdu_limit.si() == Approx(1e6));
  cluster.site.cdu_kw = 700;
  REQUIRE(rules().size() == 1);
  CHECK(rules().front().rfind("cooling-load: one for 4 racks in place of 8", 0) == 0);
  // What the chassis says goes before it.
  cluster.hardware.chassis.sidecar_cooling = 820e3 * units::W;
  CHECK(rules().empty());
  cluster.hardware.chassis.sidecar_cooling = 800e3 * units::W;
  REQUIRE(rules().size() == 1);
  CHECK(rules().front().rfind("cooling-load: one for 4 racks in place of 8", 0) == 0);
}

TEST_CASE("units of a hall have one in reserve, or as many as the site says") {
  SiteCluster cluster = nvl72_9216();
  cluster.hardware.chassis.racks_per_sidecar = 0;
  const site::Build one = testing::built(cluster, Arrangement::naive);
  CHECK(one.power.cdus == one.power.cdus_needed + 1);
  CHECK(domain(one, "cooling unit").gpus_cut == 0);
  cluster.site.cdu_reserve = 0;
  const site::Build none = testing::built(cluster, Arrangement::naive);
  CHECK(none.power.cdus == one.power.cdus - 1);
  // 13.06 MW on 13 of 14 units of 1 MW: 0.4 % of the heat is not carried.
  CHECK(domain(none, "cooling unit").gpus_cut ==
        static_cast<std::int64_t>(std::ceil((1 - 13e6 / none.power.liquid.si()) * 9216)));
}

TEST_CASE("a cross tray takes cables of HB domains with it, and slows those that lose some") {
  const SiteCluster cluster = rail_only_32768();
  const site::Build built = testing::built(cluster, Arrangement::naive);
  site::RackPlan plan = built.plan;
  std::erase_if(plan.wiring.layers,
                [](const site::WiredLayer& layer) { return layer.name == site::kDomainLayer; });
  const auto without =
      failure_domains(plan, cluster.hardware, cluster.site, built.floor, built.places, built.power);
  const auto of = [&](const char* kind) {
    return *std::find_if(without.begin(), without.end(),
                         [&](const auto& one) { return one.kind == kind; });
  };
  CHECK(domain(built, "cross tray").links_lost > of("cross tray").links_lost);
  CHECK(domain(built, "cross tray").gpus_slowed > of("cross tray").gpus_slowed);
  CHECK(domain(built, "rack").gpus_slowed >= 256);  // a rack of NVLink switches: its domain
}

}  // namespace
