#pragma once

#include <optional>

#include "planner/core/quantity.hpp"

// When to save the state of a job whose failures are exponential with mean time M between them.
// tau: useful work between two checkpoints; d: training time that a checkpoint takes.
namespace planner::inline reliability {

/// The tau that loses least, M·(1 + W0(-e^(-1-d/M))) with Lambert's W: the derivative of
/// tau/(e^((tau+d)/M) - 1) is 0 there. It does not depend on the recovery time.
Seconds optimal_interval(Seconds d, Seconds M);

/// sqrt(2·d·M). Young 1974, CACM 17(9), Eq. 4.
Seconds young_interval(Seconds d, Seconds M);

/// sqrt(2·d·M)·(1 + sqrt(x)/3 + x/9) - d with x = d/(2M); M where d >= 2M. Daly 2006, Eq. 37.
Seconds daly_interval(Seconds d, Seconds M);

/// Share of the running time that lies in periods of length s which no failure cut short:
/// x/(e^x - 1) with x = s/M. 1 without failures.
double completed_share(double x);

/// What a checkpoint of a size costs at the rate that storage takes.
struct CheckpointTimes {
  Seconds stall{};    ///< training time
  Seconds durable{};  ///< then until it can be loaded
  bool asynchronous = false;

  bool operator==(const CheckpointTimes&) const = default;
};

/// T = size/rate. Synchronous: the job waits T, or the stall given where that is longer.
/// Asynchronous: the stall given, durable T - stall later; the next can begin then. A stall given
/// below T can only be of an asynchronous one.
/// @param size, rate  of one GPU
/// @param stall  nothing: not given
/// @param synchronous  nothing: not said
CheckpointTimes checkpoint_times(Bytes size, BytesPerSecond rate, std::optional<Seconds> stall,
                                 std::optional<bool> synchronous);

}  // namespace planner::reliability
