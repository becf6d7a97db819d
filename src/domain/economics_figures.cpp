#include "planner/domain/economics_figures.hpp"

#include <array>

namespace planner {

std::span<const EconomicsFigure> economics_figures() {
  using E = Economics;
  constexpr double kLeast = 1e-9;  // that is not nothing
  static const Seconds month = units::year / 12;
  static const auto megawatt = 1e6 * units::W;
  const auto usd = [](auto member, auto by) { return EconomicsRate{member, units::usd / by}; };
  static const auto all = std::to_array<EconomicsFigure>({
      {"electricity_usd_per_kWh", "energy at the meter", usd(&E::electricity, units::kWh), kLeast,
       1e6},
      {"pue", "facility power over IT power", &E::pue, 1, 10},
      {"load", "average draw over the rated power of the parts", &E::load, 0.001, 1},
      {"colocation_usd_per_kW_month", "per kW of IT power reserved",
       usd(&E::colocation, units::kW * month), kLeast, 1e9},
      {"rack_rental_usd_per_rack_month", "per rack", usd(&E::rack_rental, month), kLeast, 1e12},
      {"hosting_includes_electricity", "colocation or rack rental pay for the power too",
       &E::hosting_includes_electricity},
      {"building_usd_per_MW", "own building with power and cooling, by IT power",
       usd(&E::building, megawatt), kLeast, 1e12},
      {"building_years", "that it lasts", &E::building_years, 0.01, 100},
      {"maintenance_per_year", "share of capex", &E::maintenance, 0, 1},
      {"insurance_per_year", "share of capex", &E::insurance, 0, 1},
      {"staff_usd_per_year", "of everybody together", usd(&E::staff, units::year), 0, 1e12},
      {"staff_usd_per_MW_year", "besides, by IT power",
       usd(&E::staff_by_power, megawatt * units::year), 0, 1e12},
      {"depreciation_years", "of the parts, to nothing", &E::depreciation_years, 0.01, 100},
      {"depreciation", "of the parts", &E::depreciation},
      {"residual_by_year",
       "share of their price that parts sell for after 1, 2, … years; left out: book value",
       &E::residual_by_year, 0, 1},
      {"horizon_years", "of the total cost of ownership", &E::horizon_years, 0.01, 100},
      {"utilisation", "share of the hours that are used", &E::utilisation, 0.001, 1},
      {"cost_of_capital", "per year; left out: money costs nothing", &E::cost_of_capital, 0, 0.99},
      {"tax_rate", "on profits; left out: before taxes", &E::tax_rate, 0, 0.99},
      {"grid_kg_CO2_per_kWh", "of the electricity used", &E::grid_kg_co2_per_kwh, 0, 10},
  });
  return all;
}

}  // namespace planner
