#pragma once

#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

namespace planner {

/// Nine of ten measured peaks of memory are within this share of what a fit without their source
/// says: `planner validate measured --peak-memory --leave-out source`, 73 rows.
inline constexpr double kPeakMemoryError = 0.126;

/// Says where a time of the calibrated model lies outside of what was measured, and that its
/// interval is wider for it; and where memory is fuller than its error allows to be sure of.
void warn_about_measured_range(const Workload& workload, const Plan& plan,
                               std::vector<std::string>& warnings);

}  // namespace planner
