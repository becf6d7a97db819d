#include "planner/reliability/pairs.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/reliability/degraded.hpp"

namespace planner::inline reliability {

void add_pairs(const JobReliability& job, FailureUnit unit, Seconds restart, Exposure single,
               std::vector<Exposure>& exposed) {
  const BrokenPairs& of_all = job.counts.broken;
  const bool links = unit == FailureUnit::link;
  const double all = job.counts.of(unit);
  const double broken = std::min(all, real(links ? of_all.links : of_all.switches));
  const double needed = links ? 0 : std::min(all - broken, real(of_all.needed_switches));
  const double pairs = all - broken;
  const PerSecond of_one = single.rate / std::max(all, 1.0);
  if (broken + needed > 0) {
    Exposure left = single;
    left.component += " (the other of its pair is down)";
    left.rate = (broken + needed) * of_one;
    exposed.push_back(std::move(left));
  }
  if (pairs <= 0) return;
  Exposure both = single;
  both.component += " (both of a pair)";
  both.rate = pair_losses(pairs - needed, of_one, single.repair);
  single.rate = (2 * pairs - needed) * of_one;  // of a needed one's pair the other one slows
  single.swapped = job.link_loss == LinkLoss::swap;
  if (single.swapped) {
    single.action = FailureAction::stall;
    single.pause = job.checkpoint.stall + restart;
  } else {
    single.action = FailureAction::degrade;
    single.needs_spare = single.of_switch = false;
  }
  exposed.push_back(std::move(single));
  exposed.push_back(std::move(both));
}

}  // namespace planner::reliability
