#include "planner/perf/collectives/collectives.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner::inline perf {

Seconds all_gather_transfer(Bytes data, std::int64_t x, std::int64_t y, const Links& links) {
  return kAllGatherTransfer(data, real(x), real(y), links.hb, links.net);
}

Seconds hierarchical_all_gather(Bytes data, std::int64_t x, std::int64_t y, const Links& links) {
  return kWithPhaseLatencies(all_gather_transfer(data, x, y, links), x > 1, y > 1, links.hb_latency,
                             links.net_latency);
}

Seconds full_bisection_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  return std::max(kSentInside(shard, real(x), links.hb),
                  kSentBetween(shard, real(x), real(y), links.net));
}

Seconds rail_only_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  return kSentToRails(shard, real(x), real(y), links.hb) +
         kSentBetween(shard, real(x), real(y), links.net);
}

}  // namespace planner::perf
