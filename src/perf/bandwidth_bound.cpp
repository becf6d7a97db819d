#include "planner/perf/bandwidth_bound.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner {

Seconds all_gather_bound(Bytes size, std::int64_t x, std::int64_t y, const Links& links,
                         NetworkReach reach) {
  const double xd = real(x), yd = real(y);
  const Bytes shard = size / (xd * yd);
  const Seconds inside = (xd - 1) * shard / links.hb;
  if (y == 1) return inside;
  const Seconds any_to_any =
      std::max((yd - 1) * shard / links.net, (xd * yd - 1) * shard / (links.hb + links.net));
  return reach == NetworkReach::any_to_any ? any_to_any : std::max(any_to_any, inside);
}

}  // namespace planner
