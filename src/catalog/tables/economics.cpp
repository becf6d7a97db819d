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
Codec<Estimate<UsdPerWatt>> per_megawatt() {
  return estimate(quantity(units::usd / (1e6 * units::W), Range::positive(1e12)));
}
Codec<Estimate<UsdPerJoule>> per_megawatt_year() {
  return estimate(quantity(units::usd / (1e6 * units::W * units::year), Range::positive(1e12)));
}
Codec<Estimate<double>> yearly_share() {
  return estimate(number({1e-6, 1}));
}
Codec<double> years() {
  return number({0.01, 100});
}

const Table<CloudPrice>& cloud_price_table() {
  using C = CloudPrice;
  static const Table<C> table{
      "cloud price",
      "What renting one GPU costs",
      with_origin<C>({required("accelerator", &C::accelerator, text(), "name in the catalog"),
                      optional("term", &C::term, choice(kRentTerms), "that it is rented for"),
                      required("usd_per_gpu_hour", &C::rent, per(units::hour), "of one GPU")}),
      {derived_is_not_verified<C>()}};
  return table;
}

/// A rent that is there twice; null: none.
const CloudPrice* twice(const Economics& economics) {
  for (const CloudPrice& price : economics.cloud) {
    if (rent_of(economics, price.accelerator, price.term) != &price) return &price;
  }
  return nullptr;
}

/// From 1 on, no year's share is above the one before it.
bool falls(const std::vector<double>& shares) {
  double before = 1;
  for (const double share : shares) {
    if (share > before) return false;
    before = share;
  }
  return true;
}

std::vector<Check<Economics>> checks() {
  using E = Economics;
  const auto say = [](const char* text) { return [text](const E&) { return std::string(text); }; };
  return {
      {.keys = {"building_usd_per_MW", "building_years"},
       .holds = [](const E& e) { return e.building.has_value() == e.building_years.has_value(); },
       .message = say("needs \"building_years\", and the other way round")},
      {.keys = {"building_usd_per_MW", "colocation_usd_per_kW_month",
                "rack_rental_usd_per_rack_month"},
       .holds = [](const E& e) { return !e.building || (!e.colocation && !e.rack_rental); },
       .message = say("who has an own building rents no space: leave one out")},
      {.keys = {"residual_by_year"},
       .holds = [](const E& e) { return falls(e.residual_by_year); },
       .message = say("a part is worth no more than a year before")},
      {.keys = {"residual_by_year", "horizon_years"},
       .holds =
           [](const E& e) {
             return e.residual_by_year.empty() ||
                    static_cast<double>(e.residual_by_year.size()) >= e.horizon_years;
           },
       .message = say("has fewer years than \"horizon_years\"")},
      {.keys = {"cloud"},
       .holds = [](const E& e) { return twice(e) == nullptr; },
       .message =
           [](const E& e) {
             const CloudPrice& again = *twice(e);
             return in_quotes(again.accelerator) + " has two rents, " +
                    std::string(name_of(again.term));
           }},
  };
}

}  // namespace

const Table<Economics>& economics_table() {
  using E = Economics;
  static const Table<E> table{
      "economics",
      "What running a cluster costs, and how long it is used",
      {name_field<E>(),
       title_field<E>(),
       optional("electricity_usd_per_kWh", &E::electricity, per_kwh(), "energy at the meter"),
       optional("pue", &E::pue, estimate(number({1, 10})), "facility power over IT power"),
       optional("load", &E::load, number({0.001, 1}),
                "average draw over the rated power of the parts"),
       optional("colocation_usd_per_kW_month", &E::colocation, per_kw_month(),
                "per kW of IT power reserved"),
       optional("rack_rental_usd_per_rack_month", &E::rack_rental, per(kMonth), "per rack"),
       optional("hosting_includes_electricity", &E::hosting_includes_electricity, boolean(),
                "colocation or rack rental pay for the power too"),
       optional("building_usd_per_MW", &E::building, per_megawatt(),
                "own building with power and cooling, by IT power"),
       optional("building_years", &E::building_years, years(), "that it lasts"),
       optional("maintenance_per_year", &E::maintenance, yearly_share(), "share of capex"),
       optional("insurance_per_year", &E::insurance, yearly_share(), "share of capex"),
       optional("staff_usd_per_year", &E::staff, per(units::year), "of everybody together"),
       optional("staff_usd_per_MW_year", &E::staff_by_power, per_megawatt_year(),
                "besides, by IT power"),
       optional("depreciation_years", &E::depreciation_years, years(), "of the parts, to nothing"),
       optional("depreciation", &E::depreciation, choice(kDepreciations), "of the parts"),
       optional(
           "residual_by_year", &E::residual_by_year, list(number({0, 1})),
           "share of their price that parts sell for after 1, 2, … years; left out: book value"),
       optional("horizon_years", &E::horizon_years, years(), "of the total cost of ownership"),
       optional("utilisation", &E::utilisation, number({0.001, 1}),
                "share of the hours that are used"),
       optional("cost_of_capital", &E::cost_of_capital, number({0, 0.99}),
                "per year; left out: money costs nothing"),
       optional("tax_rate", &E::tax_rate, number({0, 0.99}), "on profits; left out: before taxes"),
       optional("grid_kg_CO2_per_kWh", &E::grid_kg_co2_per_kwh, number({0, 10}),
                "of the electricity used"),
       optional("cloud", &E::cloud, list(object(cloud_price_table())), "renting GPUs elsewhere"),
       sources_field<E>()},
      checks(),
      check_source_keys,
      complete_title<E>};
  return table;
}

}  // namespace planner::catalog
