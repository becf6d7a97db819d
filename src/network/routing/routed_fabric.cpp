#include "planner/network/routing/routed_fabric.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

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
          .polarization = std::gcd(spines, spine.up)};
}

/// Fire-Flyer: the links of one zone to the others. The paper gives no number; then there is none.
std::optional<FabricTier> zone_tier(const SeparateZones& apart, std::int64_t endpoints) {
  const std::int64_t links = apart.links.value_or(0);
  if (links == 0 || apart.zones < 2) return std::nullopt;
  const std::int64_t zone_cards = planner::ceil_div(endpoints, apart.zones);
  return FabricTier{.name = "zone – zone",
                    .cards = zone_cards,
                    .links = links,
                    .rho = real(zone_cards) / real(links),
                    .groups = real(apart.zones),
                    .between_zones = true};
}

/// Card ports below one group of links that send through the tier at once. Where other jobs do not
/// have the rest of each rack, they are those of the job in its fullest unit; in rings each of them
/// has a card of its own in another unit.
double sending_cards(const FabricTier& tier, const RoutedJob& job, TrafficPattern pattern,
                     std::span<const std::int64_t> units) {
  const double all = real(tier.cards), node = real(tier.node_cards);
  const auto rings = ring_stride(pattern);
  if (job.placement == Placement::partial) {
    if (pattern == TrafficPattern::all_to_all) return all * crossing_share(units);
    // Each of the jobs that share a rack leaves it with nodes of its own.
    return rings ? std::min(all, real(*rings) * node / job.rack_share) : all;
  }
  const auto cards_of = [&](std::int64_t gpus) {
    return std::min(all, std::ceil(real(gpus) * tier.gpu_cards - 1e-9));
  };
  const std::int64_t gpus = std::accumulate(units.begin(), units.end(), std::int64_t{0});
  double paired = 0, to_any = 0;
  for (const std::int64_t here : units) {
    const std::int64_t elsewhere = gpus - here;
    if (elsewhere == 0) return 0;
    paired = std::max(paired, cards_of(std::min(here, elsewhere)));
    to_any = std::max(to_any, cards_of(here) * real(elsewhere) / real(gpus - 1));
  }
  if (pattern == TrafficPattern::all_to_all) return to_any;
  if (job.placement == Placement::random) return rings ? to_any : paired;
  if (tier.between_zones && job.placement == Placement::zone_pair) {
    return std::min(node, paired);
  }
  return rings ? std::min(real(*rings) * node, paired) : paired;
}

std::int64_t units_of(const RoutedFabric& fabric, const FabricTier& tier) {
  const std::int64_t unit = std::max<std::int64_t>(1, tier.unit_gpus);
  return planner::ceil_div(fabric.gpus, unit);
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

/// GPUs that stand together in groups that no end of a unit breaks.
std::int64_t unbroken(const RoutedFabric& fabric, const RoutedJob& job,
                      std::span<const std::int64_t> units) {
  if (units.size() < 2) return units.front();
  if (job.placement == Placement::random) return std::min(fabric.gpus_per_node, units.front());
  return job.free_gpus.empty() ? units.front() : unbroken_group(units);
}

/// Groups of links that the units in use have.
std::int64_t groups_in_use(const RoutedFabric& fabric, const FabricTier& tier, std::size_t units) {
  const double share = static_cast<double>(units) / real(units_of(fabric, tier));
  return std::max<std::int64_t>(1,
                                std::llround(std::ceil(tier.groups * std::min(1.0, share) - 1e-9)));
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
      .zones = units->zones};
  fabric.bonded = fabric.ports_per_card > 1 && count.planes == 1;
  if (count.switches.size() < 2) return fabric;
  const TierPorts leaf = ports_of(count, 0);
  const TierPorts spine = ports_of(count, 1);
  if (leaf.up == 0 || leaf.hosts == 0) return fabric;

  fabric.tiers.push_back(leaf_tier(count, leaf));
  fabric.tiers.front().unit_gpus = units->leaf * fabric.gpus_per_card;
  if (units->zones) {
    if (auto tier = zone_tier(*units->zones, count.endpoints)) fabric.tiers.push_back(*tier);
  } else if (count.switches.size() > 2 && spine.up > 0) {
    fabric.tiers.push_back(pod_tier(count, *units, leaf, spine));
  }
  if (fabric.tiers.size() > 1) fabric.tiers[1].unit_gpus = units->pod * fabric.gpus_per_card;

  const double card_ports = real(count.links_named("host"));
  for (FabricTier& tier : fabric.tiers) {
    // A node's ports are dealt out over the groups that hold its unit: rails, dual ToRs, planes.
    const double gpu_ports = real(fabric.ports_per_card) / real(fabric.gpus_per_card);
    const double unit_ports = std::min(card_ports, real(tier.unit_gpus) * gpu_ports);
    const double groups_of_unit =
        tier.between_zones ? 1 : std::max(1.0, unit_ports / real(tier.cards));
    tier.gpu_cards = gpu_ports / groups_of_unit;
    tier.node_cards = std::max<std::int64_t>(1, std::llround(real(gpus_per_node) * tier.gpu_cards));
  }
  return fabric;
}

std::int64_t rack_slots(const RoutedFabric& fabric, const RoutedJob& job) {
  const FabricTier& rack = fabric.tiers.front();
  const double share = job.placement == Placement::partial ? job.rack_share : 1;
  return std::max<std::int64_t>(1, std::llround(std::floor(share * real(rack.unit_gpus) + 1e-9)));
}

std::vector<std::int64_t> occupied_units(const RoutedFabric& fabric, const RoutedJob& job,
                                         std::size_t tier) {
  if (job.placement == Placement::random) return scattered_units(fabric, job, tier);
  const FabricTier& rack = fabric.tiers.front();
  const FabricTier& widest = fabric.tiers.back();
  const std::int64_t racks = units_of(fabric, rack);
  const std::int64_t in_rack =
      std::max(rack_slots(fabric, job), planner::ceil_div(job.gpus, racks));
  const std::int64_t slots =
      std::min(widest.unit_gpus, in_rack * planner::ceil_div(widest.unit_gpus, rack.unit_gpus));
  const auto all = static_cast<std::size_t>(units_of(fabric, widest));
  std::vector<std::int64_t> units =
      job.free_gpus.empty() ? std::vector<std::int64_t>(all, slots) : job.free_gpus;
  units = minimum_cut(std::move(units), job.gpus);
  return tier + 1 < fabric.tiers.size() ? split(units, in_rack) : units;
}

std::vector<LinkStage> stages_of(const RoutedFabric& fabric, const RoutedJob& job,
                                 TrafficPattern pattern, std::size_t tiers) {
  std::vector<LinkStage> stages;
  for (std::size_t i = 0; i < std::min(tiers, fabric.tiers.size()); ++i) {
    const FabricTier& tier = fabric.tiers[i];
    const std::vector<std::int64_t> units = occupied_units(fabric, job, i);
    const double sending = sending_cards(tier, job, pattern, units);
    if (sending <= 0) continue;
    const std::int64_t peers = pattern == TrafficPattern::all_to_all ? job.peers : 1;
    const std::int64_t groups = groups_in_use(fabric, tier, units.size());
    LinkStage up{.name = tier.name,
                 .flows = std::max<std::int64_t>(1, std::llround(sending)) * peers,
                 .links = tier.links,
                 .rho = tier.rho * sending / real(tier.cards),
                 .groups = 2 * groups,  // up from the sender's and down to the receiver's
                 .failed = i == 0 ? job.failed_uplinks : 0,
                 .failed_groups = 2,
                 .polarization = job.same_hash ? tier.polarization : 1};
    if (i == 0 && fabric.bonded && groups > 1) {
      // Down to a card with bonded ports any of the ToRs that hold them will do: one hash over the
      // links of all.
      LinkStage down = up;
      down.name = tier.name + ", down";
      up.name = tier.name + ", up";
      up.groups = groups;
      up.failed_groups = 1;
      down.flows *= fabric.ports_per_card;
      down.links *= fabric.ports_per_card;
      down.groups = std::max<std::int64_t>(1, groups / fabric.ports_per_card);
      down.failed_groups = 1;
      stages.push_back(std::move(up));
      stages.push_back(std::move(down));
      continue;
    }
    stages.push_back(std::move(up));
  }
  if (fabric.bonded && tiers > 0) {
    stages.push_back({.name = "receive port",
                      .flows = fabric.ports_per_card,
                      .links = fabric.ports_per_card,
                      .groups = std::max<std::int64_t>(1, job.gpus / fabric.gpus_per_card),
                      .receive_port = true});
  }
  return stages;
}

std::string_view name_of(RoutingScope scope) {
  switch (scope) {
    case RoutingScope::leaf:
      return "leaf";
    case RoutingScope::pod:
      return "pod";
    case RoutingScope::cluster:
      return "cluster";
  }
  return "";
}

std::vector<RoutedCollective> route(const RoutedFabric& fabric, const RoutedJob& job,
                                    const Routing& routing) {
  std::vector<RoutedCollective> all;
  StageSlowdowns known(routing);
  for (std::size_t tiers = 0; tiers <= fabric.tiers.size(); ++tiers) {
    std::vector<std::int64_t> units{job.gpus};
    if (tiers < fabric.tiers.size()) units = occupied_units(fabric, job, tiers);
    const bool spans_more = units.size() > 1;
    const std::int64_t gpus = unbroken(fabric, job, units);
    // No group is whole here that is not whole below.
    if (!all.empty() && gpus == all.back().gpus) continue;
    const auto scope = static_cast<RoutingScope>(tiers);
    for (const TrafficPattern pattern : kTrafficPatterns) {
      const bool kept_inside = scope == RoutingScope::cluster &&
                               job.placement == Placement::pp_across_pods &&
                               pattern != TrafficPattern::p2p;
      if (kept_inside) continue;
      const std::vector<LinkStage> stages = stages_of(fabric, job, pattern, tiers);
      const Slowdown s =
          pattern == TrafficPattern::p2p ? p2p_slowdown(stages, routing) : slowdown(stages, known);
      all.push_back({.pattern = pattern,
                     .scope = scope,
                     .gpus = gpus,
                     .slowdown = s,
                     .binding = s.binding ? stages[*s.binding].name : ""});
    }
    if (!spans_more) break;
  }
  return all;
}

RoutingFactors routing_factors(const std::vector<RoutedCollective>& routed,
                               double Slowdown::*which) {
  RoutingFactors factors;
  for (const RoutedCollective& one : routed) {
    if (factors.spans.empty() || factors.spans.back().gpus != one.gpus) {
      // Patterns that do not cross this scope keep the factors of the one below.
      RoutedSpan next{.gpus = one.gpus};
      if (!factors.spans.empty()) next.slowdown = factors.spans.back().slowdown;
      factors.spans.push_back(next);
    }
    factors.spans.back().slowdown[static_cast<std::size_t>(one.pattern)] = one.slowdown.*which;
  }
  return factors;
}

}  // namespace planner::network
