#include <algorithm>
#include <map>
#include <variant>

#include "planner/core/ceil_div.hpp"
#include "planner/site/filler.hpp"
#include "planner/site/flows.hpp"

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

void Filler::find_spans(bool beside) {
  for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
    const DeviceKind& of = plan_.wiring.kinds[kind];
    if (of.set.empty() || (of.network > 0) != beside) continue;
    for (std::int64_t device = 0; device < of.count; ++device) {
      // Ports beside the GPUs' network have the unit of their node, or none.
      const std::int64_t unit = of.network > 0 ? of.set[device] : unit_of(kind, device);
      spans_[kind][device] = {unit, unit};
    }
  }
  for (const WiredLayer& layer : plan_.wiring.layers) {
    if (layer.from == layer.to || (layer.network > 0) != beside) continue;
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

void Filler::fill_switches(bool beside) {
  if (!beside) rack_frames();
  for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
    const DeviceKind& of = plan_.wiring.kinds[kind];
    if (!of.is_switch || (of.network > 0) != beside || in_frame(kind)) continue;
    // Plane by plane, so that no rack takes two ports of a card with it.
    std::map<std::int64_t, std::map<Span, std::vector<std::int64_t>>> planes;
    for (std::int64_t device = 0; device < of.count; ++device) {
      const NetworkHardware& network = network_of(kind);
      // Of a network without planes, the switches that take a port each of a card.
      const bool by_port = of.tier == 0 && std::holds_alternative<DcnPlus>(network.design.topology);
      const bool by_plane = network.count.planes > 1 || by_port;
      const std::int64_t apart = by_plane ? plane(kind, device) : 0;
      planes[apart][spans_[kind][device]].push_back(device);
    }
    for (auto& [apart, together] : planes) {
      if (of.tier == 0 && in_node_racks()) {
        for (const auto& [span, devices] : together) put_on_top(kind, span, devices);
      } else if (of.network > 0 || straddle(together)) {
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

const NetworkHardware& Filler::network_of(std::size_t kind) const {
  return hardware_.of(plan_.wiring.kinds[kind].network);
}

const std::string& Filler::name_of_tier(std::size_t kind) const {
  return plan_.wiring.kinds[kind].name;
}

void Filler::rack_switches(std::size_t kind, const std::vector<std::int64_t>& devices) {
  if (devices.empty()) return;
  const DeviceKind& of = plan_.wiring.kinds[kind];
  const NetworkHardware& network = network_of(kind);
  const auto number = static_cast<std::int64_t>(devices.size());
  const Watts draw =
      network.switch_power[of.tier] + power_.of_device[kind][devices.front()] * units::W;
  std::int64_t most = per_rack(kind);
  if (draw > Watts{}) {
    const double fit = rack_limit(hardware_, site_) / draw;
    most = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(fit, 1e6)), 1, most);
  }
  const std::int64_t racks = ceil_div(number, most);
  const std::int64_t units = network.switch_units[of.tier];
  const auto free = static_cast<std::int64_t>(site_.rack_units) - 1;
  for (std::int64_t i = 0; i < racks; ++i) {
    const std::int64_t from = number * i / racks, to = number * (i + 1) / racks;
    const std::int32_t rack =
        add_rack(of.name + "-" + std::to_string(switch_racks_[kind]++), of.name,
                 static_cast<std::int64_t>(of.tier) + 1, kSwitchRackKg);
    plan_.racks[rack].is_network = true;
    // Each with as much room for its cables, where there is room.
    const std::int64_t pitch = 2 * units * (to - from) <= free ? 2 * units : units;
    Span span;
    for (std::int64_t j = from; j < to; ++j) {
      span.add(spans_[kind][devices[j]]);
      add_switch(kind, devices[j], rack, static_cast<double>(free - 1 - pitch * (j - from)) + 0.5);
    }
    hubs_.push_back({.span = span, .rack = rack, .beside = of.network > 0});
  }
}

void Filler::find_frames() {
  const Wiring& wiring = plan_.wiring;
  frame_of_.resize(wiring.kinds.size());
  // Devices joined by backplanes, as sets that grow together.
  std::vector<std::size_t> first(1, 0), above;
  for (const DeviceKind& kind : wiring.kinds) {
    first.push_back(first.back() + static_cast<std::size_t>(kind.count));
  }
  for (std::size_t i = 0; i < first.back(); ++i) above.push_back(i);
  const auto root = [&](std::size_t device) {
    while (above[device] != device) device = above[device] = above[above[device]];
    return device;
  };
  for (const WiredLayer& layer : wiring.layers) {
    if (has_cables(layer) || layer.host || layer.network > 0) continue;
    for (const std::size_t kind : {layer.from, layer.to}) {
      frame_of_[kind].assign(static_cast<std::size_t>(wiring.kinds[kind].count), 0);
    }
    for (const Link& link : layer.links) {
      const std::size_t a = root(first[layer.from] + link.from),
                        b = root(first[layer.to] + link.to);
      above[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::size_t, std::int64_t> number;
  for (std::size_t kind = 0; kind < frame_of_.size(); ++kind) {
    for (std::size_t device = 0; device < frame_of_[kind].size(); ++device) {
      const auto [at, is_new] = number.emplace(root(first[kind] + device), frames_);
      frame_of_[kind][device] = at->second;
      if (is_new) ++frames_;
    }
  }
}

void Filler::rack_frames() {
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> frames(frames_);
  for (std::size_t kind = 0; kind < frame_of_.size(); ++kind) {
    for (std::size_t device = 0; device < frame_of_[kind].size(); ++device) {
      frames[frame_of_[kind][device]].emplace_back(kind, static_cast<std::int64_t>(device));
    }
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::int32_t rack = add_rack("frame-" + std::to_string(i), kFrameRack, 1, kSwitchRackKg);
    plan_.racks[rack].is_network = true;
    // Boards one above the other, however many the frame holds.
    const double pitch = (site_.rack_units - 1) / static_cast<double>(frames[i].size());
    Span span;
    double unit = site_.rack_units - 1.5;
    for (const auto& [kind, device] : frames[i]) {
      span.add(spans_[kind][device]);
      add_switch(kind, device, rack, unit);
      unit -= pitch;
    }
    const auto room = static_cast<std::int64_t>(site_.rack_units);
    plan_.racks[rack].units_used = std::min(plan_.racks[rack].units_used, room);
    hubs_.push_back({.span = span, .rack = rack});
  }
}

void Filler::add_switch(std::size_t kind, std::int64_t device, std::int32_t rack, double unit) {
  Rack& of = plan_.racks[rack];
  unit = std::max(unit, 0.5);
  of.contents.push_back({unit - 0.5, name_of_tier(kind) + "-" + std::to_string(device)});
  const NetworkHardware& network = network_of(kind);
  const std::size_t tier = plan_.wiring.kinds[kind].tier;
  of.units_used += network.switch_units[tier];
  of.power += network.switch_power[tier];
  if (!network.switch_unknown.empty() && network.switch_unknown[tier]) of.power_known = false;
  of.kg += kSwitchKg * static_cast<double>(network.switch_units[tier]);
  put(kind, device, rack, unit);
}

void Filler::put_on_top(std::size_t kind, Span span, const std::vector<std::int64_t>& devices) {
  const std::int64_t unit = std::max<std::int64_t>(span.first, 0);
  const std::int64_t units = network_of(kind).switch_units[plan_.wiring.kinds[kind].tier];
  std::vector<std::int32_t> racks = groups_[unit].racks;
  for (const Group& domain : groups_[unit].children) {
    racks.insert(racks.end(), domain.racks.begin(), domain.racks.end());
  }
  if (racks.empty()) return rack_switches(kind, devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::int32_t rack = racks[i * racks.size() / devices.size()];
    const double used = static_cast<double>(tops_[rack]++ * units);
    add_switch(kind, devices[i], rack, site_.rack_units - 1.5 - used);
  }
}

}  // namespace planner::site
