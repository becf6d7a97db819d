#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/routing.hpp"
#include "planner/network/routing/placement.hpp"
#include "planner/network/topologies/fabric_units.hpp"

// From a counted tree and a job to the links that its flows are hashed on.
namespace planner::inline network {

/// The links out of one kind of unit: of a leaf to its spines, of a pod to the core.
struct FabricTier {
  std::string name;               ///< "leaf – spine"
  std::int64_t unit_gpus = 0;     ///< in the order of placement; smaller spans cross none of these
  std::int64_t cards = 0;         ///< card ports below one group of links, of the fullest
  std::int64_t links = 0;         ///< of the group
  double rho = 1;                 ///< while every card sends through them
  double groups = 1;              ///< of the whole network, one direction
  std::int64_t polarization = 1;  ///< g if this switch hashes as the one below it
  double groups_of_unit = 1;      ///< that share its GPUs' ports: rails, dual ToRs, planes
  std::int64_t switches_above = 1;  ///< that a group of links reaches
  std::int64_t switches_below = 1;  ///< that it starts from: of a pod
  bool between_zones = false;       ///< Fire-Flyer's few links between two trees
};

struct RoutedFabric {
  std::vector<FabricTier> tiers;   ///< from the leaves up
  std::int64_t gpus = 0;           ///< of the network
  std::int64_t gpus_per_node = 1;  ///< whose cards send together
  std::int64_t gpus_per_card = 1;
  std::int64_t ports_per_card = 1;
  std::int64_t planes = 1;
  std::int64_t trees = 1;  ///< that share no switch
  bool bonded = false;     ///< ports of a card share one plane, so that the last switch hashes too
  std::optional<SeparateZones> zones{};
};

/// Nothing for dragonfly, slim fly and torus, whose paths are no choice among equal uplinks. Units
/// hold whole nodes: the ports of a leaf beyond them stay free, and where nodes are dealt out over
/// leaves each that is bought gets as many. So pods hold whole leaves, and leaves whole nodes. Of
/// separate zones each has as many nodes as the one that most are dealt out to.
///
/// @param gpus_per_node  of the server or HB domain whose cards send together
std::optional<RoutedFabric> routed_fabric(const FabricDesign& design, const FabricCount& count,
                                          std::int64_t gpus, std::int64_t gpus_per_node);

/// The network as a job sees it that has so many GPUs of each node: units in its GPUs, with all the
/// links of their nodes. Where the nodes' GPUs are dealt out over groups of links, rail by rail,
/// the groups of those that stand idle are left out; of larger groups each has as many idle ones.
RoutedFabric of_used_gpus(RoutedFabric fabric, std::int64_t used);

/// Of the links of a group to the switches above it, dealt out evenly, what is left at most while
/// so many of these are down.
std::int64_t links_without_switches(const FabricTier& tier, std::int64_t switches);

/// Of a network's pairs of access links and switches those that something down breaks: a card's
/// link, the links of a switch, or a plane's. Nothing: none, or its cards have one port.
std::optional<BrokenPairs> broken_pairs(const RoutedFabric& fabric,
                                        const std::optional<Fault>& fault);

struct RoutedJob {
  std::int64_t gpus = 0;
  Placement placement = Placement::whole;
  double rack_share = 0.5;  ///< of every rack, where the placement is partial
  std::int64_t peers = 1;   ///< of an all-to-all: remote ranks that one sends to at a time
  std::optional<Fault> fault{};
  Channels channels = Channels::fixed;
  UplinkUse uplinks = UplinkUse::shared;
  bool same_hash = false;  ///< all tiers hash alike
  /// GPUs to be had in each unit of the widest tier; empty: all of them.
  std::vector<std::int64_t> free_gpus{};
  std::optional<std::int64_t> in_leaf{};  ///< GPUs taken of a leaf at most; nothing: all of it
};

/// GPUs that a job may have in each rack, the unit of the lowest tier: all but where it is partial,
/// and whole nodes.
std::int64_t rack_slots(const RoutedFabric& fabric, const RoutedJob& job);

/// GPUs of the job in each unit of a tier that it uses, in the order of ranks: the minimum cut of
/// the free ones, the units of narrower tiers filled one after the other. A partial placement fills
/// its share of each rack, or as much as a job too large for that needs; a random one deals its
/// nodes out over all units alike.
std::vector<std::int64_t> occupied_units(const RoutedFabric& fabric, const RoutedJob& job,
                                         std::size_t tier);

/// How many GPUs of a leaf at most a job can take so that halves, thirds, quarters … of it end
/// where leaves do: groups that all of a leaf would break. Those that leave the job room; none
/// where its placement says what it has of a leaf.
std::vector<std::int64_t> even_leaves(const RoutedFabric& fabric, const RoutedJob& job);

/// GPUs that stand together in groups that no end of a unit of the job breaks.
std::int64_t unbroken_gpus(const RoutedFabric& fabric, const RoutedJob& job,
                           const std::vector<std::int64_t>& units);

}  // namespace planner::network
