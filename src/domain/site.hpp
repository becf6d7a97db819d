#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

/// Where the switches stand.
enum class SwitchPosition {
  tor,           ///< those of the first tier in the racks of what hangs on them
  mid_row,       ///< in the middle of each bay
  end_row,       ///< at the ends of the rows
  network_row,   ///< in rows of their own, in the middle of the floor
  network_room,  ///< together at one side
};
inline constexpr std::array kSwitchPositions{SwitchPosition::tor, SwitchPosition::mid_row,
                                             SwitchPosition::end_row, SwitchPosition::network_row,
                                             SwitchPosition::network_room};
/// As in files: "mid-row".
std::string_view name_of(SwitchPosition position);

/// How racks find their places.
enum class Arrangement {
  naive,     ///< in the order of the bill, row by row
  regular,   ///< groups side by side, swapped only with racks of their kind: people can walk it
  searched,  ///< then any two racks may swap
};
inline constexpr std::array kArrangements{Arrangement::naive, Arrangement::regular,
                                          Arrangement::searched};
std::string_view name_of(Arrangement arrangement);

/// Places that hold no rack: columns, doors, coolers.
struct KeepOut {
  std::int64_t row = 1;   ///< from 1
  std::int64_t from = 1;  ///< first place, from 1
  std::int64_t to = 1;    ///< last

  bool operator==(const KeepOut&) const = default;
};

/// A unit of the power chain above the racks: a PDU, a UPS, the utility's feed.
struct PowerUnit {
  std::string name;
  std::optional<std::string> of{};  ///< that feeds it; nothing: the root
  Watts limit{};
  std::vector<std::int64_t> racks;  ///< that hang on it directly, from 1 in the order of the answer

  bool operator==(const PowerUnit&) const = default;
};

/// A building as racks and cables meet it. Every figure that nobody gives is an assumption, and an
/// answer names it as one; docs/build.md says where each comes from.
struct Site {
  // Racks
  double rack_units = 48;
  double rack_width_m = 0.6;
  double rack_depth_m = 1.2;
  double rack_base_m = 0.1;         ///< floor to the first unit
  std::optional<double> rack_kw{};  ///< nothing: 42, or 140 where nodes are liquid-cooled
  double rack_door_kw = 0;          ///< more, by a rear-door heat exchanger
  std::optional<double> rack_kg{};  ///< nothing: not limited
  double empty_rack_kg = 180;
  std::optional<double> first_unit{};  ///< below the lowest node; nothing: 4, if they leave so much
  double switches_per_rack = 16;
  // Floor
  double bay_racks = 10;    ///< beside one network place, under one cross tray
  double block_racks = 20;  ///< of a row between two main aisles
  double cold_aisle_m = 1.2;
  double hot_aisle_m = 1.2;
  double main_aisle_m = 2.4;
  double perimeter_m = 2;
  std::optional<double> rows{};           ///< of the whole floor; nothing: as many as needed
  std::optional<double> row_blocks{};     ///< side by side; nothing: nearest to a square
  std::optional<double> rows_per_hall{};  ///< nothing: one hall
  double hall_wall_m = 3;                 ///< more length for a cable into the next hall
  // Cables
  double tray_height_m = 2.7;
  double underfloor_m = 0;  ///< depth of a raised floor; above 0, cables lie there
  double tray_width_m = 0.6;
  double tray_depth_m = 0.1;
  double tray_fill = 0.5;
  double slack_m = 0.5;          ///< at each end
  double in_rack_slack_m = 0.6;  ///< of a cable within a rack, in all
  double medium_step_m = 850;    ///< metres of fibre that a dearer medium is worth in placement
  /// Fibre cables of a layer between two racks from which trunks are pulled in their place;
  /// nothing: every cable is a cord of its own.
  std::optional<double> trunk_links{};
  // Power and cooling
  double feeds = 2;
  double volts = 415;
  double amps = 60;
  double breaker_share = 0.8;
  double busway_amps = 1600;
  std::optional<double> hall_mw{};          ///< IT and cooling of one hall
  std::optional<double> facility_mw{};      ///< of all halls
  std::optional<double> ups_share{};        ///< of IT power behind it; nothing: all, if it lasts
  std::optional<double> ups_minutes{};      ///< that it lasts; nothing: not known
  std::optional<double> generator_share{};  ///< of IT and cooling; nothing: not known
  double pue = 1.25;
  double air_delta_k = 11;
  double liquid_delta_k = 10;
  double cdu_kw = 1000;
  /// Cooling units more than the heat needs, of the hall or of each unit's loop; nothing: one of
  /// the hall, none beside racks.
  std::optional<double> cdu_reserve{};
  double node_load = 1;  ///< share of their rated power that nodes are planned with
  /// Of switches and transceiver modules whose models have no power; nothing: it is not counted.
  std::optional<double> switch_w{}, module_w{};
  // Not figures
  std::optional<SwitchPosition> switch_position{};  ///< nothing: as the topology has it
  std::vector<std::string> media{};                 ///< catalog names, nearest reach first
  std::vector<KeepOut> keep_outs{};
  std::vector<PowerUnit> power_units{};

  bool operator==(const Site&) const = default;
};

/// One figure of a site: its key in files, the flag that stands for it, and its range.
struct SiteFigure {
  std::string_view key;
  std::variant<double Site::*, std::optional<double> Site::*> member;
  double least = 0, most = 0;
  bool whole = false;
  std::string_view doc;
};
std::span<const SiteFigure> site_figures();

/// What is said of a site: in a file of the catalog, in a cluster's "build", by flags.
struct SiteSettings {
  std::vector<std::pair<std::size_t, double>> figures;  ///< index into site_figures()
  std::optional<SwitchPosition> switch_position{};
  std::optional<std::vector<std::string>> media{};
  std::optional<std::vector<KeepOut>> keep_outs{};
  std::optional<std::vector<PowerUnit>> power_units{};

  bool operator==(const SiteSettings&) const = default;
};

/// Puts what is said in place of what stood there.
void apply(const SiteSettings& settings, Site& site);

/// A site of the catalog.
struct SiteFile {
  std::string name, title;
  SiteSettings settings;
  std::vector<SourceNote> sources;

  bool operator==(const SiteFile&) const = default;
};

/// What a cluster file says of its building.
struct BuildSettings {
  std::optional<std::string> site{};     ///< catalog name or file; nothing: all is assumed
  std::optional<std::string> chassis{};  ///< the same; nothing: that of the node's name
  SiteSettings settings;

  bool operator==(const BuildSettings&) const = default;
};

/// A server as a rack meets it: what the node itself does not say.
struct Chassis {
  std::string name, title;
  std::int64_t accelerators = 8;  ///< where no node is named
  std::int64_t rack_units = 8;    ///< where the node does not say
  std::optional<Watts> power{};   ///< where the node does not say: a stand-in
  double kg = 0;
  double liquid_share = 0;           ///< of its heat
  std::vector<double> port_units{};  ///< of its network ports in turn, above its lowest unit
  std::optional<std::int64_t> most_per_rack{};
  std::optional<std::int64_t> psus{}, psus_needed{};
  // Of an HB domain in several racks
  std::int64_t domain_switch_racks = 0;
  Watts domain_switch_power{};
  double domain_switch_kg = 0;
  std::int64_t domain_cables_per_rack = 0;  ///< from each rack of nodes, dealt over those racks
  double domain_cable_mm = 3.0;             ///< diameter of such a cable
  double domain_cable_kg_per_m = 0.009;
  // Cooling units beside the racks
  std::int64_t racks_per_sidecar = 0;  ///< 0: none
  Watts sidecar_power{};
  std::optional<Watts> sidecar_cooling{};  ///< heat that one carries away; nothing: not known
  double sidecar_kg = 0;
  std::vector<SourceNote> sources;

  bool operator==(const Chassis&) const = default;
};

enum class MediumKind { copper, active_copper, active_optical, multi_mode, single_mode };
inline constexpr std::array kMediumKinds{MediumKind::copper, MediumKind::active_copper,
                                         MediumKind::active_optical, MediumKind::multi_mode,
                                         MediumKind::single_mode};
std::string_view name_of(MediumKind kind);

/// A way to make a link: its reach, patch cords included, and the lengths it is sold in.
struct Medium {
  std::string name, title;
  MediumKind kind = MediumKind::multi_mode;
  double reach_m = 0;
  std::vector<double> sold_m;  ///< ascending
  double diameter_mm = 3.0;
  double kg_per_m = 0.009;
  std::optional<std::string> cable{};  ///< optic that a piece is bought as; nothing: a nameless one
  std::vector<std::string> modules{};  ///< transceivers that may be at its ends, by name
  std::vector<SourceNote> sources;

  /// Fits a cage of several ports only if the cable itself splits: copper does not.
  [[nodiscard]] bool is_copper() const {
    return kind == MediumKind::copper || kind == MediumKind::active_copper;
  }
  /// A cord between transceivers: copper needs none, and an active cable has its own ends.
  [[nodiscard]] bool is_fibre() const { return !is_copper() && kind != MediumKind::active_optical; }
  bool operator==(const Medium&) const = default;
};

}  // namespace planner
