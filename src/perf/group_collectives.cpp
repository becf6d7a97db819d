#include "planner/perf/group_collectives.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner {

Seconds tensor_parallel_all_reduce(Bytes data, double ranks, double domain, const Links& links,
                                   Seconds per_doubling) {
  const Bytes carried = 2 * (ranks - 1) / ranks * data;
  const Seconds crossing =
      ranks > domain ? (1 - domain / ranks) * (carried / (domain * links.net)) : Seconds{};
  return carried / links.hb + crossing + doublings(ranks) * per_doubling;
}

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
