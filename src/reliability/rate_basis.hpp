#pragma once

#include "planner/domain/reliability.hpp"
#include "planner/reliability/unknown_times.hpp"

// Rates of failures are a part's own, by the hours in which a job runs on it. A rate that was
// counted by one job's calendar contains what that job was down, and is converted at its source:
// another job's calendar rate is a result, and is not the same.
namespace planner::inline reliability {

/// Whether a rate counts the calendar of one job. "wall" of older files is that for the unit job.
bool of_job_calendar(const FailureRate& rate);

/// Units of the source's job; nothing: its file does not say.
std::optional<std::int64_t> units_observed(const FailureRate& rate);

/// Share of its calendar in which the job ran that these rates are of: u0 = 1 - Σ n0·r·K0 over its
/// kinds of failure, n0: units, r: rate of one by the calendar, K0: time down of each. What the
/// file says of it comes first; 1 without such rates; 0 or less: the file contradicts itself.
/// Times that are not known count with what is usual (see unknown_times.hpp).
double running_share(const FailureRates& rates);

/// By the hours in which the job runs: r/u0 of a job's calendar, r of all else.
PerSecond active_rate(const FailureRate& rate, double running_share);

}  // namespace planner::reliability
