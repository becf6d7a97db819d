// What others printed of prices by length, of floors and of power for each GPU, against the build
// and its bill.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/cost/bill.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

/// Dollars of a cable of a part that costs so much and so much for each metre.
double price_of(double piece, double per_metre, double metres) {
  const auto dollars = [](double amount) {
    return Estimate<Money>::exactly(*Money::from_dollars(amount));
  };
  PriceBook book;
  book.prices.push_back(
      {.part = "cable", .amount = dollars(piece), .per_metre = dollars(per_metre)});
  const BillResult bill = bill_of_materials(
      {{.part = {.id = "cable", .category = PartCategory::cables, .length_m = metres},
        .quantity = 1}},
      book);
  return std::get<BillOfMaterials>(bill).lines.front().unit_price->expected.dollars();
}

// Besta and Hoefler, SC'14, as quoted by I. Fujiwara: dollars a Gb/s of electric and optical cables
// by length, here at 40 Gb/s. Money is in cents: half a cent for the piece and half for a metre.
TEST_CASE("prices of electric and optical cables of Slim Fly, and where they cross") {
  const auto electric = [](double m) { return price_of(40 * 0.5771, 40 * 0.4079, m); };
  const auto optical = [](double m) { return price_of(40 * 7.2745, 40 * 0.0919, m); };
  const std::tuple<double, double, bool> kPrinted[] = {{1, 39.4, true},     {10, 186.24, true},
                                                       {21, 365.72, true},  {22, 371.85, false},
                                                       {30, 401.26, false}, {50, 474.78, false}};
  for (const auto& [metres, usd, copper] : kPrinted) {
    CAPTURE(metres);
    CHECK((electric(metres) < optical(metres)) == copper);
    CHECK(std::abs(std::min(electric(metres), optical(metres)) - usd) < 0.01 + 0.005 * metres);
  }
  CHECK(electric(21.1) < optical(21.1));
  CHECK(optical(21.3) < electric(21.3));
}

// Kim, Dally et al., ISCA 2008 (dragonfly), as in fabcalc: 1.4 $/m + 2.16 and 0.364 $/m + 9.7103 a
// Gb/s; at 1,000 Gb/s, so that cents round nothing.
TEST_CASE("where optical cables become cheaper in the dragonfly paper") {
  const auto electric = [](double m) { return price_of(2160, 1400, m); };
  const auto optical = [](double m) { return price_of(9710.3, 364, m); };
  CHECK(electric(7.287) < optical(7.287));
  CHECK(optical(7.289) < electric(7.289));
}

// Mudigonda et al., "Taming the Flying Cable Monster", USENIX ATC 2011: a stock of optical cables
// with a price for each length.
TEST_CASE("a stock of cables with a price for each length") {
  const std::vector<double> stock{10, 15, 20, 30, 50, 100};
  PriceBook book;
  const std::pair<const char*, double> kPrices[] = {
      {"cable-10m", 418}, {"cable-15m", 448}, {"cable-30m", 508}, {"cable-100m", 883}};
  for (const auto& [part, usd] : kPrices) {
    book.prices.push_back(
        {.part = part, .amount = Estimate<Money>::exactly(*Money::from_dollars(usd))});
  }
  const std::pair<double, double> kPrinted[] = {
      {7, 418}, {10, 418}, {12, 448}, {25, 508}, {60, 883}};
  for (const auto& [metres, usd] : kPrinted) {
    const BillResult bill =
        bill_of_materials({{.part = {.id = "cable",
                                     .category = PartCategory::cables,
                                     .length_m = site::sold_length(stock, metres)},
                            .quantity = 1}},
                          book);
    CHECK(std::get<BillOfMaterials>(bill).lines.front().unit_price->expected.dollars() == usd);
  }
  // Copper made to measure, a quad of 3 m: (16 $/m and 40 $) and a quarter more.
  CHECK(price_of(1.25 * 40, 1.25 * 16, 3) == 110);
}

// Agarwal, Mudigonda et al., "An algorithmic approach to datacenter cabling", HPL-2015-8: cables
// are up to 34 % of what a network costs, and the arrangement of racks saves up to 38 % of that.
// Here at prices of catalog/prices/street-2026.json: a switch port $562.50, a cord $85 and $5 a
// metre (single-mode $105 and $2), a splitter $299 or, active, $1,200, an end in a twin-port module
// $440, of single-mode $560. Ends are no cables, but what reach takes is saved with the cables.
TEST_CASE("the share of cables in a network's cost, and what the arrangement saves of it") {
  struct Wiring {
    double cables = 0, ends = 0;
  };
  const auto money_of = [](const SiteCluster& cluster, Arrangement arrangement) {
    const site::Build built = testing::built(cluster, arrangement);
    Wiring money;
    const auto kind = [&](std::size_t medium) { return cluster.media.all[medium].kind; };
    for (const LaidCables& of : built.laid.links.front().cables) {
      const double each = kind(of.medium) == MediumKind::copper          ? 299
                          : kind(of.medium) == MediumKind::active_copper ? 1200
                          : kind(of.medium) == MediumKind::multi_mode    ? 85 + 5 * of.sold_m
                                                                         : 105 + 2 * of.sold_m;
      money.cables += static_cast<double>(of.pieces) * each;
    }
    for (const LaidModules& of : built.laid.links.front().modules) {
      const bool multi = kind(of.medium) == MediumKind::multi_mode;
      money.ends += static_cast<double>(of.ends) * (multi ? 440 : 560);
    }
    return money;
  };
  for (const SiteCluster& cluster : {h100_16k(), nvl72_9216(), hpn(), rail_only_32768()}) {
    CAPTURE(cluster.name);
    const Wiring naive = money_of(cluster, Arrangement::naive);
    const Wiring regular = money_of(cluster, Arrangement::regular);
    double switches = 0;
    for (const SwitchTier& tier : cluster.hardware.network.count.switches) {
      switches += 562.5 * static_cast<double>(tier.switches * tier.radix);
    }
    const double share = naive.cables / (naive.cables + naive.ends + switches);
    const double saved = 1 - (regular.cables + regular.ends) / (naive.cables + naive.ends);
    MESSAGE(cluster.name, ": cables ", share, " of the network, saved ", saved);
    CHECK(share < 0.34);
    CHECK(share > 0.05);
    CHECK(saved < 0.38);
    CHECK(saved > 0.02);
  }
}

// The floor of I. Fujiwara's model: racks of 0.6 × 2.1 m, 2 m of cable in a rack, else 4 m and the
// way along rows and across. Cross trays lie between the columns here, so that no way is longer.
TEST_CASE("lengths on the floor of NII") {
  const Site site{.rack_depth_m = 1.2,
                  .bay_racks = 4,
                  .block_racks = 20,
                  .cold_aisle_m = 0.9,
                  .hot_aisle_m = 0.9,
                  .rows = 6,
                  .row_blocks = 1,
                  .tray_height_m = 1.6,
                  .in_rack_slack_m = 2};
  const auto floor = *site::Floor::with_room(site, {.racks = 100, .bays = 4});
  const auto metres = [&](std::int64_t ca, std::int64_t ra, std::int64_t cb, std::int64_t rb) {
    if (ca == cb && ra == rb) return site::in_rack_metres(site, 5, 5);
    return floor.distance(ra * floor.cols() + ca + 1, rb * floor.cols() + cb + 1) +
           2 * (site::drop_metres(site, 0) + site.slack_m);
  };
  CHECK(metres(0, 0, 0, 0) == Approx(2.0));
  CHECK(metres(0, 0, 3, 0) == Approx(5.8));
  CHECK(metres(0, 0, 3, 2) == Approx(10.0));
  CHECK(metres(5, 1, 2, 4) == Approx(12.1));
}

// NVIDIA DGX SuperPOD B300 reference architectures: more than 50 kW a rack, about 56.
TEST_CASE("a rack of DGX B300") {
  SiteCluster cluster = h100_16k();
  cluster.hardware.node_power = 14500 * units::W;
  cluster.hardware.network.nic_module = Watts{};
  cluster.hardware.node_units = 10;
  cluster.hardware.chassis.most_per_rack = 4;
  cluster.site.rack_kw = 60;
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(built.plan.packing.nodes == 4);
  CHECK(built.plan.racks.front().power.si() > 50000);
  CHECK(built.plan.racks.front().power.si() == Approx(56000).epsilon(0.04));
}

// NVIDIA DGX SuperPOD GB200 reference architecture: a unit of 8 racks with 576 GPUs and 1.2 MW of
// thermal design power; 128 racks are 9,216 GPUs.
TEST_CASE("units of GB200 NVL72") {
  const site::Build built = testing::built(nvl72_9216(), Arrangement::naive);
  std::int64_t racks = 0, gpus = 0;
  Watts unit{};
  for (const site::Rack& rack : built.plan.racks) {
    if (rack.kind == site::kComputeRack) ++racks;
    gpus += rack.gpus;
    unit += rack.power / 16;
  }
  CHECK(racks == 128);
  CHECK(gpus == 9216);
  CHECK(gpus / racks * 8 == 576);
  // Its share of switches, optics and cooling units included: below the thermal design power.
  CHECK(unit.in(1e6 * units::W) < 1.2);
  CHECK(unit.in(1e6 * units::W) > 1.0);
}

// Fire-Flyer AI-HPC (SC24), section VIII-C: 1,250 nodes of 2.5 kW and 122 switches take "just over
// 3 MW", storage aside; less than 4 with it.
TEST_CASE("power of Fire-Flyer 2") {
  const FabricDesign design{
      .gpus = 1250, .radix = 40, .port_gbps = 200, .topology = TwoZoneFatTree{}};
  SiteCluster cluster{"fire-flyer", hardware_of(design, 1, 2500, 700), {}, {}};
  cluster.media = {{medium("aoc", MediumKind::active_optical, 100, {10, 30, 50, 100})}};
  cluster.hardware.network.nic_module = cluster.hardware.network.switch_module = Watts{};
  const site::Build built = testing::built(cluster, Arrangement::naive);
  const double mw = built.power.it.in(1e6 * units::W);
  CHECK(mw == Approx(1250 * 2500e-6 + 122 * 700e-6));
  CHECK(mw > 3);
  CHECK(mw < 3.5);
}

// Alibaba HPN (SIGCOMM'24), section 10 and Appendix D: 15,360 GPUs in a building of 18 MW, all of
// it on multi-mode fibre of less than 100 m. DGX H100 as a stand-in for its hosts draw more.
TEST_CASE("the building of HPN") {
  SiteCluster cluster = hpn();
  cluster.site.facility_mw = 18;
  const site::Build built = testing::built(cluster, Arrangement::regular);
  CHECK(built.laid.longest_m < 100);
  REQUIRE(built.laid.media.size() == 1);
  CHECK(built.laid.media.front().medium == "sr-100");
  const auto broken =
      broken_rules(built, cluster.hardware, cluster.site, cluster.media, {}, {"facility_MW"});
  const bool over = std::any_of(broken.begin(), broken.end(), [](const site::Broken& one) {
    return one.rule == "facility-power" && one.given && one.have == 18;
  });
  CHECK(over);
  // What the limit leaves of IT for each GPU.
  CHECK(18e6 / cluster.site.pue / 15360 == Approx(937.5));
}

// Appendix D of the same: about 12.9 % of all links join buildings, those of the hosts to the front
// end (two ports each, section 4.1) and of pods to the core. It does not say which links it counts;
// here all but those inside the building of the front end.
TEST_CASE("links between the buildings of HPN") {
  const FabricDesign design{.gpus = 15360, .radix = 128, .topology = Hpn{.core_layer = true}};
  const site::Wiring wiring = site::wire(design, count_of(design));
  std::int64_t cards = 0, core = 0;
  for (const site::DeviceKind& kind : wiring.kinds) {
    if (!kind.is_switch) cards += kind.count;
  }
  for (const site::WiredLayer& layer : wiring.layers) {
    if (layer.name == "agg_core") core += static_cast<std::int64_t>(layer.links.size());
  }
  CHECK(core == 120 * 8);
  CHECK(cards == 8 * 2040);  // spare hosts included
  const std::int64_t frontend = cards / 8 * 2;
  const double share =
      static_cast<double>(frontend + core) / static_cast<double>(wiring.cables() + frontend);
  CHECK(share == Approx(0.0968).epsilon(0.001));
  CHECK(share == Approx(0.129).epsilon(0.3));
}

// SemiAnalysis' InferenceX: 2.1 kW a GB200, all in, at PUE 1.2; 1.73 an H100, so that 100,000 take
// more than 150 MW. Meta's 83,000 GB200 in 150 MW: GPUs provisioned at 960 W of 1,200.
TEST_CASE("power of the facility for each GPU") {
  SiteCluster rated = nvl72_9216();
  rated.site.pue = 1.2;
  const auto kw = [](const SiteCluster& cluster) {
    const site::Build built = testing::built(cluster, Arrangement::naive);
    return built.power.facility.in(1000 * units::W) / static_cast<double>(cluster.hardware.gpus);
  };
  CHECK(kw(rated) == Approx(2.1).epsilon(0.02));
  SiteCluster provisioned = rated;
  provisioned.hardware.node_power =
      provisioned.hardware.node_power - 72 * (1200.0 - 960.0) * units::W;
  CHECK(kw(provisioned) == Approx(1.81).epsilon(0.02));
  CHECK(1e5 * kw(h100_16k()) > 150e3);
}

// HP Labs, HPL-2015-8: layout saves up to 38 % of the wiring of its networks. Ours saves more of
// the metres of one of 624 racks, for `naive` is worse than what others start from.
TEST_CASE("metres that placement saves") {
  const auto metres = [](Arrangement how) {
    return testing::built(h100_16k(), how).laid.required_m;
  };
  const double saved = 1 - metres(Arrangement::regular) / metres(Arrangement::naive);
  MESSAGE("saved ", saved);
  CHECK(saved > 0.38);
  CHECK(saved < 0.5);
}

}  // namespace
