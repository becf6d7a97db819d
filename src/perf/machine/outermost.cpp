#include "planner/perf/machine/outermost.hpp"

namespace planner::inline perf {

OutermostChoice::OutermostChoice(const Workload& workload)
    : open_(workload.routing && !workload.stage_limit), experts_(workload.model.moe.has_value()) {}

bool OutermostChoice::open(const Strategy& s) const {
  return open_ && s.pp.net > 1 && s.dp.net > 1 && s.cp.net == 1 && s.ep.net == 1 &&
         !(experts_ && s.tp.net > 1);
}

}  // namespace planner::perf
