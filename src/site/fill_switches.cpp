#include <algorithm>
#include <map>

#include "planner/core/ceil_div.hpp"
#include "planner/site/filler.hpp"

namespace planner::site {
namespace {

constexpr double kSwitchRackKg = 150;
constexpr double kSwitchKg = 12;  // QM9700: 11.7 kg

/// Whether two groups of units overlap and neither holds the other: pods that straddle units.
bool straddle(const std::map<Span, std::vector<std::int64_t>>& together) {
  Span before;
  for (const auto& [span, devices] : together) {
    if (before.first >= 0 && span.first <= before.last && span != before &&
        span.first > before.first && span.last > before.last) {
      return true;
    }
    if (span.first == before.first && before.first >= 0) return true;
    before = span;
  }
  return false;
}

}  // namespace

void Filler::find_spans() {
  for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
    const DeviceKind& of = plan_.wiring.kinds[kind];
    spans_.emplace_back(of.count);
    if (of.set.empty()) continue;
    for (std::int64_t device = 0; device < of.count; ++device) {
      const std::int64_t unit = unit_of(kind, device);
      spans_[kind][device] = {unit, unit};
    }
  }
  for (const WiredLayer& layer : plan_.wiring.layers) {
    if (layer.from == layer.to) continue;
    if (!plan_.wiring.kinds[layer.to].set.empty()) continue;  // its place is known
    for (const Link& link : layer.links) {
      spans_[layer.to][link.to].add(spans_[layer.from][link.from]);
    }
  }
}

std::int64_t Filler::plane(std::size_t kind, std::int64_t device) const {
  const std::vector<std::int32_t>& planes = plan_.wiring.kinds[kind].plane;
  return planes.empty() ? 0 : planes[device];
}

void Filler::fill_switches() {
  for (std::size_t kind = 0; kind < hardware_.count.switches.size(); ++kind) {
    // Plane by plane, so that no rack takes two ports of a card with it.
    std::map<std::int64_t, std::map<Span, std::vector<std::int64_t>>> planes;
    for (std::int64_t device = 0; device < plan_.wiring.kinds[kind].count; ++device) {
      const std::int64_t apart = hardware_.count.planes > 1 ? plane(kind, device) : 0;
      planes[apart][spans_[kind][device]].push_back(device);
    }
    for (auto& [apart, together] : planes) {
      if (kind == 0 && in_node_racks()) {
        for (const auto& [span, devices] : together) put_on_top(kind, span, devices);
      } else if (straddle(together)) {
        std::vector<std::int64_t> all;
        for (const auto& [span, devices] : together) {
          all.insert(all.end(), devices.begin(), devices.end());
        }
        rack_switches(kind, all);
      } else {
        for (const auto& [span, devices] : together) rack_switches(kind, devices);
      }
    }
  }
}

void Filler::rack_switches(std::size_t kind, const std::vector<std::int64_t>& devices) {
  const SwitchTier& tier = hardware_.count.switches[kind];
  const auto number = static_cast<std::int64_t>(devices.size());
  const Watts draw =
      hardware_.switch_power[kind] + power_.of_device[kind][devices.front()] * units::W;
  std::int64_t most = per_rack(kind);
  if (draw > Watts{}) {
    const double fit = rack_limit(hardware_, site_) / draw;
    most = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(fit, 1e6)), 1, most);
  }
  const std::int64_t racks = ceil_div(number, most);
  const std::int64_t units = hardware_.switch_units[kind];
  const auto free = static_cast<std::int64_t>(site_.rack_units) - 1;
  for (std::int64_t i = 0; i < racks; ++i) {
    const std::int64_t from = number * i / racks, to = number * (i + 1) / racks;
    const std::int32_t rack =
        add_rack(tier.name + "-" + std::to_string(switch_racks_[kind]++), tier.name,
                 static_cast<std::int64_t>(kind) + 1, kSwitchRackKg);
    plan_.racks[rack].is_network = true;
    // Each with as much room for its cables, where there is room.
    const std::int64_t pitch = 2 * units * (to - from) <= free ? 2 * units : units;
    Span span;
    for (std::int64_t j = from; j < to; ++j) {
      span.add(spans_[kind][devices[j]]);
      add_switch(kind, devices[j], rack, static_cast<double>(free - 1 - pitch * (j - from)) + 0.5);
    }
    hubs_.emplace_back(span, rack);
  }
}

void Filler::add_switch(std::size_t kind, std::int64_t device, std::int32_t rack, double unit) {
  Rack& of = plan_.racks[rack];
  unit = std::max(unit, 0.5);
  of.contents.push_back(
      {unit - 0.5, hardware_.count.switches[kind].name + "-" + std::to_string(device)});
  of.units_used += hardware_.switch_units[kind];
  of.power += hardware_.switch_power[kind];
  of.kg += kSwitchKg * static_cast<double>(hardware_.switch_units[kind]);
  put(kind, device, rack, unit);
}

void Filler::put_on_top(std::size_t kind, Span span, const std::vector<std::int64_t>& devices) {
  const std::int64_t unit = std::max<std::int64_t>(span.first, 0);
  std::vector<std::int32_t> racks = groups_[unit].racks;
  for (const Group& domain : groups_[unit].children) {
    racks.insert(racks.end(), domain.racks.begin(), domain.racks.end());
  }
  if (racks.empty()) return rack_switches(kind, devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::int32_t rack = racks[i * racks.size() / devices.size()];
    const double used = static_cast<double>(tops_[rack]++ * hardware_.switch_units[kind]);
    add_switch(kind, devices[i], rack, site_.rack_units - 1.5 - used);
  }
}

}  // namespace planner::site
