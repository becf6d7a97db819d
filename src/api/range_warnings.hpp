#pragma once

#include <string>
#include <vector>

#include "planner/domain/run.hpp"

namespace planner {

/// Says where a time of the calibrated model lies outside of what was measured, and that its
/// interval is wider for it.
void warn_about_measured_range(const Workload& workload, std::vector<std::string>& warnings);

}  // namespace planner
