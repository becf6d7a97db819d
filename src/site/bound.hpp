#pragma once

#include <vector>

#include "planner/site/floor.hpp"
#include "planner/site/flows.hpp"
#include "planner/site/racks.hpp"

namespace planner::site {

/// Metres in trays that no placement on this floor goes below: the drops at both ends, slack and
/// cables within racks are the packing's and come on top.
///
/// Star: racks joined to one hub stand on distinct places other than the hub's, so its cables are
/// no shorter than the largest flow on the nearest place; hubs alike take distinct best places.
/// Triangle: where a tier has as many links up as down, a link down and one up are together no
/// shorter than the straight line, so the layers i … j together are no shorter than the stars of
/// tier j over what hangs on layer i; where fewer go up, the rest keeps the bound of the layers
/// below. HB domains: a card's cable and two of its domain's reach any rack of the domain, while
/// those last. The largest sum over a partition of the layers counts.
/// Trays are a shortest-path metric, so the triangle inequality holds.
double least_tray_metres(const RackPlan& plan, const Floor& floor);

/// The same of any metric. For tests on small floors.
/// @param chain    layers between hosts and top, from the hosts up: rows of the upper end
/// @param beside   layers by themselves
/// @param alike    of `beside`: the layer is between switches alike, each cable in both directions
/// @param domain   cables inside HB domains; empty: none
/// @param share    of them that hosts use
struct BoundInput {
  std::vector<Rows> chain, beside;
  std::vector<bool> alike;
  Rows domain;
  double share = 0;
};
double least_metres(const BoundInput& input, const std::vector<std::vector<double>>& distance);

}  // namespace planner::site
