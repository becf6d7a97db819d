#include "planner/network/routing/link_load.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/network/routing/occupancy.hpp"

namespace planner::inline network {

namespace {

struct Mass {
  double load = 0, share = 0;
};

/// Load of one of L hashed links, 0 included: what one more flow would find there, without itself.
std::vector<Mass> hashed_loads(std::int64_t flows, std::int64_t links) {
  std::vector<Mass> loads;
  const LoadDistribution seen = tagged_load_ratio(flows + 1, links);
  const double mean = real(flows) / real(links);
  double before = 0;
  for (const LoadDistribution::Step& step : seen.steps()) {
    const double on_link = step.value * real(flows + 1) / real(links) - 1;
    loads.push_back({std::max(0.0, on_link) / mean, step.cdf - before});
    before = step.cdf;
  }
  return loads;
}

/// In order of the load, links of one load together.
std::vector<Mass> merged(std::vector<Mass> loads) {
  std::sort(loads.begin(), loads.end(),
            [](const Mass& a, const Mass& b) { return a.load < b.load; });
  std::vector<Mass> result;
  for (const Mass& mass : loads) {
    if (result.empty() || mass.load > result.back().load * (1 + 1e-12)) {
      result.push_back(mass);
    } else {
      result.back().share += mass.share;
    }
  }
  return result;
}

/// Load of one of the links left over the mean of all, hashed; with the same hash below only 1 of g
/// is reached.
std::vector<Mass> reached_loads(const LinkStage& stage, const Routing& routing, std::int64_t left) {
  const std::int64_t flows = routing.hashed_flows(stage.flows);
  const std::int64_t reached = std::max<std::int64_t>(1, left / stage.polarization);
  const double used = real(reached) / real(left);
  std::vector<Mass> loads = reached == 1 ? std::vector<Mass>{{1, 1}} : hashed_loads(flows, reached);
  for (Mass& mass : loads)
    mass = {mass.load * real(stage.links) / real(reached), mass.share * used};
  if (used < 1) loads.insert(loads.begin(), {0, 1 - used});
  return loads;
}

std::vector<Mass> loads_of(const LinkStage& stage, const Routing& routing) {
  const std::int64_t left = stage.links - stage.failed;
  const double over_left = real(stage.links) / real(left);
  const std::int64_t flows = routing.hashed_flows(stage.flows);
  switch (routing.scheme) {
    case RoutingScheme::ecmp:
    case RoutingScheme::ecmp_qp:
      return reached_loads(stage, routing, left);
    case RoutingScheme::dual_plane: {
      const Planes planes = planes_of(stage);
      const double fuller = real(planes.fuller.links) / real(stage.links);
      std::vector<Mass> loads =
          reached_loads(planes.fuller, routing, planes.fuller.links - stage.failed);
      for (Mass& mass : loads) mass = {mass.load * planes.fuller_load, mass.share * fuller};
      std::vector<Mass> others{{0, 1}};
      if (planes.emptier.flows > 0)
        others = reached_loads(planes.emptier, routing, planes.emptier.links);
      for (const Mass& mass : others) {
        loads.push_back({mass.load * planes.emptier_load, mass.share * (1 - fuller)});
      }
      return merged(std::move(loads));
    }
    case RoutingScheme::pin: {
      std::vector<Mass> loads;
      if (routing.slices < 1) loads.push_back({0, 1 - routing.slices});
      const std::int64_t orphans = flows * stage.failed / stage.links;
      if (orphans == 0 || left == 1) {
        loads.push_back({1 / routing.slices * (orphans == 0 ? 1 : over_left), routing.slices});
        return loads;
      }
      const double per_mean = real(orphans) / real(left) * real(stage.links) / real(flows);
      for (const Mass& mass : hashed_loads(orphans, left)) {
        loads.push_back({1 / routing.slices + mass.load * per_mean, mass.share * routing.slices});
      }
      return loads;
    }
    case RoutingScheme::te: {
      const std::int64_t few = stage.flows / left;
      const double fuller = real(stage.flows % left) / real(left);
      const double per_flow = real(stage.links) / real(stage.flows);
      std::vector<Mass> loads{{real(few) * per_flow, 1 - fuller}};
      if (fuller > 0) loads.push_back({real(few + 1) * per_flow, fuller});
      return loads;
    }
    case RoutingScheme::c4p:
    case RoutingScheme::spray:
      break;
  }
  return {{over_left, 1}};
}

}  // namespace

std::vector<LoadBin> link_load(const LinkStage& stage, const Routing& routing, std::size_t bins) {
  constexpr double kSeen = 1e-4;
  std::vector<Mass> loads = loads_of(stage, routing);
  std::erase_if(loads, [](const Mass& mass) { return mass.share < kSeen; });
  const std::size_t together = std::max<std::size_t>(1, (loads.size() + bins - 1) / bins);
  std::vector<LoadBin> result;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (i % together == 0) result.push_back({.low = loads[i].load});
    result.back().high = loads[i].load;
    result.back().share += loads[i].share;
  }
  return result;
}

}  // namespace planner::network
