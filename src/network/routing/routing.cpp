#include "planner/network/routing/routing.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/network/routing/closed_form.hpp"
#include "planner/network/routing/occupancy.hpp"
#include "planner/network/routing/unequal.hpp"

namespace planner::inline network {

namespace {

/// Link aggregation hashes a card's flows on its ports; planned paths and planes name the port.
bool hashes_receive_ports(RoutingScheme scheme) {
  return scheme == RoutingScheme::ecmp || scheme == RoutingScheme::ecmp_qp ||
         scheme == RoutingScheme::pin || scheme == RoutingScheme::te;
}

std::int64_t links_left(const LinkStage& stage, bool failed) {
  return stage.links - (failed ? stage.failed : 0);
}

/// Load of a link, or what adaptive striping makes of it for a pair.
LoadDistribution striped_ratio(std::int64_t pairs, std::int64_t links, const Routing& routing) {
  LoadDistribution fixed = max_mean_ratio(routing.hashed_flows(pairs), links);
  if (routing.striping == Striping::fixed || routing.distinct_paths() <= 1) return fixed;
  const LoadDistribution adaptive = adaptive_ratio(pairs, links, routing.distinct_paths());
  return adaptive.mean() < fixed.mean() ? adaptive : fixed;
}

/// Ports of a card that no flow is hashed on carry nothing; adaptive striping fills all others.
LoadDistribution used_ports(std::int64_t flows, std::int64_t ports) {
  std::vector<double> used(static_cast<std::size_t>(ports) + 1);
  used[0] = 1;
  // Beyond 64 flows to a port none stays empty.
  for (std::int64_t flow = 0; flow < std::min(flows, 64 * ports); ++flow) {
    for (std::int64_t k = ports; k > 0; --k) {
      const auto at = static_cast<std::size_t>(k);
      used[at] =
          used[at] * real(k) / real(ports) + used[at - 1] * real(ports - k + 1) / real(ports);
    }
    used[0] = 0;
  }
  std::vector<LoadDistribution::Step> steps;
  double cdf = 0;
  for (std::int64_t k = ports; k > 0; --k) {
    cdf += used[static_cast<std::size_t>(k)];
    steps.push_back({real(ports) / real(k), k == 1 ? 1 : std::min(cdf, 1.0)});
  }
  return LoadDistribution(std::move(steps));
}

/// Hashed flows; with the same hash at two stages g·MMR on the L/g links that it reaches.
LoadDistribution hashed_ratio(const LinkStage& stage, const Routing& routing, bool failed) {
  const std::int64_t left = links_left(stage, failed);
  const std::int64_t reached = std::max<std::int64_t>(1, left / stage.polarization);
  const std::int64_t flows = routing.hashed_flows(stage.flows);
  const double over_all = real(stage.links) / real(reached);
  if (stage.sizes.empty()) {
    return striped_ratio(stage.flows, reached, routing).transformed(over_all);
  }
  return unequal_max_mean_ratio(stage.sizes, stage.flows, flows, reached).transformed(over_all);
}

/// Pinned flows lie evenly on the slices' links; the kF/L of failed links, whole ones, are hashed
/// on all that are left. Over the mean load F/L of all links: 1/slices + max(orphans)·L/F.
LoadDistribution pinned_ratio(const LinkStage& stage, const Routing& routing, bool failed) {
  const double base = 1 / routing.slices;
  const std::int64_t orphans =
      failed ? planner::ceil_div(routing.hashed_flows(stage.flows) * stage.failed, stage.links) : 0;
  if (orphans == 0) return LoadDistribution::always(base);
  const std::int64_t left = stage.links - stage.failed;
  const double per_mean =
      real(orphans) / real(left) * real(stage.links) / real(routing.hashed_flows(stage.flows));
  return max_mean_ratio(orphans, left).transformed(per_mean, base);
}

/// Load of the ports of a receiving card.
LoadDistribution port_ratio(const LinkStage& stage, const Routing& routing) {
  if (!hashes_receive_ports(routing.scheme)) return LoadDistribution::always(1);
  const std::int64_t flows = routing.hashed_flows(stage.flows);
  const bool adaptive = routing.striping == Striping::adaptive && routing.distinct_paths() > 1;
  return adaptive ? used_ports(flows, stage.links) : max_mean_ratio(flows, stage.links);
}

/// Load of the fullest link of one group, over the mean of all its links when none has failed.
LoadDistribution group_ratio(const LinkStage& stage, const Routing& routing, bool failed) {
  if (stage.receive_port) return port_ratio(stage, routing);
  const std::int64_t left = links_left(stage, failed);
  switch (routing.scheme) {
    case RoutingScheme::ecmp:
    case RoutingScheme::ecmp_qp:
      return hashed_ratio(stage, routing, failed);
    case RoutingScheme::dual_plane: {
      const Planes planes = planes_of(stage);
      return hashed_ratio(planes.fuller, routing, failed).transformed(planes.fuller_load);
    }
    case RoutingScheme::pin:
      return pinned_ratio(stage, routing, failed);
    case RoutingScheme::te:
      // Whole flows, spread evenly: ⌈F/L'⌉ on the fullest link.
      return LoadDistribution::always(real(planner::ceil_div(stage.flows, left)) *
                                      real(stage.links) / real(stage.flows));
    case RoutingScheme::c4p:
    case RoutingScheme::spray:
      break;
  }
  return LoadDistribution::always(real(stage.links) / real(left));
}

/// Whether it matters how many flows make up a load.
bool counts_flows(const LinkStage& stage, const Routing& routing, bool failed) {
  switch (routing.scheme) {
    case RoutingScheme::ecmp:
    case RoutingScheme::ecmp_qp:
    case RoutingScheme::dual_plane:
    case RoutingScheme::te:
      return true;
    case RoutingScheme::pin:
      return failed && stage.failed > 0;
    case RoutingScheme::c4p:
    case RoutingScheme::spray:
      return false;
  }
  return false;
}

/// Whether a mean number of flows is none that a group has.
bool varies(const LinkStage& stage, const Routing& routing, bool failed) {
  const bool whole = stage.mean_flows == std::floor(stage.mean_flows);
  return !whole && counts_flows(stage, routing, failed);
}

/// Over the mean number of flows F where that is none: ⌊F⌋ + 1 flows with the probability F - ⌊F⌋,
/// else ⌊F⌋, so that the load is F's on average and never falls with F.
/// @param ratio  of a group of so many flows, to the mean of theirs
template <class GroupRatio>
LoadDistribution over_mean_flows(const LinkStage& stage, const Routing& routing, bool failed,
                                 GroupRatio&& ratio) {
  if (!varies(stage, routing, failed)) return ratio(stage);
  const double flows = stage.mean_flows, few = std::floor(flows);
  LinkStage whole = stage;
  const auto of = [&](double number) {
    whole.flows = std::llround(number);
    return number == 0 ? LoadDistribution::always(0) : ratio(whole).transformed(number / flows);
  };
  return mixed(of(few), of(few + 1), flows - few);
}

double efficiency_of(const Routing& routing) {
  const bool planned =
      routing.scheme == RoutingScheme::c4p || routing.scheme == RoutingScheme::spray;
  return planned ? routing.efficiency : 1;
}

/// max(1, S)/efficiency: planned paths lose it even where no link binds.
LoadDistribution with_efficiency(LoadDistribution slowdown, const Routing& routing) {
  const double efficiency = efficiency_of(routing);
  if (efficiency == 1) return slowdown;
  return slowdown.at_least(1).transformed(1 / efficiency);
}

/// Whether links are not even full where all flows of a group are hashed on one.
bool never_slows(const LinkStage& stage, const Routing& routing) {
  if (!hashes(routing.scheme) || stage.receive_port || !stage.sizes.empty()) return false;
  const double mean = stage.mean_flows > 0 ? stage.mean_flows : real(stage.flows);
  return stage.rho * real(stage.links) * std::ceil(mean) <= mean;
}

}  // namespace

bool hashes(RoutingScheme scheme) {
  return scheme == RoutingScheme::ecmp || scheme == RoutingScheme::ecmp_qp ||
         scheme == RoutingScheme::dual_plane;
}

double Routing::distinct_paths() const {
  const bool blind = scheme == RoutingScheme::ecmp || scheme == RoutingScheme::pin;
  return std::max(1.0, entropy.value_or(blind ? 0 : 1) * real(qps));
}

std::int64_t Routing::hashed_flows(std::int64_t pairs) const {
  return std::max<std::int64_t>(1, std::llround(real(pairs) * distinct_paths()));
}

LoadDistribution adaptive_ratio(std::int64_t pairs, std::int64_t links, double qps) {
  const double deviation = std::sqrt(real(links) / real(pairs)) / qps;
  // More sets of links than pairs: each pair has its own.
  const double sets = std::min(real(pairs), std::pow(real(links), qps));
  // A pair's own QPs load their links.
  const double least = std::max(1.0, real(links) / (real(pairs) * qps));
  return closed_form_maximum({.deviation = deviation, .skew = deviation * deviation / 6},
                             std::llround(sets))
      .at_least(least);
}

Planes planes_of(const LinkStage& stage) {
  Planes planes{.fuller = stage, .emptier = stage};
  planes.fuller.links = std::max<std::int64_t>(1, stage.links / 2);
  planes.fuller.flows = stage.flows - stage.flows / 2;
  planes.emptier.links = stage.links - stage.links / 2;
  planes.emptier.flows = stage.flows / 2;
  const double mean = real(stage.flows) / real(stage.links);
  planes.fuller_load = real(planes.fuller.flows) / real(planes.fuller.links) / mean;
  planes.emptier_load = real(planes.emptier.flows) / real(planes.emptier.links) / mean;
  return planes;
}

namespace {

bool in_planes(const LinkStage& stage, const Routing& routing) {
  return routing.scheme == RoutingScheme::dual_plane && !stage.receive_port;
}

/// Over all groups of a stage.
/// @param ratio  of one group, of which links have failed or not
template <class GroupRatio>
LoadDistribution largest_ratio(const LinkStage& stage, const Routing& routing, GroupRatio&& ratio) {
  const std::int64_t failed = stage.failed > 0 ? std::min(stage.failed_groups, stage.groups) : 0;
  std::vector<LoadDistribution> parts;
  if (failed > 0) parts.push_back(ratio(true).largest_of(failed));
  const std::int64_t whole = stage.groups - failed;
  if (whole > 0) parts.push_back(ratio(false).largest_of(whole));
  if (in_planes(stage, routing)) {
    const Planes planes = planes_of(stage);
    if (planes.emptier.flows > 0) {
      parts.push_back(hashed_ratio(planes.emptier, routing, false)
                          .transformed(planes.emptier_load)
                          .largest_of(stage.groups));
    }
  }
  return largest(parts);
}

}  // namespace

LoadDistribution stage_max_mean_ratio(const LinkStage& stage, const Routing& routing) {
  return largest_ratio(stage, routing, [&](bool failed) {
    return over_mean_flows(stage, routing, failed, [&](const LinkStage& whole) {
      return group_ratio(whole, routing, failed);
    });
  });
}

LoadDistribution stage_slowdown(const LinkStage& stage, const Routing& routing) {
  return with_efficiency(stage_max_mean_ratio(stage, routing).transformed(stage.rho), routing);
}

LoadDistribution tagged_slowdown(const LinkStage& stage, const Routing& routing,
                                 std::int64_t hops) {
  const bool hashed = hashes(routing.scheme);
  LinkStage one = stage;
  if (routing.scheme == RoutingScheme::dual_plane) {
    const Planes planes = planes_of(stage);
    one = planes.fuller;
    one.rho *= planes.fuller_load;
  }
  one.groups = stage.receive_port ? 1 : hops;
  if (!hashed || stage.receive_port) return stage_slowdown(one, routing);
  const std::int64_t reached =
      std::max<std::int64_t>(1, links_left(one, one.failed > 0) / one.polarization);
  const std::int64_t paths = routing.hashed_flows(1);
  const double per_link = one.rho * real(one.links) / real(reached);
  const LoadDistribution load = tagged_load_ratio(routing.hashed_flows(one.flows), reached);
  // A pair waits for the slowest of its QPs, each on a path of its own, or gets their mean.
  if (routing.striping == Striping::fixed) {
    return load.largest_of(hops * paths).transformed(per_link);
  }
  const double narrowed = 1 / std::sqrt(real(paths));
  return load.transformed(narrowed, (1 - narrowed) * load.mean())
      .largest_of(hops)
      .transformed(per_link);
}

const LoadDistribution& StageSlowdowns::of_group(const LinkStage& stage, bool failed) {
  const Group group{stage.flows, stage.links, failed ? stage.failed : 0, stage.polarization,
                    stage.receive_port ? 1 : 0};
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(group);
    if (found != known_.end()) return found->second;
  }
  LoadDistribution ratio = group_ratio(stage, routing_, failed);
  const std::lock_guard lock(mutex_);
  return known_.try_emplace(group, std::move(ratio)).first->second;
}

LoadDistribution StageSlowdowns::max_mean_ratio(const LinkStage& stage) {
  if (!stage.sizes.empty()) return stage_max_mean_ratio(stage, routing_);
  return largest_ratio(stage, routing_, [&](bool failed) {
    return over_mean_flows(stage, routing_, failed,
                           [&](const LinkStage& whole) { return of_group(whole, failed); });
  });
}

LoadDistribution StageSlowdowns::of(const LinkStage& stage) {
  return with_efficiency(max_mean_ratio(stage).transformed(stage.rho), routing_);
}

LoadDistribution StageSlowdowns::of_largest(std::span<const LinkStage> stages) {
  std::vector<LargestOf> parts;
  std::deque<LoadDistribution> worked_out;
  for (const LinkStage& stage : stages) {
    if (never_slows(stage, routing_)) continue;
    const bool alike = stage.sizes.empty() && stage.failed == 0 && !in_planes(stage, routing_) &&
                       efficiency_of(routing_) == 1 && !varies(stage, routing_, false);
    if (alike) {
      parts.push_back({&of_group(stage, false), stage.rho, stage.groups});
    } else {
      parts.push_back({&worked_out.emplace_back(of(stage))});
    }
  }
  return largest_from_one(parts);
}

Slowdown slowdown(const std::vector<LinkStage>& stages, StageSlowdowns& known) {
  const LoadDistribution worst = known.of_largest(stages);
  return {.mean = worst.mean(),
          .quantile = worst.quantile(known.routing().quantile),
          .p95 = worst.quantile(0.95)};
}

std::optional<std::size_t> binding(const std::vector<LinkStage>& stages, StageSlowdowns& known) {
  std::optional<std::size_t> binding;
  double most = 1;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const double mean = known.of_largest({&stages[i], 1}).mean();
    if (mean <= most + 1e-12) continue;
    most = mean;
    binding = i;
  }
  return binding;
}

Slowdown slowdown(const std::vector<LinkStage>& stages, const Routing& routing) {
  StageSlowdowns known(routing);
  return slowdown(stages, known);
}

std::optional<std::int64_t> qps_needed(std::int64_t flows, std::int64_t links, std::int64_t groups,
                                       double u) {
  const NormalMaximum e = normal_maximum(groups * links);
  const auto enough = [&](std::int64_t qps) {
    const LinkSpread spread = equal_flows(real(flows * qps), real(links));
    return 1 + e.mean * spread.deviation + (e.second_moment - 1) * spread.skew <= u;
  };
  if (!enough(kMostQps)) return std::nullopt;
  std::int64_t low = 0;
  std::int64_t high = 1;
  while (high < kMostQps && !enough(high)) high *= 2;
  high = std::min(high, kMostQps);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

double end_to_end_gain(double exposed_share, double speedup) {
  return 1 / (1 - exposed_share + exposed_share / speedup);
}

double exposed_share(double gain, double speedup) {
  return (1 - 1 / gain) / (1 - 1 / speedup);
}

}  // namespace planner::network
