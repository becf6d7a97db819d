#include "planner/network/routing/routed_fabric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"

namespace planner::inline network {

namespace {

/// Spines that one leaf reaches.
std::int64_t spines_of_leaf(const FabricUnits& units, std::int64_t uplinks) {
  const std::int64_t spines = units.spines_of_leaf > 0 ? units.spines_of_leaf : uplinks;
  return std::clamp<std::int64_t>(spines, 1, uplinks);
}

FabricTier leaf_tier(const FabricCount& count, const TierPorts& leaf) {
  return {.name = count.switches[0].name + " – " + count.switches[1].name,
          .cards = leaf.hosts,
          .links = leaf.up,
          .rho = real(leaf.hosts) * leaf.hosts_gbps / (real(leaf.up) * leaf.up_gbps),
          .groups = real(count.switches[0].switches)};
}

/// The cards of a pod over all of its links to the core, in one tree: of the leaves below one
/// spine, over L1 spines with L2 links each.
FabricTier pod_tier(const FabricCount& count, const FabricUnits& units, const TierPorts& leaf,
                    const TierPorts& spine) {
  const std::int64_t spines = spines_of_leaf(units, leaf.up);
  const std::int64_t leaves = spine.down / std::max<std::int64_t>(1, leaf.up / spines);
  const std::int64_t cards = leaf.hosts * leaves;
  const std::int64_t links = spines * spine.up;
  return {.name = count.switches[1].name + " – " + count.switches[2].name,
          .cards = cards,
          .links = links,
          .rho = real(cards) * leaf.hosts_gbps / (real(links) * spine.up_gbps),
          .groups = real(count.switches[1].switches) / real(spines),
          .polarization = std::gcd(spines, spine.up),
          .switches_above =
              std::clamp<std::int64_t>(count.switches[2].switches / units.trees, 1, links),
          .switches_below = spines};
}

/// Fire-Flyer: the links of one zone to the others. The paper gives no number; then there is none.
/// @param zone_cards  that a zone has room for
std::optional<FabricTier> zone_tier(const SeparateZones& apart, std::int64_t zone_cards) {
  const std::int64_t links = apart.links.value_or(0);
  if (links == 0 || apart.zones < 2) return std::nullopt;
  return FabricTier{.name = "zone – zone",
                    .cards = zone_cards,
                    .links = links,
                    .rho = real(zone_cards) / real(links),
                    .groups = real(apart.zones),
                    .switches_above = links,
                    .between_zones = true};
}

/// GPUs of the same links.
void resize(FabricTier& tier, std::int64_t unit_gpus) {
  const double share = real(unit_gpus) / real(tier.unit_gpus);
  tier.rho *= share;
  tier.cards = std::max<std::int64_t>(1, std::llround(real(tier.cards) * share));
  tier.unit_gpus = unit_gpus;
}

/// Uplinks of a leaf among as many as were bought.
std::int64_t mean_uplinks(const FabricCount& count) {
  std::int64_t links = 0, leaves = 0;
  for (const SwitchGroup& group : count.switches[0].groups) {
    leaves += group.count;
    for (const PortUse& use : group.ports) {
      if (!count.layers[use.layer].host) links += group.count * use.ports;
    }
  }
  return std::max<std::int64_t>(1, links / std::max<std::int64_t>(1, leaves));
}

/// Whole nodes below each leaf, and where they are dealt out as many below each of those that are
/// bought; whole leaves, or nodes, in each pod. So that units hold units.
void hold_whole_nodes(const FabricCount& count, bool dealt, RoutedFabric& fabric) {
  const std::int64_t node = fabric.gpus_per_node;
  FabricTier& leaf = fabric.tiers.front();
  const std::int64_t ports = leaf.unit_gpus;
  if (ports >= node) {
    std::int64_t nodes = ports / node;
    const std::int64_t leaves = planner::ceil_div(fabric.gpus, ports);
    if (dealt) {
      nodes = std::min(nodes, planner::ceil_div(planner::ceil_div(fabric.gpus, node), leaves));
    }
    if (nodes * node != ports) {
      if (dealt) {
        // Leaves that were filled one after the other have fewer uplinks on the last.
        const std::int64_t links = std::min(leaf.links, mean_uplinks(count));
        leaf.rho *= real(leaf.links) / real(links);
        leaf.switches_above = std::min(leaf.switches_above, links);
        leaf.links = links;
      }
      resize(leaf, nodes * node);
    }
  }
  if (fabric.tiers.size() < 2) return;
  FabricTier& pod = fabric.tiers[1];
  if (pod.between_zones) {
    resize(pod, planner::ceil_div(pod.unit_gpus, node) * node);
    return;
  }
  const std::int64_t leaves_of_pod = std::max<std::int64_t>(1, pod.unit_gpus / ports);
  const std::int64_t whole =
      ports >= node ? leaves_of_pod * leaf.unit_gpus : pod.unit_gpus / node * node;
  if (whole > 0 && whole != pod.unit_gpus) resize(pod, whole);
}

/// GPUs that stand below a leaf together, whole nodes where it has ports for one.
std::int64_t together(const RoutedFabric& fabric) {
  const std::int64_t node = fabric.gpus_per_node;
  return fabric.tiers.front().unit_gpus >= node ? node : 1;
}

std::int64_t units_of(const RoutedFabric& fabric, const FabricTier& tier) {
  const std::int64_t unit = std::max<std::int64_t>(1, tier.unit_gpus);
  return planner::ceil_div(fabric.gpus, unit);
}

/// GPUs to be had in each widest unit, so many of a rack.
std::vector<std::int64_t> room(const RoutedFabric& fabric, const RoutedJob& job,
                               std::int64_t in_rack) {
  const FabricTier& rack = fabric.tiers.front();
  const FabricTier& widest = fabric.tiers.back();
  if (job.free_gpus.empty()) {
    const std::int64_t racks = planner::ceil_div(widest.unit_gpus, rack.unit_gpus);
    const auto all = static_cast<std::size_t>(units_of(fabric, widest));
    return std::vector<std::int64_t>(all, std::min(widest.unit_gpus, in_rack * racks));
  }
  std::vector<std::int64_t> free = job.free_gpus;
  if (!job.in_leaf) return free;
  for (std::int64_t& one : free) {
    one = one / rack.unit_gpus * in_rack + std::min(one % rack.unit_gpus, in_rack);
  }
  return free;
}

/// Whole nodes anywhere: in as many units as there are, or nodes.
std::vector<std::int64_t> scattered_units(const RoutedFabric& fabric, const RoutedJob& job,
                                          std::size_t tier) {
  const std::int64_t unit = std::max<std::int64_t>(1, fabric.tiers[tier].unit_gpus);
  const std::int64_t node = std::min({fabric.gpus_per_node, unit, job.gpus});
  std::vector<std::int64_t> units =
      spread(planner::ceil_div(job.gpus, node), units_of(fabric, fabric.tiers[tier]));
  for (std::int64_t& nodes : units) nodes *= node;
  units.back() -= planner::ceil_div(job.gpus, node) * node - job.gpus;
  return units;
}

}  // namespace

std::optional<RoutedFabric> routed_fabric(const FabricDesign& design, const FabricCount& count,
                                          std::int64_t gpus, std::int64_t gpus_per_node) {
  const std::optional<FabricUnits> units = fabric_units(design, count);
  if (!units) return std::nullopt;
  const std::int64_t endpoints = std::max<std::int64_t>(1, count.endpoints);
  RoutedFabric fabric{
      .gpus = gpus,
      .gpus_per_node = gpus_per_node,
      .gpus_per_card = std::max<std::int64_t>(1, gpus / endpoints),
      .ports_per_card = std::max<std::int64_t>(1, count.links_named("host") / endpoints),
      .planes = count.planes,
      .trees = units->trees,
      .zones = units->zones};
  fabric.bonded = fabric.ports_per_card > 1 && count.planes == 1;
  if (count.switches.size() < 2) return fabric;
  const TierPorts leaf = ports_of(count, 0);
  const TierPorts spine = ports_of(count, 1);
  if (leaf.up == 0 || leaf.hosts == 0) return fabric;

  fabric.tiers.push_back(leaf_tier(count, leaf));
  fabric.tiers.front().unit_gpus = units->leaf * fabric.gpus_per_card;
  fabric.tiers.front().switches_above = spines_of_leaf(*units, leaf.up);
  if (units->zones) {
    if (auto tier = zone_tier(*units->zones, units->pod)) fabric.tiers.push_back(*tier);
  } else if (count.switches.size() > 2 && spine.up > 0) {
    fabric.tiers.push_back(pod_tier(count, *units, leaf, spine));
  }
  if (fabric.tiers.size() > 1) fabric.tiers[1].unit_gpus = units->pod * fabric.gpus_per_card;

  const double card_ports = real(count.links_named("host"));
  for (FabricTier& tier : fabric.tiers) {
    // A node's ports are dealt out over the groups that hold its unit: rails, dual ToRs, planes.
    const double gpu_ports = real(fabric.ports_per_card) / real(fabric.gpus_per_card);
    const double of_unit = real(tier.unit_gpus) * gpu_ports / real(tier.cards);
    tier.groups_of_unit =
        tier.between_zones ? 1 : std::min(of_unit, std::max(1.0, card_ports / real(tier.cards)));
  }
  hold_whole_nodes(count, units->dealt, fabric);
  return fabric;
}

RoutedFabric of_used_gpus(RoutedFabric fabric, std::int64_t used) {
  const std::int64_t node = fabric.gpus_per_node;
  if (used >= node) return fabric;
  const auto used_of = [&](std::int64_t gpus) { return planner::ceil_div(gpus * used, node); };
  for (FabricTier& tier : fabric.tiers) {
    const std::int64_t gpus = used_of(tier.unit_gpus);
    const double share = real(gpus) / real(tier.unit_gpus);
    const double groups_of_node =
        std::clamp(tier.groups_of_unit / real(fabric.ports_per_card), 1.0, real(node));
    const double of_node = real(node) / groups_of_node;  // below one group
    const double loaded =
        groups_of_node > 1 ? std::ceil(of_node * real(used) / real(node) - 1e-9) / of_node : share;
    tier.unit_gpus = gpus;
    tier.cards = std::max<std::int64_t>(1, std::llround(real(tier.cards) * loaded));
    tier.rho *= loaded;
    tier.groups *= share / loaded;
    tier.groups_of_unit *= share / loaded;
  }
  fabric.gpus = used_of(fabric.gpus);
  fabric.gpus_per_node = used;
  return fabric;
}

// The larger bundles go first.
std::int64_t links_without_switches(const FabricTier& tier, std::int64_t switches) {
  const std::int64_t all = std::max<std::int64_t>(1, tier.switches_above);
  const std::int64_t each = tier.links / all, larger = tier.links % all;
  return tier.links - switches * each - std::min(switches, larger);
}

std::optional<BrokenPairs> broken_pairs(const RoutedFabric& fabric,
                                        const std::optional<Fault>& fault) {
  if (!fault || fabric.ports_per_card < 2) return std::nullopt;
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  switch (fault->kind) {
    case FaultKind::nic_link:
      return BrokenPairs{.links = 1, .needed_switches = 1};
    case FaultKind::tor:
      return BrokenPairs{.links = fabric.tiers.empty() ? kAll : fabric.tiers.front().cards,
                         .switches = 1};
    case FaultKind::plane:
      return BrokenPairs{.links = kAll, .switches = kAll};
    case FaultKind::uplink:
    case FaultKind::aggregation:
    case FaultKind::core:
      return std::nullopt;
  }
  return std::nullopt;
}

std::int64_t rack_slots(const RoutedFabric& fabric, const RoutedJob& job) {
  const FabricTier& rack = fabric.tiers.front();
  const double share = job.placement == Placement::partial ? job.rack_share : 1;
  const std::int64_t node = together(fabric);
  const auto slots = static_cast<std::int64_t>(std::floor(share * real(rack.unit_gpus) + 1e-9));
  return std::max(node, std::min(slots, job.in_leaf.value_or(slots)) / node * node);
}

std::vector<std::int64_t> even_leaves(const RoutedFabric& fabric, const RoutedJob& job) {
  const bool told = job.placement == Placement::partial || job.placement == Placement::random;
  if (told || fabric.tiers.empty()) return {};
  const std::int64_t node = together(fabric), whole = rack_slots(fabric, job);
  const std::int64_t racks = units_of(fabric, fabric.tiers.front());
  std::vector<std::int64_t> found;
  for (const std::int64_t blocks : {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
    if (job.gpus % (blocks * node) != 0) continue;
    const std::int64_t block = job.gpus / blocks, leaves = planner::ceil_div(block, whole);
    if (block % (leaves * node) != 0) continue;
    const std::int64_t taken = leaves > 1 ? block / leaves : whole / block * block;
    if (taken >= whole || taken * racks < job.gpus) continue;
    if (std::find(found.begin(), found.end(), taken) != found.end()) continue;
    RoutedJob part = job;
    part.in_leaf = taken;
    const std::vector<std::int64_t> there = room(fabric, part, taken);
    if (std::accumulate(there.begin(), there.end(), std::int64_t{0}) >= job.gpus) {
      found.push_back(taken);
    }
  }
  return found;
}

std::vector<std::int64_t> occupied_units(const RoutedFabric& fabric, const RoutedJob& job,
                                         std::size_t tier) {
  if (job.placement == Placement::random) return scattered_units(fabric, job, tier);
  const std::int64_t racks = units_of(fabric, fabric.tiers.front());
  const std::int64_t node = together(fabric);
  const std::int64_t nodes = planner::ceil_div(job.gpus, node);
  const std::int64_t in_rack =
      std::max(rack_slots(fabric, job), planner::ceil_div(nodes, racks) * node);
  std::vector<std::int64_t> units = minimum_cut(room(fabric, job, in_rack), job.gpus);
  return tier + 1 < fabric.tiers.size() ? split(units, in_rack) : units;
}

std::int64_t unbroken_gpus(const RoutedFabric& fabric, const RoutedJob& job,
                           const std::vector<std::int64_t>& units) {
  if (units.size() < 2) return units.front();
  if (job.placement == Placement::random) return std::min(fabric.gpus_per_node, units.front());
  return job.free_gpus.empty() ? units.front() : unbroken_group(units);
}

}  // namespace planner::network
