#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/site/racks.hpp"

namespace planner::site {

std::int64_t Hardware::links() const {
  std::int64_t sum = network.count.total_links();
  for (const NetworkHardware& of : beside) sum += of.count.total_links();
  return sum;
}

std::string_view name_of(RackLimit limit) {
  switch (limit) {
    case RackLimit::units:
      return "units";
    case RackLimit::power:
      return "power";
    case RackLimit::weight:
      return "weight";
    case RackLimit::given:
      return "the chassis";
  }
  return "";
}

Watts rack_limit(const Hardware& hardware, const Site& site) {
  const double usual = hardware.chassis.liquid_share > 0 ? 140 : kAirRackKw;
  return (site.rack_kw.value_or(usual) + site.rack_door_kw) * 1000 * units::W;
}

namespace {

/// The modules at a node's ports of a network.
Watts modules_of_node(const NetworkHardware& network, std::int64_t nodes) {
  const auto& layers = network.count.layers;
  const auto host = std::find_if(layers.begin(), layers.end(),
                                 [](const LinkLayer& layer) { return layer.name == "host"; });
  if (host == layers.end() || host->cable != CableKind::fibre) return {};
  const std::int64_t ports =
      network.name.empty() ? ceil_div(host->links, nodes) : network.node_ports;
  const std::int64_t modules = ceil_div(ports, network.design.cabling.ports_per_nic_module);
  return static_cast<double>(modules) * network.nic_module;
}

}  // namespace

Watts node_draw(const Hardware& hardware) {
  Watts draw = hardware.node_power + modules_of_node(hardware.network, hardware.nodes);
  for (const NetworkHardware& network : hardware.beside) {
    draw += modules_of_node(network, hardware.nodes);
  }
  return draw;
}

Packing pack(const Hardware& hardware, const Site& site) {
  const auto whole = [](double ratio) {
    return ratio > 1e6 ? std::int64_t{1'000'000} : static_cast<std::int64_t>(ratio + 1e-9);
  };
  const double free_units = site.rack_units - site.first_unit.value_or(0);
  Packing best{.nodes = whole(free_units / static_cast<double>(hardware.node_units)),
               .bound_by = RackLimit::units};
  const auto bound = [&best](std::int64_t nodes, RackLimit by) {
    if (nodes < best.nodes) best = {.nodes = nodes, .bound_by = by};
  };
  if (const Watts node = node_draw(hardware); node > Watts{}) {
    bound(whole(rack_limit(hardware, site) / node), RackLimit::power);
  }
  if (site.rack_kg && hardware.chassis.kg > 0) {
    bound(whole((*site.rack_kg - site.empty_rack_kg) / hardware.chassis.kg), RackLimit::weight);
  }
  if (hardware.chassis.most_per_rack) bound(*hardware.chassis.most_per_rack, RackLimit::given);
  return best;
}

bool has_domain_racks(const Hardware& hardware, const Packing& packing) {
  return hardware.chassis.domain_switch_racks > 0 &&
         hardware.hb_domain > hardware.node_gpus * packing.nodes;
}

Watts domain_switch_power(const Hardware& hardware, const Site& site) {
  if (!has_domain_racks(hardware, pack(hardware, site))) return {};
  const std::int64_t domains = ceil_div(hardware.nodes, hardware.hb_domain / hardware.node_gpus);
  return static_cast<double>(domains * hardware.chassis.domain_switch_racks) *
         hardware.chassis.domain_switch_power;
}

PortPower port_power(const Hardware& hardware, const Wiring& wiring) {
  PortPower power;
  std::vector<std::vector<std::int64_t>> optical;
  for (const DeviceKind& kind : wiring.kinds) {
    power.of_device.emplace_back(kind.count, 0.0);
    optical.emplace_back(kind.count, 0);
  }
  for (const WiredLayer& layer : wiring.layers) {
    const bool copper = layer.cable == CableKind::copper;
    const NetworkHardware& network = hardware.of(layer.network);
    const double link = copper                                     ? network.copper_link.si()
                        : layer.cable == CableKind::active_optical ? network.active_link.si()
                                                                   : 0;
    const bool one_end = layer.optical_ends == 1;
    for (const Link& end : layer.links) {
      if (layer.cable == CableKind::fibre) {
        ++optical[layer.from][end.from];
        if (!one_end) ++optical[layer.to][end.to];
      } else {
        power.of_device[layer.from][end.from] += link / 2;
        power.of_device[layer.to][end.to] += link / 2;
      }
    }
  }
  for (std::size_t k = 0; k < wiring.kinds.size(); ++k) {
    const bool at_switch = wiring.kinds[k].is_switch;
    const NetworkHardware& network = hardware.of(wiring.kinds[k].network);
    const Cabling& cabling = network.design.cabling;
    const std::int64_t ports =
        at_switch ? cabling.ports_per_switch_module : cabling.ports_per_nic_module;
    const double module = (at_switch ? network.switch_module : network.nic_module).si();
    std::int64_t ends = 0, modules = 0;
    for (std::size_t d = 0; d < optical[k].size(); ++d) {
      // Network cards of a node share modules: counted as they fill.
      ends += optical[k][d];
      const std::int64_t here =
          at_switch ? ceil_div(optical[k][d], ports) : ceil_div(ends, ports) - modules;
      modules += here;
      power.of_device[k][d] += module * static_cast<double>(here);
    }
  }
  return power;
}

}  // namespace planner::site
