#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/origin_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/json/estimate_codec.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr Seconds kMonth = units::year / 12;

Codec<Estimate<UsdPerJoule>> per_kwh() {
  return estimate(quantity(units::usd / units::kWh, Range::positive(1e6)));
}
Codec<Estimate<UsdPerJoule>> per_kw_month() {
  return estimate(quantity(units::usd / (units::kW * kMonth), Range::positive(1e9)));
}
Codec<Estimate<UsdPerSecond>> per(Seconds period) {
  return estimate(quantity(units::usd / period, Range::positive(1e12)));
}
Codec<double> years() {
  return number({0.01, 100});
}

const Table<CloudPrice>& cloud_price_table() {
  using C = CloudPrice;
  static const Table<C> table{
      "cloud price", "What renting one GPU costs",
      with_origin<C>({required("accelerator", &C::accelerator, text(), "name in the catalog"),
                      required("usd_per_gpu_hour", &C::rent, per(units::hour), "of one GPU")})};
  return table;
}

}  // namespace

const Table<Economics>& economics_table() {
  using E = Economics;
  static const Table<E> table{
      "economics",
      "What running a cluster costs, and how long it is used",
      {name_field<E>(), title_field<E>(),
       optional("electricity_usd_per_kWh", &E::electricity, per_kwh(), "energy at the meter"),
       optional("pue", &E::pue, estimate(number({1, 10})), "facility power over IT power"),
       optional("load", &E::load, number({0.001, 1}),
                "average draw over the rated power of the parts"),
       optional("colocation_usd_per_kW_month", &E::colocation, per_kw_month(),
                "per kW of IT power reserved"),
       optional("rack_rental_usd_per_rack_month", &E::rack_rental, per(kMonth), "per rack"),
       optional("hosting_includes_electricity", &E::hosting_includes_electricity, boolean(),
                "colocation or rack rental pay for the power too"),
       optional("maintenance_per_year", &E::maintenance, estimate(number({1e-6, 1})),
                "share of capex"),
       optional("staff_usd_per_year", &E::staff, per(units::year), "of everybody together"),
       optional("depreciation_years", &E::depreciation_years, years(), "straight line, to nothing"),
       optional("horizon_years", &E::horizon_years, years(), "of the total cost of ownership"),
       optional("utilisation", &E::utilisation, number({0.001, 1}),
                "share of the hours that are used"),
       optional("grid_kg_CO2_per_kWh", &E::grid_kg_co2_per_kwh, number({0, 10}),
                "of the electricity used"),
       optional("cloud", &E::cloud, list(object(cloud_price_table())), "renting GPUs elsewhere"),
       sources_field<E>()},
      {},
      check_source_keys,
      complete_title<E>};
  return table;
}

}  // namespace planner::catalog
