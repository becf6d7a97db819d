#include "planner/perf/bandwidth_bound.hpp"

#include <algorithm>
#include <limits>

namespace planner {

namespace {

/// Bandwidth into a set of n GPUs that holds R whole domains and, given that, as many whole rails C
/// as it can: the denominators of Eqs. 8 and 9.
double ingress(std::int64_t n, std::int64_t whole_domains, std::int64_t x, std::int64_t y,
               const Links& links, NetworkReach reach) {
  const std::int64_t by_rail =
      reach == NetworkReach::rail_only ? (n - x * whole_domains) / (y - whole_domains) : 0;
  return links.hb.si() * static_cast<double>(n - x * whole_domains) +
         links.net.si() * static_cast<double>(n - y * by_rail);
}

}  // namespace

double all_gather_bound_by_cuts(std::int64_t x, std::int64_t y, const Links& links,
                                NetworkReach reach) {
  double slowest = 0;
  for (std::int64_t n = 1; n < x * y; ++n) {
    double narrowest = std::numeric_limits<double>::infinity();
    for (std::int64_t domains = 0; domains <= std::min(n / x, y - 1); ++domains) {
      narrowest = std::min(narrowest, ingress(n, domains, x, y, links, reach));
    }
    slowest = std::max(slowest, static_cast<double>(std::max(n, x * y - n)) / narrowest);
  }
  return slowest;
}

double all_gather_bound(std::int64_t x, std::int64_t y, const Links& links, NetworkReach reach) {
  if (x * y == 1) return 0;
  const double xd = static_cast<double>(x), yd = static_cast<double>(y);
  const double c_f = links.hb.si(), c_s = links.net.si();
  const double any_to_any = std::max((yd - 1) / c_s, (xd * yd - 1) / (c_f + c_s));
  return reach == NetworkReach::any_to_any ? any_to_any : std::max(any_to_any, (xd - 1) / c_f);
}

}  // namespace planner
