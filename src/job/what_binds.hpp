#pragma once

#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/search/search.hpp"

namespace planner::job {

/// Share of a resource that is added to see whether it binds.
inline constexpr double kSensitivityStep = 0.1;

/// What the best time becomes when one resource grows by it and the search runs again, among plans
/// that the ranking takes for no riskier than the best: never more.
struct Sensitivity {
  std::string resource;  ///< "network bandwidth"
  Seconds time{};
  double change = 0;  ///< relative: -0.03 is 3 % faster
};

/// The best time again with each resource larger by kSensitivityStep, largest effect first.
/// @param options  of the search that found `best`
/// @param as_it_is  of the workload and space, with messages
std::vector<Sensitivity> what_binds(const Workload& workload, const SearchSpace& space,
                                    SearchOptions options, const Plan& best, LeastTimes& as_it_is);

}  // namespace planner::job
