#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/known.hpp"
#include "planner/design/routed_designs.hpp"
#include "planner/design/ways.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/used_gpus.hpp"
#include "planner/search/search.hpp"

namespace planner::design {

/// An iteration at one of the batches by the best strategy on a number of GPUs.
struct BestTime {
  std::size_t batch = 0;
  Seconds time{};
  Strategy strategy;
  job::GpuUse use;  ///< how it stands in the HB domains
};

/// GPUs of a system with a batch.
struct UsedGpus {
  std::size_t system = 0, batch = 0;
  std::int64_t used = 0, bought = 0;
};

/// What a design's network does to times. Empty levels, rails joined, no routing and no slow ports:
/// full bandwidth everywhere.
struct NetworkOfRun {
  std::span<const NetworkTier> tiers{};  ///< in bought GPUs
  std::int64_t rails_apart = 1;          ///< see Workload
  /// Where the space has a routing, its place in the networks of the system: the routing stands in
  /// the place of the tiers.
  std::optional<std::uint32_t> routed{};
  std::optional<BytesPerSecond> ports{};  ///< of a GPU, where they are slower than its cards
};
/// That of a design.
/// @param network  its own; referred to
NetworkOfRun network_of_run(const Space& space, const DesignId& id, const NetworkSpeed& network);

/// Times of exact searches, each made once: many designs share a system, a batch, used GPUs and all
/// that can be told apart of their networks. What is asked of a system may be asked while another
/// thread asks of another.
///
/// The best strategy is that of least ranking value, its time times what its memory risks, as in
/// job::best_use(). What it takes is between that value over the greatest risk and that value: so a
/// search for all values up to FitRule::most_risk() · t finds it where it takes no longer than t.
/// Most ways have no strategy at all that is as fast as they are asked for; that is looked at
/// first, by time alone: it needs to look no further than t.
class Times {
 public:
  /// @param threads  0: as many as there are cores
  /// @param stop  set to end a search: it throws Interrupted
  /// @param team  that this process is of; null: it is alone
  explicit Times(const Space& space, int threads = 0, const std::atomic<bool>* stop = nullptr,
                 const Team* team = nullptr);

  /// The best of all ways to use the domains that are bought, the largest part first, each of which
  /// takes over where its ranking value is less by job::kFaster. Nothing: they do not fit, no
  /// strategy does, or the best takes longer than `limit`.
  std::optional<BestTime> best(const UsedGpus& gpus, const NetworkOfRun& network, Seconds limit);

  /// Whether there is a way to use the domains whose fastest strategy on a network of full
  /// bandwidth, whatever it risks, is within `limit` and matters. On no network is the best faster
  /// than the fastest of all ways here.
  /// @param matters  given that time and the GPUs of the domains that it takes
  bool any_on_full_network(const UsedGpus& gpus, Seconds limit,
                           const std::function<bool(Seconds, std::int64_t)>& matters);

  /// The same of any strategy. What is not there is not kept: for questions asked once of very
  /// many.
  bool any_within(const UsedGpus& gpus, Seconds limit);

  /// How so many GPUs of a system stand in its domains, used in parts of `as_one`.
  const job::GpuUse& use_of(std::size_t system, std::int64_t used, std::int64_t as_one);

  /// A search that may be asked for, up to so large a value.
  struct Wanted {
    Way way;
    Seconds most{};
  };
  /// The searches that any_on_full_network() of the same may make.
  void add_wanted(const UsedGpus& gpus, Seconds limit, std::vector<Wanted>& wanted);
  /// Those that best() may make next, as far as they follow from what is known.
  void add_wanted(const UsedGpus& gpus, const NetworkOfRun& network, Seconds limit,
                  std::vector<Wanted>& wanted);
  /// How many searches are made side by side; 1: there is no use in looking ahead.
  [[nodiscard]] std::size_t side_by_side() const {
    return one_by_one_ ? 1 : team() == nullptr ? lanes_ : all_lanes_;
  }
  /// From now on each search is made on the thread that asks for it, and none ahead; or not so.
  void set_one_by_one(bool one_by_one) { one_by_one_ = one_by_one; }
  /// From now on this process asks what the others do not, as if it were alone; or not so.
  void set_alone(bool alone) { alone_ = alone; }
  /// Makes searches side by side, on all threads of all processes. What they find is only kept: no
  /// answer and no count is another for it.
  void search_ahead(const std::vector<Wanted>& wanted);

  /// Whether what a search is said to have found is a strategy of this space and takes so long.
  [[nodiscard]] bool holds(const SearchedWay& searched);
  /// All searches that were made; what is added to them is not searched again.
  [[nodiscard]] KnownSearches& made() { return made_; }

  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const std::atomic<bool>* stop() const { return stop_; }
  /// How many searches it took, whoever has made them; any_within() is not counted.
  [[nodiscard]] std::int64_t searches() const;
  [[nodiscard]] std::int64_t searches(std::size_t system) const {
    return of_systems_[system].searches;
  }
  /// Null: this process is alone.
  [[nodiscard]] const Team* team() const { return alone_ ? nullptr : team_; }

 private:
  struct AllWays {
    Way any;                   ///< of whatever is used as one; levels in bought GPUs
    std::int64_t domains = 0;  ///< as many as make a difference

    bool operator==(const AllWays&) const = default;
  };
  struct HashOfAllWays {
    std::size_t operator()(const AllWays& ways) const {
      return HashOfWay{}(ways.any) ^ std::hash<std::int64_t>{}(ways.domains);
    }
  };
  /// The same of all ways, by time.
  struct KnownBest {
    std::optional<BestTime> best{};
    double beyond = -1;
  };

  const std::vector<job::GpuUse>& uses(std::size_t system, std::int64_t used);
  std::optional<BestTime> all_ways(const UsedGpus& gpus, const NetworkOfRun& network,
                                   Seconds limit);
  /// A way as far as it was asked for.
  struct AskedWay : KnownSearches::Kept {  ///< `best` in made() or found_here
    /// A value that one of its strategies reaches, if another way's best is one.
    std::optional<Seconds> reached{};
    bool tried = false;  ///< that other way's
  };

  struct OfSystem {
    std::map<std::int64_t, std::vector<job::GpuUse>> uses;  ///< by GPUs that are used
    std::unordered_map<Way, AskedWay, HashOfWay> ways;
    std::deque<BestOfWay> found_here;  ///< without a search, see try_here()
    std::unordered_map<AllWays, KnownBest, HashOfAllWays> bests;
    std::unordered_map<Way, std::optional<Seconds>, HashOfWay> reached_by_first;
    std::int64_t searches = 0;
  };
  AskedWay& asked(const Way& way) { return of_systems_[way.system].ways[way]; }
  [[nodiscard]] int threads_of_search() const { return one_by_one_ ? 1 : threads_; }

  /// Whether any way to use the domains matters, on a network of full bandwidth and ranked by time.
  /// @param matters  given the way and the GPUs of the domains that it takes
  bool any_by_time(const UsedGpus& gpus,
                   const std::function<bool(const Way&, std::int64_t)>& matters);
  /// Whether the fastest of a way takes no longer.
  bool any_within(Way key, Seconds limit);
  const BestOfWay* one_way(const Way& key, Seconds most);
  /// @param most  value up to which it must be known
  const BestOfWay* searched(const Way& key, Seconds most);
  /// Where the best of another way is one of this way too, it is the best or says how far to look.
  void try_here(const Way& key, const BestOfWay& other);
  [[nodiscard]] std::optional<BestOfWay> here(const Way& key, const BestOfWay& other);
  void add_wanted(const Way& key, Seconds limit, std::vector<Wanted>& wanted);
  /// What the fastest of a way's network of full bandwidth takes on its own, if it is one here:
  /// asked for again with every design, and kept.
  std::optional<Seconds> reached_by_first(const Way& way, const BestOfWay& first);
  [[nodiscard]] Workload job_of(const Way& key);
  /// The first of a system's networks that are wired alike: ways take the same times on them.
  [[nodiscard]] RoutedOver as_wired(std::size_t system, RoutedOver over) const {
    if (over.bought > 0) over.network = wired_as_[system][over.network];
    return over;
  }
  [[nodiscard]] Way way_of(const UsedGpus& gpus, const job::GpuUse& use,
                           const NetworkOfRun& network) const;
  /// Whether a way is that by what must be done alone.
  bool beyond(const Way& way, Seconds most);
  [[nodiscard]] KnownWay search(const Workload& job, const Way& way, Seconds most, int threads);
  [[nodiscard]] SearchResult ranked(const Workload& job, const Way& way, FirstOfWays::Length length,
                                    Seconds most, int threads);
  struct Among {
    std::optional<BestOfWay> best{};
    bool no_other = false;  ///< is as good, or within what was asked for
  };
  /// The best of a way among the first ones on a network of full bandwidth.
  /// @param first  null: none are known
  Among among_first(const Workload& job, const Way& way, const FirstOfWays::First* first,
                    Seconds most);
  /// The first in canonical order of strategies that are the best, one as good as the other.
  std::optional<BestOfWay> first_of_equals(const Workload& job, const Way& way,
                                           const std::vector<Strategy>& equal);
  std::shared_ptr<const FirstOfWays::First> first_of(const Way& way, Seconds most, int threads);

  const Space& space_;
  int threads_;
  const std::atomic<bool>* stop_;
  const Team* team_;
  std::size_t lanes_;      ///< searches side by side on this process
  std::size_t all_lanes_;  ///< and on all, which may have other machines: all decide by the same
  bool one_by_one_ = false, alone_ = false;
  /// Of each system, of every network the first that is wired alike: flows are routed alike on
  /// both.
  std::vector<std::vector<std::uint32_t>> wired_as_;
  RoutedDesigns routed_;
  LeastOfWays least_;
  FirstOfWays first_;
  KnownSearches made_;
  std::vector<OfSystem> of_systems_;
};

/// While it lives Times are used in another way: set_one_by_one() where several threads ask, each
/// of systems of its own, or set_alone().
class While {
 public:
  While(Times& times, void (Times::*set)(bool)) : times_(times), set_(set) { (times_.*set_)(true); }
  While(const While&) = delete;
  While& operator=(const While&) = delete;
  ~While() { (times_.*set_)(false); }

 private:
  Times& times_;
  void (Times::*set_)(bool);
};

}  // namespace planner::design
