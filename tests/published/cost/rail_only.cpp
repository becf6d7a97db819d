#include <doctest/doctest.h>

#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/network_parts.hpp"
#include "unit/cost/support.hpp"

using namespace planner;
using doctest::Approx;

// Rail-only paper, Wang et al. 2023 (arXiv 2307.12169), Table 2 and footnote 1: $374 per
// transceiver, $748 per switch port for 400 Gb/s.

namespace {

struct Network {
  std::int64_t switches;
  std::int64_t transceivers;
};

struct Row {
  std::int64_t radix;
  Network state_of_the_art;
  Network rail_only;
  double reduction_percent;
};

const PriceBook kPaperPrices{
    .switch_ports = {{.port_gbps = 400, .amount = exactly(748)}},
    .transceiver_ends = {{.port_gbps = 400, .amount = exactly(374)}},
    .included = {{.category = PartCategory::cables, .within = PartCategory::transceivers}}};

Total price_of(std::int64_t radix, Network network) {
  const FabricDesign design{.radix = radix, .port_gbps = 400};
  const FabricCount count{
      .switches = {{.name = "switch", .switches = network.switches, .radix = radix}},
      .layers = {{.name = "all", .links = network.transceivers / 2, .gbps = 400}}};
  const auto parts = std::get<0>(network_parts(design, count, {}, kPaperPrices));
  return capex(std::get<BillOfMaterials>(bill_of_materials(parts, kPaperPrices))).value();
}

}  // namespace

TEST_CASE(
    "rail-only paper, 32,768 GPUs on 64-port switches: rail-only and the any-to-any tree, in "
    "dollars") {
  // 1,536 · 64 · 748 + 131,072 · 374 and 2,560 · 64 · 748 + 196,608 · 374.
  const Total rail_only = price_of(64, {1536, 131072});
  CHECK(rail_only.amount == exactly(122552320));
  CHECK(rail_only.missing == 0);
  CHECK(price_of(64, {2560, 196608}).amount == exactly(196083712));
}

TEST_CASE("rail-only paper, Table 2: the six cost reductions; the paper cuts 37.5 to 37") {
  const Row rows[] = {
      {64, {2560, 196608}, {1536, 131072}, 37.5},  {128, {1280, 196608}, {256, 65536}, 75},
      {256, {384, 131072}, {128, 65536}, 60},      {64, {5120, 393216}, {3072, 262144}, 37.5},
      {128, {2560, 393216}, {1536, 262144}, 37.5}, {256, {1280, 393216}, {256, 131072}, 75}};
  for (const Row& row : rows) {
    const double tree = price_of(row.radix, row.state_of_the_art).amount.expected.dollars();
    const double rail_only = price_of(row.radix, row.rail_only).amount.expected.dollars();
    CHECK(100 * (1 - rail_only / tree) == Approx(row.reduction_percent));
  }
}
