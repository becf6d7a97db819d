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

AllToAllPhases full_bisection_phases(Bytes shard, double x, double y, BytesPerSecond hb,
                                     BytesPerSecond net) {
  return {.inside_domain = (x - 1) * shard / hb, .between_domains = x * (y - 1) * shard / net};
}

AllToAllPhases rail_only_phases(Bytes shard, double x, double y, BytesPerSecond hb,
                                BytesPerSecond net) {
  return {.inside_domain = y * (x - 1) * shard / hb, .between_domains = x * (y - 1) * shard / net};
}

Seconds full_bisection_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  const auto [inside, between] =
      full_bisection_phases(shard, real(x), real(y), links.hb, links.net);
  return std::max(inside, between);
}

Seconds rail_only_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  const auto [inside, between] = rail_only_phases(shard, real(x), real(y), links.hb, links.net);
  return inside + between;
}

}  // namespace planner::perf
