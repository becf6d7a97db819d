#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/domain/routing.hpp"
#include "planner/domain/software.hpp"
#include "planner/domain/system.hpp"
#include "planner/domain/timing.hpp"
#include "planner/domain/transformer.hpp"

namespace planner {

/// How a model is trained, whatever the machine.
struct TrainingRun {
  std::int64_t global_batch = 0;  ///< B: sequences per iteration
  std::int64_t sequence = 0;      ///< s: tokens per sequence
  Precision precision = Precision::bf16;
  double bytes_per_parameter = 18;  ///< c: weights, gradients and optimizer states together
  std::optional<double> tokens;     ///< to train in all

  bool operator==(const TrainingRun&) const = default;
};

/// A level of the network: traffic between GPUs that lie further apart than `gpus` places gets at
/// most this share of a NIC's bandwidth.
struct NetworkTier {
  std::int64_t gpus = 0;  ///< in the order of placement
  double bandwidth_share = 1;

  bool operator==(const NetworkTier&) const = default;
};

/// Everything a timing model needs besides the strategy.
struct Workload {
  TransformerSpec model;
  System system;
  TrainingRun run;
  std::int64_t gpus = 0;  ///< N
  /// Where the network is oversubscribed, from the leaves up; empty: full bandwidth everywhere.
  std::vector<NetworkTier> network_tiers{};
  /// What routing leaves of the network; it contains the oversubscription and stands in the place
  /// of `network_tiers`.
  std::optional<RoutingFactors> routing{};
  /// What storage on the same network moves through each GPU's share of it, on average over time.
  BytesPerSecond storage_traffic{};
  /// Networks that share no path, over which the GPUs of an HB domain are dealt out one by one; 1:
  /// any two reach each other. What changes its network is first moved over the domain (rail-only
  /// paper, arXiv 2307.12169, Appendix D).
  std::int64_t rails_apart = 1;
  /// Only pipelines may reach further than so many GPUs in the order of placement.
  std::optional<std::int64_t> stage_limit{};
  Software software{};  ///< looked at by the calibrated model only
  TimingModel timing{};

  bool operator==(const Workload&) const = default;
};

/// What a time takes the links of its network to carry: as much as they can, all that every GPU may
/// send, at once, where they are oversubscribed, or the job's own flows by their routing.
enum class LinkLoad { balanced, all_at_once, routed };
inline constexpr std::array kLinkLoads{LinkLoad::balanced, LinkLoad::all_at_once, LinkLoad::routed};

/// As in answers: "all-at-once".
std::string_view name_of(LinkLoad load);
LinkLoad link_load(const Workload& workload);

/// What a plan may fill of a GPU. The calibrated model counts all that lies there, the driver's
/// context too, and has what the driver offers, where that is known; the closed form has the
/// datasheet's figure.
Bytes memory_limit(const Workload& workload);

/// The largest divisor of n that is at most `limit`, at least 1.
std::int64_t largest_divisor(std::int64_t n, std::int64_t limit);

/// GPUs of an HB domain that can be used alike: the largest k ≤ K that divides N (64 of an NVL72's
/// 72 for N = 1,024); N itself when the domain is larger than the cluster. Where N is a multiple of
/// gcd(K, 8), so is k: tensor parallelism comes in powers of two (40 for N = 8,200, not 50).
std::int64_t usable_hb_domain(std::int64_t hb_domain, std::int64_t gpus);

/// Share of a NIC's bandwidth that groups of ranks get on a workload's network.
class NetworkShares {
 public:
  explicit NetworkShares(const Workload& workload);

  /// Every group gets all of it.
  [[nodiscard]] bool full() const { return tiers_.empty() && !routing_ && beside_storage_ == 1; }
  [[nodiscard]] double of(const GroupFlows& groups) const;

 private:
  std::vector<NetworkTier> tiers_;
  std::optional<RoutingFactors> routing_;
  double beside_storage_ = 1;  ///< what storage leaves, of every link alike
};

}  // namespace planner
