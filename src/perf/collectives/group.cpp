#include "planner/perf/collectives/group.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "planner/core/real.hpp"

namespace planner::inline perf {

double networks_of(double places, const ExpertRouting& routing) {
  // The parts of an expert stand side by side.
  const auto step = static_cast<std::int64_t>(routing.parts);
  return std::min(places, real(routing.rails_apart / std::gcd(routing.rails_apart, step)));
}

Seconds expert_all_to_all(Bytes tokens, const ExpertRouting& routing, const CollectiveGroup& group,
                          const Links& links) {
  const auto& [top_k, experts, one_copy, parts, most_domains, rails_apart] = routing;
  if (!(experts >= real(top_k))) throw std::invalid_argument("fewer experts than a token has");
  const double places = group.hb / parts;  // of different experts in a domain
  if (!one_copy) {
    const double copies = real(top_k);
    const double inside = kCopiesInside(copies, places, group.net, parts);
    const double beyond = kCopiesBeyond(copies, group.net);
    const double networks = networks_of(places, routing);
    return kDispatch(kForwardedInside(inside, beyond, networks), beyond, tokens, links.hb,
                     links.net);
  }
  const double reached = std::min(group.net, most_domains);
  const double of_domain = experts / group.net;
  return kOneCopyDispatch(
      kOneCopyInside(top_k, places, parts, group.hb, reached, of_domain / places),
      kOneCopyBeyond(top_k, group.net, reached, of_domain), tokens, links.hb, links.net);
}

}  // namespace planner::perf
