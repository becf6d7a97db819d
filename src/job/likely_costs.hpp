#pragma once

#include "planner/job/cluster.hpp"

namespace planner::job {

/// Puts what 80 of 100 cases lie between in the place of all prices at one end together, where
/// several make a figure: items of what each year costs, buying beside renting, and the use from
/// which on buying costs less. Rents are a cause of their own.
void narrow_costs(ClusterReport& report);

}  // namespace planner::job
