#include "planner/design/networks.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

PriceBook book() {
  PriceBook prices;
  const auto price = [&](const char* part, std::int64_t dollars) {
    add_price(prices, part, Estimate<Money>::exactly(Money::cents(100 * dollars)));
  };
  price("twin-sr", 800);
  price("sr", 700);
  price("twin-dr", 500);
  price("dr", 900);
  price("om4", 80);
  price("smf", 100);
  price("cable", 1500);
  price("dark", 1);
  return prices;
}

Optic transceiver(const char* name, std::int64_t ports, double reach) {
  return {.name = name, .ports = ports, .port_gbps = 400, .reach_m = reach, .power = 9 * units::W};
}

const Economics kEconomics{
    .electricity = Estimate<UsdPerJoule>::exactly(0.1 * units::usd / units::kWh),
    .pue = Estimate<double>::exactly(1.2)};

const SwitchModel kSwitch{.name = "switch",
                          .ports = 64,
                          .port_gbps = 400,
                          .breakout_gbps = {200},
                          .power = 700 * units::W};

}  // namespace

TEST_CASE("the cheapest optics of one reach, at both ends") {
  const std::vector<Optic> all{
      transceiver("twin-sr", 2, 50),
      transceiver("sr", 1, 50),
      transceiver("twin-dr", 2, 500),
      transceiver("dr", 1, 500),
      {.name = "om4", .kind = OpticKind::fibre, .reach_m = 50, .power = Watts{}},
      {.name = "smf", .kind = OpticKind::fibre, .power = Watts{}},
      {.name = "cable", .kind = OpticKind::active_optical, .port_gbps = 400, .power = Watts{9}},
      {.name = "dark", .kind = OpticKind::active_optical, .port_gbps = 400}};
  const auto found = cheapest_optics(all, book(), kEconomics);
  REQUIRE(found.size() == 1);  // a cable of unknown power is not among them
  CHECK(found[0].port_gbps == 400);
  // 2 × 250 + 100 against 2 × 400 + 80: a twin port costs half of its module.
  CHECK(found[0].module->name == "twin-dr");
  CHECK(found[0].fibre->name == "smf");
  // Without multimode fibre what is there must carry the reach of its transceivers.
  const std::vector<Optic> single(all.begin() + 2, all.begin() + 4);
  CHECK(cheapest_optics(single, book(), kEconomics).empty());
}

TEST_CASE("the networks that are open for a system") {
  const std::vector<OpticsOption> optics{{.port_gbps = 200, .module = transceiver("a", 1, 50)},
                                         {.port_gbps = 400, .module = transceiver("b", 1, 50)}};
  const System system{.hb_domain = 8};
  const Node node{.accelerators = 8, .nics = 8, .nic_bandwidth = 50 * units::GBps};
  const NetworkParts parts{.switches = {kSwitch}, .optics = optics};
  std::set<Topology> open;
  for (const NetworkOption& one : open_networks(system, node, parts)) {
    open.insert(topology_of(one.choice.fabric));
    CHECK(one.choice.fabric.radix == kSwitch.ports_at(one.choice.fabric.port_gbps));
  }
  CHECK(open == std::set{Topology::fat_tree, Topology::rail_optimized, Topology::rail_only,
                         Topology::multi_plane});
  // Without a card for each GPU there are no rails; without a port of its speed, nothing.
  Node few = node;
  few.nics = 1;
  for (const NetworkOption& one : open_networks(system, few, parts)) {
    CHECK(topology_of(one.choice.fabric) != Topology::rail_only);
    CHECK(topology_of(one.choice.fabric) != Topology::rail_optimized);
  }
  Node slow = node;
  slow.nic_bandwidth = 3 * units::GBps;
  CHECK(open_networks(system, slow, parts).empty());
}
