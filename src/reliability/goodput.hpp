#pragma once

#include <array>
#include <optional>
#include <vector>

#include "planner/domain/lost_time.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/reliability/exposure.hpp"
#include "planner/reliability/luck.hpp"

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

/// One cause of waste and its share of the calendar.
struct WasteCause {
  LostCause cause;
  double Waste::*share;
};
inline constexpr std::array<WasteCause, 7> kWasteCauses{
    {{LostCause::checkpoint, &Waste::checkpoint},
     {LostCause::lost_work, &Waste::lost},
     {LostCause::detect, &Waste::detect},
     {LostCause::diagnose, &Waste::diagnose},
     {LostCause::restart, &Waste::restart},
     {LostCause::spare_wait, &Waste::spare_wait},
     {LostCause::degraded, &Waste::degraded}}};

/// An availability that is no more than this is told as this: below it numbers no longer say how
/// long a run takes.
inline constexpr double kLeastAvailability = 1e-100;

/// The interval of the policy, or the best one where crashes have this rate, but at least until one
/// is durable; nothing where nothing crashes.
std::optional<Seconds> checkpoint_interval(PerSecond crashes, const CheckpointPolicy& policy);

/// A checkpoint policy on a load of failures. availability + waste.total() is 1.
struct Goodput {
  double availability = 1;
  Waste waste;
  std::optional<Seconds> interval{};  ///< useful work between checkpoints; nothing: none are taken
};

/// Availability of a job with exponential failures at rate 1/M per running hour, useful work tau
/// between checkpoints of stall d, durable w later, and a time down D of each crash:
///   A = tau·e^(-w/M)/(M·(e^((tau+d)/M) - 1)) · v/(1 + D/M + W + stalls),
/// v: mean speed, W: hours waited for spares per running hour. Renewal-reward: of the e^(-x)/(1 -
/// e^(-x)) periods that complete before a failure (x = (tau+d)/M) a share e^(-w/M) of the expected
/// number is durable. It holds for any w, d and D; w = 0 is the synchronous case. Never 0, nor less
/// than the least.
/// Without an interval the best is taken, which the recovery does not move, but at least w.
Goodput goodput(const FailureLoad& load, const CheckpointPolicy& policy);

/// The same from the job.
Goodput goodput(const JobReliability& job);

/// The same job with the loss of one of two links met as loses less.
JobReliability with_better_link_loss(JobReliability job);

/// How long a run takes.
struct RunDays {
  Seconds ideal{};  ///< without failures and checkpoints
  Seconds mean{}, p50{}, p95{};
  double failures = 0;  ///< crashes to be expected
  Seconds least{};      ///< with its checkpoints but without a failure
  Seconds period{};     ///< of a checkpoint, its stall included
  Seconds deviation{};  ///< standard, of what failures add
  LuckLaw luck{};       ///< what failures add

  /// The time by which a share p of such runs is done, 0 < p < 1.
  [[nodiscard]] Seconds quantile(double p) const;
};

/// Mean ideal/A; what failures add to the least time is a compound Poisson law of the losses (see
/// luck.hpp), whose variance is that of the work that a renewal-reward process has done (Smith
/// 1955): per crash that of C - D/A, where C is the time from one crash to the end of the recovery
/// from the next and D the work kept in it. The standard deviation agrees with simulation within 2
/// %. Of a loss that fewer than 5 of 100 runs meet, the mean has its share and the 95th of 100 has
/// none. How long single parts stay out, and so for how long the job is slowed, is not spread.
/// Quantiles are of runs that begin with what is out where recoveries take no time (clumps.hpp).
RunDays run_days(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                 const Goodput& goodput);

/// The same without quantiles and luck: mean, least and spread.
RunDays run_moments(Seconds ideal, const FailureLoad& load, const CheckpointPolicy& policy,
                    const Goodput& goodput);

/// What failures add to a run of these moments.
/// @param cells, finest  that the law is computed on, as a share of the least time
LuckLaw luck_of(const RunDays& days, const FailureLoad& load, int cells, double finest);

}  // namespace planner::reliability
