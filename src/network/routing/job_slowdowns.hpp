#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/domain/flows.hpp"
#include "planner/domain/routing.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "planner/network/routing/routing.hpp"

// S of the groups of a job on its network, from the flows that leave each unit of links.
namespace planner::inline network {

inline constexpr std::size_t kAllTiers = std::numeric_limits<std::size_t>::max();

/// Flows of the groups of an axis against the link groups of their job's network:
///   ρ of a group = flows out · card's rate / (links · their rate · share)
/// with the card's rate over the flows of one card at once where it has several,
///   S = E[max(1, max over groups of ρ · (fullest link over the mean))],
/// groups independent of each other. Of units that the job has a part of, other jobs keep the rest
/// as busy (the share of the links is that of the GPUs, and as many more flows are hashed with its
/// own) or idle. Loads down to a unit are those up from another where all of its flows go there and
/// each spine has one link to each leaf: then one draw counts for both, else two. Sends around a
/// pipeline (FlowKind::wrap) never come without those along it: S is that of both together.
class JobSlowdowns {
 public:
  JobSlowdowns(RoutedFabric fabric, RoutedJob job, const Routing& routing)
      : JobSlowdowns(std::make_shared<StageSlowdowns>(routing), std::move(fabric), std::move(job)) {
  }
  /// @param known  of the routing: that of other jobs too
  JobSlowdowns(std::shared_ptr<StageSlowdowns> known, RoutedFabric fabric, RoutedJob job);
  ~JobSlowdowns();
  JobSlowdowns(const JobSlowdowns&) = delete;
  JobSlowdowns& operator=(const JobSlowdowns&) = delete;

  [[nodiscard]] const RoutedFabric& fabric() const { return fabric_; }
  [[nodiscard]] const RoutedJob& job() const { return job_; }
  /// What is known of stages, for other jobs under the same routing.
  [[nodiscard]] const std::shared_ptr<StageSlowdowns>& known() const { return stage_slowdowns_; }

  /// The stages that flows of the groups pass.
  /// @param tiers  of the network that may be crossed
  [[nodiscard]] std::vector<LinkStage> stages(const GroupFlows& groups,
                                              std::size_t tiers = kAllTiers) const;
  /// Of groups that stand for a pattern among so many GPUs. Where one pair of nodes talks between
  /// zones, rings are laid out so that those of one node's cards do.
  [[nodiscard]] std::vector<LinkStage> stages(TrafficPattern pattern, std::int64_t gpus,
                                              std::size_t tiers) const;
  [[nodiscard]] Slowdown worked_out(const GroupFlows& groups, std::size_t tiers = kAllTiers) const;
  /// The same of all tiers, each worked out once; from several threads at once, too.
  [[nodiscard]] const Slowdown& of(const GroupFlows& groups) const;
  [[nodiscard]] Slowdown of(const std::vector<LinkStage>& stages) const;

  /// Units of a tier that the job has the same number of GPUs of, one after the other.
  struct Run {
    std::int64_t first = 0, size = 0, units = 0;
  };
  [[nodiscard]] const std::vector<Run>& runs(std::size_t tier) const { return runs_[tier]; }
  /// Share that the job has of the uplinks of a unit, of which it has so many GPUs.
  /// @param unit  as the job uses them, 0 the first
  [[nodiscard]] double share_of_unit(std::size_t tier, std::int64_t unit, std::int64_t gpus) const;
  /// Links of a group of this tier that a fault leaves, of the group that it takes most of.
  [[nodiscard]] std::int64_t links_left(std::size_t tier) const;
  /// Share of all links of a unit of this tier that it leaves, of the unit that it takes most of.
  [[nodiscard]] double share_left(std::size_t tier) const;
  /// Whether it takes a port of one card, whose bytes no other card carries.
  [[nodiscard]] bool one_card_slow() const;
  /// S of what it leaves of a card's ports.
  [[nodiscard]] double slowdown_of_cards() const;

 private:
  struct Known;
  /// Flows out of units with so many GPUs of the job, of those that the network has there.
  struct Leaving {
    double flows = 0;
    std::int64_t gpus = 0, units = 0, of = 0;
  };

  /// GPUs that the network has in a unit of the job: the last of all may be smaller than the rest.
  [[nodiscard]] std::int64_t gpus_there(std::size_t tier, std::int64_t unit) const;

  [[nodiscard]] std::vector<Leaving> leaving(const GroupFlows& groups, std::size_t tier) const;
  [[nodiscard]] std::vector<Leaving> leaving_at_random(const GroupFlows& groups,
                                                       std::size_t tier) const;
  [[nodiscard]] bool crosses(const GroupFlows& groups, const FabricTier& tier) const;
  /// Whether cards have a port on each of several switches of this tier, and one hash for all.
  [[nodiscard]] bool bonded_at(std::size_t tier) const { return tier == 0 && fabric_.bonded; }
  /// Share that so many GPUs have of the uplinks of a unit with others.
  [[nodiscard]] double share_of_uplinks(std::int64_t gpus, std::int64_t of) const;
  /// Flows that one card sends at once, at least one.
  [[nodiscard]] double flows_of_card(const GroupFlows& groups) const;
  /// @param of_card  see flows_of_card()
  [[nodiscard]] LinkStage uplinks(const GroupFlows& groups, std::size_t tier, double of_card,
                                  const Leaving& one) const;
  /// Where ports are bonded.
  void add_up_and_down(LinkStage up, std::vector<LinkStage>& stages) const;
  /// @param receiving  cards that do
  void add_receive_ports(double receiving, std::vector<LinkStage>& stages) const;
  void add_stages(const GroupFlows& groups, std::size_t tier, double of_card,
                  std::vector<LinkStage>& stages) const;
  void add_cards(const GroupFlows& groups, std::vector<LinkStage>& stages) const;
  void set_failed(std::size_t tier, bool most, LinkStage& stage) const;
  /// The stage beside the ToR that is down, which carries its bytes too; where a plane is down all
  /// stages of the others do.
  [[nodiscard]] std::optional<LinkStage> carried_by_rest(std::size_t tier, bool most,
                                                         LinkStage& stage) const;

  RoutedFabric fabric_;
  RoutedJob job_;
  std::vector<std::vector<Run>> runs_;  ///< of each tier
  std::shared_ptr<StageSlowdowns> stage_slowdowns_;
  static constexpr std::size_t kBuckets = 1024;
  /// Lists that only grow at their heads, so that what is known is found without waiting.
  mutable std::vector<std::atomic<const Known*>> known_;
};

/// Groups that stand for a pattern among so many consecutive GPUs.
/// @param node  GPUs whose cards send together
GroupFlows groups_of(TrafficPattern pattern, std::int64_t gpus, std::int64_t node);

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
std::vector<RoutedCollective> route(const JobSlowdowns& job);

/// Slowdowns for the timing models: the mean ones, or those of an unlucky draw in all collectives.
RoutingFactors routing_factors(std::shared_ptr<const JobSlowdowns> job,
                               double Slowdown::*which = &Slowdown::mean);

/// S of what faults leave of a card's ports, whatever the traffic: P/(P - 1) where the other ports
/// of a card carry its bytes, rP/(rP - 1) where all those of a node with r cards do; 1: the fault
/// is elsewhere.
double slowdown_of_cards(FaultKind fault, Channels channels, std::int64_t ports,
                         std::int64_t cards_of_node);

}  // namespace planner::network
