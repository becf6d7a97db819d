#pragma once

#include "planner/reliability/goodput.hpp"

namespace planner::testing {

struct RunOutlook {
  Goodput goodput;
  RunDays days;
};

/// What a run of `ideal` time comes to.
inline RunOutlook run_outlook(const JobReliability& job, Seconds ideal) {
  const FailureLoad load = failure_load(job, exposures(job));
  const Goodput result = goodput(load, job.checkpoint);
  return {result, run_days(ideal, load, job.checkpoint, result)};
}

}  // namespace planner::testing
