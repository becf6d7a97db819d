#include <algorithm>

#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// Kim et al., ISCA 2008: groups of a routers, p hosts and h global links per router; up to
// g = a·h + 1 groups; router radix p + a - 1 + h. Balanced: a = 2p = 2h, that is h = ⌊(k+1)/4⌋.
CountResult count_parts(const FabricDesign& design, const Dragonfly& options) {
  const std::int64_t balanced = (design.radix + 1) / 4;
  const std::int64_t global = options.global_per_router.value_or(balanced);
  if (auto problem = check({{"radix", design.radix, 3}})) return *problem;
  const std::int64_t hosts = options.hosts_per_router.value_or(global);
  const std::int64_t in_group = options.routers_per_group.value_or(2 * global);
  const Whole p = hosts;
  const Whole a = in_group;
  const Whole h = global;
  const Whole ports = p + a - 1 + h;
  if (ports > Whole{design.radix}) {
    return too_many_ports("router", ports, design.radix,
                          "hosts + routers of the group - 1 + global links");
  }
  const Whole most_groups = a * h + 1;
  if (options.groups && Whole{*options.groups} > most_groups) {
    return too_many_ports("group", Whole{*options.groups} - 1, a * h,
                          "every group needs a global link to every other");
  }
  const Whole most = p * a * (options.groups ? Whole{*options.groups} : most_groups);
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) {
    return too_many_endpoints(gpus, most, "more groups, or routers of a higher radix");
  }
  const Whole g =
      options.groups ? Whole{*options.groups} : std::min(most_groups, ceil_div(gpus, p * a));
  const Whole routers = g * a;

  Draft draft(design);
  const std::size_t host = draft.host_layer("host", design.port_gbps);
  const std::size_t local = draft.switch_layer("local", design.cabling.first);
  const std::size_t across = draft.switch_layer("global", design.cabling.upper);
  const std::size_t router = draft.tier("router", design.radix);
  const Whole global_links = g > Whole{1} ? routers * h / 2 : Whole{0};
  DraftGroups groups = deal(routers, {{host, gpus}, {across, global_links * 2}});
  for (DraftGroup& group : groups) group.ports.emplace_back(local, a - 1);
  draft.add(router, groups);

  // Half of the groups against the other half, groups kept whole; a pair of groups shares
  // global / (g(g-1)/2) links.
  const Whole below = g / 2;
  const Whole above = g - below;
  const Whole cut =
      g > Whole{1} ? global_links * below / g * above * 2 / (g - 1) : (a / 2) * (a - a / 2);
  draft.bisection(std::min(gpus / 2, cut) * design.port_gbps);
  draft.endpoints(gpus, most);

  const Whole on_router = std::min(p, ceil_div(gpus, routers));
  draft.failure("router", on_router, std::min(gpus, on_router * a) - on_router, 1, a);
  draft.failure("host link", 1, 0, 1, 1);
  if (a > Whole{1}) draft.failure("local link", 0, on_router, 1, a - 1);
  if (g > Whole{1}) draft.failure("global link", 0, std::min(gpus, on_router * a), 1, a * h);

  FabricCount& count = draft.count();
  count.tiers = 1;
  count.units = g.value();
  const std::int64_t routers_in_one_group = in_group > 1 ? 2 : 1;
  count.max_hops = g > Whole{1} ? 2 * routers_in_one_group : routers_in_one_group;
  return draft.finish();
}

// Balanced for 64 ports, as DeepSeek-V3 hardware paper (arXiv 2505.09343), Table 3.
FabricDesign published_dragonfly(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus, .radix = 64, .port_gbps = 400, .topology = Dragonfly{}};
}

}  // namespace

const TopologyOf<Dragonfly>& facts_of(const Dragonfly&) {
  using O = Dragonfly;
  static const TopologyOf<O> facts{
      .design = published_dragonfly,
      .inputs =
          {
              {.key = "hosts_per_router", .member = &O::hosts_per_router, .doc = "p"},
              {.key = "routers_per_group", .member = &O::routers_per_group, .doc = "a"},
              {.key = "global_per_router", .member = &O::global_per_router, .doc = "h"},
              {.key = "groups", .member = &O::groups, .doc = "g; left out: as many as needed"},
          },
      .count = count_parts,
  };
  return facts;
}

}  // namespace planner::network
