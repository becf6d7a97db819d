#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/domain/routing.hpp"
#include "planner/network/routing/placement.hpp"
#include "planner/network/routing/routing.hpp"
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
  std::int64_t node_cards = 1;    ///< ports of one node's cards below one group
  double gpu_cards = 1;           ///< one GPU's ports below it, where its unit has several groups
  bool between_zones = false;     ///< Fire-Flyer's few links between two trees
};

struct RoutedFabric {
  std::vector<FabricTier> tiers;   ///< from the leaves up
  std::int64_t gpus = 0;           ///< of the network
  std::int64_t gpus_per_node = 1;  ///< whose cards send together
  std::int64_t gpus_per_card = 1;
  std::int64_t ports_per_card = 1;
  bool bonded = false;  ///< ports of a card share one plane, so that the last switch hashes too
  std::optional<SeparateZones> zones{};
};

/// Nothing for dragonfly, slim fly and torus, whose paths are no choice among equal uplinks.
/// @param gpus_per_node  of the server or HB domain whose cards send together
std::optional<RoutedFabric> routed_fabric(const FabricDesign& design, const FabricCount& count,
                                          std::int64_t gpus, std::int64_t gpus_per_node);

struct RoutedJob {
  std::int64_t gpus = 0;
  Placement placement = Placement::whole;
  double rack_share = 0.5;          ///< of every rack, where the placement is partial
  std::int64_t peers = 1;           ///< of an all-to-all: remote ranks that one sends to at a time
  std::int64_t failed_uplinks = 0;  ///< of one leaf
  bool same_hash = false;           ///< all tiers hash alike
  /// GPUs to be had in each unit of the widest tier; empty: all of them.
  std::vector<std::int64_t> free_gpus{};
};

/// GPUs that a job may have in each rack, the unit of the lowest tier: all but where it is partial.
std::int64_t rack_slots(const RoutedFabric& fabric, const RoutedJob& job);

/// GPUs of the job in each unit of a tier that it uses, in the order of ranks: the minimum cut of
/// the free ones, the units of narrower tiers filled one after the other. A partial placement fills
/// its share of each rack, or as much as a job too large for that needs; a random one deals its
/// nodes out over all units alike.
std::vector<std::int64_t> occupied_units(const RoutedFabric& fabric, const RoutedJob& job,
                                         std::size_t tier);

/// The stages that a pattern passes when it crosses the first `tiers` tiers.
std::vector<LinkStage> stages_of(const RoutedFabric& fabric, const RoutedJob& job,
                                 TrafficPattern pattern, std::size_t tiers);

enum class RoutingScope {
  leaf,     ///< below one leaf; of rail-optimized trees and HPN a segment, of Meta's a rack
  pod,      ///< below one set of spines; of Meta's and Fire-Flyer's a zone
  cluster,  ///< through the core
};

std::string_view name_of(RoutingScope scope);

struct RoutedCollective {
  TrafficPattern pattern = TrafficPattern::ring;
  RoutingScope scope = RoutingScope::pod;
  std::int64_t gpus = 0;  ///< spans up to here, of groups that no end of a unit breaks
  Slowdown slowdown{};
  std::string binding{};  ///< the stage; empty: none
};

/// Every pattern in every scope that the job has. The slowest of all groups of the job sets the
/// pace, so that all of its switches count. With pp_across_pods only transfers cross the core.
std::vector<RoutedCollective> route(const RoutedFabric& fabric, const RoutedJob& job,
                                    const Routing& routing);

/// Slowdowns for the timing models: the mean ones, or those of an unlucky draw in all collectives.
RoutingFactors routing_factors(const std::vector<RoutedCollective>& routed,
                               double Slowdown::*which = &Slowdown::mean);

}  // namespace planner::network
