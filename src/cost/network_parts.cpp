#include "planner/cost/network_parts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace planner::inline cost {
namespace {

using Parts = std::vector<PartQuantity>;
using BySpeed = std::map<std::int64_t, std::int64_t>;  ///< Gb/s to quantity

std::string gbps(std::int64_t speed) {
  return std::to_string(speed) + " Gb/s";
}

/// "16 × 200 + 8 × 400 Gb/s": the ports that the fullest switch uses, where they differ in speed.
std::optional<std::string> mixed_ports(const SwitchTier& tier, const FabricCount& count) {
  BySpeed most;
  for (const SwitchGroup& group : tier.groups) {
    BySpeed used;
    for (const PortUse& use : group.ports) used[count.layers[use.layer].gbps] += use.ports;
    for (const auto& [speed, ports] : used) most[speed] = std::max(most[speed], ports);
  }
  if (most.size() < 2) return std::nullopt;
  std::string words;
  for (const auto& [speed, ports] : most) {
    words += (words.empty() ? "" : " + ") + std::to_string(ports) + " × " + std::to_string(speed);
  }
  return words + " Gb/s";
}

Part nameless_switch(const SwitchTier& tier, const FabricCount& count, std::int64_t speed) {
  const std::string ports = std::to_string(tier.radix);
  return {.id = "switch-" + ports + "x" + std::to_string(speed) + "g",
          .title = tier.name + " switch, " +
                   mixed_ports(tier, count).value_or(ports + " ports of " + gbps(speed)),
          .category = PartCategory::switches,
          .ports = tier.radix,
          .port_gbps = speed};
}

/// A part of unknown power draws what stands in for it, and says so.
Part with_stand_in(Part part, const std::optional<Watts>& stands_in) {
  if (part.power || !stands_in) return part;
  part.power = stands_in;
  part.title += ", power assumed";
  return part;
}

Part named_switch(const SwitchModel& model, const SwitchTier& tier, std::int64_t speed) {
  return {.id = model.name,
          .title = model.title + ", " + tier.name,
          .category = PartCategory::switches,
          .power = model.power,
          .ports = tier.radix,
          .port_gbps = speed};
}

const std::optional<SwitchModel>& model_for(std::size_t tier, const FabricModels& models) {
  return tier > 0 && models.upper_switches ? models.upper_switches : models.switches;
}

std::optional<CostProblem> misfit(const SwitchModel& model, const SwitchTier& tier,
                                  std::int64_t speed) {
  const std::int64_t ports = model.ports_at(speed);
  if (ports >= tier.radix) return std::nullopt;
  return CostProblem{CostRule::wrong_part, model.name,
                     std::to_string(ports) + " ports of " + gbps(speed) + ", the " + tier.name +
                         " needs " + std::to_string(tier.radix)};
}

/// Switch ends of a fibre layer that take a transceiver, or all ends of one between endpoints.
std::int64_t ends_beyond_nics(const LinkLayer& layer) {
  return layer.links * layer.optical_ends - (layer.host ? layer.links : 0);
}

template <class Ends>
BySpeed ends_by_speed(const FabricCount& count, Ends ends) {
  BySpeed sums;
  for (const LinkLayer& layer : count.layers) {
    if (layer.cable == CableKind::fibre) sums[layer.gbps] += ends(layer);
  }
  return sums;
}

std::int64_t nic_ends(const LinkLayer& layer) {
  return layer.host ? layer.links : 0;
}

BySpeed links_by_speed(const FabricCount& count, CableKind kind) {
  BySpeed sums;
  for (const LinkLayer& layer : count.layers) {
    if (layer.cable == kind) sums[layer.gbps] += layer.links;
  }
  return sums;
}

std::int64_t pieces(std::int64_t ports, std::int64_t ports_per_piece) {
  return ports / ports_per_piece + (ports % ports_per_piece != 0 ? 1 : 0);
}

bool carries(const Optic& optic, std::int64_t speed) {
  return !optic.port_gbps || *optic.port_gbps == speed;
}

/// One role of optics: what it is called without a model, and which model there is.
struct Role {
  std::string id;
  std::string title;
  PartCategory category = PartCategory::cables;
  const std::optional<Optic>& model;
  std::optional<Watts> power{};      ///< where its model says none
  std::optional<Watts> stands_in{};  ///< the same, assumed
  std::int64_t ports = 1;            ///< of a nameless one
  bool any_speed = false;            ///< one nameless part serves all speeds
};

Part part_of(const Role& role, std::int64_t speed) {
  const std::string suffix = role.any_speed ? "" : "-" + std::to_string(speed) + "g";
  Part part{.id = role.id + suffix,
            .title = role.any_speed ? role.title : role.title + ", " + gbps(speed),
            .category = role.category,
            .power = role.power,
            .ports = role.ports,
            .port_gbps = speed};
  if (role.model && carries(*role.model, speed)) {
    part.id = role.model->name;
    part.title = role.model->title;
    part.power = role.model->power ? role.model->power : part.power;
    part.ports = role.model->ports;
  }
  return with_stand_in(std::move(part), role.stands_in);
}

void add(Parts& parts, const Role& role, const BySpeed& quantities) {
  for (const auto& [speed, quantity] : quantities) {
    const Part part = part_of(role, speed);
    const auto same = std::find_if(parts.begin(), parts.end(), [&part](const PartQuantity& other) {
      return other.part.id == part.id && other.part.title == part.title;
    });
    if (same != parts.end()) {
      same->quantity += quantity;
    } else if (quantity > 0) {
      parts.push_back({.part = part, .quantity = quantity});
    }
  }
}

/// Under a price per end, the power of an end is its share of the module's.
void add_ends(Parts& parts, const FabricCount& count, std::int64_t switch_ports,
              const FabricModels& models) {
  const auto all_ends = [](const LinkLayer& layer) { return layer.links * layer.optical_ends; };
  const std::optional<Optic> any;
  for (const auto& [speed, ends] : ends_by_speed(count, all_ends)) {
    Part part = part_of({.id = "transceiver-end",
                         .title = "transceiver end",
                         .category = PartCategory::transceivers,
                         .model = any},
                        speed);
    const std::optional<Optic>& module = models.switch_module;
    if (module && module->power && carries(*module, speed)) {
      part.power = *module->power / static_cast<double>(module->ports);
    } else if (models.module_stand_in) {
      part.power = *models.module_stand_in / static_cast<double>(switch_ports);
    }
    if (ends > 0) parts.push_back({.part = part, .quantity = ends});
  }
}

/// Modules with one port are counted by speed; of those with several, mixed speeds are one line.
BySpeed switch_modules(const FabricDesign& design, const FabricCount& count, std::int64_t at_nics) {
  if (design.cabling.ports_per_switch_module == 1) return ends_by_speed(count, ends_beyond_nics);
  return {{design.port_gbps, count.modules - at_nics}};
}

void add_modules(Parts& parts, const FabricDesign& design, const FabricCount& count,
                 const FabricModels& models) {
  BySpeed at_nics;
  std::int64_t all_at_nics = 0;
  for (const LinkLayer& layer : count.layers) {
    if (layer.cable != CableKind::fibre) continue;
    const std::int64_t modules = pieces(nic_ends(layer), design.cabling.ports_per_nic_module);
    at_nics[layer.gbps] += modules;
    all_at_nics += modules;
  }
  const auto id = [](std::int64_t ports) {
    return ports == 1 ? std::string("module") : "module-" + std::to_string(ports) + "x";
  };
  add(parts,
      {.id = id(design.cabling.ports_per_nic_module),
       .title = "transceiver module at NICs",
       .category = PartCategory::transceivers,
       .model = models.nic_module,
       .stands_in = models.module_stand_in},
      at_nics);
  add(parts,
      {.id = id(design.cabling.ports_per_switch_module),
       .title = "transceiver module in switches",
       .category = PartCategory::transceivers,
       .model = models.switch_module,
       .stands_in = models.module_stand_in},
      switch_modules(design, count, all_at_nics));
}

/// A copper cable carries as many links as a cage of a switch has ports: two of them are a
/// splitter.
void add_copper(Parts& parts, const FabricCount& count, std::int64_t switch_ports,
                const FabricModels& models) {
  const std::optional<Optic> none;
  const bool fits = models.copper && models.copper->ports == switch_ports;
  Role role{.id = "dac",
            .title = "copper cable",
            .model = fits ? models.copper : none,
            .power = Watts{},
            .ports = switch_ports};
  if (switch_ports > 1) {
    role.id += "-" + std::to_string(switch_ports) + "x";
    role.title = "copper splitter to " + std::to_string(switch_ports);
  }
  BySpeed cables = links_by_speed(count, CableKind::copper);
  for (auto& [speed, number] : cables) number = pieces(number, switch_ports);
  add(parts, role, cables);
}

void add_cables(Parts& parts, const FabricCount& count, std::int64_t switch_ports,
                const FabricModels& models) {
  const Role active{.id = "aoc", .title = "active optical cable", .model = models.active_optical};
  const Role fibre{.id = "fibre",
                   .title = "fibre cable",
                   .model = models.fibre,
                   .power = Watts{},
                   .any_speed = true};
  add_copper(parts, count, switch_ports, models);
  add(parts, active, links_by_speed(count, CableKind::active_optical));
  add(parts, fibre, links_by_speed(count, CableKind::fibre));
}

std::optional<CostProblem> misfit(const Optic& module, std::int64_t ports) {
  if (module.kind != OpticKind::transceiver) {
    return CostProblem{CostRule::wrong_part, module.name, "a cable where a transceiver is needed"};
  }
  if (module.ports == ports) return std::nullopt;
  return CostProblem{CostRule::wrong_part, module.name,
                     std::to_string(module.ports) + " ports where the cabling counts " +
                         std::to_string(ports) + " per module"};
}

std::optional<CostProblem> misfit(const FabricDesign& design, const FabricCount& count,
                                  const FabricModels& models) {
  for (std::size_t tier = 0; tier < count.switches.size(); ++tier) {
    const std::optional<SwitchModel>& model = model_for(tier, models);
    if (!model) continue;
    if (auto problem = misfit(*model, count.switches[tier], design.port_gbps)) return problem;
  }
  const Cabling& cabling = design.cabling;
  if (models.switch_module) {
    if (auto problem = misfit(*models.switch_module, cabling.ports_per_switch_module)) {
      return problem;
    }
  }
  if (models.nic_module) return misfit(*models.nic_module, cabling.ports_per_nic_module);
  return std::nullopt;
}

/// The one priced line of a network that was offered as a whole; the others are inside it.
void put_into_quote(Parts& parts, const std::string& quote) {
  for (PartQuantity& bought : parts) bought.included_in = quote;
  parts.push_back({.part = {.id = quote,
                            .title = "network as a whole (" + quote + ")",
                            .category = PartCategory::network,
                            .power = Watts{}},
                   .quantity = 1});
}

}  // namespace

PartsResult network_parts(const FabricDesign& design, const FabricCount& count,
                          const FabricModels& models, const PriceBook& book,
                          const std::vector<PartQuantity>* links) {
  if (const auto problem = misfit(design, count, models)) return *problem;
  Parts parts;
  for (std::size_t i = 0; i < count.switches.size(); ++i) {
    const SwitchTier& tier = count.switches[i];
    const std::optional<SwitchModel>& model = model_for(i, models);
    Part part = model ? named_switch(*model, tier, design.port_gbps)
                      : nameless_switch(tier, count, design.port_gbps);
    parts.push_back({.part = with_stand_in(std::move(part), models.switch_stand_in),
                     .quantity = tier.switches});
  }
  if (links != nullptr) {
    parts.insert(parts.end(), links->begin(), links->end());
  } else {
    if (book.transceiver_ends.empty()) {
      add_modules(parts, design, count, models);
    } else {
      add_ends(parts, count, design.cabling.ports_per_switch_module, models);
    }
    add_cables(parts, count, design.cabling.ports_per_switch_module, models);
  }
  if (models.quote) put_into_quote(parts, *models.quote);
  return parts;
}

}  // namespace planner::cost
