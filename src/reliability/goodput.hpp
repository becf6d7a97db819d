#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/domain/reliability.hpp"
#include "planner/reliability/exposure.hpp"

// What share of the calendar a training job spends on work that stays, and how long it then takes.
namespace planner::inline reliability {

/// Shares of the calendar that do not advance the job.
struct Waste {
  double checkpoint = 0;  ///< stalls of checkpoints that were kept
  double lost = 0;        ///< work, and checkpoints, that a crash took back
  double detect = 0, diagnose = 0, restart = 0, spare_wait = 0;
  double degraded = 0;  ///< running slower, or waiting in a stall

  [[nodiscard]] double total() const {
    return checkpoint + lost + detect + diagnose + restart + spare_wait + degraded;
  }
};

/// One cause of waste: its key in answers and its share of the calendar.
struct WasteCause {
  std::string_view name;
  double Waste::*share;
};
inline constexpr std::array<WasteCause, 7> kWasteCauses{{{"checkpoint", &Waste::checkpoint},
                                                         {"lost", &Waste::lost},
                                                         {"detect", &Waste::detect},
                                                         {"diagnose", &Waste::diagnose},
                                                         {"restart", &Waste::restart},
                                                         {"spare_wait", &Waste::spare_wait},
                                                         {"degraded", &Waste::degraded}}};

/// A checkpoint policy on a load of failures. availability + waste.total() is 1.
struct Goodput {
  double availability = 1;
  Waste waste;
  std::optional<Seconds> interval{};  ///< useful work between checkpoints; nothing: none are taken
};

/// Why a job never finishes, or cannot be described.
enum class GoodputRule {
  stall_too_long,      ///< a checkpoint takes as long as there is between two failures
  durable_too_late,    ///< one failure follows another before a checkpoint can be loaded
  recovery_too_long,   ///< failures come as fast as the job recovers
  hardly_any_advance,  ///< availability below kLeastAvailability
  still_writing,       ///< the next checkpoint would begin before the last can be loaded
};

struct GoodputProblem {
  GoodputRule rule = GoodputRule::stall_too_long;
  Seconds takes{};             ///< what is too long: the stall, the interval; 0: a sum
  Seconds between_failures{};  ///< 1/rate of crashes, in hours in which the job runs
};

/// Below it a job is said never to finish: a month becomes 800 years.
inline constexpr double kLeastAvailability = 1e-4;

/// Availability of a job with exponential failures at rate 1/M per active hour, useful work tau
/// between checkpoints of stall d, durable w later, and recovery R:
///   A = tau·e^(-w/M) / ((M + R)·(e^((tau+d)/M) - 1)), times the mean speed.
/// Renewal-reward: of the e^(-x)/(1 - e^(-x)) periods that complete before a failure (x =
/// (tau+d)/M) a share e^(-w/M) of the expected number is durable. Exact for w <= tau; w = 0 is the
/// synchronous case. Where the recovery can fail, M·e^(R/M) takes the place of M + R.
std::variant<Goodput, GoodputProblem> goodput(const FailureLoad& load,
                                              const CheckpointPolicy& policy);

/// The same from the job.
std::variant<Goodput, GoodputProblem> goodput(const JobReliability& job);

/// How long a run takes.
struct RunDays {
  Seconds ideal{};  ///< without failures and checkpoints
  Seconds mean{}, p50{}, p95{};
  double failures = 0;  ///< crashes to be expected
  Seconds least{};      ///< with its checkpoints but without a failure
  double shape = 0;     ///< of the gamma distribution of what failures add; 0: they add nothing
  Seconds scale{};      ///< of the same distribution

  /// The time by which a share p of such runs is done, 0 < p < 1.
  [[nodiscard]] Seconds quantile(double p) const;
};

/// Mean ideal/A; what failures add to the least time is taken as gamma distributed, with the
/// variance of the work that a renewal-reward process has done (Smith 1955): per crash that of C -
/// D/A, where C is the time from one crash to the end of the recovery from the next and D the work
/// kept in it. The standard deviation agrees with simulation within 2 %. How long single parts stay
/// out, and so for how long the job is slowed, is not spread.
RunDays run_days(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                 const Goodput& goodput);

}  // namespace planner::reliability
