#include "planner/cost/causes.hpp"

#include <doctest/doctest.h>

#include "planner/cost/cost.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

BillLine line(PartCategory category, double low, double expected, double high, double watts) {
  const auto money = [](double dollars) { return *Money::from_dollars(dollars); };
  BillLine line{.part = {.id = "part", .title = "part", .category = category},
                .quantity = 1,
                .power = watts * units::W};
  line.unit_price = line.total = Estimate<Money>{money(low), money(expected), money(high)};
  return line;
}

BillOfMaterials bill() {
  return {.lines = {line(PartCategory::compute, 8e6, 1e7, 1.5e7, 1e5),
                    line(PartCategory::switches, 1e6, 1e6, 1e6, 1e4)}};
}

Economics economics() {
  Economics economics;
  economics.electricity =
      Estimate<UsdPerJoule>{0.05 * units::usd / units::kWh, 0.08 * units::usd / units::kWh,
                            0.16 * units::usd / units::kWh};
  economics.pue = Estimate<double>{1.1, 1.2, 1.4};
  economics.maintenance = Estimate<double>{0.02, 0.03, 0.05};
  return economics;
}

CostBreakdown costs(const Economics& economics) {
  return std::get<CostBreakdown>(cost_of(bill(), {.gpus = 64, .economics = economics}));
}

const CostCause& named(const std::vector<CostCause>& causes, const std::string& name) {
  for (const CostCause& cause : causes) {
    if (cause.name == name) return cause;
  }
  FAIL("no cause is ", name);
  return causes.front();
}

}  // namespace

TEST_CASE("each price and each yearly figure with a range is a cause; what is exact is none") {
  const std::vector<CostCause> causes = cost_causes(costs(economics()), economics(), 64);
  CHECK(causes.size() == 4);
  CHECK(named(causes, "price of compute").capex == 1e7 * units::usd);
  CHECK(named(causes, "price of electricity").capex == Usd{});
  CHECK(named(causes, "PUE").factor.high == near(1.4 / 1.2));
  CHECK(named(causes, "maintenance").opex_per_year.in(units::usd) == near(0.03 * 1.1e7));
}

TEST_CASE("moving one cause to its end moves each sum as computing it anew does") {
  for (const bool financed : {false, true}) {
    CAPTURE(financed);
    Economics usual = economics();
    if (financed) usual.cost_of_capital = 0.09;
    const CostBreakdown before = costs(usual);
    const std::vector<CostCause> causes = cost_causes(before, usual, 64);
    const auto check = [&](const std::string& name, const CostBreakdown& after, double factor) {
      CAPTURE(name);
      const CostCause& cause = named(causes, name);
      const auto moved = [&](Money then, Money now) { return now.dollars() - then.dollars(); };
      CHECK((factor - 1) * cause.capex.in(units::usd) ==
            near(moved(before.capex.amount.expected, after.capex.amount.expected), 1e-6));
      CHECK((factor - 1) * cause.tco.in(units::usd) ==
            near(moved(before.ownership->total.expected, after.ownership->total.expected), 1e-6));
      CHECK((factor - 1) * cause.per_gpu_hour.in(units::usd) ==
            near((after.per_gpu_hour->expected - before.per_gpu_hour->expected).in(units::usd),
                 1e-5));
    };
    Economics dear = usual;
    dear.electricity->expected = dear.electricity->high;
    check("price of electricity", costs(dear), 2);
    Economics hot = usual;
    hot.pue->expected = 1.4;
    check("PUE", costs(hot), 1.4 / 1.2);
    Economics fragile = usual;
    fragile.maintenance->expected = 0.05;
    check("maintenance", costs(fragile), 5.0 / 3);
    BillOfMaterials bought = bill();
    bought.lines[0].total->expected = bought.lines[0].total->high;
    check("price of compute",
          std::get<CostBreakdown>(cost_of(bought, {.gpus = 64, .economics = usual})), 1.5);
  }
}
