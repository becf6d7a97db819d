#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/domain/routing.hpp"
#include "planner/network/routing/load_distribution.hpp"

// What a collective gets of the network, S = its time over the time on perfectly balanced links
// that are not oversubscribed.
namespace planner::inline network {

struct Routing {
  RoutingScheme scheme = RoutingScheme::ecmp;
  std::int64_t qps = 1;  ///< q: queue pairs per pair of cards
  /// η: share of the QPs that the hash tells apart; nothing: none of ECMP and pinning, else all.
  std::optional<double> entropy{};
  Striping striping = Striping::fixed;
  double efficiency = 1;  ///< of planned and sprayed paths: goodput over fair share
  double slices = 1;      ///< pinning: share of the destination slices in use
  double quantile = 0.99;

  /// max(1, η·q).
  [[nodiscard]] double distinct_paths() const;
  /// Flows of so many pairs of cards that a hash tells apart.
  [[nodiscard]] std::int64_t hashed_flows(std::int64_t pairs) const;
};

/// Whether a hash alone puts every queue pair on its link.
bool hashes(RoutingScheme scheme);

/// Switches of one kind that hash flows on links alike.
struct LinkStage {
  std::string name;
  std::int64_t flows = 0;   ///< pairs of cards on one such group of links, before QPs
  std::int64_t links = 0;   ///< L of one group
  double rho = 1;           ///< offered load over capacity if perfectly balanced
  std::int64_t groups = 1;  ///< that a collective's slowest flow must survive: uplinks, downlinks
  std::int64_t failed = 0;  ///< k links down in each of `failed_groups`
  std::int64_t failed_groups = 1;
  /// A second switch that hashes with the same function reaches 1 of g links: gcd(L1, L2).
  std::int64_t polarization = 1;
  std::vector<double> sizes{};  ///< relative sizes of the flows, repeated; empty: equal
  /// Of a number that varies between two whole ones: its mean, which `rho` is of and `flows` is
  /// near; 0: there are `flows`.
  double mean_flows = 0;
  bool receive_port = false;  ///< the bonded ports of a receiving card: only hashes load it

  bool operator==(const LinkStage&) const = default;
};

/// Slowdown of the slowest of F pairs of ports that deal their bytes out over q QPs, each on a link
/// of its own choice, to the one with the fewest bytes outstanding: a pair gets the sum of what its
/// QPs' links give, and so the mean load of q links where fixed striping gets the largest. With
/// N = min(F, L^q) different sets of links
///   S = 1 + e_N·√(L/F)/q + (e2_N - 1)·L/(6·F·q²),
/// the maximum of N variables with 1/√q of the deviation of one link's load √(L/(F·q)). Against
/// simulation within 4 % from 8 QPs per link on, up to 12 % too low at 4 per link; never above
/// fixed striping.
LoadDistribution adaptive_ratio(std::int64_t pairs, std::int64_t links, double qps);

/// The links and flows of two planes (HPN, § 6), as even as they divide: an odd link is in the one,
/// an odd flow in the other, and the slower of the two sets the pace.
struct Planes {
  LinkStage fuller, emptier;
  double fuller_load = 1, emptier_load = 1;  ///< of a link, over the mean of both
};

Planes planes_of(const LinkStage& stage);

/// Slowdown of the slowest flow of a collective at one stage, below 1 where capacity is to spare.
LoadDistribution stage_slowdown(const LinkStage& stage, const Routing& routing);
/// Load of the fullest link over the mean, over all groups.
LoadDistribution stage_max_mean_ratio(const LinkStage& stage, const Routing& routing);
/// Slowdown of one pair of cards that sends `hops` times through groups like these.
LoadDistribution tagged_slowdown(const LinkStage& stage, const Routing& routing, std::int64_t hops);

/// Slowdowns of stages under one routing, of one job or of many. How flows of one size lie on the
/// links of one group is worked out once: the stages of a job differ most in how many groups they
/// have, and those of jobs on networks of one kind in that too. From several threads at once, too.
class StageSlowdowns {
 public:
  explicit StageSlowdowns(const Routing& routing) : routing_(routing) {}

  [[nodiscard]] const Routing& routing() const { return routing_; }
  /// See stage_slowdown().
  LoadDistribution of(const LinkStage& stage);
  /// See stage_max_mean_ratio().
  LoadDistribution max_mean_ratio(const LinkStage& stage);
  /// max(1, the largest slowdown of several stages).
  LoadDistribution of_largest(std::span<const LinkStage> stages);

 private:
  /// Of a group of so many flows.
  const LoadDistribution& of_group(const LinkStage& stage, bool failed);

  /// Flows, links, those of them that are down, polarization, whether it is a card's ports.
  using Group = std::array<std::int64_t, 5>;
  Routing routing_;
  std::mutex mutex_;  ///< of what is known
  std::map<Group, LoadDistribution> known_;
};

/// S of what all stages leave: the largest slowdown, never below 1.
struct Slowdown {
  double mean = 1;
  double quantile = 1;
  double p95 = 1;
};

Slowdown slowdown(const std::vector<LinkStage>& stages, const Routing& routing);
Slowdown slowdown(const std::vector<LinkStage>& stages, StageSlowdowns& known);
/// The stage that costs most; nothing: none does.
std::optional<std::size_t> binding(const std::vector<LinkStage>& stages, StageSlowdowns& known);

/// QPs per pair for E[max/mean] ≤ u over n groups, by the closed form with e_{nL}; nothing where it
/// takes more than kMostQps.
inline constexpr std::int64_t kMostQps = 1'000'000;
std::optional<std::int64_t> qps_needed(std::int64_t flows, std::int64_t links, std::int64_t groups,
                                       double u);

/// Gain of an iteration whose share f is exposed communication that becomes s times as fast:
/// 1/(1 - f + f/s).
double end_to_end_gain(double exposed_share, double speedup);
/// f from a measured gain.
double exposed_share(double gain, double speedup);

}  // namespace planner::network
