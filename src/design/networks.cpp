#include "planner/design/networks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "planner/core/real.hpp"

namespace planner::design {

namespace {

/// What a piece costs to own, or nothing where that is not known.
std::optional<double> cost_of_piece(const Optic& optic, PartCategory category,
                                    const PriceBook& book, const Economics& economics) {
  const PieceResult piece =
      piece_of({.id = optic.name, .category = category, .power = optic.power}, book, economics);
  const auto* const known = std::get_if<Piece>(&piece);
  return known == nullptr ? std::nullopt : std::optional(known->tco);
}

/// The cheaper of what is there and something else; of equals the first.
struct Cheapest {
  std::optional<Optic> optic{};
  double cost = 0;

  void offer(const Optic& other, double cost_of_other) {
    if (optic && cost <= cost_of_other) return;
    optic = other;
    cost = cost_of_other;
  }
};

NetworkOption network_of(const SwitchModel& model, const OpticsOption& optics,
                         const TopologyOptions& topology) {
  FabricDesign fabric{.radix = model.ports_at(optics.port_gbps),
                      .port_gbps = optics.port_gbps,
                      .topology = topology};
  FabricParts names{.switches = model.name};
  FabricModels models{.switches = model};
  const auto take = [](const std::optional<Optic>& optic, auto& name, auto& place) {
    if (!optic) return;
    name = optic->name;
    place = optic;
  };
  if (optics.active_optical) {
    fabric.cabling = {.host = CableKind::active_optical,
                      .first = CableKind::active_optical,
                      .upper = CableKind::active_optical};
    take(optics.active_optical, names.active_optical, models.active_optical);
  } else {
    fabric.cabling.ports_per_switch_module = optics.module->ports;
    fabric.cabling.ports_per_nic_module = optics.module->ports;
    take(optics.module, names.switch_module, models.switch_module);
    take(optics.module, names.nic_module, models.nic_module);
    take(optics.fibre, names.fibre, models.fibre);
  }
  return {.choice = {.fabric = fabric, .parts = names}, .models = models};
}

}  // namespace

std::vector<OpticsOption> cheapest_optics(const std::vector<Optic>& optics, const PriceBook& book,
                                          const Economics& economics) {
  // Transceivers of one reach are of one kind, and talk to each other.
  std::map<std::pair<std::int64_t, std::optional<double>>, Cheapest> modules;
  std::vector<std::pair<Optic, double>> fibres;
  std::map<std::int64_t, std::pair<OpticsOption, double>> best;
  const auto offer = [&best](OpticsOption option, double cost) {
    const auto [entry, first] = best.try_emplace(option.port_gbps, option, cost);
    if (!first && cost < entry->second.second) entry->second = {std::move(option), cost};
  };
  for (const Optic& optic : optics) {
    const bool transceiver = optic.kind == OpticKind::transceiver;
    const auto category = transceiver ? PartCategory::transceivers : PartCategory::cables;
    const auto cost = cost_of_piece(optic, category, book, economics);
    if (!cost) continue;
    if (optic.kind == OpticKind::fibre) fibres.emplace_back(optic, *cost);
    if (!optic.port_gbps) continue;
    if (optic.kind == OpticKind::active_optical) {
      offer({.port_gbps = *optic.port_gbps, .active_optical = optic}, *cost);
    }
    if (!transceiver || optic.ports > 2) continue;
    modules[{*optic.port_gbps, optic.reach_m}].offer(optic, *cost / real(optic.ports));
  }
  for (const auto& [kind, module] : modules) {
    const auto& [gbps, reach] = kind;
    for (const auto& [fibre, cost] : fibres) {
      // A fibre that says nothing of its reach ends no link before its transceivers do.
      if (fibre.reach_m && (!reach || *fibre.reach_m < *reach)) continue;
      offer({.port_gbps = gbps, .module = module.optic, .fibre = fibre}, 2 * module.cost + cost);
    }
  }
  std::vector<OpticsOption> options;
  for (auto& [gbps, option] : best) options.push_back(std::move(option.first));
  return options;
}

std::vector<NetworkOption> open_networks(const System& system, const Node& node,
                                         const NetworkParts& parts) {
  std::vector<NetworkOption> options;
  const std::int64_t nic = std::llround(node.nic_bandwidth.in(units::Gbps));
  const bool card_each = node.nics == node.accelerators;
  for (const SwitchModel& model : parts.switches) {
    for (const OpticsOption& optics : parts.optics) {
      for (const std::int64_t planes : kPlanes) {
        if (optics.port_gbps * planes != nic || model.ports_at(optics.port_gbps) == 0) continue;
        for (const std::int64_t down : kOversubscriptions) {
          const Ratio ratio{.down = down, .up = 1};
          const auto one = [&](const TopologyOptions& topology) {
            options.push_back(network_of(model, optics, topology));
          };
          if (planes == 1) {
            one(FatTree{.oversubscription = ratio});
          } else {
            one(MultiPlane{.planes = planes,
                           .ports_per_gpu = planes,
                           .oversubscription = ratio,
                           .max_tiers = 3});
          }
          if (!card_each) continue;
          one(RailOptimized{
              .rails = system.hb_domain, .planes = planes, .oversubscription = ratio});
          if (planes == 1) {
            one(RailOnly{.rails = system.hb_domain, .oversubscription = ratio});
          }
        }
      }
    }
  }
  return options;
}

}  // namespace planner::design
