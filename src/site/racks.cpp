#include <algorithm>
#include <cmath>
#include <set>

#include "planner/core/ceil_div.hpp"
#include "planner/site/filler.hpp"

namespace planner::site {
namespace {

/// Sets with fewer switches than this stand together until they fill a rack of switches.
constexpr std::int64_t kSetSwitches = 8;

/// Neighbours that fill no bay by themselves stand in one together.
void share_bays(Group& group, std::size_t per_bay) {
  std::vector<Group> kept;
  for (Group& child : group.children) {
    share_bays(child, per_bay);
    Group* const last = kept.empty() ? nullptr : &kept.back();
    const bool together = last != nullptr && last->children.empty() && child.children.empty() &&
                          last->racks.size() + child.racks.size() <= per_bay;
    if (!together) {
      kept.push_back(std::move(child));
      continue;
    }
    last->racks.insert(last->racks.end(), child.racks.begin(), child.racks.end());
    last->hubs.insert(last->hubs.end(), child.hubs.begin(), child.hubs.end());
  }
  group.children = std::move(kept);
}

std::int64_t pieces_in_rack(const OtherLoad& load, const Site& site) {
  return std::max<std::int64_t>(1, (static_cast<std::int64_t>(site.rack_units) - 2) / load.units);
}

/// Racks of a load: as many as its power takes, and its pieces.
double racks_of_load(const OtherLoad& load, const Hardware& hardware, const Site& site) {
  const double by_power =
      std::floor(load.power.value_or(Watts{}) / rack_limit(hardware, site) + 0.999999);
  const double by_room =
      load.units == 0 ? 1 : static_cast<double>(ceil_div(load.pieces, pieces_in_rack(load, site)));
  return std::max({1.0, by_power, by_room});
}

}  // namespace

double racks_without_switches(const Hardware& hardware, const Site& site) {
  const std::int64_t nodes = hardware.nodes + hardware.spare_nodes;
  double racks = static_cast<double>(ceil_div(nodes, pack(hardware, site).nodes));
  for (const OtherLoad& load : hardware.others) racks += racks_of_load(load, hardware, site);
  return racks;
}

std::string numbered(const char* letter, std::int64_t number) {
  const std::string digits = std::to_string(number);
  return letter + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

void Span::add(Span other) {
  if (other.first < 0) return;
  first = first < 0 ? other.first : std::min(first, other.first);
  last = std::max(last, other.last);
}

Filler::Filler(const Hardware& hardware, const Site& site, Wiring wiring)
    : hardware_(hardware), site_(site), power_(port_power(hardware, wiring)) {
  plan_.packing = pack(hardware, site);
  plan_.wiring = std::move(wiring);
  for (const DeviceKind& kind : plan_.wiring.kinds) {
    plan_.rack_of.emplace_back(kind.count, -1);
    plan_.unit_of.emplace_back(kind.count, 0.0F);
    spans_.emplace_back(kind.count);
  }
  find_frames();
  join_sets();
}

RackPlan Filler::fill() {
  for (std::int64_t unit = 0; unit < units_; ++unit) groups_.emplace_back();
  fill_nodes();
  add_sidecars();
  find_spans(false);
  fill_switches(false);
  fill_others();
  fill_cold_spares();
  put_side_ports();
  find_spans(true);
  fill_switches(true);
  build_tree();
  add_domain_layer();
  return std::move(plan_);
}

void Filler::join_sets() {
  const Wiring& wiring = plan_.wiring;
  const bool racks = std::holds_alternative<MetaAiZone>(hardware_.network.design.topology);
  const std::int64_t first_tier =
      !wiring.kinds.empty() && is_switch(0) && !wiring.kinds[0].set.empty() ? wiring.kinds[0].count
                                                                            : 0;
  const std::int64_t each = ceil_div(first_tier, wiring.sets);
  joined_ = 1;
  if (frames_ > 0 && in_frame(0)) {
    joined_ = ceil_div(wiring.sets, frames_);  // a frame with all that hangs on it
  } else if (each > 0 && each < kSetSwitches && !racks) {
    joined_ = std::max<std::int64_t>(1, per_rack(0) / each);
  }
  units_ = ceil_div(wiring.sets, joined_);
}

std::int64_t Filler::unit_of(std::size_t kind, std::int64_t device) const {
  const std::vector<std::int32_t>& sets = plan_.wiring.kinds[kind].set;
  return sets.empty() ? 0 : sets[device] / joined_;
}

std::int64_t Filler::per_rack(std::size_t kind) const {
  const std::int64_t units = network_of(kind).switch_units[plan_.wiring.kinds[kind].tier];
  const auto free = static_cast<std::int64_t>(site_.rack_units) - 1;
  const auto most = static_cast<std::int64_t>(site_.switches_per_rack);
  return std::clamp<std::int64_t>(free / units, 1, most);
}

bool Filler::is_switch(std::size_t kind) const {
  return plan_.wiring.kinds[kind].is_switch;
}

bool Filler::in_node_racks() const {
  return site_.switch_position == SwitchPosition::tor;
}

std::int32_t Filler::add_rack(std::string name, std::string kind, std::int64_t rank, double kg) {
  plan_.racks.push_back({.name = std::move(name), .kind = std::move(kind), .rank = rank, .kg = kg});
  return static_cast<std::int32_t>(plan_.racks.size()) - 1;
}

void Filler::put(std::size_t kind, std::int64_t device, std::int32_t rack, double unit) {
  plan_.rack_of[kind][device] = rack;
  plan_.unit_of[kind][device] = static_cast<float>(unit);
  plan_.racks[rack].power += power_.of_device[kind][device] * units::W;
}

void Filler::fill_load(const OtherLoad& load) {
  const Watts power = load.power.value_or(Watts{});
  const auto racks = static_cast<std::int64_t>(racks_of_load(load, hardware_, site_));
  for (std::int64_t i = 0; i < racks; ++i) {
    const std::int32_t rack =
        add_rack(load.name + "-" + std::to_string(i), load.units > 0 ? load.name : kOtherRack, 9,
                 site_.empty_rack_kg);
    Rack& of = plan_.racks[rack];
    of.power = power / static_cast<double>(racks);
    of.power_known = load.power.has_value();
    others_.push_back(rack);
    if (load.units == 0) {
      of.contents.push_back({0, load.name});
      continue;
    }
    const std::int64_t from = load.pieces * i / racks, to = load.pieces * (i + 1) / racks;
    for (std::int64_t piece = from; piece < to; ++piece) {
      const auto unit = static_cast<double>((piece - from) * load.units);
      of.contents.push_back({unit, load.name + "-" + std::to_string(piece)});
      of.units_used += load.units;
      loads_[load.name].push_back(
          {.rack = rack, .height = unit + static_cast<double>(load.units) / 2});
    }
  }
}

void Filler::fill_others() {
  for (const OtherLoad& load : hardware_.others) fill_load(load);
  for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
    const DeviceKind& of = plan_.wiring.kinds[kind];
    if (of.is_switch || of.network > 0 || of.name == "gpu" || of.name == "spare") continue;
    const auto per = std::max<std::int64_t>(1, static_cast<std::int64_t>(site_.rack_units) / 2 - 2);
    for (std::int64_t device = 0; device < of.count; ++device) {
      if (device % per == 0) {
        others_.push_back(add_rack(of.name + "-" + std::to_string(device / per), kOtherRack, 9,
                                   site_.empty_rack_kg));
      }
      const double unit = 2 * static_cast<double>(device % per) + 2;
      plan_.racks.back().contents.push_back({unit, of.name + "-" + std::to_string(device)});
      plan_.racks.back().units_used += 2;
      put(kind, device, others_.back(), unit);
    }
  }
}

void Filler::build_tree() {
  std::set<Span> pods;
  for (const auto& [span, rack, beside] : hubs_) {
    if (!beside && span.first >= 0 && span.first != span.last &&
        !(span.first == 0 && span.last == units_ - 1)) {
      pods.insert(span);
    }
  }
  std::int64_t end = -1;
  for (const Span& pod : pods) {
    if (pod.first <= end) {
      pods.clear();
      break;
    }
    end = pod.last;
  }
  std::map<std::int64_t, std::vector<std::int32_t>> pod_hubs;
  Group root;
  for (const auto& [span, rack, beside] : hubs_) {
    const bool whole = span.first < 0 || (span.first == 0 && span.last == units_ - 1);
    if (!whole && span.first == span.last) {
      groups_[span.first].hubs.push_back(rack);
    } else if (whole && units_ > 1) {
      root.hubs.push_back(rack);
    } else if (pods.count(span) > 0) {
      pod_hubs[span.first].push_back(rack);
    } else {
      groups_[std::min(units_ - 1, (std::max<std::int64_t>(span.first, 0) + span.last + 1) / 2)]
          .hubs.push_back(rack);
    }
  }
  auto pod = pods.begin();
  for (std::int64_t unit = 0; unit < units_; ++unit) {
    if (pod != pods.end() && unit == pod->first) {
      Group of{.hubs = pod_hubs[unit], .racks = {}, .children = {}};
      for (; unit <= pod->last; ++unit) of.children.push_back(std::move(groups_[unit]));
      --unit;
      ++pod;
      root.children.push_back(std::move(of));
    } else {
      root.children.push_back(std::move(groups_[unit]));
    }
  }
  if (!others_.empty()) root.children.push_back({.hubs = {}, .racks = others_, .children = {}});
  share_bays(root, static_cast<std::size_t>(site_.bay_racks) - 2);
  plan_.root = std::move(root);
}

RackPlan fill_racks(const Hardware& hardware, const Site& site, Wiring wiring) {
  return Filler(hardware, site, std::move(wiring)).fill();
}

}  // namespace planner::site
