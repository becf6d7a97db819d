#pragma once

#include "planner/domain/reliability.hpp"

// A job that runs on while parts are out.
namespace planner::inline reliability {

/// Share of the time in which at least one of the parts is out, each for `repair`: 1 - e^(-m), m =
/// rate·repair (M/G/infinity). While it is, the job has a speed v: 1 - (1 - v)·(1 - e^(-m)) on
/// average.
/// @param rate  of all parts together
double part_out_share(PerSecond rate, Seconds repair);
double mean_speed(PerSecond rate, Seconds repair, double speed);

/// How often both of a pair are out at once, of n pairs: 2n·r·r·ρ/(1 + r·ρ).
PerSecond pair_losses(double pairs, PerSecond rate, Seconds repair);

/// Mean speed of a job that goes on with a data-parallel group less for each loss: E(1 - J/dp)+, J
/// Poisson with mean rate·repair.
double shrunk_speed(PerSecond losses, Seconds repair, std::int64_t dp);

}  // namespace planner::reliability
