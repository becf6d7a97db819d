// Options over a cluster file: what they say of a placement or a scheme takes the file's keys of
// another one away.
#include <doctest/doctest.h>

#include "planner/domain/reliability.hpp"
#include "planner/domain/routing.hpp"

using namespace planner;

TEST_CASE("a placement takes the rack share of another away, a scheme its striping") {
  const RoutingSettings file{.scheme = RoutingScheme::ecmp_qp,
                             .qps = 4,
                             .striping = Striping::adaptive,
                             .placement = Placement::partial,
                             .rack_share = 0.25};
  CHECK(overlaid(file, {.qps = 8}).rack_share == 0.25);
  CHECK(overlaid(file, {.placement = Placement::partial}).rack_share == 0.25);
  CHECK_FALSE(overlaid(file, {.placement = Placement::whole}).rack_share);
  CHECK(overlaid(file, {.qps = 8}).striping == Striping::adaptive);
  CHECK_FALSE(overlaid(file, {.scheme = RoutingScheme::pin}).striping);
  const RoutingSettings planned{.scheme = RoutingScheme::c4p, .efficiency = 0.95};
  CHECK(overlaid(planned, {.scheme = RoutingScheme::spray}).efficiency == 0.95);
  CHECK_FALSE(overlaid(planned, {.scheme = RoutingScheme::ecmp}).efficiency);
}

TEST_CASE("visits take the file's crews away, and crews its visits") {
  const ReliabilitySettings crews{.spares = 4, .crews = 1};
  CHECK_FALSE(overlaid(crews, {.visits = Seconds{1}}).crews);
  const ReliabilitySettings visits{.spares = 4, .visits = Seconds{1}};
  CHECK_FALSE(overlaid(visits, {.crews = 1, .repair = Seconds{1}}).visits);
}

TEST_CASE("settings of a request go before those of a file") {
  const RoutingSettings file{.scheme = RoutingScheme::ecmp, .qps = 4, .same_hash = true};
  const RoutingSettings both = overlaid(file, {.scheme = RoutingScheme::spray});
  CHECK(both == RoutingSettings{.scheme = RoutingScheme::spray, .qps = 4, .same_hash = true});
  CHECK(overlaid(file, {}) == file);

  const ReliabilitySettings fixed{.checkpoint = Seconds{600}, .stall = Seconds{3}};
  CHECK(overlaid(fixed, {}) == fixed);
  const ReliabilitySettings best = overlaid(fixed, {.optimal_checkpoint = true});
  CHECK_FALSE(best.checkpoint);
  CHECK(best.stall == Seconds{3});
  CHECK(overlaid({.visits = units::day}, {.repair = units::hour}).visits == std::nullopt);
}
