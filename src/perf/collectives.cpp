#include "planner/perf/collectives.hpp"

#include <algorithm>

namespace planner {

Seconds all_gather_transfer(Bytes data, std::int64_t x, std::int64_t y, const Links& links) {
  const double xd = static_cast<double>(x), yd = static_cast<double>(y);
  const Seconds along_rails = (yd - 1) * data / (xd * yd * links.net);
  const Seconds inside_domain = (xd - 1) * data / (xd * links.hb);
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
