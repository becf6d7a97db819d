#include "planner/cost/link_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/cost/bill.hpp"
#include "planner/cost/unpriced.hpp"

using namespace planner;

namespace {

Medium medium(const char* name, MediumKind kind, double reach) {
  return {.name = name, .title = name, .kind = kind, .reach_m = reach, .sold_m = {5, 20}};
}

const Optic kTwinSr{.name = "sr2",
                    .title = "SR",
                    .ports = 2,
                    .port_gbps = 400,
                    .reach_m = 50,
                    .power = 15 * units::W};
const Optic kTwinDr{.name = "dr2",
                    .title = "DR",
                    .ports = 2,
                    .port_gbps = 400,
                    .reach_m = 100,
                    .power = 17 * units::W};
const Optic kOm4{.name = "om4", .title = "OM4", .kind = OpticKind::fibre};
const Optic kSmf{.name = "smf", .title = "SMF", .kind = OpticKind::fibre};

/// Copper to 3 m, multi-mode to 50, single-mode to 100.
std::vector<MediumModels> media() {
  MediumModels copper{.medium = medium("dac", MediumKind::copper, 3)};
  MediumModels near{.medium = medium("sr", MediumKind::multi_mode, 50), .cable = kOm4};
  near.medium.cable = "om4";
  near.medium.modules = {"sr2"};
  near.modules = {kTwinSr};
  MediumModels far{.medium = medium("dr", MediumKind::single_mode, 100), .cable = kSmf};
  far.medium.cable = "smf";
  far.medium.modules = {"dr2"};
  far.modules = {kTwinDr};
  return {copper, near, far};
}

const Cabling kTwin{.ports_per_switch_module = 2, .ports_per_nic_module = 2};

Price price(const char* part, double dollars) {
  return {.part = part, .amount = Estimate<Money>::exactly(*Money::from_dollars(dollars))};
}

}  // namespace

TEST_CASE("parts follow the medium: the network's own where it makes it") {
  const FabricModels models{.switch_module = kTwinSr, .nic_module = kTwinSr, .fibre = kOm4};
  CHECK(module_part(media()[1], true, 400, true, 2, models).id == "sr2");
  CHECK(module_part(media()[2], false, 400, true, 2, models).id == "dr2");
  CHECK(module_part(media()[2], false, 400, true, 2, models).power == 17 * units::W);
  CHECK(cable_part(media()[1], 400, 2, models).id == "om4");
  CHECK(cable_part(media()[2], 400, 2, models).id == "smf");
  CHECK(cable_part(media()[0], 400, 1, models).id == "dac-400g");
  CHECK(cable_part(media()[0], 400, 2, models).id == "dac-2x-400g");
  CHECK(cable_part(media()[0], 400, 2, models).ports == 2);
  // Of another speed or number of ports nothing is known but what it is.
  CHECK(module_part(media()[2], false, 200, true, 2, models).id == "module-2x-200g-dr");
  CHECK(module_part(media()[2], false, 400, true, 1, models).id == "module-400g-dr");
  CHECK_FALSE(module_part(media()[2], false, 400, true, 1, models).power);
}

TEST_CASE("a splitter needs a cage that it splits, and active copper is made at one speed") {
  MediumModels active{.medium = medium("acc", MediumKind::active_copper, 5),
                      .cable = Optic{.name = "y",
                                     .title = "splitter",
                                     .kind = OpticKind::copper,
                                     .ports = 2,
                                     .port_gbps = 400,
                                     .power = 3 * units::W}};
  active.medium.cable = "y";
  CHECK(cable_part(active, 400, 2, {}).id == "y");
  CHECK(cable_part(active, 400, 1, {}).id == "acc-400g");
  CHECK(cable_part(active, 400, 1, {}).power == 1.5 * units::W);  // one link of two
  // A part of one link is none for a cage of two.
  const FabricModels straight{
      .copper = Optic{.name = "straight", .kind = OpticKind::copper, .port_gbps = 400}};
  CHECK(cable_part(media()[0], 400, 1, straight).id == "straight");
  CHECK(cable_part(media()[0], 400, 2, straight).id == "dac-2x-400g");
  CHECK(is_made_at(active, 400));
  CHECK_FALSE(is_made_at(active, 200));
  CHECK(is_made_at(media()[0], 200));
}

TEST_CASE("a network that names no parts: nameless ones, the nearest fibre's as without lengths") {
  CHECK(is_nearest_fibre(media(), 1));
  CHECK_FALSE(is_nearest_fibre(media(), 2));
  CHECK(module_part(media()[1], true, 400, false, 1, {}).id == "module-400g");
  CHECK(module_part(media()[2], false, 400, false, 1, {}).id == "module-400g-dr");
  CHECK(cable_part(media()[1], 400, 2, {}).id == "om4");
}

TEST_CASE("lines by part and sold length, and a price of each") {
  const LaidLinks laid{.cables = {{1, 400, 5, 30}, {1, 400, 20, 10}, {2, 400, 20, 2}},
                       .modules = {{1, 400, true, 20, 40},
                                   {1, 400, false, 20, 40},
                                   {2, 400, true, 1, 2},
                                   {2, 400, false, 1, 2}}};
  const FabricModels models{.switch_module = kTwinSr, .nic_module = kTwinSr, .fibre = kOm4};
  PriceBook book{.prices = {price("sr2", 100), price("dr2", 150), price("om4", 50),
                            price("smf", 60), price("smf-20m", 99)}};
  book.prices[2].per_metre = Estimate<Money>::exactly(*Money::from_dollars(2));
  const auto parts = link_parts(laid, media(), kTwin, models, book);
  REQUIRE(parts.size() == 5);
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
  const auto each = [&](const std::string& title) {
    const auto found = std::find_if(bill.lines.begin(), bill.lines.end(),
                                    [&](const BillLine& line) { return line.part.title == title; });
    REQUIRE(found != bill.lines.end());
    return std::pair(found->quantity, found->unit_price->expected.dollars());
  };
  CHECK(each("SR") == std::pair<std::int64_t, double>(40, 100));
  CHECK(each("DR") == std::pair<std::int64_t, double>(2, 150));
  CHECK(each("OM4, 5 m") == std::pair<std::int64_t, double>(30, 60));
  CHECK(each("OM4, 20 m") == std::pair<std::int64_t, double>(10, 90));
  CHECK(each("SMF, 20 m") == std::pair<std::int64_t, double>(2, 99));  // of its length
  CHECK(key_with_length(parts.back().part) == "smf-20m");
  CHECK(length_text(2.5) == "2.5");
}

TEST_CASE("under a price per end, ends are billed with their share of a module's power") {
  const LaidLinks laid{.modules = {{1, 400, true, 20, 40}, {1, 400, false, 20, 40}}};
  const FabricModels models{.switch_module = kTwinSr, .nic_module = kTwinSr};
  const PriceBook book{
      .transceiver_ends = {
          {.port_gbps = 400, .amount = Estimate<Money>::exactly(*Money::from_dollars(9))}}};
  const auto parts = link_parts(laid, media(), kTwin, models, book);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].quantity == 80);
  CHECK(parts[0].part.power == 7.5 * units::W);
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
  CHECK(bill.lines[0].total->expected.dollars() == 720);
}

TEST_CASE("a long cable without a price is bounded by the dearest at its length") {
  PriceBook book{.prices = {price("fibre", 50)}};
  book.prices[0].per_metre = Estimate<Money>::exactly(*Money::from_dollars(2));
  Part cable{.id = "odd", .category = PartCategory::cables, .length_m = 30};
  CHECK(dearest(book, cable)->dollars() == 110);
  cable.length_m.reset();
  CHECK(dearest(book, cable)->dollars() == 50);
}

TEST_CASE("a trunk is a part of its own, priced by the book or not at all") {
  const LaidLinks laid{.cables = {{1, 400, 5, 3}, {1, 400, 5, 2, 144}, {1, 400, 20, 1, 12}}};
  const FabricModels models{.fibre = kOm4};
  PriceBook book{.prices = {price("om4", 50), price("om4-trunk-144", 900)}};
  const auto parts = link_parts(laid, media(), kTwin, models, book);
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
  REQUIRE(bill.lines.size() == 3);
  CHECK(bill.lines[0].quantity == 3);
  CHECK(bill.lines[1].part.id == "om4-trunk-12");
  CHECK(bill.lines[1].unpriced());
  CHECK(bill.lines[2].part.title ==
        "OM4, trunk of 144 fibres fanned out to 12 plugs at each end, 5 m");
  CHECK(bill.lines[2].total->expected.dollars() == 1800);
  // At most as much as its twelve cords.
  CHECK(dearest(PriceBook{.prices = {price("fibre", 50)}}, bill.lines[2].part)->dollars() == 600);
}

TEST_CASE("what stands in for unknown power is in the part, and its title says so") {
  const FabricModels models{.module_stand_in = 11 * units::W};
  const Part module = module_part(media()[1], true, 400, false, 1, models);
  CHECK(module.power == 11 * units::W);
  CHECK(module.title.ends_with(", power assumed"));
  const FabricModels known{.switch_module = kTwinSr, .module_stand_in = 11 * units::W};
  CHECK(module_part(media()[1], true, 400, true, 2, known).power == 15 * units::W);
}
