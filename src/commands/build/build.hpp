#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/domain/bill.hpp"
#include "planner/domain/site.hpp"
#include "planner/site/build.hpp"

// `build`: the racks, floor, cables, feeds and heat of a cluster.
namespace planner::commands {

struct BuildRequest {
  std::vector<std::string> files;
  std::optional<std::string> site;
  std::optional<Arrangement> arrangement;
  SiteSettings settings;  ///< by flags
  std::int64_t seed = 1;
  std::optional<std::string> cables, floor, elevations;  ///< files to write
  std::optional<std::string> netbox, netbox_racks, netbox_devices;
  bool bill = false;
};

/// Names and figures of a site, as they were taken.
using SiteValues = std::vector<std::pair<std::string, double>>;

struct BuildAnswer {
  struct RackLine {
    std::string name, place, kind;
    std::int64_t row = 0, column = 0;  ///< from 1
    double x_m = 0, y_m = 0;           ///< of its middle
    std::int64_t units_used = 0, gpus = 0, circuits = 0;
    std::optional<double> watts = 0;  ///< nothing: not known
    double cooling_w = 0, kg = 0, liquid_w = 0;
    std::vector<site::Content> contents;
    std::vector<std::pair<std::string, std::int64_t>> cables_to;  ///< other racks, and how many
    bool operator==(const RackLine&) const = default;
  };
  struct FloorLine {
    double width_m = 0, depth_m = 0, area_m2 = 0, white_space_m2 = 0, watts_per_m2 = 0;
    std::int64_t rows = 0, places_per_row = 0, blocks = 0, halls = 1, free_places = 0;
    double used_m2 = 0;           ///< of the area, what racks take with their share of the aisles
    std::int64_t empty_rows = 0;  ///< in which no rack stands: kept in reserve
    double rack_width_m = 0, rack_depth_m = 0;  ///< as drawn
    std::vector<double> cross_trays_m, rows_m;  ///< rows: their middles
    std::vector<KeepOut> keep_outs;             ///< those on this floor
    bool operator==(const FloorLine&) const = default;
  };
  struct HallLine {
    std::int64_t racks = 0, gpus = 0;
    double it_w = 0, facility_w = 0;
    std::int64_t cables_out = 0;  ///< to racks of other halls
    bool operator==(const HallLine&) const = default;
  };
  struct LayerLine {
    std::string layer;
    std::int64_t cables = 0;
    double required_m = 0, sold_m = 0, longest_m = 0;
    bool operator==(const LayerLine&) const = default;
  };
  struct Cables {
    std::vector<site::MediumUse> by_medium;
    std::vector<LayerLine> by_layer;
    std::int64_t total = 0;
    double required_m = 0, sold_m = 0, longest_m = 0;
    std::int64_t pieces = 0;       ///< that are bought and pulled for them
    double pieces_required_m = 0;  ///< of those, each as long as its longest cable
    std::int64_t forced_by_cages = 0, beyond_reach = 0, trunks = 0, in_trunks = 0;
    std::int64_t trunks_from = 0;  ///< cables of a bundle at least
    bool trunks_pulled = false;    ///< false: they could be
    std::vector<site::TrunkPieces> trunk_pieces;
    std::int64_t breakout_racks = 0;
    std::int64_t domain_cables = 0;
    double domain_m = 0, domain_longest_m = 0;
    bool operator==(const Cables&) const = default;
  };
  struct TrayLine {
    std::int64_t cables = 0;
    double fill = 0, kg_per_m = 0;  ///< fill: of the section that cables may take
    bool operator==(const TrayLine&) const = default;
  };
  struct Trays {
    TrayLine row, cross;
    std::int64_t stretches = 0, overfilled = 0;
    double allowed_fill = 0;
    std::vector<std::vector<double>> row_fill, cross_fill;  ///< of each stretch, to a thousandth
    bool operator==(const Trays&) const = default;
  };
  struct RowLine {
    std::string row;
    double watts = 0;
    std::int64_t racks = 0, gpus = 0;
    bool operator==(const RowLine&) const = default;
  };
  struct ChainLine {
    std::string name;
    double watts = 0, worst_w = 0, limit_w = 0;
    bool operator==(const ChainLine&) const = default;
  };
  struct PowerLine {
    double it_w = 0, rated_w = 0;  ///< as planned, and as nodes could draw
    double spare_w = 0, facility_w = 0, liquid_w = 0, densest_rack_w = 0;
    double circuit_w = 0, busway_w = 0, air_m3_per_s = 0, coolant_l_per_min = 0;
    std::int64_t spare_nodes = 0, circuits = 0, cdus = 0, cdus_needed = 0;
    double cdu_heat_w = 0, cdu_limit_w = 0;
    bool cdu_limit_assumed = false;
    std::vector<std::string> unknown;  ///< of what nobody says what it draws: not in these figures
    site::Backup backup{};
    std::vector<RowLine> by_row;
    std::vector<ChainLine> chain;
    bool operator==(const PowerLine&) const = default;
  };
  struct BillLine {
    std::string part;
    double length_m = 0;
    std::int64_t pieces = 0;
    bool operator==(const BillLine&) const = default;
  };

  std::string cluster, title;
  std::int64_t gpus = 0;
  std::string topology;
  Arrangement arrangement = Arrangement::regular;
  std::string switch_position;
  std::string chassis;
  SiteValues figures;                   ///< of the site
  std::vector<std::string> assumed;     ///< of them, those that nobody gave
  std::optional<std::string> pue_of{};  ///< the economics whose PUE stands in for the building's
  std::vector<std::string> media;       ///< that were offered
  std::int64_t nodes_per_rack = 0;
  std::string bound_by;
  std::vector<RackLine> racks;
  FloorLine floor;
  std::vector<HallLine> halls;  ///< where there are several
  Cables cables;
  Trays trays;
  PowerLine power;
  double bound_m = 0, gap = 0;
  std::int64_t swaps = 0;
  std::vector<site::FailureDomain> domains;
  std::vector<site::Broken> broken;
  std::vector<std::string> notes;
  std::optional<std::vector<BillLine>> bill{};
  std::optional<BillOfMaterials> materials{};  ///< all that is bought, with these cables
  std::optional<std::string> price_book{};     ///< whose prices they have

  /// A figure of the site, as it was taken; its default where an answer does not say it.
  [[nodiscard]] double figure(double Site::*member) const;
  [[nodiscard]] std::int64_t racks_of(std::string_view kind) const;
  /// {"compute": 512, "leaf": 64}, in the order of the racks.
  [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> racks_by_kind() const;
};

std::vector<OptionOf<BuildRequest>> build_options();
BuildAnswer build_cluster(const BuildRequest& request, Context& context);
const json::FieldTable<BuildAnswer>& build_fields();
present::Document build_view(const BuildAnswer& answer);

/// The answer of a build.
BuildAnswer answer_of(const site::Build& built, const Site& site);

/// What a cable of a medium and speed is bought as on a network, by their numbers.
/// @param fibres  of a trunk; 0: no trunk
using CablePart = std::function<std::string(std::size_t network, std::size_t medium,
                                            std::int64_t gbps, std::int64_t fibres)>;
/// One line a cable, in the order of the layers: from, to, medium, part, length.
std::string cable_schedule(const site::Build& built, const Site& site, const site::Media& media,
                           const CablePart& part_of);
/// The same for NetBox's import of cables; devices are named as in the schedule.
std::string netbox_cables(const site::Build& built, const Site& site, const site::Media& media);
/// For NetBox's import of racks, and of the devices in them: nodes and switches by their lowest
/// unit, network cards without one. To be imported first, in this order.
/// @param at    name of NetBox's site
/// @param node  model of the nodes
std::string netbox_racks(const site::Build& built, const Site& site, const std::string& at);
std::string netbox_devices(const site::Build& built, const std::string& node,
                           const std::string& at);

/// The floor from above: racks by kind, trays by fill. A file of its own, or part of a page.
std::string floor_svg(const BuildAnswer& answer, bool alone);
/// The racks from the front, one of each kind that differs, with how many are alike.
std::string elevations_svg(const BuildAnswer& answer, bool alone);

/// `planner build CLUSTER.json`
Command build();

}  // namespace planner::commands
