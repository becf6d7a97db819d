#include "planner/domain/reliability.hpp"

namespace planner {

ReliabilitySettings overlaid(const ReliabilitySettings& base, const ReliabilitySettings& over) {
  ReliabilitySettings both = over;
  const auto fill = [&](auto member) {
    if (!(both.*member)) both.*member = base.*member;
  };
  using S = ReliabilitySettings;
  fill(&S::gpus_per_node);
  fill(&S::nics);
  fill(&S::switches);
  fill(&S::access);
  fill(&S::degraded_speed);
  // An interval and the optimum exclude each other, whichever of them stands in `base`.
  if (!over.checkpoint && !over.optimal_checkpoint) {
    both.checkpoint = base.checkpoint;
    both.optimal_checkpoint = base.optimal_checkpoint;
  }
  fill(&S::stall);
  fill(&S::durable);
  fill(&S::detect);
  fill(&S::diagnose);
  fill(&S::restart);
  fill(&S::recovery_can_fail);
  fill(&S::spares);
  fill(&S::spare_pools);
  if (!over.visits) fill(&S::crews);  // visits exclude them
  // Repairs as they come and visits exclude each other.
  if (!over.repair && !over.visits) {
    both.repair = base.repair;
    if (!over.crews) both.visits = base.visits;
  }
  return both;
}

}  // namespace planner
