#include "planner/perf/collectives/bandwidth_bound.hpp"

#include <algorithm>

namespace planner::inline perf {

Seconds all_gather_bound(Bytes size, const CollectiveGroup& group, const Links& links,
                         NetworkReach reach) {
  const CollectiveGroup emptiest = group.emptiest();
  const double x = emptiest.hb, y = emptiest.net;
  const Bytes shard = size / group.ranks();
  const Seconds inside = (x - 1) * shard / links.hb;
  if (group.net <= 1) return inside;
  const Seconds any_to_any =
      std::max((y - 1) * shard / links.net, (x * y - 1) * shard / (links.hb + links.net));
  return reach == NetworkReach::any_to_any ? any_to_any : std::max(any_to_any, inside);
}

}  // namespace planner::perf
