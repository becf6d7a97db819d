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
  fill(&S::broken);
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
  fill(&S::checkpoint_size);
  fill(&S::checkpoint_rate);
  fill(&S::load_rate);
  fill(&S::synchronous);
  fill(&S::recovery);
  fill(&S::hazard);
  fill(&S::link_loss);
  fill(&S::running_share);
  fill(&S::rate_factor);
  fill(&S::optional_lines);
  fill(&S::flaps);
  fill(&S::upper_switches);
  fill(&S::chassis_switches);
  fill(&S::switch_hosts);
  fill(&S::feeds);
  fill(&S::feed_hosts);
  fill(&S::spares);
  fill(&S::shrink);
  fill(&S::spare_pools);
  fill(&S::swap_unit);
  fill(&S::tray);
  fill(&S::spare_trays);
  fill(&S::reconfigure);
  fill(&S::optical_ports);
  fill(&S::optical_port_price);
  fill(&S::optical_port_power);
  if (!over.visits) fill(&S::crews);  // visits exclude them
  // Repairs as they come and visits exclude each other.
  if (!over.repair && !over.visits) {
    both.repair = base.repair;
    if (!over.crews) both.visits = base.visits;
  }
  return both;
}

}  // namespace planner
