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
std::string_view name_of(RoutingScheme scheme);

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

/// As in files and answers: "pp-across-pods".
std::string_view name_of(Placement placement);

/// How the bytes of a pair of ports are dealt out over its queue pairs.
enum class Striping {
  fixed,     ///< the same to each: a pair waits for its slowest
  adaptive,  ///< to the one with the fewest bytes outstanding
};
inline constexpr std::array kStripings{Striping::fixed, Striping::adaptive};

/// As in files and answers: "static".
constexpr std::string_view name_of(Striping striping) {
  return striping == Striping::adaptive ? "adaptive" : "static";
}

/// How a job is routed, as far as someone has said so.
struct RoutingSettings {
  std::optional<RoutingScheme> scheme{};
  std::optional<std::int64_t> qps{};   ///< queue pairs per pair of ports
  std::optional<double> entropy{};     ///< share of the QPs that the hash tells apart
  std::optional<Striping> striping{};  ///< over the QPs
  std::optional<double> efficiency{};  ///< goodput of planned and sprayed paths over their share
  std::optional<double> quantile{};
  std::optional<std::int64_t> fail_uplinks{};  ///< of one leaf
  std::optional<bool> same_hash{};             ///< all tiers hash alike
  std::optional<Placement> placement{};
  std::optional<double> rack_share{};   ///< of a rack's slices, where the placement is partial
  std::optional<std::int64_t> peers{};  ///< remote ranks that an all-to-all sends to at a time
  /// Of each widest unit of the network: pod, zone, or leaf where there are no pods.
  std::optional<std::vector<std::int64_t>> free_gpus{};

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
  rings_2,     ///< rings over every 2nd HB domain: two nodes' cards leave a leaf
  rings_3,
  rings_4,
  rings_8,
};
inline constexpr std::array kTrafficPatterns{TrafficPattern::ring,       TrafficPattern::all_rings,
                                             TrafficPattern::all_to_all, TrafficPattern::p2p,
                                             TrafficPattern::rings_2,    TrafficPattern::rings_3,
                                             TrafficPattern::rings_4,    TrafficPattern::rings_8};

/// Rings that leave a leaf side by side; nothing for patterns other than rings of some stride.
constexpr std::optional<std::int64_t> ring_stride(TrafficPattern pattern) {
  switch (pattern) {
    case TrafficPattern::ring:
      return 1;
    case TrafficPattern::rings_2:
      return 2;
    case TrafficPattern::rings_3:
      return 3;
    case TrafficPattern::rings_4:
      return 4;
    case TrafficPattern::rings_8:
      return 8;
    case TrafficPattern::all_rings:
    case TrafficPattern::all_to_all:
    case TrafficPattern::p2p:
      break;
  }
  return std::nullopt;
}

/// How the rings of groups load the network whose neighbours are `domains` HB domains apart: as
/// many rings leave a leaf side by side, each with the last of its domains there. Strides between
/// those that have a pattern count as the next larger one, beyond 8 as all rings.
constexpr TrafficPattern ring_pattern(std::int64_t domains) {
  if (domains <= 1) return TrafficPattern::ring;
  if (domains <= 2) return TrafficPattern::rings_2;
  if (domains <= 3) return TrafficPattern::rings_3;
  if (domains <= 4) return TrafficPattern::rings_4;
  return domains <= 8 ? TrafficPattern::rings_8 : TrafficPattern::all_rings;
}

/// "ring", "all_rings", "all_to_all", "p2p", "rings_2".
std::string_view name_of(TrafficPattern pattern);

/// Slowdowns S ≥ 1 of the collectives of groups that span no more than so many GPUs.
struct RoutedSpan {
  std::int64_t gpus = 0;                                            ///< in the order of placement
  std::array<double, kTrafficPatterns.size()> slowdown = alike(1);  ///< by TrafficPattern

  /// The same slowdown of every pattern.
  static constexpr std::array<double, kTrafficPatterns.size()> alike(double slowdown) {
    std::array<double, kTrafficPatterns.size()> all{};
    for (double& one : all) one = slowdown;
    return all;
  }

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
