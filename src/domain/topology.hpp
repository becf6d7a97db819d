#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

namespace planner {

/// The network topologies.
enum class Topology {
  fat_tree,
  rail_optimized,
  superpod,
  rail_only,
  multi_plane,
  hpn,
  dcn_plus,
  meta_ai_zone,
  two_zone_fat_tree,
  dragonfly,
  slim_fly,
  torus,
};

/// As on the command line and in files: "fat-tree".
std::string_view name_of(Topology topology);
std::optional<Topology> topology_named(std::string_view name);

/// Bandwidth towards the hosts against bandwidth towards the rest of the network: 7:1 is
/// {7, 1}, and 8:9 leaves spare bandwidth.
struct Ratio {
  std::int64_t down = 1;
  std::int64_t up = 1;

  bool operator==(const Ratio&) const = default;
};

/// A value of an input of some topology.
using InputValue = std::variant<std::int64_t, bool, Ratio>;

/// Of rails that share no path: as many as an HB domain has GPUs.
inline constexpr std::int64_t kRailEach = std::numeric_limits<std::int64_t>::max();

// The inputs of each topology. kName is its name on the command line and in files.

/// Folded Clos. Packed: as many switches as the ports need, tier by tier. Pod-aligned: whole pods,
/// every leaf spread evenly over its spines.
struct FatTree {
  static constexpr std::string_view kName = "fat-tree";
  Ratio oversubscription{};  ///< of every leaf
  bool pod_aligned = false;
  std::int64_t max_tiers = 3;

  bool operator==(const FatTree&) const = default;
};

/// Rail r of every HB domain on leaf r of its scalable unit; any-to-any through the spines.
struct RailOptimized {
  static constexpr std::string_view kName = "rail-optimized";
  std::int64_t rails = 8;   ///< GPUs of an HB domain, K in the rail-only paper
  std::int64_t planes = 1;  ///< ports of each GPU, each on a network of its own
  Ratio oversubscription{};

  bool operator==(const RailOptimized&) const = default;
};

/// NVIDIA DGX SuperPOD: rail-optimized, bought in scalable units.
struct SuperPod {
  static constexpr std::string_view kName = "superpod";
  std::optional<std::int64_t> scalable_units{};  ///< nothing: as many as the GPUs need
  std::int64_t nodes_per_unit = 32;
  std::int64_t gpus_per_node = 8;
  std::int64_t planes = 1;  ///< 2: DGX B300 on Spectrum-X
  /// Leaf ports of the fabric manager (UFM) in each plane; it takes the place of whole nodes.
  std::int64_t fabric_manager_ports = 0;
  Ratio oversubscription{};

  bool operator==(const SuperPod&) const = default;
};

/// A tree of its own for each rank within an HB domain; no path between rails.
struct RailOnly {
  static constexpr std::string_view kName = "rail-only";
  std::int64_t rails = 256;  ///< K: GPUs of an HB domain
  Ratio oversubscription{};
  bool pod_aligned = false;
  std::int64_t max_tiers = 3;

  bool operator==(const RailOnly&) const = default;
};

/// Disjoint trees, the NIC ports dealt out among them.
struct MultiPlane {
  static constexpr std::string_view kName = "multi-plane";
  std::int64_t planes = 4;
  /// 1: each GPU is on one plane; = planes: each GPU has a port on every plane.
  std::int64_t ports_per_gpu = 1;
  Ratio oversubscription{};
  bool pod_aligned = false;
  std::int64_t max_tiers = 2;

  bool operator==(const MultiPlane&) const = default;
};

/// Alibaba HPN: dual-ToR, dual-plane. FabricDesign's radix and port_gbps are the switch chip's
/// (128 × 400 Gb/s).
struct Hpn {
  static constexpr std::string_view kName = "hpn";
  std::int64_t rails = 8;
  std::int64_t tors_per_rail = 2;     ///< one for each port of a NIC
  std::int64_t tor_host_ports = 128;  ///< to active GPUs
  std::int64_t tor_backup_ports = 8;  ///< to backup hosts
  std::int64_t host_port_gbps = 200;
  std::int64_t tor_uplinks = 60;    ///< one to each aggregation switch of the plane
  std::int64_t agg_core_ports = 8;  ///< kept for the core on each aggregation switch
  /// 1: aggregation switches reach all ToRs, and the ports of a NIC are one address; left out: a
  /// plane for each ToR of a rail.
  std::optional<std::int64_t> planes{};
  bool rail_only_tier2 = false;  ///< each rail in planes of its own
  std::int64_t max_pods = 1;     ///< beyond one, the core joins them
  bool core_layer = false;       ///< count the core for a single pod too

  bool operator==(const Hpn&) const = default;
};

/// Alibaba DCN+: 3 tiers, dual-ToR.
struct DcnPlus {
  static constexpr std::string_view kName = "dcn-plus";
  std::int64_t gpus_per_segment = 128;
  std::int64_t segments_per_pod = 4;
  std::int64_t max_pods = 32;
  std::int64_t tors_per_segment = 16;  ///< 16 close the full bisection; C4 names 8
  std::int64_t ports_per_gpu = 2;      ///< on different ToRs
  std::int64_t host_port_gbps = 200;
  std::int64_t tor_uplinks = 8;
  std::int64_t aggs_per_pod = 8;
  std::int64_t agg_core_ports = 64;

  bool operator==(const DcnPlus&) const = default;
};

/// Meta: racks on RTSW, a zone of racks under CTSW, zones joined by ATSW. FabricDesign's radix is
/// the RTSW's.
struct MetaAiZone {
  static constexpr std::string_view kName = "meta-ai-zone";
  std::int64_t gpus_per_rack = 16;
  std::int64_t racks_per_zone = 192;
  Ratio rtsw_oversubscription{};  ///< 8:9 is the paper's 1:1.125
  std::int64_t ctsw_ports = 576;  ///< of a modular chassis
  Ratio zone_oversubscription{.down = 7, .up = 1};
  std::int64_t atsw_ports = 576;
  std::int64_t max_zones = 8;

  bool operator==(const MetaAiZone&) const = default;
};

/// Fire-Flyer 2: complete two-tier trees, one per zone (a frame switch), and a few links between.
struct TwoZoneFatTree {
  static constexpr std::string_view kName = "two-zone-fat-tree";
  std::int64_t zones = 2;
  std::int64_t zone_switches = 2;  ///< in the paper's total of 122, not explained there
  /// Links of each zone to the others, one leaf port each: to the zone switches, or without any
  /// directly to the other zone. Nothing: not known, as in the paper ("a limited number"); none is
  /// counted then, and the bisection is not known either.
  std::optional<std::int64_t> inter_zone_links{};
  std::int64_t storage_ports_per_zone = 0;

  bool operator==(const TwoZoneFatTree&) const = default;
};

/// Groups of fully joined routers, the groups fully joined by global links.
struct Dragonfly {
  static constexpr std::string_view kName = "dragonfly";
  std::optional<std::int64_t> hosts_per_router{};   ///< p; the three: balanced for the radix
  std::optional<std::int64_t> routers_per_group{};  ///< a
  std::optional<std::int64_t> global_per_router{};  ///< h
  /// g; nothing: the fewest that hold the GPUs, or a·h + 1 without a number of GPUs.
  std::optional<std::int64_t> groups{};

  bool operator==(const Dragonfly&) const = default;
};

/// Diameter-2 McKay–Miller–Širáň graph over the field of q elements.
struct SlimFly {
  static constexpr std::string_view kName = "slim-fly";
  std::optional<std::int64_t> q{};                 ///< nothing: the smallest that holds the GPUs
  std::optional<std::int64_t> hosts_per_router{};  ///< p; nothing: ⌈network radix / 2⌉

  bool operator==(const SlimFly&) const = default;
};

/// 3-D torus of cubes whose faces meet in optical circuit switches (TPU v4). FabricDesign's radix
/// is the OCS's.
struct Torus {
  static constexpr std::string_view kName = "torus";
  std::int64_t cube_edge = 4;        ///< chips
  std::int64_t ocs_spare_ports = 8;  ///< kept for tests and repairs
  bool ocs = true;                   ///< false: the faces are cabled to each other

  bool operator==(const Torus&) const = default;
};

/// One alternative per Topology, in its order.
using TopologyOptions =
    std::variant<FatTree, RailOptimized, SuperPod, RailOnly, MultiPlane, Hpn, DcnPlus, MetaAiZone,
                 TwoZoneFatTree, Dragonfly, SlimFly, Torus>;

}  // namespace planner
