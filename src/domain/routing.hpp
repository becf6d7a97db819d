#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/domain/flows.hpp"

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

/// How busy other jobs keep the uplinks of a unit that the job has only a part of.
enum class UplinkUse {
  shared,  ///< as busy as the job: it gets the share of them that it has of the unit's GPUs
  alone,   ///< idle: the job gets all of them
};
inline constexpr std::array kUplinkUses{UplinkUse::shared, UplinkUse::alone};

constexpr std::string_view name_of(UplinkUse use) {
  return use == UplinkUse::alone ? "alone" : "shared";
}

/// What a node does with the bytes of a port that is down.
enum class Channels {
  fixed,       ///< the other ports of its card carry them
  rebalanced,  ///< all ports of the node do: bytes move over its HB domain
};
inline constexpr std::array kChannels{Channels::fixed, Channels::rebalanced};

constexpr std::string_view name_of(Channels channels) {
  return channels == Channels::rebalanced ? "rebalanced" : "fixed";
}

/// What is down.
enum class FaultKind {
  uplink,       ///< so many uplinks of one leaf
  nic_link,     ///< a link between a card and its switch
  tor,          ///< one of the leaf switches of a card
  plane,        ///< one of several planes
  aggregation,  ///< so many of the switches above leaves, of each pod
  core,         ///< so many links of one pod to the core
};
inline constexpr std::array kFaultKinds{FaultKind::uplink, FaultKind::nic_link,    FaultKind::tor,
                                        FaultKind::plane,  FaultKind::aggregation, FaultKind::core};

/// As on the command line: "nic-link", "agg".
std::string_view name_of(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::uplink;
  std::int64_t count = 1;  ///< of uplinks, aggregation switches, core links

  bool operator==(const Fault&) const = default;
};

/// Whether a fault is one of a number of things.
constexpr bool is_counted(FaultKind kind) {
  return kind == FaultKind::uplink || kind == FaultKind::aggregation || kind == FaultKind::core;
}
/// "uplink:2", "tor".
std::string text_of(const Fault& fault);
/// The fault that a text names; nothing: none does.
std::optional<Fault> fault_named(std::string_view text);

/// How a job is routed, as far as someone has said so.
struct RoutingSettings {
  std::optional<RoutingScheme> scheme{};
  std::optional<std::int64_t> qps{};   ///< queue pairs per pair of ports
  std::optional<double> entropy{};     ///< share of the QPs that the hash tells apart
  std::optional<Striping> striping{};  ///< over the QPs
  std::optional<double> efficiency{};  ///< goodput of planned and sprayed paths over their share
  std::optional<double> quantile{};
  std::optional<Fault> fail{};
  std::optional<Channels> channels{};  ///< where a card's port is down
  std::optional<UplinkUse> uplinks{};
  std::optional<bool> same_hash{};  ///< all tiers hash alike
  std::optional<Placement> placement{};
  std::optional<double> rack_share{};   ///< of a rack's slices, where the placement is partial
  std::optional<std::int64_t> peers{};  ///< remote ranks that an all-to-all sends to at a time
  /// Of each widest unit of the network: pod, zone, or leaf where there are no pods.
  std::optional<std::vector<std::int64_t>> free_gpus{};
  std::optional<std::int64_t> in_leaf{};  ///< GPUs that a leaf gives at most; no option asks for it

  bool operator==(const RoutingSettings&) const = default;
};

/// What `over` says, and what `base` says of the rest.
RoutingSettings overlaid(const RoutingSettings& base, const RoutingSettings& over);

/// Groups of ranks that stand for others, where no plan says which there are.
enum class TrafficPattern {
  ring,        ///< one ring over neighbouring nodes: one node's cards leave a unit
  all_rings,   ///< rings of the GPUs with the same place in their nodes: every card leaves the unit
  all_to_all,  ///< every rank to every other
  p2p,         ///< a pipeline of two stages: every card sends to one far away
};
inline constexpr std::array kTrafficPatterns{TrafficPattern::ring, TrafficPattern::all_rings,
                                             TrafficPattern::all_to_all, TrafficPattern::p2p};

/// "ring", "all_rings", "all_to_all", "p2p".
std::string_view name_of(TrafficPattern pattern);

/// Slowdowns S ≥ 1 of groups of ranks, as functions of who they are: the same groups always get the
/// same.
class GroupSlowdowns {
 public:
  GroupSlowdowns() = default;
  GroupSlowdowns(const GroupSlowdowns&) = delete;
  GroupSlowdowns& operator=(const GroupSlowdowns&) = delete;
  virtual ~GroupSlowdowns() = default;

  [[nodiscard]] virtual double of(const GroupFlows& groups) const = 0;
};

/// What routing leaves of the network's bandwidth, one factor for the groups of each axis of a
/// plan:
///   t = α + bytes · factor / (BW · cc_eff / S),   S = slowdown(groups),
/// with a cap by NVLink or the card as min() after S. The default leaves every time untouched.
///
/// S is against a network without oversubscription and contains it: these factors stand in the
/// place of a workload's `network_tiers`, never beside them. A rate measured on a cluster already
/// has that cluster's S in it: relative() divides by it.
class RoutingFactors {
 public:
  RoutingFactors() = default;
  explicit RoutingFactors(std::shared_ptr<const GroupSlowdowns> slowdowns)
      : slowdowns_(std::move(slowdowns)) {}

  [[nodiscard]] double slowdown(const GroupFlows& groups) const {
    return slowdowns_ ? slowdowns_->of(groups) : 1;
  }
  /// The same factors, not ones like them.
  bool operator==(const RoutingFactors&) const = default;

 private:
  std::shared_ptr<const GroupSlowdowns> slowdowns_;
};

/// The same slowdown of all groups.
RoutingFactors uniform_factors(double slowdown);
/// Slowdowns over those of a reference on the same network.
RoutingFactors relative(const RoutingFactors& factors, const RoutingFactors& reference);
/// The least slowdown of each group.
RoutingFactors least_of(std::vector<RoutingFactors> factors);

}  // namespace planner
