#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/topology.hpp"

namespace planner {

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
