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
  price("twin-lr", 900);
  price("om4", 80);
  price("smf", 100);
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

/// The transceiver, or the cable, of each.
std::set<std::string> names_of(const std::vector<OpticsOption>& optics) {
  std::set<std::string> names;
  for (const OpticsOption& one : optics) {
    names.insert(one.module ? one.module->name : one.active_optical->name);
  }
  return names;
}

const Optic kOm4{.name = "om4", .kind = OpticKind::fibre, .reach_m = 50, .power = Watts{}};
const Optic kSmf{.name = "smf", .kind = OpticKind::fibre, .power = Watts{}};

TEST_CASE("optics of which others cost and draw no more are left out, whichever part gets dearer") {
  // Links: twin-sr 880, twin-dr 600, twin-lr 1,000; of "dark" the power is not known.
  std::vector<Optic> all{transceiver("twin-sr", 2, 50),
                         transceiver("twin-dr", 2, 500),
                         transceiver("twin-lr", 2, 2000),
                         kOm4,
                         kSmf,
                         {.name = "dark", .kind = OpticKind::active_optical, .port_gbps = 400}};
  const auto found = worthwhile_optics(all, book(), kEconomics);
  CHECK(names_of(found) == std::set<std::string>{"twin-dr", "twin-sr"});
  for (const OpticsOption& one : found) {
    CHECK(one.port_gbps == 400);
    CHECK(one.fibre->name == (one.module->name == "twin-dr" ? "smf" : "om4"));
  }
  // Single ports are dearer, and worth it where the other one of a twin stays empty.
  all.push_back(transceiver("sr", 1, 50));
  CHECK(names_of(worthwhile_optics(all, book(), kEconomics)) ==
        std::set<std::string>{"twin-dr", "twin-sr", "sr"});
  // Without its fibre what is made for it is not taken, whatever other fibre there is.
  const std::vector<Optic> no_fibre(all.begin(), all.begin() + 3);
  CHECK(worthwhile_optics(no_fibre, book(), kEconomics).empty());
}

TEST_CASE("optics that are dearer are taken where they may come to less more, or draw less") {
  const auto found = [](double watts, std::int64_t high) {
    PriceBook prices = book();
    const auto dollars = [](std::int64_t usd) { return Money::cents(100 * usd); };
    add_price(prices, "a", {dollars(500), dollars(500), dollars(900)});
    add_price(prices, "b", {dollars(500), dollars(600), dollars(high)});
    add_price(prices, "c", {dollars(500), dollars(610), dollars(high + 20)});
    Optic b = transceiver("b", 2, 500);
    b.power = watts * units::W;
    return names_of(worthwhile_optics({transceiver("a", 2, 500), b, transceiver("c", 2, 500), kSmf},
                                      prices, kEconomics));
  };
  const std::set<std::string> of_two{"a", "b"}, of_three{"a", "b", "c"};
  CHECK(found(9, 999) == of_two);   // b may cost 399 more than expected, a 400
  CHECK(found(8, 1900) == of_two);  // b draws less
  CHECK(found(9, 1900) == of_two);  // b is worth it where a gets dearer
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
