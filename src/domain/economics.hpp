#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/display_currency.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

using UsdPerWatt = decltype(Usd{} / Watts{});

/// How long a GPU is rented for at least.
enum class RentTerm { on_demand, one_year, three_years };
inline constexpr std::array kRentTerms{RentTerm::on_demand, RentTerm::one_year,
                                       RentTerm::three_years};

/// As in files and answers: "one-year".
std::string_view name_of(RentTerm term);

/// Terms one after the other, the longer ones first.
struct RentTerms {
  std::int64_t three_years = 0, one_year = 0;  ///< whole terms
  double on_demand_years = 0;                  ///< what is left

  [[nodiscard]] int kinds() const {
    return (three_years > 0 ? 1 : 0) + (one_year > 0 ? 1 : 0) + (on_demand_years > 0 ? 1 : 0);
  }
  [[nodiscard]] RentTerm first() const {
    if (three_years > 0) return RentTerm::three_years;
    return one_year > 0 ? RentTerm::one_year : RentTerm::on_demand;
  }
  bool operator==(const RentTerms&) const = default;
};

/// What renting one GPU costs.
struct CloudPrice {
  std::string accelerator;  ///< name in the catalog
  RentTerm term = RentTerm::on_demand;
  Estimate<UsdPerSecond> rent;
  PriceSource origin;

  bool operator==(const CloudPrice&) const = default;
};

/// How parts lose their book value.
enum class Depreciation {
  straight_line,
  double_declining,  ///< twice the straight line's share of what is left, or the line when more
};
inline constexpr std::array kDepreciations{Depreciation::straight_line,
                                           Depreciation::double_declining};

/// As in files: "straight-line".
std::string_view name_of(Depreciation method);

/// What running a cluster costs, and how long it is used. Nothing: not charged, or not known.
struct Economics {
  std::string name;
  std::string title;
  std::optional<Estimate<UsdPerJoule>> electricity{};
  std::optional<Estimate<double>> pue{};  ///< facility power over IT power
  /// Average draw over the rated power of the parts, 0 to 1, drawn all year.
  double load = 1;
  std::optional<Estimate<UsdPerJoule>> colocation{};      ///< per kW of IT power and month
  std::optional<Estimate<UsdPerSecond>> rack_rental{};    ///< per rack and month
  bool hosting_includes_electricity = false;              ///< the two above pay for the power too
  std::optional<Estimate<double>> maintenance{};          ///< share of capex per year
  std::optional<Estimate<double>> insurance{};            ///< share of capex per year
  std::optional<Estimate<UsdPerSecond>> staff{};          ///< all of it
  std::optional<Estimate<UsdPerJoule>> staff_by_power{};  ///< besides: per watt of IT power
  /// An own building with its power and cooling, per watt of IT power; instead of renting space.
  std::optional<Estimate<UsdPerWatt>> building{};
  std::optional<double> building_years{};  ///< that it lasts
  double depreciation_years = 4;           ///< of the parts, to nothing
  Depreciation depreciation = Depreciation::straight_line;
  /// What the parts sell for after one year, two years, …, as shares of their price; from year to
  /// year along a line. Empty: their book value.
  std::vector<double> residual_by_year{};
  double horizon_years = 4;                 ///< of the total cost of ownership
  double utilisation = 1;                   ///< share of the hours that are used
  std::optional<double> cost_of_capital{};  ///< per year: 0.08; nothing: money costs nothing
  std::optional<double> tax_rate{};         ///< on profits; nothing: before taxes
  std::optional<double> grid_kg_co2_per_kwh{};
  std::vector<CloudPrice> cloud;
  std::optional<DisplayCurrency> shown_in{};  ///< what its reader counts in; figures are dollars
  std::vector<SourceNote> sources;

  /// Whether any of it is in dollars.
  [[nodiscard]] bool has_money() const {
    return electricity || colocation || rack_rental || staff || staff_by_power || building ||
           !cloud.empty();
  }
  bool operator==(const Economics&) const = default;
};

/// What renting that accelerator for that term costs; null: not known.
const CloudPrice* rent_of(const Economics& economics, std::string_view accelerator, RentTerm term);

}  // namespace planner
