#include "planner/cost/network_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"

using namespace planner;

namespace {

// 128 endpoints on two tiers of 16-port switches: 16 leaves, 8 spines.
FabricDesign design() {
  return {.gpus = 128, .radix = 16, .port_gbps = 400};
}

FabricCount count() {
  return {.endpoints = 128,
          .switches = {{.name = "leaf", .switches = 16, .radix = 16},
                       {.name = "spine", .switches = 8, .radix = 16}},
          .layers = {{.name = "host", .links = 128, .gbps = 400, .host = true},
                     {.name = "leaf_spine", .links = 128, .gbps = 400}},
          .transceivers = 512,
          .modules = 512,
          .cables = {.fibre = 256}};
}

const SwitchModel kSwitch{.name = "s16",
                          .title = "Switch",
                          .ports = 8,
                          .port_gbps = 800,
                          .breakout_gbps = {400},
                          .power = 300 * units::W};
const Optic kTwinPort{
    .name = "twin", .title = "Twin", .ports = 2, .port_gbps = 400, .power = 16 * units::W};
const Optic kSingle{.name = "single", .title = "Single", .port_gbps = 400};

std::vector<PartQuantity> parts_of(const FabricDesign& of, const FabricCount& counted,
                                   const FabricModels& models, const PriceBook& book = {}) {
  return std::get<0>(network_parts(of, counted, models, book));
}

std::int64_t quantity(const std::vector<PartQuantity>& parts, const std::string& id) {
  std::int64_t sum = 0;
  for (const PartQuantity& bought : parts) {
    if (bought.part.id == id) sum += bought.quantity;
  }
  return sum;
}

CostProblem problem_of(const FabricDesign& of, const FabricModels& models) {
  return std::get<CostProblem>(network_parts(of, count(), models, {}));
}

}  // namespace

TEST_CASE("without models the parts are nameless, and complete") {
  const auto parts = parts_of(design(), count(), {});
  CHECK(quantity(parts, "switch-16x400g") == 24);
  CHECK(quantity(parts, "module-400g") == 512);
  CHECK(quantity(parts, "fibre") == 256);
  // What is not known to draw nothing has no power.
  for (const PartQuantity& bought : parts)
    CHECK(bought.part.power.has_value() == (bought.part.id == "fibre"));
}

TEST_CASE("named parts bring their power; twin-port modules serve two ports") {
  FabricDesign twin = design();
  twin.cabling.ports_per_switch_module = 2;
  FabricCount counted = count();
  counted.modules = 128 + 64 + 128;  // at the NICs, host side and spine side of the switches
  const auto parts = parts_of(
      twin, counted, {.switches = kSwitch, .switch_module = kTwinPort, .nic_module = kSingle});
  CHECK(quantity(parts, "s16") == 24);
  CHECK(parts[0].part.power == 300 * units::W);
  CHECK(quantity(parts, "single") == 128);
  CHECK(quantity(parts, "twin") == 192);
}

TEST_CASE("under a price per end, logical ends are billed") {
  const PriceBook book{.transceiver_ends = {{.port_gbps = 400}}};
  const auto parts = parts_of(
      design(), count(),
      {.switch_module = Optic{.name = "m", .port_gbps = 400, .power = 8 * units::W}}, book);
  CHECK(quantity(parts, "transceiver-end-400g") == 512);
  CHECK(quantity(parts, "module-400g") == 0);
  CHECK(parts[2].part.power == 8 * units::W);
}

TEST_CASE("speeds are billed apart, and copper takes no modules") {
  FabricCount counted = count();
  counted.layers[0].cable = CableKind::copper;
  counted.layers[0].gbps = 200;
  counted.modules = 256;
  const Optic copper{.name = "dac", .kind = OpticKind::copper, .port_gbps = 400};
  const auto parts = parts_of(design(), counted, {.copper = copper});
  CHECK(quantity(parts, "dac-200g") == 128);  // the named one is for another speed
  CHECK(quantity(parts, "module-400g") == 256);
  CHECK(quantity(parts, "fibre") == 128);
}

TEST_CASE("a quote for the whole network is the only priced line") {
  const auto parts = parts_of(design(), count(), {.quote = "offer"});
  CHECK(parts.back().part.id == "offer");
  CHECK(parts.back().quantity == 1);
  CHECK(parts.back().included_in.empty());
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) CHECK(parts[i].included_in == "offer");
}

TEST_CASE("parts that do not fit are errors") {
  const SwitchModel small{.name = "small", .ports = 8, .port_gbps = 400};
  CHECK(to_string(problem_of(design(), {.switches = small})) ==
        "small: 8 ports of 400 Gb/s, the leaf needs 16");
  CHECK(to_string(problem_of(design(), {.switches = kSwitch, .upper_switches = small})) ==
        "small: 8 ports of 400 Gb/s, the spine needs 16");
  CHECK(problem_of(design(), {.switch_module = kTwinPort}).rule == CostRule::wrong_part);
  const Optic cable{.name = "dac", .kind = OpticKind::copper, .port_gbps = 400};
  CHECK(problem_of(design(), {.nic_module = cable}).rule == CostRule::wrong_part);
}

TEST_CASE("a cluster buys whole nodes, or GPUs and the unknown rest of their nodes") {
  Cluster cluster{.gpus = 130, .fabric = design()};
  const Node node{.name = "n8", .accelerators = 8, .nics = 4, .power = 10 * units::kW};
  CHECK(nodes_of(cluster, node) == 17);
  CHECK(endpoints_of(cluster, node) == 128);  // as the fabric says
  cluster.fabric.gpus = std::nullopt;
  CHECK(endpoints_of(cluster, node) == 68);
  CHECK(endpoints_of(cluster, std::nullopt) == 130);

  const auto whole = std::get<0>(cluster_parts(cluster, {.node = node}, count(), {}));
  CHECK(whole[0].quantity == 17);
  CHECK(whole[0].part.power == 10 * units::kW);
  cluster.node_power = 7 * units::kW;
  CHECK(std::get<0>(cluster_parts(cluster, {.node = node}, count(), {}))[0].part.power ==
        7 * units::kW);

  const Accelerator gpu{.name = "gpu", .power = 700 * units::W};
  const auto bare = std::get<0>(cluster_parts(cluster, {.accelerator = gpu}, count(), {}));
  CHECK(bare[0].part.id == "gpu");
  CHECK(bare[0].quantity == 130);
  CHECK(bare[1].part.id == "rest-of-nodes");
  CHECK(!bare[1].part.power);
}

// HPN, SIGCOMM'24, section 5: hosts in reserve hang on ports of the network as all others do.
TEST_CASE(
    "hosts in reserve that the network has ports for are bought, whatever the file asks for") {
  Cluster cluster{.gpus = 15360, .fabric = {.radix = 128, .topology = Hpn{}}};
  const Node node{.name = "n8", .accelerators = 8, .nics = 8, .power = 10 * units::kW};
  const FabricCount counted{.endpoints = 15360, .backup_endpoints = 960};
  CHECK(hosts_in_reserve(counted, 1920) == 120);
  for (const auto& [asked, bought] :
       {std::pair(0, 120), std::pair(60, 120), std::pair(120, 120), std::pair(200, 200)}) {
    cluster.spare_nodes = asked;
    CHECK(spare_nodes_of(cluster, node, counted) == bought);
    CHECK(quantity(std::get<0>(cluster_parts(cluster, {.node = node}, counted, {})), "n8") ==
          1920 + bought);
  }
  const Accelerator gpu{.name = "gpu", .power = 700 * units::W};
  const ClusterModels bare{.accelerator = gpu, .all_nodes = 20'400 * units::kW};
  const auto parts = std::get<0>(cluster_parts(cluster, bare, counted, {}));
  CHECK(quantity(parts, "gpu") == 16320);
  CHECK(parts[2].part.power->si() == doctest::Approx(20.4e6 - 16320 * 700));
}

TEST_CASE("extra lines bring their own price, in dollars, or none") {
  Cluster cluster{.gpus = 8, .fabric = design()};
  cluster.extra_lines = {
      {.item = "racks", .quantity = 2, .unit_price = Estimate<Money>::exactly(Money::cents(5))},
      {.item = "work", .quantity = 1}};
  const PriceBook relative{.currency = Currency::relative};
  const auto parts = std::get<0>(cluster_parts(cluster, {}, count(), relative));
  CHECK(parts[parts.size() - 2].own_price->currency == Currency::usd);
  CHECK(parts.back().own_price->currency == Currency::relative);
  CHECK(!parts.back().own_price->amount);
}

TEST_CASE(
    "ports of optical switches are a line, at the price asked for or the book's, or at none") {
  const ReliabilitySettings asked{
      .reconfigure = Seconds{30}, .optical_ports = 16384, .optical_port_price = 3000 * units::usd};
  CHECK_FALSE(optical_ports({.reconfigure = Seconds{30}}));
  CHECK_FALSE(optical_ports({.optical_ports = 16384}));
  Cluster cluster{.gpus = 8, .fabric = design()};
  const ClusterModels models{.optical_ports = optical_ports(asked)};
  const auto line = [&](const PriceBook& book) {
    const auto parts = std::get<0>(cluster_parts(cluster, models, count(), book));
    return std::get<0>(bill_of_materials(parts, book)).lines.back();
  };
  PriceBook book;
  CHECK(line(book).unpriced());
  CHECK_FALSE(line(book).power);
  book.prices = {{.part = "optical-circuit-switch-port",
                  .amount = Estimate<Money>::exactly(Money::cents(100))}};
  CHECK(line(book).total->expected == Money::cents(16384 * 100));
  price_optical_ports(asked, "asked", book);
  CHECK(line(book).quantity == 16384);
  CHECK(line(book).total->expected == Money::cents(16384LL * 3000 * 100));
  CHECK(line(book).origin.source == "asked");
  cluster.rent = ClusterRent{};
  CHECK(std::get<0>(cluster_parts(cluster, models, count(), book)).empty());
}

TEST_CASE("other networks, spare nodes and servers are lines of their own") {
  Cluster cluster{.gpus = 16, .fabric = design()};
  cluster.spare_nodes = 2;
  cluster.management_nodes = PartOrder{.part = "head", .title = "Head node", .quantity = 3};
  cluster.frontend = SideNetwork{.ports_per_node = 2, .uplinks = 4};
  const Node node{.name = "box", .title = "Box", .accelerators = 8, .nics = 8};
  CHECK(ports_beside(cluster, *cluster.frontend, 4).all() == 4 * 2 + 3 + 4);
  CHECK(networks_beside(cluster).front().key == "frontend");
  const ClusterModels models{
      .node = node,
      .beside = {{.name = "frontend", .design = design(), .count = count(), .models = {}}}};
  const auto parts = std::get<0>(cluster_parts(cluster, models, count(), {}));
  CHECK(quantity(parts, "box") == 4);
  CHECK(quantity(parts, "head") == 3);
  CHECK(quantity(parts, "module-400g") == 1024);
  const auto leaf = std::find_if(parts.begin(), parts.end(), [](const PartQuantity& bought) {
    return bought.part.title == "frontend: leaf switch, 16 ports of 400 Gb/s";
  });
  REQUIRE(leaf != parts.end());
  CHECK(leaf->quantity == 16);
}
