// Packing, lengths, media, trays and feeds by themselves.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/site/apart.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

TEST_CASE("the scarcest limit of a rack says how many nodes it takes") {
  SiteCluster cluster = h100_16k();
  // Four modules of 15 W a node: 10,260 W.
  CHECK(pack(cluster.hardware, cluster.site).nodes == 4);
  CHECK(pack(cluster.hardware, cluster.site).bound_by == site::RackLimit::power);
  cluster.site.rack_kw = 200;
  CHECK(pack(cluster.hardware, cluster.site).nodes == 6);
  CHECK(pack(cluster.hardware, cluster.site).bound_by == site::RackLimit::units);
  cluster.site.rack_kg = 700;
  CHECK(pack(cluster.hardware, cluster.site).nodes == 3);  // (700 - 180) / 130.45
  CHECK(pack(cluster.hardware, cluster.site).bound_by == site::RackLimit::weight);
  cluster.site.rack_kw = 10.2;
  CHECK(pack(cluster.hardware, cluster.site).nodes == 0);
}

TEST_CASE("drops, slack and sold lengths") {
  const Site site;
  // 2.7 m to the tray, 0.1 m to the first unit.
  CHECK(site::drop_metres(site, 0) == Approx(2.6));
  CHECK(site::drop_metres(site, 46.5) == Approx(2.6 - 46.5 * 0.04445));
  CHECK(site::drop_metres({.underfloor_m = 0.45}, 24) == Approx(0.1 + 24 * 0.04445 + 0.45));
  CHECK(site::in_rack_metres(site, 10, 20) == Approx(1.0445));
  CHECK(site::sold_length({3, 5, 10}, 3) == 3);
  CHECK(site::sold_length({3, 5, 10}, 3.01) == 5);
  CHECK(site::sold_length({3, 5, 10}, 10.01) < 0);
}

TEST_CASE("the nearest medium that reaches, copper only where cages allow it") {
  const site::Media media = media_800g();
  CHECK(media.nearest(2.9, true) == 0);
  CHECK(media.nearest(2.9, false) == 2);
  CHECK(media.nearest(4, true) == 1);
  CHECK(media.nearest(50, true) == 2);
  CHECK(media.nearest(50.1, true) == 3);
  CHECK(media.nearest(2000, true) == 5);
  CHECK(media.nearest(2000.1, true) == -1);
}

TEST_CASE("the floor: rows in pairs, cross trays over the middle of bays") {
  const Site site;
  const auto floor = *site::Floor::with_room(site, {.racks = 40, .bays = 4});
  CHECK(floor.rows() % 2 == 0);
  CHECK(floor.places() >= 40);
  // Along a row.
  CHECK(floor.distance(0, 3) == Approx(1.8));
  // To the next row, straight: to a cross tray at the block's end and back.
  const std::int64_t below = floor.cols();
  CHECK(floor.distance(0, below) == Approx(1.2 + 1.2 + 2 * 0.3));
  CHECK(floor.label(0) == "A01");
  CHECK(floor.label(below + 9) == "B10");
  CHECK(site::row_letters(26) == "AA");
  CHECK(site::row_letters(701) == "ZZ");
}

TEST_CASE("ways on the floor are a metric") {
  const Site site{.rows_per_hall = 2};
  const auto floor = *site::Floor::with_room(site, {.racks = 120, .bays = 12});
  std::vector<double> all;
  for (std::int64_t a = 0; a < floor.places(); a += 7) {
    CHECK(floor.distance(a, a) == 0);
    floor.distances(a, all);
    for (std::int64_t b = 0; b < floor.places(); ++b) CHECK(all[b] == floor.distance(a, b));
    for (std::int64_t b = 0; b < floor.places(); b += 5) {
      CHECK(floor.distance(a, b) == Approx(floor.distance(b, a)));
      for (std::int64_t c = 0; c < floor.places(); c += 11) {
        CHECK(floor.distance(a, c) <= floor.distance(a, b) + floor.distance(b, c) + 1e-9);
      }
    }
  }
}

TEST_CASE("keep-outs hold no rack, and a floor that is described may be too small") {
  Site site{.keep_outs = {{.row = 1, .from = 1, .to = 10}}};
  const auto floor = *site::Floor::with_room(site, {.racks = 30, .bays = 3});
  CHECK_FALSE(floor.is_usable(3));
  CHECK(floor.is_usable(10));
  site.rows = 2;
  site.row_blocks = 1;
  CHECK(site::Floor::with_room(site, {.racks = 30, .bays = 3}).has_value());
  CHECK_FALSE(site::Floor::with_room(site, {.racks = 31, .bays = 3}).has_value());
  CHECK_FALSE(site::Floor::with_room(site, {.racks = 30, .bays = 4}).has_value());
}

TEST_CASE("racks use their places with a share of aisles and walkways, not whole rows") {
  const SiteCluster cluster = h100_of(64);
  const site::Build built = testing::built(cluster, Arrangement::regular);
  CHECK(built.plan.racks.size() == 4);
  // Two rows of 20 places with a hot aisle between, 2 m of walkway around.
  CHECK(built.floor.area() == Approx((20 * 0.6 + 4) * (2 * 1.2 + 1.2 + 4)));
  CHECK(built.used_area() == Approx(4 * 121.6 / 40));
}

TEST_CASE("circuits, supplies and heat") {
  const Watts circuit = site::circuit_power(415, 60, 0.8);
  CHECK(circuit.si() == Approx(34502).epsilon(1e-4));
  CHECK(site::circuits_of(41040 * units::W, circuit) == 2);
  CHECK(site::circuits_of(120000 * units::W, circuit) == 4);
  // Six supplies of which four must live: two feeds do not do, three do.
  CHECK_FALSE(site::survives_a_feed(6, 4, 2));
  CHECK(site::survives_a_feed(6, 4, 3));
  CHECK_FALSE(site::survives_a_feed(6, 4, 1));
  CHECK(site::air_m3_per_s(13300 * units::W, 11) == Approx(1.0).epsilon(0.005));
  CHECK(site::coolant_l_per_min(1000 * units::W, 10) == Approx(1.43).epsilon(0.005));
}

TEST_CASE("what a module's other port needs, both use") {
  const site::Build built = testing::built(h100_16k(), Arrangement::naive);
  CHECK(built.laid.forced_ends > 0);
  // Every switch cage has one medium.
  for (std::size_t l = 0; l < built.plan.wiring.layers.size(); ++l) {
    const site::WiredLayer& layer = built.plan.wiring.layers[l];
    std::vector<int> of(built.plan.wiring.kinds[layer.to].count * 64, -1);
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      int& cage = of[layer.links[i].to * 64 + layer.links[i].to_port / 2];
      if (cage >= 0) CHECK(cage == built.laid.layers[l].medium[i]);
      cage = built.laid.layers[l].medium[i];
    }
  }
}

TEST_CASE("a rack that loses power takes its GPUs, a row its own and those of its switches") {
  const site::Build built = testing::built(h100_16k(), Arrangement::regular);
  const auto find = [&](const char* kind) {
    for (const site::FailureDomain& domain : built.domains) {
      if (domain.kind == kind) return domain;
    }
    return site::FailureDomain{};
  };
  // A rack of leaf switches cuts off the 256 GPUs of its unit: more than the 32 of a rack of nodes.
  CHECK(find("rack").gpus_cut == 256);
  CHECK(find("rack").count == 624);
  CHECK(find("hall").gpus_cut == 16384);
  CHECK(find("hall").links_lost == 49152);
}

TEST_CASE("the same input gives the same places") {
  const SiteCluster cluster = nvl72_9216();
  const site::Build a = testing::built(cluster, Arrangement::searched);
  const site::Build b = testing::built(cluster, Arrangement::searched);
  CHECK(a.places == b.places);
  CHECK(a.laid.required_m == b.laid.required_m);
}

TEST_CASE("what cannot be built is a value with what is missing") {
  SiteCluster cluster = h100_16k();
  const auto why = [&] {
    return std::get<site::NoBuild>(
        build(cluster.hardware, cluster.site, cluster.media, {.arrangement = Arrangement::naive}));
  };
  cluster.site.rack_kw = 8;
  CHECK(why().why == site::NoBuild::Why::node_fits_no_rack);
  CHECK(why().need == Approx(10.26));
  cluster.site.rack_kw = 42;
  cluster.site.rows = 4;
  cluster.site.row_blocks = 1;
  CHECK(why().why == site::NoBuild::Why::floor_too_small);
  CHECK(why().have == 80);
  // Before any rack is filled: spare nodes, and what stands at the edge.
  cluster.site = {};
  cluster.hardware.spare_nodes = 1'000'000'000;
  CHECK(why().why == site::NoBuild::Why::too_large);
  CHECK(why().unit == "racks");
  CHECK(why().need == 512 + 250'000'000);
  cluster.hardware.spare_nodes = 0;
  cluster.hardware.others = {{.name = "x", .power = 1e15 * units::W},
                             {.name = "y", .pieces = 1'000'000'000, .units = 2}};
  CHECK(why().why == site::NoBuild::Why::too_large);
  CHECK(why().need == Approx(512 + 1e15 / 42e3 + 1e9 / 23).epsilon(1e-9));
}

TEST_CASE("what a backplane joins stands in one rack, and has no cables") {
  SiteCluster cluster = h100_16k();
  const FabricDesign design{.gpus = 1250,
                            .radix = 40,
                            .port_gbps = 200,
                            .topology = TwoZoneFatTree{.zones = 2, .zone_switches = 2},
                            .cabling = {.first = CableKind::backplane}};
  cluster.hardware = hardware_of(design, 1, 2500, 400);
  const site::Build built = testing::built(cluster, Arrangement::regular);
  std::int64_t frames = 0;
  for (const site::Rack& rack : built.plan.racks) {
    if (rack.kind == site::kFrameRack) ++frames;
    CHECK(rack.kind != "leaf");
    CHECK(rack.units_used <= 48);
  }
  CHECK(frames == 2);
  for (const site::WiredLayer& layer : built.plan.wiring.layers) {
    if (layer.name != "leaf_spine") continue;
    CHECK(layer.links.size() == 1600);
    for (const site::Link& link : layer.links) {
      CHECK(built.plan.rack_of[layer.from][link.from] == built.plan.rack_of[layer.to][link.to]);
    }
  }
  CHECK(built.laid.cables == 1250);
  for (const site::FailureDomain& domain : built.domains) {
    if (domain.kind == "hall") CHECK(domain.links_lost == 1250);
  }
}

TEST_CASE("ports of a card on one rack, one feed or one cross tray are told") {
  SiteCluster cluster = hpn();
  const auto remedy = [&](const char* part) -> std::optional<std::string> {
    const site::BuildOptions options{.arrangement = Arrangement::regular};
    const site::Build built = testing::built(cluster, Arrangement::regular);
    for (const site::Broken& rule :
         broken_rules(built, cluster.hardware, cluster.site, cluster.media, options, {})) {
      if (rule.rule != "planes-apart" || rule.unit.find(part) == std::string::npos) continue;
      return rule.remedy;
    }
    return std::nullopt;
  };
  CHECK_FALSE(remedy("racks"));  // a plane a rack
  const std::string detour = "one cable of each through the next cross tray";
  CHECK(remedy("cross trays").value().rfind(detour + ": ", 0) == 0);
  CHECK_FALSE(remedy("feeds"));
  cluster.site.feeds = 1;
  CHECK(remedy("feeds"));
  // No longer than the longest there is now: none goes another way.
  double longest = 0;
  const site::Build now = testing::built(cluster, Arrangement::regular);
  for (const site::LaidLayer& layer : now.laid.layers) {
    if (layer.name == "host") longest = layer.longest_m;
  }
  cluster.media.all.front().reach_m = longest;
  cluster.media.all.front().sold_m = {longest};
  cluster.media.all.back().reach_m = 100;
  cluster.media.all.back().sold_m = {100};
  CHECK(remedy("cross trays").value().rfind(detour + ": ", 0) != 0);
}

TEST_CASE("the two switches of a card stand in two racks") {
  const FabricDesign design{
      .gpus = 1024, .radix = 128, .port_gbps = 200, .topology = DcnPlus{.ports_per_gpu = 2}};
  const SiteCluster cluster{"dual", hardware_of(design, 8, 10200, 540), {}, media_800g()};
  const site::Build built = testing::built(cluster, Arrangement::naive);
  const std::vector<site::Way> ways = site::ways_of_cards(built);
  REQUIRE(ways.size() == 1024);
  CHECK(std::none_of(ways.begin(), ways.end(), [](const site::Way& way) { return way.rack >= 0; }));
}

TEST_CASE("a rack may have more power than air carries away") {
  SiteCluster cluster = h100_16k();
  const auto needs = [&] {
    const site::BuildOptions options{.arrangement = Arrangement::naive};
    const site::Build built = testing::built(cluster, Arrangement::naive);
    for (const site::Broken& rule :
         broken_rules(built, cluster.hardware, cluster.site, cluster.media, options, {})) {
      if (rule.rule == "rack-air") return rule.need;
    }
    return 0.0;
  };
  CHECK(needs() == 0);
  cluster.site.rack_kw = 140;
  CHECK(needs() == Approx(6 * 10.26));
  cluster.site.rack_door_kw = 20;
  CHECK(needs() == 0);
  cluster = nvl72_9216();
  CHECK(needs() == 0);  // 120 kW, 85 % of it into liquid
}

TEST_CASE("what nobody says the power of is unknown, and active copper is not made at all speeds") {
  SiteCluster cluster = nvl72_9216();
  cluster.hardware.others.push_back(
      {.name = site::kStorageLoad, .power = {}, .pieces = 3, .units = 2});
  site::Build built = testing::built(cluster, Arrangement::naive);
  const auto storage =
      std::find_if(built.plan.racks.begin(), built.plan.racks.end(),
                   [](const site::Rack& rack) { return rack.kind == site::kStorageLoad; });
  REQUIRE(storage != built.plan.racks.end());
  CHECK_FALSE(storage->power_known);
  cluster.hardware.others.front().power = 3000 * units::W;
  CHECK(testing::built(cluster, Arrangement::naive).power.it - built.power.it == 3000 * units::W);
  const auto active = [&] {
    std::int64_t pieces = 0;
    for (const site::MediumUse& use : testing::built(cluster, Arrangement::regular).laid.media) {
      if (use.medium == "acc") pieces += use.pieces;
    }
    return pieces;
  };
  CHECK(active() > 0);
  cluster.hardware.network.not_made = {{400, 1}};
  CHECK(active() == 0);
}

}  // namespace
