#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/core/quantity.hpp"

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

/// How one link is made.
enum class CableKind {
  copper,          ///< DAC: no transceivers
  active_optical,  ///< AOC: its ends are part of the cable
  fibre,           ///< fibre with a transceiver at each end
  backplane,       ///< inside a modular chassis: neither cable nor transceiver
};

inline constexpr std::array kCableKinds{CableKind::copper, CableKind::active_optical,
                                        CableKind::fibre, CableKind::backplane};

/// As in files: "active-optical".
std::string_view name_of(CableKind kind);

/// Kinds of cable, and how many ports share one physical module.
struct Cabling {
  CableKind host = CableKind::fibre;   ///< endpoint to its switch
  CableKind first = CableKind::fibre;  ///< first layer between switches; dragonfly: within a group
  CableKind upper = CableKind::fibre;  ///< the layers above; dragonfly: between groups
  std::int64_t ports_per_switch_module = 1;  ///< 2: twin-port OSFP
  std::int64_t ports_per_nic_module = 1;

  bool operator==(const Cabling&) const = default;
};

/// What the switches take up, and how much of it there is. Nothing: not asked for.
struct FabricLimits {
  std::optional<std::int64_t> rack_units_per_switch{};
  std::int64_t rack_units_per_rack = 42;
  std::optional<std::int64_t> racks{};
  std::optional<Watts> power_per_switch{};
  std::optional<Watts> power_per_module{};
  std::optional<Watts> power{};

  bool operator==(const FabricLimits&) const = default;
};

/// Folded Clos. Packed: as many switches as the ports need, tier by tier. Pod-aligned: whole pods,
/// every leaf spread evenly over its spines.
struct FatTree {
  Ratio oversubscription{};  ///< of every leaf
  bool pod_aligned = false;
  std::int64_t max_tiers = 3;

  bool operator==(const FatTree&) const = default;
};

/// Rail r of every HB domain on leaf r of its scalable unit; any-to-any through the spines.
struct RailOptimized {
  std::int64_t rails = 8;   ///< GPUs of an HB domain, K in the rail-only paper
  std::int64_t planes = 1;  ///< ports of each GPU, each on a network of its own
  Ratio oversubscription{};

  bool operator==(const RailOptimized&) const = default;
};

/// NVIDIA DGX SuperPOD: rail-optimized, bought in scalable units.
struct SuperPod {
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
  std::int64_t rails = 256;  ///< K: GPUs of an HB domain
  Ratio oversubscription{};
  bool pod_aligned = false;
  std::int64_t max_tiers = 3;

  bool operator==(const RailOnly&) const = default;
};

/// Disjoint trees, the NIC ports dealt out among them.
struct MultiPlane {
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
  std::int64_t rails = 8;
  std::int64_t tors_per_rail = 2;     ///< one for each port of a NIC
  std::int64_t tor_host_ports = 128;  ///< to active GPUs
  std::int64_t tor_backup_ports = 8;  ///< to backup hosts
  std::int64_t host_port_gbps = 200;
  std::int64_t tor_uplinks = 60;    ///< one to each aggregation switch of the plane
  std::int64_t agg_core_ports = 8;  ///< kept for the core on each aggregation switch
  bool rail_only_tier2 = false;     ///< each rail in planes of its own
  std::int64_t max_pods = 1;        ///< beyond one, the core joins them
  bool core_layer = false;          ///< count the core for a single pod too

  bool operator==(const Hpn&) const = default;
};

/// Alibaba DCN+: 3 tiers, dual-ToR.
struct DcnPlus {
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
  std::optional<std::int64_t> hosts_per_router{};   ///< p; the three: balanced for the radix
  std::optional<std::int64_t> routers_per_group{};  ///< a
  std::optional<std::int64_t> global_per_router{};  ///< h
  /// g; nothing: the fewest that hold the GPUs, or a·h + 1 without a number of GPUs.
  std::optional<std::int64_t> groups{};

  bool operator==(const Dragonfly&) const = default;
};

/// Diameter-2 McKay–Miller–Širáň graph over the field of q elements.
struct SlimFly {
  std::optional<std::int64_t> q{};                 ///< nothing: the smallest that holds the GPUs
  std::optional<std::int64_t> hosts_per_router{};  ///< p; nothing: ⌈network radix / 2⌉

  bool operator==(const SlimFly&) const = default;
};

/// 3-D torus of cubes whose faces meet in optical circuit switches (TPU v4). FabricDesign's radix
/// is the OCS's.
struct Torus {
  std::int64_t cube_edge = 4;        ///< chips
  std::int64_t ocs_spare_ports = 8;  ///< kept for tests and repairs
  bool ocs = true;                   ///< false: the faces are cabled to each other

  bool operator==(const Torus&) const = default;
};

/// One alternative per Topology, in its order.
using TopologyOptions =
    std::variant<FatTree, RailOptimized, SuperPod, RailOnly, MultiPlane, Hpn, DcnPlus, MetaAiZone,
                 TwoZoneFatTree, Dragonfly, SlimFly, Torus>;

/// A network to be counted.
struct FabricDesign {
  /// Endpoints: GPUs with a NIC each (NICs, where GPUs share one). Nothing: as many as it holds.
  std::optional<std::int64_t> gpus{};
  std::int64_t radix = 64;       ///< k: ports of one switch at port_gbps
  std::int64_t port_gbps = 400;  ///< per direction
  TopologyOptions topology = FatTree{};
  Cabling cabling{};
  FabricLimits limits{};

  bool operator==(const FabricDesign&) const = default;
};

inline Topology topology_of(const FabricDesign& design) {
  return static_cast<Topology>(design.topology.index());
}

/// The links between two kinds of part.
struct LinkLayer {
  std::string name;  ///< "host", "leaf_spine", …
  std::int64_t links = 0;
  std::int64_t gbps = 0;
  CableKind cable = CableKind::fibre;
  bool host = false;              ///< one end is an endpoint, not a switch
  std::int64_t optical_ends = 2;  ///< of a fibre: ends that take a transceiver (1: mirror OCS)

  bool operator==(const LinkLayer&) const = default;
};

/// Ports of a switch that belong to one layer.
struct PortUse {
  std::size_t layer = 0;  ///< index into FabricCount::layers
  std::int64_t ports = 0;

  bool operator==(const PortUse&) const = default;
};

/// Switches wired alike.
struct SwitchGroup {
  std::int64_t count = 0;
  std::vector<PortUse> ports;

  bool operator==(const SwitchGroup&) const = default;
};

struct SwitchTier {
  std::string name;  ///< "leaf", "spine", "core", or the topology's own
  std::int64_t switches = 0;
  std::int64_t radix = 0;  ///< ports at the design's port speed
  std::vector<SwitchGroup> groups;
  /// Bandwidth below against above, of the fullest switch, in lowest terms; nothing at the top.
  std::optional<Ratio> oversubscription{};

  bool operator==(const SwitchTier&) const = default;
};

/// Cables by kind; a backplane link is none.
struct CableCount {
  std::int64_t copper = 0;
  std::int64_t active_optical = 0;
  std::int64_t fibre = 0;

  bool operator==(const CableCount&) const = default;
};

/// What one failed part takes with it; the fullest part of its kind is meant.
struct FailureImpact {
  std::string part;               ///< "leaf", "spine", "host link", "leaf_spine link", …
  std::int64_t gpus_cut_off = 0;  ///< without any port into the network
  std::int64_t gpus_slowed = 0;   ///< still connected, with less bandwidth
  /// Share of their bandwidth that the slowed GPUs lose, links_lost / links_shared; of a switch
  /// that cuts its GPUs off, the share of all links of its layer that goes with it.
  std::int64_t links_lost = 0;
  std::int64_t links_shared = 0;

  bool operator==(const FailureImpact&) const = default;
};

/// The parts of a network.
struct FabricCount {
  Topology topology = Topology::fat_tree;
  std::int64_t endpoints = 0;
  std::int64_t backup_endpoints = 0;  ///< connected as well, in reserve (HPN)
  std::int64_t max_endpoints = 0;     ///< with this radix and these options
  std::int64_t tiers = 0;
  std::int64_t planes = 1;
  std::int64_t rails = 1;
  std::int64_t radix = 0;
  std::int64_t units = 0;  ///< scalable units, segments, pods, zones, groups or cubes; 0: none
  std::vector<SwitchTier> switches;
  std::vector<LinkLayer> layers;
  std::int64_t transceivers = 0;  ///< logical ends
  std::int64_t modules = 0;       ///< physical parts
  CableCount cables;
  Ratio oversubscription{};  ///< of the worst tier
  /// Between two halves of the endpoints, HB domains kept whole; per direction. Nothing where no
  /// closed form is known (slim fly; more than two zones). A packed tree of three tiers that does
  /// not fill its pods carries up to an eighth less: its core is not spread evenly.
  std::optional<std::int64_t> bisection_gbps{};
  std::int64_t max_hops = 0;  ///< switches on the longest shortest path (torus: links)
  std::vector<FailureImpact> failures;
  std::optional<std::int64_t> racks{};
  std::optional<Watts> power{};  ///< of switches and modules, as far as given

  [[nodiscard]] std::int64_t switches_named(std::string_view tier) const;  ///< 0: no such tier
  [[nodiscard]] std::int64_t links_named(std::string_view layer) const;    ///< 0: no such layer
  [[nodiscard]] std::int64_t total_switches() const;
  [[nodiscard]] std::int64_t host_links() const;
  [[nodiscard]] std::int64_t inter_switch_links() const;
  [[nodiscard]] std::int64_t total_links() const;

  bool operator==(const FabricCount&) const = default;
};

enum class FabricRule {
  out_of_range,        ///< an input by itself: zero, negative, absurd, odd radix of a tree
  too_many_endpoints,  ///< beyond the topology's maximum
  too_many_ports,      ///< a switch would need more than it has
  uneven,              ///< a number that must divide another does not
  no_such_graph,       ///< slim fly: q is no prime power
  too_large_to_count,  ///< a count would leave 64 bits
  over_limit,          ///< more racks or power than given
};

/// Why a design cannot be built.
struct FabricProblem {
  FabricRule rule = FabricRule::out_of_range;
  std::string subject;  ///< the input or the part: "radix", "leaf"
  std::string unit;     ///< of need and have: "ports", "GPUs"; may be empty
  std::int64_t need = 0;
  std::int64_t have = 0;
  std::optional<std::int64_t> max_endpoints{};  ///< the largest that fits
  std::string hint;                             ///< how to fix it; may be empty

  /// An input that no network could use, as against a network that does not fit.
  [[nodiscard]] bool bad_value() const { return rule == FabricRule::out_of_range; }
  bool operator==(const FabricProblem&) const = default;
};

/// One sentence, without the hint: "leaf: 66 ports needed, 64 there".
std::string to_string(const FabricProblem& problem);

using CountResult = std::variant<FabricCount, FabricProblem>;

}  // namespace planner
