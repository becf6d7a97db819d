#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace planner {

/// How flows find their links.
enum class RoutingScheme {
  ecmp,        ///< hash of addresses and ports: the QPs of a pair share one path
  ecmp_qp,     ///< the hash reads the queue pair too (Meta's E-ECMP)
  pin,         ///< by destination slice; ECMP where a link fails (Meta § 4.1.2)
  te,          ///< a controller places whole flows (Meta § 4.3)
  c4p,         ///< planned paths, split and moved at need (C4 § IV)
  spray,       ///< packet by packet
  dual_plane,  ///< ECMP on each of two planes, one for each port of a card (HPN § 6)
};
inline constexpr std::array kRoutingSchemes{
    RoutingScheme::ecmp, RoutingScheme::ecmp_qp, RoutingScheme::pin,       RoutingScheme::te,
    RoutingScheme::c4p,  RoutingScheme::spray,   RoutingScheme::dual_plane};

/// As on the command line and in JSON: "ecmp-qp".
std::string_view to_string(RoutingScheme scheme);

/// Where a job's hosts stand.
enum class Placement {
  whole,           ///< racks, segments and zones filled one after the other: the minimum cut
  partial,         ///< a share of every rack; other jobs keep the rest as busy
  random,          ///< hosts anywhere
  zone_pair,       ///< whole, and one pair of nodes between zones (Fire-Flyer § III-B)
  pp_across_pods,  ///< whole, and only pipeline transfers between pods (HPN § 7)
};
inline constexpr std::array kPlacements{Placement::whole, Placement::partial, Placement::random,
                                        Placement::zone_pair, Placement::pp_across_pods};

std::string_view to_string(Placement placement);

/// How a job is routed, as far as someone has said so.
struct RoutingSettings {
  std::optional<RoutingScheme> scheme{};
  std::optional<std::int64_t> qps{};   ///< queue pairs per pair of ports
  std::optional<double> entropy{};     ///< share of the QPs that the hash tells apart
  std::optional<double> efficiency{};  ///< goodput of planned and sprayed paths over their share
  std::optional<double> quantile{};
  std::optional<std::int64_t> fail_uplinks{};  ///< of one leaf
  std::optional<bool> same_hash{};             ///< all tiers hash alike
  std::optional<Placement> placement{};
  std::optional<double> rack_share{};   ///< of a rack's slices, where the placement is partial
  std::optional<std::int64_t> peers{};  ///< remote ranks that an all-to-all sends to at a time

  bool operator==(const RoutingSettings&) const = default;
};

/// What `over` says, and what `base` says of the rest.
RoutingSettings overlaid(const RoutingSettings& base, const RoutingSettings& over);

/// What ranks send at the same time, as the links of the network see it.
enum class TrafficPattern {
  ring,        ///< one ring over neighbouring ranks: one node's cards leave a leaf
  all_rings,   ///< rings of the GPUs with the same place in their nodes: every card leaves the leaf
  all_to_all,  ///< every rank to every other
  p2p,         ///< one transfer of a pipeline while every card sends
};
inline constexpr std::array kTrafficPatterns{TrafficPattern::ring, TrafficPattern::all_rings,
                                             TrafficPattern::all_to_all, TrafficPattern::p2p};

/// "ring", "all_rings", "all_to_all", "p2p".
std::string_view to_string(TrafficPattern pattern);

/// Slowdowns S ≥ 1 of the collectives of groups that span no more than so many GPUs.
struct RoutedSpan {
  std::int64_t gpus = 0;                       ///< in the order of placement
  std::array<double, 4> slowdown{1, 1, 1, 1};  ///< by TrafficPattern

  bool operator==(const RoutedSpan&) const = default;
};

/// What routing leaves of the network's bandwidth, one factor per collective and span:
///   t = α + bytes · factor / (BW · cc_eff / S),   S = slowdown(pattern, GPUs that the group
///   spans),
/// with a cap by NVLink or the card as min() after S. The default leaves every time untouched.
///
/// S is against a network without oversubscription and contains it: these factors stand in the
/// place of a workload's `network_tiers`, never beside them. A rate measured on a cluster already
/// has that cluster's S in it: relative() divides by it.
struct RoutingFactors {
  std::vector<RoutedSpan> spans{};  ///< smallest first; beyond the last, its factors hold

  [[nodiscard]] double slowdown(TrafficPattern pattern, std::int64_t gpus) const;
  bool operator==(const RoutingFactors&) const = default;
};

/// Slowdowns over those of a reference on the same network.
RoutingFactors relative(RoutingFactors factors, const RoutingFactors& reference);

}  // namespace planner
