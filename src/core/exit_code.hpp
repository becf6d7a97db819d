#pragma once

namespace planner {

/// How the process ends; the numbers are part of the command line's contract.
enum class ExitCode {
  done = 0,
  bug = 1,
  usage = 2,
  bad_input = 3,
  infeasible = 4,
  limit_exceeded = 5,
  interrupted = 130,
};

}  // namespace planner
