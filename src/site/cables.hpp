#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/domain/laid_links.hpp"
#include "planner/domain/site.hpp"
#include "planner/site/floor.hpp"
#include "planner/site/placement.hpp"
#include "planner/site/racks.hpp"

namespace planner::site {

inline constexpr double kUnitMetres = 0.04445;  ///< EIA-310

/// Metres from a height in a rack to the trays: up to those overhead, or down to the floor's.
double drop_metres(const Site& site, double unit);
/// Length of a cable within one rack.
double in_rack_metres(const Site& site, double unit_a, double unit_b);

/// The shortest sold length that is long enough; negative: none is.
double sold_length(const std::vector<double>& sold, double metres);

/// Media in the order in which they are taken: the nearest reach first.
struct Media {
  std::vector<Medium> all;

  /// The first that may be used and reaches; negative: none does.
  /// @param offered  indices of those that may; none: all
  [[nodiscard]] int nearest(double metres, bool copper,
                            const std::vector<std::size_t>& offered = {}) const;
};

/// How a layer of cables is laid.
struct LaidLayer {
  std::string name;
  std::int64_t cables = 0;
  double required_m = 0, sold_m = 0, tray_m = 0, longest_m = 0;
  std::vector<std::int8_t> medium;  ///< of each cable; negative: nothing reaches
};

struct SoldLength {
  double metres = 0;
  std::int64_t pieces = 0;
  bool operator==(const SoldLength&) const = default;
};

struct MediumUse {
  std::string medium, title;
  std::int64_t pieces = 0;
  double required_m = 0, sold_m = 0;
  std::vector<SoldLength> by_length;
  bool operator==(const MediumUse&) const = default;
};

/// Cables too long for every medium.
struct BeyondReach {
  std::int64_t cables = 0;
  double longest_m = 0, reach_m = 0;
  std::string layer;
};

/// Trunks of so many fibres, pulled as one.
struct TrunkPieces {
  std::int64_t fibres = 0, pieces = 0;
  bool operator==(const TrunkPieces&) const = default;
};

/// All cables on their places. Those inside HB domains are lengths only: they come with their
/// maker.
struct Laid {
  std::vector<LaidLayer> layers;  ///< as in the wiring; without cables where it has a backplane
  std::vector<MediumUse> media;
  std::vector<LaidLinks> links;          ///< by network
  std::vector<std::int8_t> has_ends;     ///< by medium: whether a cable takes transceivers
  std::vector<std::vector<Watts>> draw;  ///< of modules and cables, by kind and device
  std::int64_t cables = 0;
  double required_m = 0, sold_m = 0, tray_m = 0, longest_m = 0;
  std::int64_t domain_cables = 0;
  double domain_m = 0, domain_tray_m = 0, domain_longest_m = 0;
  std::int64_t forced_ends = 0;  ///< cables of a dearer medium than they need, for their cage
  BeyondReach beyond;
  std::int64_t trunks = 0, in_trunks = 0;  ///< bundles between two racks, fibre cables in them
  std::vector<TrunkPieces> trunk_pieces;   ///< that are pulled for them
  std::int64_t breakout_racks = 0;         ///< at either end of a bundle
};

class Lengths {
 public:
  Lengths(const RackPlan& plan, const Site& site, const Floor& floor, const Places& places);

  struct Length {
    double metres = 0, tray = 0;
  };
  [[nodiscard]] Length of(const WiredLayer& layer, const Link& link) const;
  /// Metres of all cables that no placement changes: drops, slack, cables within racks.
  [[nodiscard]] double fixed_metres() const;

 private:
  const RackPlan& plan_;
  const Site& site_;
  const Floor& floor_;
  const Places& places_;
  std::vector<std::vector<float>> drops_;
};

/// Lengths, media and pieces. Both ports of a module use one medium: the longer one wins, until
/// nothing changes. Copper fits only where the cards have a port a cage.
Laid lay_cables(const RackPlan& plan, const Hardware& hardware, const Site& site,
                const Floor& floor, const Places& places, const Media& media);

/// Transceivers by medium, and what they and active cables draw where a network says what each
/// medium does.
void count_modules(const Wiring& wiring, const Hardware& hardware, Laid& laid);

/// Puts the draw of modules and cables as they are laid in the place of what was planned.
void draw_by_medium(const Hardware& hardware, const Laid& laid, RackPlan& plan);

}  // namespace planner::site
