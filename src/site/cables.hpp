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
  /// The piece that carries each cable with others, in Laid::shared; negative: a piece of its own.
  /// Empty: all have one.
  std::vector<std::int32_t> shared;
};

/// A piece that carries several cables of the count: a copper splitter, or a trunk.
struct SharedPiece {
  std::size_t network = 0, medium = 0;
  std::int64_t gbps = 0;
  std::int64_t fibres = 0;  ///< of a trunk; 0: a splitter
  std::int64_t links = 0;
  double longest_m = 0, sold_m = 0;
};

struct SoldLength {
  double metres = 0;
  std::int64_t pieces = 0;
  bool operator==(const SoldLength&) const = default;
};

struct SoldTrunks {
  std::int64_t fibres = 0;
  double metres = 0;
  std::int64_t pieces = 0;
  bool operator==(const SoldTrunks&) const = default;
};

struct MediumUse {
  std::string medium, title;
  std::int64_t pieces = 0;  ///< that are bought and pulled
  std::int64_t links = 0;   ///< cables of the count that they carry
  double required_m = 0;    ///< of its links
  double pieces_required_m =
      0;              ///< of its pieces, each as long as the longest link that it carries
  double sold_m = 0;  ///< of its pieces
  std::vector<SoldLength> by_length;  ///< cords and splitters
  std::vector<SoldTrunks> trunks;
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

/// Fibre cables of one layer and medium that join the same two racks, so many or more.
struct Bundles {
  std::int64_t links = 0;                ///< from which on
  bool pulled = false;                   ///< as trunks; false: they could be
  std::int64_t bundles = 0, cables = 0;  ///< cables of the count in them
  std::vector<TrunkPieces> trunks;       ///< that they take
  std::int64_t racks = 0;                ///< where they end
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
  std::vector<SharedPiece> shared;  ///< splitters and trunks
  Bundles bundles;

  /// Metres that the piece of a cable is sold in.
  [[nodiscard]] double sold_length_of(std::size_t layer, std::size_t link, double metres,
                                      const Media& offered) const;
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

/// Puts cables that one piece carries together: splitters at the cages of switches and, where the
/// site has trunks, those of the bundles.
void share_pieces(const RackPlan& plan, const Hardware& hardware, const Site& site,
                  const Lengths& lengths, const Media& media, Laid& laid);

/// Pieces and metres by medium, as they are bought.
void count_media(const RackPlan& plan, const Lengths& lengths, const Media& media, Laid& laid);

/// Transceivers by medium, and what they and active cables draw where a network says what each
/// medium does.
void count_modules(const Wiring& wiring, const Hardware& hardware, Laid& laid);

/// Puts the draw of modules and cables as they are laid in the place of what was planned.
void draw_by_medium(const Hardware& hardware, const Laid& laid, RackPlan& plan);

}  // namespace planner::site
