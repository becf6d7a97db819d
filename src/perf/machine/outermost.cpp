#include "planner/perf/machine/outermost.hpp"

#include "planner/perf/machine/host_tier.hpp"

namespace planner::inline perf {

OutermostChoice::OutermostChoice(const Workload& workload)
    : open_(
          workload.routing && !workload.stage_limit &&
          !host_tier(workload.system, usable_hb_domain(workload.system.hb_domain, workload.gpus))),
      experts_(workload.model.moe.has_value()) {}

bool OutermostChoice::open(const Strategy& s) const {
  return open_ && s.pp.net > 1 && s.dp.net > 1 && s.cp.net == 1 && s.ep.net == 1 &&
         !(experts_ && s.tp.net > 1);
}

}  // namespace planner::perf
