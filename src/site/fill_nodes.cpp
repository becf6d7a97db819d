#include <algorithm>
#include <string_view>

#include "planner/core/ceil_div.hpp"
#include "planner/site/filler.hpp"

namespace planner::site {

void Filler::fill_nodes() {
  const std::vector<DeviceKind>& kinds = plan_.wiring.kinds;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].network == 0 && kinds[kind].name == "gpu") {
      per_node_ = std::max<std::int64_t>(1, ceil_div(kinds[kind].count, hardware_.nodes));
      fill_kind(kind, per_node_, kComputeRack);
    }
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].name == "spare") fill_kind(kind, per_node_, kSpareRack);
  }
}

void Filler::fill_kind(std::size_t kind, std::int64_t per_node, const char* rack_kind) {
  const std::int64_t cards = plan_.wiring.kinds[kind].count;
  const bool spare = rack_kind != std::string_view(kComputeRack);
  const std::int64_t nodes =
      spare ? ceil_div(cards, per_node) : std::max(hardware_.nodes, ceil_div(cards, per_node));
  const std::int64_t per_domain =
      has_domain_racks() && !spare ? hardware_.hb_domain / hardware_.node_gpus : nodes;
  std::int64_t unit = -1, domain = -1, in_unit = 0;
  std::int32_t rack = -1;
  for (std::int64_t node = 0; node < nodes; ++node) {
    const std::int64_t first = std::min(node * per_node, cards - 1);
    const std::int64_t its_unit = unit_of(kind, first), its_domain = node / per_domain;
    const bool full = rack >= 0 && plan_.racks[rack].nodes >= plan_.packing.nodes;
    if (its_unit != unit) in_unit = 0;
    if (its_unit != unit || its_domain != domain || full || rack < 0) {
      const std::string letter = spare ? "B" : "N";
      rack = add_rack(
          numbered("U", its_unit) + letter + (in_unit < 10 ? "0" : "") + std::to_string(in_unit),
          rack_kind, 0, site_.empty_rack_kg);
      ++in_unit;
      if (has_domain_racks() && !spare) {
        domain_racks(its_unit, its_domain).push_back(rack);
      } else {
        groups_[its_unit].racks.push_back(rack);
      }
    }
    unit = its_unit;
    domain = its_domain;
    add_node(node, rack, its_unit, spare);
    for (std::int64_t card = node * per_node; card < std::min(cards, (node + 1) * per_node);
         ++card) {
      put(kind, card, rack, port_height(plan_.racks[rack].nodes - 1, card - node * per_node));
    }
  }
}

double Filler::lowest_unit() const {
  const std::int64_t used = plan_.packing.nodes * hardware_.node_units;
  constexpr double kUsual = 4;
  return std::max(0.0, std::min(site_.first_unit.value_or(kUsual),
                                site_.rack_units - static_cast<double>(used)));
}

double Filler::port_height(std::int64_t node, std::int64_t port) const {
  const double bottom = lowest_unit() + static_cast<double>(node * hardware_.node_units);
  const std::vector<double>& heights = hardware_.chassis.port_units;
  if (heights.empty()) return bottom + static_cast<double>(hardware_.node_units) / 2;
  return bottom + heights[port % static_cast<std::int64_t>(heights.size())];
}

void Filler::fill_cold_spares() {
  std::int32_t rack = -1;
  for (std::int64_t racks = 0; plan_.spare_nodes < hardware_.spare_nodes;) {
    if (rack < 0 || plan_.racks[rack].nodes >= plan_.packing.nodes) {
      rack = add_rack("S" + std::to_string(racks++), kSpareRack, 8, site_.empty_rack_kg);
      others_.push_back(rack);
    }
    add_node(plan_.spare_nodes, rack, -1, true);
  }
}

void Filler::put_side_ports() {
  for (std::size_t kind = 0; kind < plan_.wiring.kinds.size(); ++kind) {
    DeviceKind& ports = plan_.wiring.kinds[kind];
    if (ports.network == 0 || ports.is_switch) continue;
    const NetworkHardware& network = network_of(kind);
    ports.set.assign(ports.count, -1);
    std::int64_t next = 0;
    const auto deal = [&](const std::vector<Standing>& all, std::int64_t each) {
      for (const Standing& at : all) {
        for (std::int64_t i = 0; i < each && next < ports.count; ++i, ++next) {
          ports.set[next] = static_cast<std::int32_t>(at.unit);
          put(kind, next, at.rack, at.height);
        }
      }
    };
    deal(nodes_, network.node_ports);
    deal(loads_[kStorageLoad], network.storage_ports);
    deal(loads_[kManagementLoad], network.management_ports);
    if (next == ports.count) continue;
    // What is left leaves the building: patched at the edge.
    others_.push_back(add_rack(network.name + "-uplinks", kOtherRack, 9, site_.empty_rack_kg));
    const double middle = site_.rack_units / 2;
    plan_.racks.back().contents.push_back({middle, network.name + "-uplinks"});
    for (; next < ports.count; ++next) put(kind, next, others_.back(), middle);
  }
}

void Filler::add_node(std::int64_t node, std::int32_t rack, std::int64_t unit, bool spare) {
  Rack& of = plan_.racks[rack];
  const double bottom = lowest_unit() + static_cast<double>(of.nodes * hardware_.node_units);
  of.contents.push_back({bottom, (spare ? "spare-node-" : "node-") + std::to_string(node)});
  of.units_used += hardware_.node_units;
  of.power += hardware_.node_power;
  of.liquid += hardware_.node_power * hardware_.chassis.liquid_share;
  of.kg += hardware_.chassis.kg;
  if (!spare) {
    of.gpus += std::clamp<std::int64_t>(hardware_.gpus - node * hardware_.node_gpus, 0,
                                        hardware_.node_gpus);
  }
  plan_.held += hardware_.node_rated.value_or(hardware_.node_power) - hardware_.node_power;
  if (spare) {
    ++plan_.spare_nodes;
    plan_.spare_power += hardware_.node_power;
  }
  nodes_.push_back({.rack = rack,
                    .unit = unit,
                    .height = bottom + static_cast<double>(hardware_.node_units) / 2});
  ++of.nodes;
}

bool Filler::has_domain_racks() const {
  return site::has_domain_racks(hardware_, plan_.packing);
}

std::vector<std::int32_t>& Filler::domain_racks(std::int64_t unit, std::int64_t domain) {
  if (domain != last_domain_) {
    groups_[unit].children.emplace_back();
    domains_.push_back({unit, groups_[unit].children.size() - 1});
    last_domain_ = domain;
  }
  return groups_[unit].children.back().racks;
}

void Filler::add_sidecars() {
  add_domain_switches();
  const std::int64_t each = hardware_.chassis.racks_per_sidecar;
  if (each == 0) return;
  for (std::int64_t unit = 0; unit < units_; ++unit) {
    const std::vector<std::int32_t> served = groups_[unit].racks;
    const auto racks = static_cast<std::int64_t>(served.size());
    const auto reserve = static_cast<std::int64_t>(site_.cdu_reserve.value_or(0));
    const std::int64_t needed = ceil_div(racks, each), units = racks > 0 ? needed + reserve : 0;
    for (std::int64_t i = 0; i < units; ++i) {
      const std::int32_t rack = add_rack(numbered("U", unit) + "W" + std::to_string(i), kSidecar, 0,
                                         hardware_.chassis.sidecar_kg);
      plan_.racks[rack].cooling = hardware_.chassis.sidecar_power;
      groups_[unit].racks.push_back(rack);
      // With none in reserve each has racks of its own.
      if (reserve > 0) continue;
      plan_.loops.push_back(
          {.racks = {served.begin() + racks * i / units, served.begin() + racks * (i + 1) / units},
           .units = 1,
           .needed = 1});
    }
    if (reserve > 0 && racks > 0) {
      plan_.loops.push_back({.racks = served, .units = units, .needed = needed});
    }
  }
}

void Filler::add_domain_switches() {
  std::int64_t number = 0;
  for (const auto& [unit, child] : domains_) {
    std::vector<std::int32_t>& racks = groups_[unit].children[child].racks;
    std::vector<std::int32_t> switches;
    for (std::int64_t i = 0; i < hardware_.chassis.domain_switch_racks; ++i) {
      switches.push_back(add_rack(numbered("D", number) + "V" + std::to_string(i), kDomainRack, 0,
                                  hardware_.chassis.domain_switch_kg));
      plan_.racks.back().power = hardware_.chassis.domain_switch_power;
    }
    ++number;
    domain_parts_.emplace_back(racks, switches);
    racks.insert(racks.begin() + static_cast<std::ptrdiff_t>(racks.size() / 2), switches.begin(),
                 switches.end());
  }
}

void Filler::add_domain_layer() {
  if (!has_domain_racks()) return;
  Wiring& wiring = plan_.wiring;
  const std::size_t boxes = wiring.kinds.size();
  wiring.kinds.push_back({.name = "hb-rack"});
  wiring.kinds.push_back({.name = "hb-switch"});
  WiredLayer layer{.name = kDomainLayer, .cable = CableKind::fibre, .from = boxes, .to = boxes + 1};
  std::vector<std::int32_t> box_rack, switch_rack;
  std::vector<std::uint32_t> switch_ports;
  const std::int64_t switches = hardware_.chassis.domain_switch_racks;
  for (const auto& [of_nodes, of_switches] : domain_parts_) {
    const auto first = static_cast<std::uint32_t>(switch_rack.size());
    switch_rack.insert(switch_rack.end(), of_switches.begin(), of_switches.end());
    switch_ports.resize(switch_rack.size(), 0);
    for (const std::int32_t rack : of_nodes) {
      const auto box = static_cast<std::uint32_t>(box_rack.size());
      box_rack.push_back(rack);
      for (std::int64_t i = 0; i < hardware_.chassis.domain_cables_per_rack; ++i) {
        const auto to = first + static_cast<std::uint32_t>(i % switches);
        layer.links.push_back({box, static_cast<std::uint32_t>(i), to, switch_ports[to]++});
      }
    }
  }
  for (const auto& racks : {box_rack, switch_rack}) {
    plan_.rack_of.push_back(racks);
    plan_.unit_of.emplace_back(racks.size(), 20.0F);
  }
  wiring.kinds[boxes].count = static_cast<std::int64_t>(box_rack.size());
  wiring.kinds[boxes + 1].count = static_cast<std::int64_t>(switch_rack.size());
  wiring.kinds[boxes + 1].is_switch = true;
  wiring.layers.push_back(std::move(layer));
}

}  // namespace planner::site
