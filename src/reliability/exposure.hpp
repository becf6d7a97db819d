#pragma once

#include <string>
#include <vector>

#include "planner/domain/reliability.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// One kind of failure as the whole job meets it.
struct Exposure {
  std::string component;
  FailureAction action = FailureAction::crash;
  RateBasis basis = RateBasis::active;
  PerSecond rate{};  ///< of all units together
  bool needs_spare = false;
  Seconds detect{}, diagnose{};
  Seconds repair{};
  double degraded_speed = 1;

  /// Share of the time in which at least one of the units is out, each for `repair`:
  /// 1 - e^(-rate·repair), M/G/infinity.
  [[nodiscard]] double degraded_share() const;
};

/// What can hit the job. With two access switches per network card, the failure of a link or a
/// switch that would crash the job only slows it, n pairs at a rate 2n·r; it crashes where the
/// other one fails during the repair, at 2n·r²·repair.
std::vector<Exposure> exposures(const JobReliability& job);

/// The exposures put together, by the hours in which the job runs.
struct FailureLoad {
  PerSecond rate{};            ///< of crashes; 1/M
  double wall_per_active = 1;  ///< hours of the calendar per hour in which the job runs
  /// Mean recovery time of a crash.
  Seconds detect{}, diagnose{}, restart{}, spare_wait{};
  Seconds recovery_squared{};    ///< square root of the mean square of the whole
  double stalled = 0;            ///< hours of stalls per hour in which the job runs
  Seconds stall_squared{};       ///< sum over stalls of rate times length squared
  double speed = 1;              ///< mean, of what runs while parts are out
  std::vector<PerSecond> rates;  ///< of each exposure, by the hours in which the job runs
  std::optional<double> p_spares_ok{};

  [[nodiscard]] Seconds recovery() const { return detect + diagnose + restart + spare_wait; }
};

/// Nothing where failures keep the job down as fast as the calendar moves on.
std::optional<FailureLoad> failure_load(const JobReliability& job,
                                        const std::vector<Exposure>& exposed);

}  // namespace planner::reliability
