#include "planner/perf/collectives.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner {

AllGatherPhases all_gather_phases(Bytes data, double x, double y, const Links& links) {
  return {.along_rails = (y - 1) * data / (x * y * links.net),
          .inside_domain = (x - 1) * data / (x * links.hb)};
}

Seconds all_gather_transfer(Bytes data, std::int64_t x, std::int64_t y, const Links& links) {
  const auto [along_rails, inside_domain] = all_gather_phases(data, real(x), real(y), links);
  return along_rails + inside_domain;
}

Seconds all_gather_latency(std::int64_t x, std::int64_t y, const Links& links) {
  return (y > 1 ? links.net_latency : Seconds{}) + (x > 1 ? links.hb_latency : Seconds{});
}

Seconds hierarchical_all_gather(Bytes data, std::int64_t x, std::int64_t y, const Links& links) {
  return all_gather_transfer(data, x, y, links) + all_gather_latency(x, y, links);
}

Seconds full_bisection_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  const double xd = static_cast<double>(x), yd = static_cast<double>(y);
  return std::max((xd - 1) * shard / links.hb, xd * (yd - 1) * shard / links.net);
}

Seconds rail_only_all_to_all(Bytes shard, std::int64_t x, std::int64_t y, const Links& links) {
  const double xd = static_cast<double>(x), yd = static_cast<double>(y);
  return yd * (xd - 1) * shard / links.hb + xd * (yd - 1) * shard / links.net;
}

}  // namespace planner
