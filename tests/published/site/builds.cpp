// Layouts, racks, feeds and lengths that others published.

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

std::map<std::string, int> kinds_of(const site::Build& built) {
  std::map<std::string, int> kinds;
  for (const site::Rack& rack : built.plan.racks) ++kinds[rack.kind];
  return kinds;
}

std::map<std::string, std::int64_t> links_of(const FabricDesign& design) {
  const site::Wiring wiring = site::wire(design, count_of(design));
  std::map<std::string, std::int64_t> links;
  for (const site::WiredLayer& layer : wiring.layers) {
    links[layer.name] += static_cast<std::int64_t>(layer.links.size());
  }
  for (const site::DeviceKind& kind : wiring.kinds) {
    if (kind.is_switch) links[kind.name] = kind.count;
  }
  return links;
}

// NVIDIA DGX SuperPOD H100 reference architecture, Table 4: "compute and UFM" cables are nodes' and
// the 4 of UFM.
TEST_CASE("cables of the DGX H100 SuperPOD") {
  const struct {
    std::int64_t units, leaf, spine, host, upper;
  } kRows[] = {{1, 8, 4, 248, 256}, {2, 16, 8, 504, 512}, {3, 24, 16, 760, 768}};
  for (const auto& row : kRows) {
    auto links =
        links_of({.topology = SuperPod{.scalable_units = row.units, .fabric_manager_ports = 4}});
    CHECK(links["leaf"] == row.leaf);
    CHECK(links["spine"] == row.spine);
    CHECK(links["host"] == row.host);
    CHECK(links["fabric_manager"] == 4);
    CHECK(links["leaf_spine"] == row.upper);
  }
}

// NVIDIA DGX SuperPOD B200 reference architecture, larger SuperPODs; B300 (Spectrum-X) and B300
// XDR, Table 3 of each. B300 counts one cable for the two links of a twin-planar port.
TEST_CASE("cables of the DGX B200 and B300 SuperPODs") {
  const struct {
    std::int64_t gpus, radix, planes, gbps, leaf, spine, core, host, upper, top;
  } kRows[] = {{512, 64, 1, 400, 16, 8, 0, 512, 512, 0},
               {1024, 64, 1, 400, 32, 16, 0, 1024, 1024, 0},
               {2048, 64, 1, 400, 64, 32, 0, 2048, 2048, 0},
               {8192, 64, 1, 400, 256, 256, 128, 8192, 8192, 8192},
               {16384, 64, 1, 400, 512, 512, 256, 16384, 16384, 16384},
               {512, 128, 2, 400, 16, 8, 0, 2 * 512, 2 * 512, 0},
               {2048, 128, 2, 400, 64, 32, 0, 2 * 2048, 2 * 2048, 0},
               {4096, 128, 2, 400, 128, 64, 0, 2 * 4096, 2 * 4096, 0},
               {8192, 128, 2, 400, 256, 128, 0, 2 * 8192, 2 * 8192, 0},
               {1152, 144, 1, 800, 16, 8, 0, 1152, 1152, 0},
               {2304, 144, 1, 800, 32, 18, 0, 2304, 2304, 0},
               {4608, 144, 1, 800, 64, 36, 0, 4608, 4608, 0}};
  for (const auto& row : kRows) {
    CAPTURE(row.gpus);
    CAPTURE(row.radix);
    auto links = links_of({.gpus = row.gpus,
                           .radix = row.radix,
                           .port_gbps = row.gbps,
                           .topology = RailOptimized{.rails = 8, .planes = row.planes}});
    CHECK(links["leaf"] == row.leaf);
    CHECK(links["spine"] == row.spine);
    CHECK(links["core"] == row.core);
    CHECK(links["host"] == row.host);
    CHECK(links["leaf_spine"] == row.upper);
    CHECK(links["spine_core"] == row.top);
  }
}

// Vendor's page with NVIDIA's figure (www.shke.com.cn/?p=7546): 32 nodes of a scalable unit in
// eight racks, four left and four right of the rack with its eight leaf switches.
TEST_CASE("the scalable unit of the DGX H100 SuperPOD") {
  SiteCluster cluster = h100_16k();
  cluster.hardware =
      hardware_of({.gpus = 256, .topology = RailOptimized{.rails = 8}}, 8, 10200, 747);
  const site::Build built = testing::built(cluster, Arrangement::regular);
  CHECK(built.plan.packing.nodes == 4);
  CHECK(kinds_of(built)["compute"] == 8);
  std::int64_t left = 0, right = 0, leaf = -1;
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    if (built.plan.racks[i].kind == "leaf") leaf = static_cast<std::int64_t>(i);
  }
  CHECK(built.plan.racks[leaf].contents.size() == 8);
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    if (built.plan.racks[i].kind != "compute") continue;
    CHECK(built.floor.row(built.places[i]) == built.floor.row(built.places[leaf]));
    ++(built.places[i] < built.places[leaf] ? left : right);
  }
  CHECK(left == 4);
  CHECK(right == 4);
}

// NVIDIA DGX SuperPOD H100, RA-11333-001, Table 7: 127 nodes, 38 racks, of which UFM, management
// and storage take those that are not counted here.
TEST_CASE("racks of 127 nodes") {
  SiteCluster cluster = h100_16k();
  cluster.hardware = hardware_of(
      {.topology = SuperPod{.scalable_units = 4, .fabric_manager_ports = 4}}, 8, 10200, 747);
  CHECK(cluster.hardware.nodes == 127);
  const site::Build built = testing::built(cluster, Arrangement::regular);
  CHECK(kinds_of(built)["compute"] == 32);
  CHECK(built.plan.racks.size() <= 38);
}

// NVIDIA DGX SuperPOD B200: more than 25 kW a rack; two nodes of 14.3 kW.
TEST_CASE("a rack of DGX B200") {
  SiteCluster cluster = h100_16k();
  cluster.hardware.node_power = 14300 * units::W;
  cluster.hardware.network.nic_module = Watts{};
  cluster.hardware.node_units = 10;
  cluster.hardware.chassis.most_per_rack = 2;
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(built.plan.racks.front().power.si() == 28600);
  CHECK(built.plan.racks.front().power.si() > 25000);
}

// NVIDIA Mission Control, power shelves: eight of six supplies of 5.5 kW; N + N.
TEST_CASE("power shelves of a GB200 NVL72 rack") {
  const double shelf = 6 * 5.5;
  CHECK(shelf == 33);
  CHECK(8 * shelf == 264);
  CHECK(site::survives_a_feed(8 * 6, 24, 2));
  CHECK_FALSE(site::survives_a_feed(8 * 6, 25, 2));
}

// Meta RoCE paper (SIGCOMM'24), section 3.2; Llama 3 paper, section 3.3: racks of 16 GPUs under one
// RTSW, 192 a zone, DAC in the rack.
TEST_CASE("Meta's racks") {
  SiteCluster cluster{
      "meta",
      hardware_of({.gpus = 24576, .radix = 32, .topology = MetaAiZone{}}, 8, 10200, 500),
      {.switch_position = SwitchPosition::tor},
      media_800g()};
  for (std::int64_t& units : cluster.hardware.network.switch_units) units = 1;
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(kinds_of(built)["compute"] == 1536);
  std::int64_t switches = 0;
  for (const site::Rack& rack : built.plan.racks) {
    if (rack.kind != "compute") continue;
    CHECK(rack.gpus == 16);
    for (const site::Content& content : rack.contents) {
      if (content.device.starts_with("rtsw")) ++switches;
    }
  }
  CHECK(switches == 1536);
  CHECK(built.laid.layers.front().longest_m < 3);
  CHECK(built.laid.layers.front().medium.front() == 0);
}

// Alibaba HPN (SIGCOMM'24), section 5.1: 8 backup ports of each ToR, 8 spare hosts a segment.
TEST_CASE("spare hosts of HPN stand there too") {
  const site::Build built = testing::built(hpn(), Arrangement::naive);
  std::map<std::string, std::int64_t> links;
  for (const site::WiredLayer& layer : built.plan.wiring.layers) {
    links[layer.name] = static_cast<std::int64_t>(layer.links.size());
  }
  CHECK(links["host_backup"] == 1920);
  CHECK(kinds_of(built)["compute"] + kinds_of(built)["spare"] == 510);
  std::int64_t spare = 0;
  for (const site::Rack& rack : built.plan.racks) {
    if (rack.kind == "spare") spare += rack.nodes;
  }
  CHECK(spare == 120);
  CHECK(built.laid.longest_m < 100);
}

// NVIDIA DPS, topology example (docs.nvidia.com/datacenter/dps): eight racks of 18 nodes at 5,600 W
// on four floor PDUs of 450 kW and a utility feed of 750 kW. The tree breaks at its root.
TEST_CASE("the power tree is walked to its root") {
  std::vector<PowerUnit> units;
  units.push_back({.name = "utility", .limit = 750e3 * units::W});
  for (std::int64_t i = 1; i <= 4; ++i) {
    units.push_back({.name = "pdu-" + std::to_string(i),
                     .of = "utility",
                     .limit = 450e3 * units::W,
                     .racks = {i, i + 4}});
  }
  const std::vector<Watts> racks(8, 18 * 5600.0 * units::W);
  CHECK(racks.front().si() == Approx(100.8e3));
  const auto carried = site::PowerChain(units, racks).carried();
  CHECK(carried[0].load.si() == Approx(806.4e3));
  CHECK(carried[0].broken());
  for (int i = 1; i <= 4; ++i) {
    CHECK(carried[i].load.si() == Approx(201.6e3));
    CHECK_FALSE(carried[i].broken());
  }
}

// Oracle SuperCluster M8, Table 57 (docs.oracle.com/cd/E58626_01): cables under the floor from the
// leaf switch in U24 to the spine switch in U1, racks side by side.
TEST_CASE("Oracle's table of cables for eight racks") {
  const std::vector<double> sold{3, 5, 10};
  const double expected[] = {3, 5, 5, 10, 10, 10, 10, 10};
  const struct {
    double underfloor, least, most;  // total slack, m
  } kFloors[] = {{0.3, 1.3, 1.85}, {0.45, 1.0, 1.55}, {0.6, 0.7, 1.25}};
  for (const auto& floor : kFloors) {
    for (const double slack : {floor.least, (floor.least + floor.most) / 2, floor.most}) {
      const Site site{
          .underfloor_m = floor.underfloor, .slack_m = slack / 2, .in_rack_slack_m = slack};
      for (int away = 0; away < 8; ++away) {
        const double metres = away == 0 ? site::in_rack_metres(site, 24, 1)
                                        : site::drop_metres(site, 24) + site::drop_metres(site, 1) +
                                              0.6 * away + 2 * site.slack_m;
        CAPTURE(floor.underfloor);
        CAPTURE(away);
        CHECK(site::sold_length(sold, metres) == expected[away]);
      }
    }
  }
}

// Leviton Cat 6A reference manual, cable tray sizing example (0.785 for π/4).
TEST_CASE("Leviton's tray for 100 cables of 8 mm at a quarter") {
  const double cables = 100 * 0.785 * 8 * 8;
  CHECK(cables == Approx(5024));
  CHECK(site::tray_section_mm2(cables, 0.25) == Approx(20096));
  CHECK(100 * site::section_mm2(8) == Approx(cables).epsilon(0.001));
}

// NVIDIA DGX SuperPOD data center design H100, Table 18.
TEST_CASE("weights of cables, and how many fill half a tray of 600 × 100 mm") {
  const Medium fibre = media_800g().all[2], copper = media_800g().all[0];
  CHECK(1000 * fibre.kg_per_m == Approx(9.0));
  CHECK(1000 * copper.kg_per_m == Approx(45.0));
  CHECK(std::floor(30000 / site::section_mm2(fibre.diameter_mm)) == 4244);
  CHECK(std::floor(30000 / site::section_mm2(copper.diameter_mm)) == 429);
}

// Mudigonda et al., "Taming the Flying Cable Monster", USENIX ATC 2011: stock lengths.
TEST_CASE("stock lengths of 2011") {
  const std::vector<double> stock{10, 15, 20, 30, 50, 100};
  const std::pair<double, double> kSold[] = {{7, 10}, {10, 10}, {12, 15}, {25, 30}, {60, 100}};
  for (const auto& [metres, sold] : kSold) CHECK(site::sold_length(stock, metres) == sold);
}

// SemiAnalysis' InferenceX: 1.73 kW an H100, all in, at PUE 1.25.
TEST_CASE("power for each GPU") {
  const site::Build built = testing::built(h100_16k(), Arrangement::naive);
  CHECK(built.power.it.si() == 22'583'040);
  CHECK(built.power.facility.si() / 16384 == Approx(1730).epsilon(0.01));
  // GB200: 16.24 MW, as the bill says; the pumps of its cooling racks are no IT.
  const site::Build nvl = testing::built(nvl72_9216(), Arrangement::naive);
  CHECK(nvl.power.it.si() == 16'243'440);
}

}  // namespace
