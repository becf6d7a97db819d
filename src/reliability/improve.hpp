#pragma once

#include <string>
#include <vector>

#include "planner/domain/reliability.hpp"

// What to improve next.
namespace planner::inline reliability {

enum class Step {
  checkpoint_stall,
  checkpoint_durable,
  detect,
  diagnose,
  restart,
  repair,  ///< of nodes while spares run out, and of parts that slow the job
};

std::string_view name_of(Step step);

/// What shortening one step of checkpoint or recovery is worth.
struct Improvement {
  Step step = Step::restart;
  Seconds takes{};        ///< now, on average over the failures
  double per_second = 0;  ///< availability gained by the next second, -dA/dt
  double a_tenth = 0;     ///< availability gained by a tenth less of the step
};

/// Every step that takes time, the one whose next second buys most first. With the optimal
/// interval, that adapts.
std::vector<Improvement> improvements(const JobReliability& job);

/// Availability gained by a tenth fewer failures of each of the job's rates, in their order.
std::vector<double> gains_of_fewer_failures(const JobReliability& job);

}  // namespace planner::reliability
