#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

/// What renting one GPU costs.
struct CloudPrice {
  std::string accelerator;  ///< name in the catalog
  Estimate<UsdPerSecond> rent;
  PriceSource origin;

  bool operator==(const CloudPrice&) const = default;
};

/// What running a cluster costs, and how long it is used. Nothing: not charged, or not known.
struct Economics {
  std::string name;
  std::string title;
  std::optional<Estimate<UsdPerJoule>> electricity{};
  std::optional<Estimate<double>> pue{};  ///< facility power over IT power
  /// Average draw over the rated power of the parts, 0 to 1, drawn all year.
  double load = 1;
  std::optional<Estimate<UsdPerJoule>> colocation{};    ///< per kW of IT power and month
  std::optional<Estimate<UsdPerSecond>> rack_rental{};  ///< per rack and month
  bool hosting_includes_electricity = false;            ///< the two above pay for the power too
  std::optional<Estimate<double>> maintenance{};        ///< share of capex per year
  std::optional<Estimate<UsdPerSecond>> staff{};        ///< all of it
  double depreciation_years = 4;                        ///< straight line, to nothing
  double horizon_years = 4;                             ///< of the total cost of ownership
  double utilisation = 1;                               ///< share of the hours that are used
  std::optional<double> grid_kg_co2_per_kwh{};
  std::vector<CloudPrice> cloud;
  std::vector<SourceNote> sources;

  /// Whether any of it is in dollars.
  [[nodiscard]] bool has_money() const {
    return electricity || colocation || rack_rental || staff || !cloud.empty();
  }
  bool operator==(const Economics&) const = default;
};

}  // namespace planner
