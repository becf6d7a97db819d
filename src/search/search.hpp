#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/domain/fits.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

class LeastTimes;

/// What the best is. Cost is GPUs times time at one price: of equal GPUs, the fastest is the
/// cheapest.
enum class Objective { time, cost, memory };
inline constexpr std::array kObjectives{Objective::time, Objective::cost, Objective::memory};

/// As on the command line and in JSON: "time".
constexpr std::string_view name_of(Objective objective) {
  switch (objective) {
    case Objective::time:
      return "time";
    case Objective::cost:
      return "cost";
    case Objective::memory:
      return "memory";
  }
  return "";
}

/// How far a search has come, for whoever watches it.
struct SearchProgress {
  std::int64_t done = 0;   ///< columns, see Column
  std::int64_t total = 0;  ///< columns
  const char* what = "(tp, pp) pairs";
};

/// What a search comes to know of some strategies.
struct SearchedSetting {
  Seconds least{};  ///< none that fits takes less
  Bytes up_to{};    ///< nor does any that needs less memory than that
};
/// Of those of a column.
struct SearchedColumn {
  Column column;
  Seconds least{};
  bool any_fits = true;  ///< false: none does
  Bytes up_to{};
  /// The same of each of Enumeration::settings(). Empty: not known.
  std::vector<SearchedSetting> of_settings{};
};

struct SearchOptions {
  Objective objective = Objective::time;
  std::size_t top = 5;  ///< how many of the best to keep
  /// How many times the best's value one of them may have, at least 1.
  double within = std::numeric_limits<double>::infinity();
  int threads = 0;     ///< 0: as many as there are cores
  bool front = false;  ///< find the front of time against memory too
  /// Probability of fitting the memory that a strategy must have, below 1; the calibrated model's.
  /// 0: what FitRule does not refuse.
  double least_p_fits = 0;
  /// Skip the times of strategies that provably cannot be among the best. Never changes a result.
  bool prune = true;
  /// Say how many strategies there are, how many fit, and what comes closest where none does.
  /// False: what provably cannot be among the best is not even counted, and the result says nothing
  /// of it.
  bool count = true;
  /// A ranking value that some feasible strategy of the space is known to reach: with `top` 1 a
  /// start for the pruning.
  Seconds known_time{std::numeric_limits<double>::infinity()};
  /// What no strategy of a column beats, with `count` and `front` false: columns that `known_time`
  /// beats are not looked at. Asked from the calling thread alone; may be null.
  LeastTimes* least_times = nullptr;
  /// Filled with all columns of the space in canonical order, with `count`; what is known of their
  /// times depends on the threads' timing, and is nothing with `front`. Without `count`, but with
  /// `top` 0, with those that matter beside `known_time`: their times are infinite where that beats
  /// them. May be null.
  std::vector<SearchedColumn>* searched = nullptr;
  /// How far above the best, as a multiple of it, somebody wants to know the least times of columns
  /// that are told there: worth some work. At least 1.
  double told_up_to = 1;
  /// Called from any thread, one call at a time; may be empty.
  std::function<void(const SearchProgress&)> progress;
  /// Set to stop early; the result then says `interrupted`.
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool fills_searched() const { return searched != nullptr && (count || top == 0); }
  /// The same where nothing but the best is asked for, and no progress is shown.
  [[nodiscard]] SearchOptions for_best() const {
    SearchOptions best = *this;
    best.top = 1;
    best.front = best.count = false;
    best.progress = nullptr;
    return best;
  }
};

/// A strategy with what the ranking looks at: by time, its time times what the memory risks
/// (FitRule::risk), and of equal ones the faster.
struct Ranked {
  Strategy strategy;
  Seconds time{};
  Bytes memory{};

  [[nodiscard]] Seconds value(const FitRule& rule) const { return rule.risk(memory) * time; }

  bool operator==(const Ranked&) const = default;
};

struct SearchResult {
  std::int64_t strategies = 0;  ///< legal by the timing model's rules (Eqs. 11-18)
  std::int64_t feasible = 0;    ///< of those, the ones that fit the memory (Eq. 19)
  std::vector<Ranked> best;     ///< feasible ones, best first
  /// The fastest feasible one, whatever it risks; unless memory is the objective.
  std::optional<Ranked> fastest;
  /// GPUs of each HB domain that it uses as one where these are fewer; 0: the workload's. Looked
  /// for by job::search_domains() alone.
  std::int64_t fastest_hb_domain = 0;
  /// The feasible ones that no other beats in time without needing more memory, nor in memory
  /// without taking longer: memory ascends, time falls. Of equal ones the first in canonical order.
  std::vector<Ranked> front;
  /// The strategy that needs the least memory, when none fits.
  std::optional<Ranked> closest_miss;
  bool interrupted = false;

  bool operator==(const SearchResult&) const = default;
};

/// What decides of a workload's strategies which fit, and what their memory risks.
FitRule fit_rule(const Workload& workload, double least_p_fits = 0);

/// The best strategies of the space, exactly: none is sampled, none skipped but by proof. Ties go
/// to the earlier strategy in canonical order (see Column), so the answer does not depend on the
/// threads.
/// @throws UsageError "too-large", see kMostColumns
SearchResult rank_strategies(const Workload& workload, const SearchSpace& space,
                             const SearchOptions& options);
/// The same by time alone, whatever a strategy's memory risks; `known_time` is a time.
SearchResult rank_by_time(const Workload& workload, const SearchSpace& space,
                          const SearchOptions& options);

}  // namespace planner::search
