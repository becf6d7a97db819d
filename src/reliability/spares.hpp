#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "planner/domain/reliability.hpp"

// Whether the units kept ready suffice, and how long the job waits where they do not. Each fails on
// its own, with exponential times between failures; spares that are idle fail as well.
namespace planner::inline reliability {

/// P(X <= k) of a binomial distribution of n trials with probability p.
double binomial_cdf(std::int64_t k, std::int64_t n, double p);

/// P(at most `spares` of n units fail within T), nothing being repaired: X ~ Bin(n, 1 -
/// e^(-rate·T)).
double spares_suffice(std::int64_t n, std::int64_t spares, PerSecond rate, Seconds T);

/// The fewest spares beside `active` units with which P(they suffice for T) >= confidence.
std::int64_t spares_needed(std::int64_t active, PerSecond rate, Seconds T, double confidence);

/// Units that are lost together and come back together: the hosts of an access switch.
struct GroupLosses {
  std::int64_t groups = 0;
  PerSecond rate{};        ///< of one group
  std::int64_t units = 1;  ///< of one group
  Seconds repair{};
};

/// A pool of spares and the units of the job that it stands in for.
struct SparePool {
  std::int64_t active = 0, spares = 0;
  PerSecond rate{};  ///< of one unit: failures that need a spare
  Seconds repair{};
  /// Repairs at once: the pool's share of all crews, which need not be a whole number.
  double crews = std::numeric_limits<double>::infinity();
  GroupLosses groups{};

  [[nodiscard]] bool loses_groups() const {
    return groups.groups > 0 && groups.rate * groups.repair > 0;
  }
};

/// Share of the time in which no more than `most` units are out if units fail at all hours: P(j +
/// k·g <= most), j ~ Bin(n + S, q), g ~ Bin(G, q_g), q = λρ/(1 + λρ). Exact for any law of the
/// repair time, with as many crews as needed.
/// @param slower  what the repair times are divided by
double out_at_most(const SparePool& pool, std::int64_t most, double slower = 1);

/// Crashes of one kind that need a spare: their share of these, and their recovery, which hides the
/// beginning of a wait.
struct HidingCrash {
  double share = 0;
  Seconds down{};
};

/// Crashes of the job that spares are for, and of all other kinds.
struct Crashes {
  PerSecond rate{};      ///< by the hours in which the job runs
  Seconds down{};        ///< mean recovery, the wait for a spare aside
  double stalled = 0;    ///< hours of stalls per running hour
  double of_losses = 1;  ///< share of the losses that wait for spares that are crashes too
  std::span<const HidingCrash> hiding{};  ///< crashes that need a spare; none: as all others

  /// Of a wait whose length is exponential with this mean, the share that recoveries leave, less 1:
  /// E[e^(-D/T)] - 1.
  [[nodiscard]] double hides(double mean) const;
};

/// What takes spares of a pool: units one by one, and in groups.
struct SpareLosses {
  PerSecond rate{};  ///< of one unit
  Seconds repair{};
  GroupLosses groups{};
};

/// What comes of hosts that lost one of two links or switches. A spare takes their place while one
/// is free; else they work on, slower.
struct SwapOutlook {
  double slowed = 0;   ///< share of the running time in which some work on
  double singles = 1;  ///< of single losses: pauses for a swap
  double groups = 1;   ///< and of lost groups
};

/// Pauses of one kind, waits for a spare, stalls or swaps, by the hours in which the job runs.
struct Pauses {
  PerSecond rate{};
  Seconds each{};
  Seconds deviation{};   ///< of one
  double per_clump = 1;  ///< as many come soon after one another: the mean of a geometric number
  Seconds clump{};       ///< running time that they take
  double at_start = 1;   ///< times as often when a run begins
  Seconds settles{};     ///< running time in which that is over

  /// Rate times mean square.
  [[nodiscard]] Seconds squared() const {
    return (rate * each) * each + (rate * deviation) * deviation;
  }
  /// Those of a clump as one: as many as a run of this running time meets of them.
  [[nodiscard]] Pauses as_clumps(Seconds run) const;
  bool operator==(const Pauses&) const = default;
};

/// What a job meets that needs spares.
struct SpareOutlook {
  double p_ok = 1;              ///< the spares of every pool suffice: share of time, or of visits
  double waiting = 0;           ///< hours waited per hour in which the job runs
  double hidden = 0;            ///< likewise, hours of shortages that recoveries hide
  std::vector<Pauses> waits{};  ///< by how long they are, within factors of 4; infinite: none

  /// Of all waits.
  [[nodiscard]] PerSecond rate() const;
  [[nodiscard]] Seconds squared() const;

  bool operator==(const SpareOutlook&) const = default;
};

/// Adds to waits by kind: those within a factor of 4 are one.
void add_waits(std::vector<Pauses>& waits, const Pauses& more);

class ShortageCurves;

/// So many pools of this kind.
struct LikePools {
  SparePool pool;
  std::int64_t number = 1;
};

/// Hours waited where units fail while the job runs only, repairs going on all along. The states
/// (j units out, g groups out), j + k·g <= S, are those of a birth-death chain whose repairs take
/// ρ/x running hours. A loss that finds too few waits T(j, g) = (1 + (j/ρ)·T(j-1, g) + (g/ρ_g)·T(j,
/// g-1))/(j/ρ + g/ρ_g) until enough are back, of which a recovery hides all but T·e^(-D/T). x are
/// the hours in which a pool has enough, recoveries in its shortages left out, of n like pools:
///   x = 1 + c·(L·D + stalls - Σ r(x)·T·(1 - h) + (n - 1)·Σ r(x)·T·h), h = E[e^(-D/T)],
/// r(x) rates of shortages of one pool. c is 1 of one pool, and of several, which are out of step,
/// (S + 1)/(S + 2): that share of the repairs, as of S units that are out each comes back in a wait
/// of mean ρ/(S + 1) with probability 1/(S + 2). That is so of single units with as many crews as
/// are needed; fewer crews and groups are left out, c being the same there. One pool takes
/// x + Σ r(x)·T in all, as if nothing was hidden; as Σ r(x)·T falls no faster than x grows, a
/// longer recovery never shortens what one pool takes, nor what several do (docs/goodput.md). Exact
/// for one pool and D = 0, but for groups counted in bundles (group_shortages.hpp); within 1.5 % of
/// simulations with recoveries, 7 % with several pools.
/// @param curves  where given, shortages beside groups are theirs
SpareOutlook waits_while_running(std::span<const LikePools> pools, const Crashes& crashes,
                                 ShortageCurves* curves = nullptr);

inline SpareOutlook waits_while_running(const SparePool& pool, const Crashes& crashes) {
  const LikePools one{pool};
  return waits_while_running(std::span(&one, 1), crashes);
}

/// The same where units fail at all hours. Enough are there for a share p of them. Shortages of
/// rates r, by the hours in which enough are there, of mean T, stretched by one factor so that
/// those of all pools come to (1 - p)/p, are each a chain of two states: of a recovery of D that
/// began in one, e = E[e^(-D/(p·T))] is left, and one that began in none ends in one with
/// probability p·r·T·(1 - e):
///   W = Σ T·(r·e + L·p·r·T·(1 - e)) + stalls·(1 - p)/p.
/// 1 + L·D + W never falls where D is longer, as no more losses than L begin a shortage.
SpareOutlook waits_at_all_hours(std::span<const LikePools> pools, const Crashes& crashes);

inline SpareOutlook waits_at_all_hours(const SparePool& pool, const Crashes& crashes) {
  const LikePools one{pool};
  return waits_at_all_hours(std::span(&one, 1), crashes);
}

/// A unit of several trays that fail one by one, some of them spare: it is out while more are out
/// than are spare. Its failures as one: rate, and repair.
struct UnitOutages {
  PerSecond rate{};
  Seconds repair{};
};
/// P(more than `spare` of n trays are out) = P(Bin(n, q) > spare), q = λρ/(1 + λρ), by a rate and a
/// repair that give it.
/// @param rate  of one tray
UnitOutages unit_outages(std::int64_t trays, std::int64_t spare, PerSecond rate, Seconds repair);

/// The job's units dealt out over equal pools as evenly as they divide; the first pool that is
/// short makes the job wait. Crews are of all pools, and each has its share of them, as if none was
/// lent to another: a bound, as pools that lend them wait no longer. More pools are never better.
/// With visits in the place of repairs it waits for the next one, and a group counts as its units.
/// Where units fail while the job runs only, the pools' repairs go on while it waits for one of
/// them.
/// @param active  units of the job
/// @param rate  of failures of one unit that need a spare
SpareOutlook spare_outlook(const SparePolicy& policy, std::int64_t active, PerSecond rate,
                           const GroupLosses& groups, const Crashes& crashes, DownHazard hazard,
                           ShortageCurves* curves = nullptr);

/// Hosts that can work on give their spare, or their own place, to those that cannot: these wait as
/// if they were alone, and the job is slowed while more of both are out than there are spares. A
/// multinomial law of the units makes that share 1 - P(all out <= S)/P(crashed <= S), exact where
/// nothing waits. A loss pauses the job once where it finds a spare, and once where it is the last
/// too many and another host comes back before it, S times of S + 1.
/// @param crashing, all  losses that crash the job; these and those that only slow it
/// @param slower  what repair times are divided by, to be hours in which units fail
SwapOutlook swap_outlook(const SparePolicy& policy, std::int64_t active,
                         const SpareLosses& crashing, const SpareLosses& all, double slower);

}  // namespace planner::reliability
