#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// What a plan is worth: smaller is better. NaN or infinity rules a plan out.
using PlanObjective = std::function<double(const Plan&)>;

struct ScoredPlan {
  Plan plan;
  double score = 0;

  bool operator==(const ScoredPlan&) const = default;
};

/// The best plans of a space by any objective, best first: every legal strategy that fits the
/// memory is evaluated and scored, none is sampled. Ties go to the earlier strategy in canonical
/// order (see Column), so the answer does not depend on the threads. Empty: none was left.
/// @param objective  called from several threads at once
/// @param top  how many to return
/// @param threads  0: as many as there are cores
std::vector<ScoredPlan> search_by(const Workload& workload, const SearchSpace& space,
                                  const PlanObjective& objective, std::size_t top = 1,
                                  int threads = 0);

}  // namespace planner::search
