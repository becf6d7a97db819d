#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/strategy.hpp"

// Exact searches over all strategies, kept: whoever made them, what they say holds.
namespace planner::design {

/// A network of so many bought GPUs on which flows are routed; 0: flows are routed on none.
struct RoutedOver {
  std::int64_t bought = 0;
  std::uint32_t network = 0;  ///< its place in those of the system

  auto operator<=>(const RoutedOver&) const = default;
};

/// A way to use GPUs of a system for a batch, with all that times can tell of their network.
struct Way {
  std::size_t system = 0, batch = 0;  ///< their places in the lists of the space
  std::int64_t used = 0, as_one = 0;
  std::vector<std::pair<std::int64_t, double>> levels{};  ///< GPUs, and share of bandwidth beyond
  std::int64_t rails_apart = 1;  ///< of a network without routing, see Workload
  RoutedOver routed{};
  std::optional<BytesPerSecond> ports{};  ///< of a GPU, where they are slower than its cards
  bool by_time = false;  ///< its strategies are ranked by time alone, whatever they risk

  [[nodiscard]] bool full_network() const {
    return levels.empty() && rails_apart == 1 && routed.bought == 0 && !ports;
  }
  /// The same GPUs on a network of full bandwidth.
  [[nodiscard]] Way on_full_network() const;

  auto operator<=>(const Way&) const = default;
};

/// For tables of Way and of what is like it.
struct HashOfWay {
  std::size_t operator()(const Way& way) const;
};

struct BestOfWay {
  Seconds value{}, time{};  ///< by which it is ranked, and that it takes
  Strategy strategy;

  bool operator==(const BestOfWay&) const = default;
};

/// What a way's strategies are ranked by.
inline Seconds ranked_by(const Way& way, const BestOfWay& best) {
  return way.by_time ? best.time : best.value;
}

/// What is known of a way: the best strategy, or that it is beyond so many seconds.
struct KnownWay {
  std::optional<BestOfWay> best{};
  double beyond = -1;

  bool operator==(const KnownWay&) const = default;
};

/// A way and what a search has found of it.
using SearchedWay = std::pair<Way, KnownWay>;

/// Searches that were made: now, by a run that was ended, by another process. Several threads may
/// ask and add at once, each of its own ways.
class KnownSearches {
 public:
  /// @param told  whether others are told of them: take_new()
  explicit KnownSearches(bool told = false) : told_(told) {}

  /// What is kept of a way: most are beyond what was asked for, and have no best.
  struct Kept {
    const BestOfWay* best = nullptr;
    double beyond = -1;

    /// Whether it says all that there is up to a value.
    [[nodiscard]] bool answers(Seconds most) const {
      return best != nullptr || beyond >= most.si();
    }
  };
  /// Null: it takes a search.
  [[nodiscard]] const Kept* answer(const Way& way, Seconds most) const;
  /// Of two the one that says more is kept.
  void add(const Way& way, const KnownWay& found);
  [[nodiscard]] std::size_t size() const;
  /// In the order of ways.
  [[nodiscard]] std::vector<SearchedWay> all() const;
  /// Those that were added since the last call.
  [[nodiscard]] std::vector<SearchedWay> take_new();

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Way, Kept, HashOfWay> all_;
  std::deque<BestOfWay> bests_;
  bool told_;
  std::vector<Way> new_;
};

/// What a process says to the others of its team.
struct Said {
  std::vector<SearchedWay> searches{};
  std::string text{};
};

/// Team::deal() of one process, from a count that all raise.
class Dealing {
 public:
  /// @param next  of the count: 0 first, each number once
  Dealing(std::function<std::size_t()> next, std::size_t processes)
      : next_(std::move(next)), processes_(processes) {}

  std::size_t operator()(std::size_t parts);

 private:
  std::function<std::size_t()> next_;
  std::size_t processes_;
  std::size_t dealt_ = 0;  ///< numbers that earlier pieces took
};

/// Processes that answer one question together. Each goes through all of it and makes a part of its
/// searches.
struct Team {
  std::size_t rank = 0, size = 1;
  /// What all say, in the order of ranks, given what this one does. All call it at once.
  std::function<std::vector<Said>(const Said& own)> say{};
  /// Deals out pieces of work: the place of a part of the next one, which no process had yet, or
  /// `parts` where none is left. All ask, one thread at a time, until they are told so, once each;
  /// between two pieces all say something.
  std::function<std::size_t(std::size_t parts)> deal{};

  /// The searches of all, one after the other, likewise.
  [[nodiscard]] std::vector<SearchedWay> share(std::vector<SearchedWay> own) const;
  /// The texts of all.
  [[nodiscard]] std::vector<std::string> tell(std::string own) const;
  /// The numbers of all, added up.
  [[nodiscard]] std::size_t sum(std::size_t own) const;
};

}  // namespace planner::design
