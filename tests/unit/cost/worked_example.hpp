#pragma once

#include "planner/cost/bill.hpp"
#include "planner/cost/cost.hpp"
#include "unit/cost/support.hpp"

// The example that tests of costs work by hand.
namespace planner::testing {

// 10 nodes of 8 GPUs at $250,000 and 10 kW, 4 switches at $20,000
// and 1 kW, one file server without a price.
inline const PriceBook kTwoPrices{.name = "book",
                                  .prices = {price("node", 250000), price("switch", 20000)}};
inline const std::vector<PartQuantity> kParts{
    drawing("node", PartCategory::compute, 10, 10 * units::kW),
    drawing("switch", PartCategory::switches, 4, 1 * units::kW)};

inline UsdPerJoule per_kwh(double dollars) {
  return dollars * units::usd / units::kWh;
}

inline UsdPerSecond staff_per_hour(double dollars) {
  return dollars * units::usd / units::hour;
}

inline Economics whole_economics() {
  return {.name = "test",
          .electricity = Estimate<UsdPerJoule>::exactly(per_kwh(0.10)),
          .pue = Estimate<double>::exactly(1.25),
          .load = 0.8,
          .maintenance = Estimate<double>::exactly(0.05),
          .staff = Estimate<UsdPerSecond>::exactly(200000 * units::usd / units::year),
          .depreciation_years = 5,
          .horizon_years = 4,
          .utilisation = 0.9,
          .grid_kg_co2_per_kwh = 0.4,
          .cloud = {
              {.accelerator = "gpu", .rent = Estimate<UsdPerSecond>::exactly(staff_per_hour(3))}}};
}

inline BillOfMaterials bill_of_two(const std::vector<PartQuantity>& parts) {
  return std::get<BillOfMaterials>(bill_of_materials(parts, kTwoPrices));
}

inline CostBreakdown breakdown_of(const std::vector<PartQuantity>& parts, const Economics& with,
                                  std::optional<RunLength> run = {}) {
  return std::get<CostBreakdown>(
      cost_of(bill_of_two(parts),
              {.gpus = 80, .accelerator = "gpu", .rented = 80, .economics = with, .run = run}));
}

}  // namespace planner::testing
