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
#include "planner/design/used_gpus.hpp"
#include "planner/domain/strategy.hpp"

namespace planner::design {

/// An iteration by the best strategy on a number of GPUs.
struct BestTime {
  Seconds time{};
  Strategy strategy;
  std::int64_t as_one = 0;  ///< GPUs of a domain that are used as one
};

/// GPUs of a system with a batch.
struct UsedGpus {
  std::size_t system = 0, batch = 0;
  std::int64_t used = 0, bought = 0;
};

/// Times of exact searches, each made once: many designs share a system, a batch, used GPUs and all
/// that can be told apart of their networks.
class Times {
 public:
  /// @param threads  of each search; 0: as many as there are cores
  /// @param stop  set to end a search: it throws Interrupted
  explicit Times(const Space& space, int threads = 0, const std::atomic<bool>* stop = nullptr)
      : space_(space), threads_(threads), stop_(stop) {}

  /// The best of all ways to use the domains that are bought, the largest part first, each of which
  /// takes over where it is faster by one part in 10⁹. Nothing: they do not fit, no strategy does,
  /// or the best takes longer than `limit`.
  /// @param tiers  of the network, in bought GPUs; none: full bandwidth everywhere
  std::optional<BestTime> best(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                               Seconds limit);

  /// Whether there is a way to use the domains whose best time on a network of full bandwidth is
  /// within `limit` and matters. No network is faster, whatever the way.
  bool any_on_full_network(const UsedGpus& gpus, Seconds limit,
                           const std::function<bool(Seconds)>& matters);

  /// How many searches were made.
  [[nodiscard]] std::int64_t searches() const { return searches_; }

 private:
  using Levels = std::vector<std::pair<std::int64_t, double>>;
  struct OneWay {
    std::size_t system = 0, batch = 0;
    std::int64_t used = 0, as_one = 0;
    Levels levels;

    auto operator<=>(const OneWay&) const = default;
  };
  struct AllWays {
    std::size_t system = 0, batch = 0;
    std::int64_t used = 0, domains = 0;  ///< as many as make a difference
    Levels levels;

    auto operator<=>(const AllWays&) const = default;
  };
  struct Ranked {
    Seconds time{};
    Strategy strategy;
  };
  /// What is known of a key: its best, or that it takes longer than so many seconds.
  template <class Best>
  struct Known {
    std::optional<Best> best{};
    double beyond = -1;
  };

  const std::vector<DomainUse>& uses(std::int64_t hb_domain, std::int64_t used);
  std::optional<BestTime> all_ways(const UsedGpus& gpus, std::span<const NetworkTier> tiers,
                                   Seconds limit);
  const Ranked* one_way(const OneWay& key, Seconds limit);
  const Ranked* known_way(const OneWay& key, Seconds limit);
  [[nodiscard]] Workload job_of(const OneWay& key) const;

  const Space& space_;
  int threads_;
  const std::atomic<bool>* stop_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<DomainUse>> uses_;
  std::map<OneWay, Known<Ranked>> ways_;
  std::map<AllWays, Known<BestTime>> bests_;
  std::int64_t searches_ = 0;
};

}  // namespace planner::design
