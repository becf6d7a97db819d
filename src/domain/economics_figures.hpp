#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/domain/economics.hpp"

namespace planner {

/// A rate of money by what it is in files.
template <class Rate>
struct EconomicsRate {
  std::optional<Estimate<Rate>> Economics::*member;
  Rate unit;
};
/// Clang 14 deduces no arguments of aggregates.
template <class Rate>
EconomicsRate(std::optional<Estimate<Rate>> Economics::*, Rate) -> EconomicsRate<Rate>;

/// One key of an economics file: what it is, the member behind it, and its range.
struct EconomicsFigure {
  std::string_view key, doc;
  std::variant<EconomicsRate<UsdPerJoule>, EconomicsRate<UsdPerSecond>, EconomicsRate<UsdPerWatt>,
               std::optional<Estimate<double>> Economics::*, std::optional<double> Economics::*,
               double Economics::*, bool Economics::*, Depreciation Economics::*,
               std::vector<double> Economics::*>
      member;
  double least = 0, most = 0;  ///< in that unit
};

/// All but names, sources and rents of GPUs.
std::span<const EconomicsFigure> economics_figures();

}  // namespace planner
