#include "planner/perf/collectives/group.hpp"

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
  const auto [top_k, one_copy, parts, most_domains] = routing;
  const double places = group.hb / parts;  // of different experts in a domain
  const double beyond = (group.net - 1) / group.net;
  if (!one_copy) {
    // An all-to-all, then an all-gather between the parts (Megatron-Core, token_dispatcher.py).
    const double copies = real(top_k);
    const double inside = copies / group.net * (places - 1) / places + copies * (parts - 1);
    return inside * tokens / links.hb + copies * beyond * tokens / links.net;
  }
  const double reached = std::min(group.net, most_domains);
  const double copies = parts * distinct_destinations(reached * places, top_k);
  const Seconds hb = copies * (group.hb - 1) / group.hb * tokens / links.hb;
  const Seconds net = distinct_destinations(reached, top_k) * beyond * tokens / links.net;
  return std::max(hb, net);
}

}  // namespace planner
