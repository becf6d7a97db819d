#include "planner/cost/bill.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "unit/cost/support.hpp"

using namespace planner;

namespace {

const PriceBook kBook{
    .name = "book",
    .prices = {price("node", 1000.10), price("qm9700", 36000), {.part = "optic"}},
    .switch_ports = {{.port_gbps = 400, .amount = exactly(748), .origin = {.source = "ports"}}},
    .transceiver_ends = {{.port_gbps = 400, .amount = exactly(374), .origin = {.source = "ends"}}},
    .included = {{.category = PartCategory::cables, .within = PartCategory::transceivers}}};

PartQuantity nameless_switch(std::int64_t ports, std::int64_t gbps, std::int64_t quantity) {
  PartQuantity part = bought("switch", PartCategory::switches, quantity);
  part.part.ports = ports;
  part.part.port_gbps = gbps;
  return part;
}

BillOfMaterials bill_of(const std::vector<PartQuantity>& parts) {
  return std::get<BillOfMaterials>(bill_of_materials(parts, kBook));
}

BillLine line_of(const PartQuantity& part) {
  return bill_of({part}).lines.at(0);
}

}  // namespace

TEST_CASE("a line is its quantity times its unit price, to the cent, with the price's source") {
  const BillLine line = line_of(bought("node", PartCategory::compute, 3));
  CHECK(line.unit_price == exactly(1000.10));
  CHECK(line.total == exactly(3000.30));
  CHECK(line.origin.source == "test");
  CHECK(!line.unpriced());
}

TEST_CASE("a part without a price, or with a price that is not known, is unpriced, never 0") {
  for (const char* part : {"optic", "storage"}) {
    const BillLine line = line_of(bought(part, PartCategory::storage, 5));
    CHECK(!line.unit_price);
    CHECK(!line.total);
    CHECK(line.unpriced());
  }
}

TEST_CASE("a switch without a price of its own costs all its ports at their speed") {
  const BillLine line = line_of(nameless_switch(64, 400, 1536));
  CHECK(line.unit_price == exactly(47872));
  CHECK(line.total == exactly(73531392));
  CHECK(line.origin.source == "ports");
  CHECK(line_of(nameless_switch(64, 200, 1)).unpriced());

  PartQuantity named = nameless_switch(64, 400, 1);
  named.part.id = "qm9700";
  CHECK(line_of(named).unit_price == exactly(36000));
}

TEST_CASE("what another price holds costs nothing more, and is not missing") {
  const BillLine line = line_of(bought("fibre", PartCategory::cables, 10));
  CHECK(!line.total);
  CHECK(!line.unpriced());
  CHECK(line.included_in == "transceivers");
}

TEST_CASE("a line's own price goes before the book's") {
  PartQuantity part = bought("node", PartCategory::compute, 2);
  part.own_price = price("node", 5);
  CHECK(line_of(part).total == exactly(10));
}

TEST_CASE("nothing bought is no line; a negative quantity is an error") {
  CHECK(bill_of({bought("node", PartCategory::compute, 0)}).lines.empty());
  const auto result = bill_of_materials({bought("node", PartCategory::compute, -1)}, kBook);
  CHECK(std::get<CostProblem>(result).rule == CostRule::out_of_range);
}

TEST_CASE("relative units never mix with dollars") {
  PriceBook relative = kBook;
  relative.currency = Currency::relative;
  PartQuantity part = bought("offer", PartCategory::other, 1);
  part.own_price = price("offer", 100);
  const auto result = bill_of_materials({part}, relative);
  CHECK(std::get<CostProblem>(result).rule == CostRule::mixed_currency);
  CHECK(to_string(std::get<CostProblem>(result)) ==
        "offer: relative units and US dollars do not add up");
}

TEST_CASE("a product beyond 64 bits of cents is an error, not a wrong number") {
  const auto most = std::numeric_limits<std::int64_t>::max();
  const auto result = bill_of_materials({bought("node", PartCategory::compute, most)}, kBook);
  CHECK(std::get<CostProblem>(result).rule == CostRule::too_large);
  const auto ports = bill_of_materials({nameless_switch(most, 400, 1)}, kBook);
  CHECK(std::get<CostProblem>(ports).rule == CostRule::too_large);
}
