// More links of a group that are down are never better, whatever flows lie on it.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/network/routing/routing.hpp"
#include "support/any.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("each link more that is down slows a group of links as much or more") {
  for (int i = 0; i < 400; ++i) {
    const std::int64_t links = any(2, 48);
    const double flows = real(any(1, 400)) / (any(0, 1) == 0 ? 8 : 1);
    LinkStage stage{.name = "leaf",
                    .flows = std::max<std::int64_t>(1, std::llround(flows)),
                    .links = links,
                    .rho = 0.05 * real(any(1, 40)),
                    .groups = any(1, 40),
                    .failed_groups = any(1, 4),
                    .mean_flows = flows};
    const RoutingScheme scheme =
        std::array{RoutingScheme::ecmp, RoutingScheme::pin, RoutingScheme::te, RoutingScheme::c4p,
                   RoutingScheme::spray}[static_cast<std::size_t>(any(0, 4))];
    Routing routing{.scheme = scheme, .qps = any(1, 8)};
    if (scheme == RoutingScheme::pin) {
      routing.slices = 0.25 * real(any(1, 4));
      routing.entropy = 0.25 * real(any(0, 4));
    }
    CAPTURE(name_of(scheme));
    CAPTURE(routing.qps);
    CAPTURE(routing.slices);
    CAPTURE(links);
    CAPTURE(flows);
    CAPTURE(stage.rho);
    double before = 0;
    for (stage.failed = 0; stage.failed < links; ++stage.failed) {
      const double now = stage_slowdown(stage, routing).at_least(1).mean();
      CAPTURE(stage.failed);
      CHECK(now >= before * (1 - 1e-9));
      before = now;
    }
  }
}
