#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/counted.hpp"
#include "planner/design/goals.hpp"
#include "planner/design/groups.hpp"
#include "planner/design/run_floors.hpp"
#include "planner/design/times.hpp"

namespace planner::design {

/// A design with the use that each run makes of it, and what it comes to.
struct Found {
  Place place;
  std::vector<BestTime> times;  ///< of each run
  Bought cluster;
  Judged judged;
};

/// How the space was covered: each design is counted once, and they add up to all.
struct Certificate {
  std::int64_t designs = 0;
  std::int64_t searched = 0;           ///< their strategies were
  std::int64_t over_limits = 0;        ///< by parts alone
  std::int64_t by_work = 0;            ///< their GPUs cannot do the work in a time that matters
  std::int64_t by_full_network = 0;    ///< nor on a network of full bandwidth
  std::int64_t by_parts = 0;           ///< what is found already costs or takes no more
  std::int64_t no_network = 0;         ///< cannot be built
  std::int64_t unpriced = 0;           ///< a part has no price or no power
  std::optional<std::string> lacks{};  ///< what the first of these lack, for people
  std::int64_t not_reached = 0;        ///< the time ran out
  std::int64_t searches = 0;           ///< exact ones, over all strategies
  /// Without all: no design that was not looked at has less of the first goal.
  std::optional<double> bound{};
  /// Then, of the one that is asked for: by what share of its first goal another may have less.
  std::optional<double> gap{};

  /// Counts a design that lacks a price or power.
  void add(const Unpriced& lacking);

  [[nodiscard]] bool proved() const { return not_reached == 0; }
};

struct Outcome {
  /// One, or the front by ascending first goal; none: nothing is within the limits.
  std::vector<Found> found;
  Certificate certificate;
};

/// What is asked of a space, one after the other.
enum class Asked { best, each_system, front, relaxations, margins, prices };

/// How far a search of designs has come.
struct DesignProgress {
  Asked asked = Asked::best;
  std::int64_t done = 0, total = 0;  ///< designs
  Measure goal = Measure::tco;       ///< the first
  std::size_t found = 0;             ///< so far: of those asked for, or on the front
  std::optional<double> best{};      ///< the least of the first goal among them
  double bound = 0;                  ///< no design that is left has less of it
};

/// By what share of its goal the best may not be the least: 0 from where nothing left has less.
/// Nothing: the goal is not above nothing.
std::optional<double> gap_of(double best, double bound);

struct Control {
  std::function<void(const DesignProgress&)> progress{};
  std::function<bool()> out_of_time{};  ///< asked now and then; empty: never
  /// Of several processes, asked where each does work of its own: whether the time of this one is
  /// over, whatever that of the others. Empty: never.
  std::function<bool()> out_of_time_here{};
  /// Called now and then between steps, from one thread at a time; others may be searching.
  std::function<void()> between{};
};

/// What questions of one confidence to a space's designs need not find again.
struct Learnt {
  KnownRuns runs;
  RunFloors run_floors;
  CountedDesigns counted;
  KnownCounts counts;
  /// Systems with networks, see Exchange::cheapest_first(); empty: nobody has asked yet. Processes
  /// that divide systems do so by it, whatever the question, so that who asks is who has searched.
  std::vector<std::uint32_t> cheapest_first{};

  /// @param space  outlives it
  Learnt(const Space& space, double confidence)
      : runs(space, confidence),
        run_floors(space, confidence),
        counted(space),
        counts(space, confidence) {}

  /// What the order of questions has left of designs that do not matter.
  void forget_ruled_out() {
    run_floors.forget();
    counts.forget_beyond();
  }
};

/// The designs that are asked for, exactly: none is sampled, none skipped but by proof.
/// @param times, learnt  of the same space, whatever its prices; what they have learnt serves later
/// questions. `learnt` is of the question's confidence; null: its own
/// @param known  designs of the space, which are found where none is better, also beside another
/// system that is asked about: what they rule out need not be looked at. Where systems are asked
/// side by side they count for nothing
Outcome find_designs(const Space& space, const Question& question, Times& times,
                     const Control& control = {}, Learnt* learnt = nullptr,
                     const std::vector<Found>& known = {});

/// The same by looking at every design; for tests and small spaces.
Outcome look_at_every(const Space& space, const Question& question, Times& times);

}  // namespace planner::design
