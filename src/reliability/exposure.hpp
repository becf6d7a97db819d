#pragma once

#include <string>
#include <vector>

#include "planner/domain/reliability.hpp"
#include "planner/reliability/recovery.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// One kind of failure as the whole job meets it.
struct Exposure {
  std::string component;
  FailureAction action = FailureAction::crash;
  PerSecond rate{};  ///< of all units together, by the hours in which the job runs
  bool needs_spare = false;
  bool of_switch = false;  ///< holds the hosts of an access switch, where there are spares
  bool of_feed = false;    ///< likewise those of a power feed
  Seconds detect{}, diagnose{};
  LogSpread detect_unknown{}, diagnose_unknown{};
  Seconds repair{};
  Seconds pause{};  ///< of a stall
  double degraded_speed = 1;
  /// One of two links or switches: a spare takes the host's place while one is free; else the job
  /// works on at the degraded speed.
  bool swapped = false;

  [[nodiscard]] bool of_group() const { return of_switch || of_feed; }
  [[nodiscard]] bool takes_spares() const { return of_group() || needs_spare; }
};

/// What can hit the job. A link holds its host until it is repaired, a switch all its hosts: both
/// need spares. With two access switches per network card, the failure of a link or a switch that
/// would crash the job only slows it, n pairs at a rate 2n·r, or pauses it where the hosts are
/// swapped; it crashes where the other one fails during the repair, and where the other one is down
/// all the time. A feed takes the hosts of its
/// row with it until it is back.
std::vector<Exposure> exposures(const JobReliability& job);

/// Of all crashes, by the hours in which the job runs.
PerSecond crash_rate(const std::vector<Exposure>& exposed);

/// Crashes of one kind, or stalls that take a spare, by the hours in which the job runs.
struct LossKind {
  PerSecond rate{};
  Seconds each{};                    ///< down, the wait for a spare aside
  Seconds least{};                   ///< a recovery that nothing interrupts, or the stall
  Interruptions interrupted{};       ///< of recoveries
  std::vector<PerSecond> waiting{};  ///< rates of those that wait for a spare, by kind of wait
};

/// The exposures put together, by the hours in which the job runs.
struct FailureLoad {
  PerSecond rate{};            ///< of crashes; 1/M
  double wall_per_active = 1;  ///< hours of the calendar per hour in which the job runs
  /// Mean time of a crash, the wait for a spare aside: what failures during the recovery add is
  /// part of the restart.
  Seconds detect{}, diagnose{}, restart{};
  Seconds down_deviation{};  ///< of their sum
  double waiting = 0;        ///< hours waited for spares per hour in which the job runs
  double crashes_wait = 0;   ///< of them after crashes, as if each loss waited alike
  double stalled = 0;        ///< hours of stalls per hour in which the job runs
  std::vector<LossKind> crashes;
  std::vector<LossKind> stalls;     ///< that take a spare
  std::vector<Pauses> pauses;       ///< other stalls, and swaps, by kind
  std::vector<Pauses> spare_waits;  ///< those of crashes and stalls among them
  double speed = 1;                 ///< mean, of what runs while parts are out
  double unswapped = 0;  ///< share of the running time in which hosts work on for want of spares
  std::vector<PerSecond> rates;  ///< of each exposure
  std::optional<double> p_spares_ok{};

  /// Down for each crash, the wait for a spare aside.
  [[nodiscard]] Seconds down() const { return detect + diagnose + restart; }
  /// With the wait for a spare.
  [[nodiscard]] Seconds recovery() const {
    return rate > PerSecond{} ? down() + Seconds{crashes_wait / rate.si()} : down();
  }
};

/// @param curves  for those who ask for many loads of one job
FailureLoad failure_load(const JobReliability& job, const std::vector<Exposure>& exposed,
                         ShortageCurves* curves = nullptr);

}  // namespace planner::reliability
