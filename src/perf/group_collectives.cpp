#include "planner/perf/group_collectives.hpp"

#include <algorithm>
#include <cmath>

namespace planner {

CollectiveGroup strided_group(double ranks, double stride, double domain) {
  const double sharing = std::min(std::max(domain / stride, 1.0), ranks);
  return {.hb = sharing, .net = std::max(1.0, ranks / sharing)};
}

Seconds logarithmic_all_gather(Bytes data, const CollectiveGroup& group, const Links& links,
                               Seconds per_doubling) {
  const auto [along_rails, inside_domain] = all_gather_phases(data, group.hb, group.net, links);
  return along_rails + inside_domain + std::log2(group.ranks()) * per_doubling;
}

Seconds tensor_parallel_all_reduce(Bytes data, double ranks, double domain, const Links& links,
                                   Seconds per_doubling) {
  const Bytes carried = 2 * (ranks - 1) / ranks * data;
  const Seconds crossing = ranks > domain ? carried / (domain * links.net) : Seconds{};
  return carried / links.hb + crossing + std::log2(ranks) * per_doubling;
}

double distinct_destinations(double peers, double top_k) {
  return peers * (1 - std::pow(1 - 1 / peers, top_k));
}

Seconds expert_all_to_all(Bytes tokens, double top_k, const CollectiveGroup& group,
                          const Links& links, bool one_copy) {
  const auto sent = [&](double peers) {
    const double copies = one_copy ? distinct_destinations(peers, top_k) : top_k;
    return copies * (peers - 1) / peers * tokens;
  };
  const Seconds hb = sent(group.hb) / links.hb, net = sent(group.net) / links.net;
  return one_copy ? std::max(hb, net) : hb + net;
}

}  // namespace planner
