#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/constants.hpp"
#include "planner/domain/provenance.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/system.hpp"

namespace planner {

/// Share of rows that an interval is to hold.
inline constexpr double kIntervalShare = 0.8;

/// How far predictions of one kind of run were off where they could be checked.
struct ResidualClass {
  std::optional<Generation> generation;  ///< none: any
  bool mixture_of_experts = false;
  /// Ends of an interval of ln(measured/predicted) that holds kIntervalShare: quantiles over rows
  /// of sources that were kept out of the fit.
  double low = 0, high = 0;
  std::int64_t rows = 0, sources = 0;
  std::int64_t most_gpus = 0, longest_sequence = 0;  ///< among them

  bool operator==(const ResidualClass&) const = default;
};

/// How a constant was obtained.
struct ConstantOrigin {
  std::int64_t rows = 0;     ///< measured runs it acts on
  std::int64_t sources = 0;  ///< that they come from
  std::string note;          ///< may be empty

  bool operator==(const ConstantOrigin&) const = default;
};

/// A set of constants.
struct Calibration {
  std::string name;
  std::string title;
  std::array<double, kConstants> values{};
  std::array<ConstantOrigin, kConstants> origins{};
  std::vector<ResidualClass> residuals;
  /// How its runs were routed, all on the network that is planned with: slowdowns are then against
  /// that. Nothing: against evenly loaded links, what is left of their routing being in its
  /// network efficiency.
  std::optional<RoutingSettings> routing{};
  std::vector<SourceNote> sources;

  [[nodiscard]] double operator[](Constant constant) const {
    return values[static_cast<std::size_t>(constant)];
  }
  bool operator==(const Calibration&) const = default;
};

/// Every constant at its prior.
Calibration prior_calibration();

}  // namespace planner
