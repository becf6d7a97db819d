#include "planner/network/clos/draft.hpp"

#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"

namespace planner::inline network {
namespace {

/// Kind `dealt` starts at bin `first` and gives one port more to `extra` bins from there on, round
/// the corner.
struct Dealt {
  std::size_t layer;
  Whole each;
  Whole first;
  Whole extra;

  [[nodiscard]] Whole ports(Whole bin, Whole bins) const {
    return each + ((bin + bins - first) % bins < extra ? 1 : 0);
  }
};

bool more_oversubscribed(Ratio a, Ratio b) {
  return Whole{a.down} * b.up > Whole{b.down} * a.up;
}

}  // namespace

DraftGroups deal(Whole bins, std::initializer_list<Kind> kinds) {
  if (bins == Whole{0}) return {};
  boost::container::static_vector<Dealt, kMostKinds> dealt;
  boost::container::static_vector<Whole, kMostKinds + 2> breaks = {0, bins};
  Whole next = 0;
  for (const Kind& kind : kinds) {
    dealt.push_back({kind.layer, kind.total / bins, next, kind.total % bins});
    next = (next + kind.total % bins) % bins;
    breaks.insert(std::upper_bound(breaks.begin(), breaks.end(), next), next);
  }
  DraftGroups groups;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    if (breaks[i] == breaks[i + 1]) continue;
    DraftGroup group{.count = breaks[i + 1] - breaks[i], .ports = {}};
    for (const Dealt& kind : dealt) {
      group.ports.emplace_back(kind.layer, kind.ports(breaks[i], bins));
    }
    groups.push_back(group);
  }
  return groups;
}

Draft::Draft(const FabricDesign& design) : design_(design) {
  constexpr std::size_t kLayers = 4, kFailures = 6;  // that a tree has
  count_.topology = topology_of(design);
  count_.radix = design.radix;
  count_.layers.reserve(kLayers);
  count_.failures.reserve(kFailures);
}

std::size_t Draft::layer(LinkLayer layer) {
  count_.layers.push_back(std::move(layer));
  direct_links_.emplace_back(0);
  return count_.layers.size() - 1;
}

std::size_t Draft::host_layer(std::string name, std::int64_t gbps) {
  return layer({.name = std::move(name),
                .links = 0,
                .gbps = gbps,
                .cable = design_.cabling.host,
                .host = true,
                .optical_ends = 2});
}

std::size_t Draft::switch_layer(std::string name, CableKind cable) {
  return layer({.name = std::move(name),
                .links = 0,
                .gbps = design_.port_gbps,
                .cable = cable,
                .host = false,
                .optical_ends = 2});
}

void Draft::direct_links(std::size_t layer, Whole links) {
  direct_links_[layer] = links;
}

std::size_t Draft::tier(std::string name, Whole radix) {
  tiers_.push_back({std::move(name), radix, {}, std::nullopt});
  return tiers_.size() - 1;
}

void Draft::add(std::size_t tier, const DraftGroups& groups) {
  for (const DraftGroup& group : groups) {
    if (group.count > Whole{0}) tiers_[tier].groups.push_back(group);
  }
}

void Draft::oversubscription(std::size_t tier, Whole down, Whole up) {
  if (up == Whole{0}) return;
  tiers_[tier].oversubscription = lowest_terms({.down = kept(down), .up = kept(up)});
}

void Draft::failure(std::string part, Whole cut_off, Whole slowed, Whole lost, Whole shared) {
  count_.failures.push_back({.part = std::move(part),
                             .gpus_cut_off = kept(cut_off),
                             .gpus_slowed = kept(slowed),
                             .links_lost = kept(lost),
                             .links_shared = kept(shared)});
}

void Draft::endpoints(Whole endpoints, Whole most) {
  count_.endpoints = kept(endpoints);
  count_.max_endpoints = most.value();  // a maximum beyond 64 bits is no limit
}

void Draft::bisection(Whole gbps) {
  count_.bisection_gbps = kept(gbps);
}

std::int64_t Draft::kept(Whole value) {
  overflowed_ = overflowed_ || value.overflowed();
  return value.value();
}

Whole Draft::ports_on(std::size_t layer) const {
  Whole sum = 0;
  for (const DraftTier& tier : tiers_) {
    for (const DraftGroup& group : tier.groups) {
      for (const auto& [used, ports] : group.ports) {
        if (used == layer) sum += group.count * ports;
      }
    }
  }
  return sum;
}

void Draft::count_links() {
  for (std::size_t i = 0; i < count_.layers.size(); ++i) {
    LinkLayer& layer = count_.layers[i];
    const Whole ends = ports_on(i);
    layer.links = kept((layer.host ? ends : ends / 2) + direct_links_[i]);
  }
}

void Draft::count_switches() {
  std::optional<Ratio> worst;
  count_.switches.reserve(tiers_.size());
  for (const DraftTier& tier : tiers_) {
    SwitchTier counted{.name = tier.name,
                       .switches = 0,
                       .radix = kept(tier.radix),
                       .groups = {},
                       .oversubscription = tier.oversubscription};
    Whole switches = 0;
    counted.groups.reserve(tier.groups.size());
    for (const DraftGroup& group : tier.groups) {
      switches += group.count;
      SwitchGroup alike{.count = kept(group.count), .ports = {}};
      alike.ports.reserve(group.ports.size());
      for (const auto& [layer, ports] : group.ports) {
        if (ports > Whole{0}) alike.ports.push_back({.layer = layer, .ports = kept(ports)});
      }
      counted.groups.push_back(std::move(alike));
    }
    counted.switches = kept(switches);
    if (tier.oversubscription && (!worst || more_oversubscribed(*tier.oversubscription, *worst))) {
      worst = tier.oversubscription;
    }
    if (counted.switches > 0) count_.switches.push_back(std::move(counted));
  }
  count_.oversubscription = worst.value_or(Ratio{});
  Whole total = 0;
  for (const SwitchTier& tier : count_.switches) total += tier.switches;
  kept(total);
}

std::optional<FabricProblem> Draft::over_radix() const {
  // Bandwidth is the budget, not ports: a port breaks out into slower ones.
  for (const DraftTier& tier : tiers_) {
    for (const DraftGroup& group : tier.groups) {
      Whole gbps = 0;
      for (const auto& [layer, ports] : group.ports) gbps += ports * count_.layers[layer].gbps;
      if (gbps > tier.radix * design_.port_gbps) {
        return too_many_ports(tier.name, ceil_div(gbps, design_.port_gbps), tier.radix,
                              "counted at " + std::to_string(design_.port_gbps) +
                                  " Gb/s: switches of so many ports (--radix)");
      }
    }
  }
  return std::nullopt;
}

Whole Draft::optical_ports(const DraftGroup& group) const {
  Whole sum = 0;
  for (const auto& [layer, ports] : group.ports) {
    const LinkLayer& link = count_.layers[layer];
    if (link.cable == CableKind::fibre && link.optical_ends == 2) sum += ports;
  }
  return sum;
}

void Draft::count_optics() {
  Whole transceivers = 0;
  Whole modules = 0;
  Whole copper = 0;
  Whole active_optical = 0;
  Whole fibre = 0;
  for (std::size_t i = 0; i < count_.layers.size(); ++i) {
    const LinkLayer& layer = count_.layers[i];
    switch (layer.cable) {
      case CableKind::copper:
        copper += layer.links;
        break;
      case CableKind::active_optical:
        active_optical += layer.links;
        break;
      case CableKind::fibre: {
        fibre += layer.links;
        transceivers += Whole{layer.links} * layer.optical_ends;
        const Whole at_endpoints =
            (layer.host ? Whole{layer.links} : Whole{0}) + direct_links_[i] * 2;
        modules += ceil_div(at_endpoints, design_.cabling.ports_per_nic_module);
        break;
      }
      case CableKind::backplane:
        break;
    }
  }
  for (const DraftTier& tier : tiers_) {
    for (const DraftGroup& group : tier.groups) {
      modules +=
          group.count * ceil_div(optical_ports(group), design_.cabling.ports_per_switch_module);
    }
  }
  count_.transceivers = kept(transceivers);
  count_.modules = kept(modules);
  count_.cables = {
      .copper = kept(copper), .active_optical = kept(active_optical), .fibre = kept(fibre)};
}

void Draft::count_racks_and_power() {
  const FabricLimits& limits = design_.limits;
  const std::int64_t switches = count_.total_switches();
  if (limits.rack_units_per_switch) {
    const Whole per_rack = Whole{limits.rack_units_per_rack} / *limits.rack_units_per_switch;
    count_.racks = ceil_div(switches, per_rack).value();
  }
  if (limits.power_per_switch || limits.power_per_module) {
    count_.power = static_cast<double>(switches) * limits.power_per_switch.value_or(Watts{}) +
                   static_cast<double>(count_.modules) * limits.power_per_module.value_or(Watts{});
  }
}

std::optional<FabricProblem> Draft::over_limits() const {
  const FabricLimits& limits = design_.limits;
  const auto over = [](std::string subject, std::string unit, std::int64_t need,
                       std::int64_t have) {
    return FabricProblem{.rule = FabricRule::over_limit,
                         .subject = std::move(subject),
                         .unit = std::move(unit),
                         .need = need,
                         .have = have,
                         .max_endpoints = std::nullopt,
                         .hint = {}};
  };
  if (limits.racks && count_.racks && *count_.racks > *limits.racks) {
    return over("racks of switches", "racks", *count_.racks, *limits.racks);
  }
  if (limits.power && count_.power && *count_.power > *limits.power) {
    return over("power of the network", "W", static_cast<std::int64_t>(count_.power->si()),
                static_cast<std::int64_t>(limits.power->si()));
  }
  return std::nullopt;
}

CountResult Draft::finish() {
  if (auto problem = over_radix()) return *problem;
  count_links();
  count_switches();
  count_optics();
  if (!overflowed_) {
    Whole links = 0;
    for (const LinkLayer& layer : count_.layers) links += layer.links;
    kept(links);
  }
  if (overflowed_) {
    return FabricProblem{.rule = FabricRule::too_large_to_count,
                         .subject = "gpus",
                         .unit = {},
                         .need = 0,
                         .have = 0,
                         .max_endpoints = std::nullopt,
                         .hint = {}};
  }
  count_racks_and_power();
  if (auto problem = over_limits()) return *problem;
  return std::move(count_);
}

}  // namespace planner::network
