#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "planner/design/space.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/job/used_gpus.hpp"

namespace planner::design {

/// An iteration by the best strategy on a number of GPUs.
struct BestTime {
  Seconds time{};
  Strategy strategy;
  job::GpuUse use;  ///< how it stands in the HB domains
};

/// GPUs of a system with a batch.
struct UsedGpus {
  std::size_t system = 0, batch = 0;
  std::int64_t used = 0, bought = 0;
  bool rails_apart = false;  ///< of their network, see Workload
};

/// Times of exact searches, each made once: many designs share a system, a batch, used GPUs and all
/// that can be told apart of their networks.
///
/// The best strategy is that of least ranking value, its time times what its memory risks, as in
/// job::best_use(). What it takes is between that value over the greatest risk, kMostRisk, and that
/// value: so a search for all values up to kMostRisk · t finds it where it takes no longer than t.
class Times {
 public:
  /// @param threads  of each search; 0: as many as there are cores
  /// @param stop  set to end a search: it throws Interrupted
  explicit Times(const Space& space, int threads = 0, const std::atomic<bool>* stop = nullptr)
      : space_(space), threads_(threads), stop_(stop) {}

  /// The best of all ways to use the domains that are bought, the largest part first, each of which
  /// takes over where its ranking value is less by job::kFasterPart. Nothing: they do not fit, no
  /// strategy does, or the best takes longer than `limit`.
  /// @param tiers  of the network, in bought GPUs; none: full bandwidth everywhere
  std::optional<BestTime> best(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                               Seconds limit);

  /// Whether there is a way to use the domains whose fastest strategy on a network of full
  /// bandwidth, whatever it risks, is within `limit` and matters. On no network is the best faster
  /// than the fastest of all ways here.
  bool any_on_full_network(const UsedGpus& gpus, Seconds limit,
                           const std::function<bool(Seconds)>& matters);

  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const std::atomic<bool>* stop() const { return stop_; }
  /// How many searches were made.
  [[nodiscard]] std::int64_t searches() const { return searches_; }

 private:
  using Levels = std::vector<std::pair<std::int64_t, double>>;
  struct OneWay {
    std::size_t system = 0, batch = 0;
    std::int64_t used = 0, as_one = 0;
    bool rails_apart = false;
    Levels levels;

    auto operator<=>(const OneWay&) const = default;
  };
  struct AllWays {
    std::size_t system = 0, batch = 0;
    std::int64_t used = 0, domains = 0;  ///< as many as make a difference
    bool rails_apart = false;
    Levels levels;

    auto operator<=>(const AllWays&) const = default;
  };
  struct BestOfWay {
    Seconds value{}, time{};
    Strategy strategy;
  };
  /// What is known of a way: the best by its value and the fastest, or that both are beyond so many
  /// seconds.
  struct KnownWay {
    std::optional<BestOfWay> best{};
    std::optional<Seconds> fastest{};
    double beyond = -1;
  };
  /// The same of all ways, by time.
  struct KnownBest {
    std::optional<BestTime> best{};
    double beyond = -1;
  };

  const std::vector<job::GpuUse>& uses(std::int64_t hb_domain, std::int64_t used);
  std::optional<BestTime> all_ways(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                   Seconds limit);
  const BestOfWay* one_way(const OneWay& key, Seconds most);
  /// @param most  value up to which it must be known
  const KnownWay& searched(const OneWay& key, Seconds most);
  [[nodiscard]] const BestOfWay* known_best(const KnownWay& known, Seconds most) const;
  [[nodiscard]] Workload job_of(const OneWay& key) const;

  const Space& space_;
  int threads_;
  const std::atomic<bool>* stop_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<job::GpuUse>> uses_;
  std::map<OneWay, KnownWay> ways_;
  std::map<AllWays, KnownBest> bests_;
  std::int64_t searches_ = 0;
};

}  // namespace planner::design
