#pragma once

#include <span>
#include <vector>

#include "planner/domain/reliability.hpp"

// What a crash costs in time down, when failures go on during the recovery from it. One crash is of
// class i with probability p_i = rate_i/L; k: the rate of failures while the job is down.
namespace planner::inline reliability {

/// Crashes that recover alike: a failure within `cured` is cured by the recovery under way, one
/// within `redone`, which follows, starts over as a crash of its own class.
struct CrashClass {
  PerSecond rate{};  ///< by the hours in which the job runs
  Seconds cured{}, redone{};

  [[nodiscard]] Seconds uninterrupted() const { return cured + redone; }
};

/// `noticed`: detection and diagnosis; `restarted`: from then until the job trains again.
CrashClass crash_class(PerSecond rate, Seconds noticed, Seconds restarted, RecoveryMode mode);

/// Time down of one crash.
struct Downtime {
  Seconds mean{};
  Seconds deviation{};
};

/// Mean D = Σ p_i·(a_i + (1 - e^(-k·b_i))/k) / Σ p_i·e^(-k·b_i), a: cured, b: redone; one class:
/// a·e^(kb) + (e^(kb) - 1)/k, and a + b without failures while down. Renewal argument: every
/// attempt spends a_i and min(Y, b_i) with Y exponential, and succeeds with e^(-k·b_i). The second
/// moment is {Σ p_i·E(a_i + min(Y, b_i))² + 2D·Σ p_i·E[a_i + Y; Y < b_i]} / Σ p_i·e^(-k·b_i).
/// Checked by simulation.
/// @param hazard  share of the rate that acts while the job is down
Downtime downtime(std::span<const CrashClass> crashes, double hazard = 1);

/// What failures during recoveries add to crashes of one class.
struct Interruptions {
  double share = 0;  ///< of its crashes whose recovery is interrupted
  Seconds longer{};  ///< on average, what these take more than an uninterrupted recovery
};

/// Of each class 1 - e^(-L·b) are interrupted, after a + E[Y | Y < b], and take D more, as that of
/// any class. Where that is less than their own a + b they take that nevertheless, the others less
/// in their place: all come to D.
/// @param down  mean of a crash of any class, no less than without interruptions
std::vector<Interruptions> interruptions(std::span<const CrashClass> crashes, Seconds down);

/// Mean of min(Y, t), Y exponential at a rate: t without failures.
Seconds until_failure(PerSecond rate, Seconds t);

/// Recovery times that were observed have in them what failures during the recovery added. The
/// share of them that is left without: with it, downtime() gives the observed mean at the rates of
/// those who observed. One class that restarts: M·ln(1 + K/M)/K, M the time between failures, K the
/// observed recovery.
/// @param observed  `cured`: detection and diagnosis, `redone`: restart, as they were observed
double undisturbed_share(std::span<const CrashClass> observed, RecoveryMode mode);

}  // namespace planner::reliability
