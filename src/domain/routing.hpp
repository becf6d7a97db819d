#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace planner {

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
/// has that cluster's S in it: divide by it, do not multiply twice.
struct RoutingFactors {
  std::vector<RoutedSpan> spans{};  ///< smallest first; beyond the last, its factors hold

  [[nodiscard]] double slowdown(TrafficPattern pattern, std::int64_t gpus) const;
  bool operator==(const RoutingFactors&) const = default;
};

}  // namespace planner
