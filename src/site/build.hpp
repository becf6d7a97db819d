#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/site/cables.hpp"
#include "planner/site/domains.hpp"
#include "planner/site/feeds.hpp"
#include "planner/site/placement.hpp"
#include "planner/site/racks.hpp"
#include "planner/site/trays.hpp"

namespace planner::site {

/// A rule that the build breaks, and what was tried against it.
struct Broken {
  std::string rule;   ///< "rack-power", "tray-fill", "hall-power" …
  std::string where;  ///< the worst place
  double need = 0, have = 0;
  std::string unit;
  std::string why;     ///< what the need is made of, where that is no plain sum; or empty
  std::string remedy;  ///< with what it leads to; empty: none was found
  bool given = false;  ///< the limit was given by the user, not assumed

  bool operator==(const Broken&) const = default;
};

struct Build;

struct BuildOptions {
  Arrangement arrangement = Arrangement::regular;
  std::uint64_t seed = 1;
  bool swaps = true;             ///< false: groups as they fall side by side
  bool judged = true;            ///< with the bound and what fails together
  std::function<bool()> stop{};  ///< the user has ended it
  /// What a build costs beside another, for remedies: "cables and modules +$211,000".
  std::function<std::string(const Build&)> priced{};
  std::function<void(std::int64_t done, std::int64_t total)> progress{};  ///< see SwapOptions
};

/// A cluster in its racks on its floor.
struct Build {
  RackPlan plan;
  Rows flows;  ///< cables between racks
  Floor floor;
  Places places;
  Laid laid;
  Trays trays;
  Power power;
  std::vector<FailureDomain> domains;  ///< of a judged one
  /// No placement on this floor needs fewer metres, HB domains included; 0: not judged.
  double bound_m = 0;
  std::int64_t swaps = 0;
  bool swaps_tried = true;
  std::vector<std::string> notes;

  [[nodiscard]] double all_metres() const { return laid.required_m + laid.domain_m; }
  /// Rows in which no rack stands: kept in reserve.
  [[nodiscard]] std::int64_t empty_rows() const;
  /// Racks with their share of the aisles and walkways.
  [[nodiscard]] double used_area() const {
    return static_cast<double>(plan.racks.size()) * floor.place_area();
  }
  [[nodiscard]] double gap() const { return bound_m > 0 ? all_metres() / bound_m - 1 : 0; }
};

/// Why there is none.
struct NoBuild {
  enum class Why { node_fits_no_rack, floor_too_small, too_large };
  Why why = Why::node_fits_no_rack;
  double need = 0, have = 0;
  std::string unit;
};

/// Racks, floor, placement, cables, feeds and heat.
std::variant<Build, NoBuild> build(const Hardware& hardware, const Site& site, const Media& media,
                                   const BuildOptions& options);

/// What the build breaks, each with a remedy that was built too.
/// @param given  keys of the site's figures that the user gave
std::vector<Broken> broken_rules(const Build& built, const Hardware& hardware, const Site& site,
                                 const Media& media, const BuildOptions& options,
                                 const std::vector<std::string>& given);

}  // namespace planner::site
