// Jobs for the tests of failures and checkpoints.
#pragma once

#include <cstdint>

#include "planner/reliability/goodput.hpp"

namespace planner::testing {

inline Seconds minutes(double n) {
  return Seconds{60 * n};
}
inline Seconds hours(double n) {
  return Seconds{3600 * n};
}

inline FailureRate rate_of(FailureUnit unit, double per_hour) {
  return {.component = "part", .unit = unit, .rate = per_hour * units::per_hour};
}

/// A job of so many nodes, each of which crashes it at this rate per hour.
inline JobReliability of_nodes(double nodes, double per_hour) {
  const auto count = static_cast<std::int64_t>(nodes);
  return {.rates = {.components = {rate_of(FailureUnit::node, per_hour)}},
          .counts = {.gpus = 8 * count, .nics = 8 * count, .nodes = count}};
}

/// The same where all its recovery times are not known, their logarithms by so much.
inline JobReliability with_unknown_times(JobReliability job, double deviation) {
  const LogSpread unknown{deviation, deviation};
  job.restart_unknown = unknown;
  for (FailureRate& rate : job.rates.components) {
    rate.detect_unknown = rate.diagnose_unknown = unknown;
  }
  return job;
}

inline double availability(const JobReliability& job) {
  return goodput(job).availability;
}

}  // namespace planner::testing
