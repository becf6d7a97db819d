#include "planner/perf/group_collectives.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner {

double distinct_destinations(double peers, std::int64_t top_k) {
  double missed = 1;
  for (std::int64_t copy = 0; copy < top_k; ++copy) missed *= 1 - 1 / peers;
  return peers * (1 - missed);
}

Seconds expert_all_to_all(Bytes tokens, const ExpertRouting& routing, const CollectiveGroup& group,
                          const Links& links) {
  const auto [top_k, one_copy, most_domains] = routing;
  const double copies = one_copy ? distinct_destinations(group.hb, top_k) : real(top_k);
  const double domains = distinct_destinations(std::min(group.net, most_domains), top_k);
  const Seconds hb = copies * (group.hb - 1) / group.hb * tokens / links.hb;
  const Seconds net = domains * (group.net - 1) / group.net * tokens / links.net;
  return one_copy ? std::max(hb, net) : hb + net;
}

}  // namespace planner
