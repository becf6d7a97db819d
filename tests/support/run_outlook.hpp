#pragma once

#include <variant>

#include "planner/reliability/goodput.hpp"

namespace planner::testing {

struct RunOutlook {
  Goodput goodput;
  RunDays days;
};

/// What a run of `ideal` time comes to; the job must finish.
inline RunOutlook run_outlook(const JobReliability& job, Seconds ideal) {
  const FailureLoad load = failure_load(job, exposures(job)).value();
  const auto result = std::get<Goodput>(goodput(load, job.checkpoint));
  return {result, run_days(ideal, load, job.checkpoint, result)};
}

}  // namespace planner::testing
