#include "planner/cost/link_parts.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "planner/cost/bill.hpp"

namespace planner::inline cost {
namespace {

std::string gbps_text(std::int64_t gbps) {
  return std::to_string(gbps) + "g";
}

bool makes_cable(const MediumModels& medium, const Optic& optic) {
  if (medium.medium.cable) return *medium.medium.cable == optic.name;
  return !optic.reach_m || *optic.reach_m >= medium.medium.reach_m;
}

bool makes_end(const MediumModels& medium, const Optic& optic) {
  const std::vector<std::string>& names = medium.medium.modules;
  if (!names.empty()) return std::find(names.begin(), names.end(), optic.name) != names.end();
  return !optic.reach_m || *optic.reach_m >= medium.medium.reach_m;
}

/// Copper joins a cage of a switch to as many cages at the other end as it has ports.
bool fits(const Optic& cable, std::int64_t switch_ports) {
  return cable.kind != OpticKind::copper || cable.ports == switch_ports;
}

bool at_speed(const Optic& optic, std::int64_t gbps) {
  return !optic.port_gbps || *optic.port_gbps == gbps;
}

Part part_of(const Optic& optic, PartCategory category) {
  return {.id = optic.name,
          .title = optic.title,
          .category = category,
          .power = optic.power,
          .ports = optic.ports,
          .port_gbps = optic.port_gbps.value_or(0)};
}

/// Copper needs no transceiver, and the ends of an active cable are its own.
bool has_modules(const Medium& medium) {
  return !medium.is_copper() && medium.kind != MediumKind::active_optical;
}

const std::optional<Optic>& own_cable(MediumKind kind, const FabricModels& models) {
  if (kind == MediumKind::copper || kind == MediumKind::active_copper) return models.copper;
  return kind == MediumKind::active_optical ? models.active_optical : models.fibre;
}

}  // namespace

bool is_made_at(const MediumModels& medium, std::int64_t gbps) {
  return medium.medium.kind != MediumKind::active_copper || !medium.cable ||
         at_speed(*medium.cable, gbps);
}

Part cable_part(const MediumModels& medium, std::int64_t gbps, std::int64_t switch_ports,
                const FabricModels& models) {
  const std::optional<Optic>& own = own_cable(medium.medium.kind, models);
  if (own && at_speed(*own, gbps) && makes_cable(medium, *own) && fits(*own, switch_ports)) {
    return part_of(*own, PartCategory::cables);
  }
  if (medium.cable && at_speed(*medium.cable, gbps) && fits(*medium.cable, switch_ports)) {
    return part_of(*medium.cable, PartCategory::cables);
  }
  Part part{.title = medium.medium.title, .category = PartCategory::cables, .port_gbps = gbps};
  const bool splits = medium.medium.is_copper() && switch_ports > 1;
  const std::string of = splits ? std::to_string(switch_ports) + "x-" : "";
  if (splits) {
    part.title +=
        ", splitter " + std::to_string(switch_ports) + " × " + std::to_string(gbps) + " Gb/s";
    part.ports = switch_ports;
  }
  switch (medium.medium.kind) {
    case MediumKind::copper:
      part.id = "dac-" + of + gbps_text(gbps);
      part.power = Watts{};
      break;
    case MediumKind::active_copper:
      part.id = "acc-" + of + gbps_text(gbps);
      // As much for each link as the part of another number of links.
      if (medium.cable && medium.cable->power) {
        part.power = *medium.cable->power *
                     (static_cast<double>(switch_ports) / static_cast<double>(medium.cable->ports));
      }
      break;
    case MediumKind::active_optical:
      part.id = "aoc-" + gbps_text(gbps);
      break;
    case MediumKind::multi_mode:
      part.id = "fibre";
      part.power = Watts{};
      break;
    case MediumKind::single_mode:
      part.id = "fibre-single-mode";
      part.power = Watts{};
      break;
  }
  return part;
}

Part trunk_of(Part cord, std::int64_t fibres) {
  const std::int64_t links = fibres / kFibresOfLink;
  cord.id += "-trunk-" + std::to_string(fibres);
  cord.title += ", trunk of " + std::to_string(fibres) + " fibres";
  if (links > 1) cord.title += " fanned out to " + std::to_string(links) + " plugs at each end";
  cord.ports = links;
  return cord;
}

Part module_part(const MediumModels& medium, bool nearest, std::int64_t gbps, bool at_switch,
                 std::int64_t ports, const FabricModels& models) {
  const std::optional<Optic>& own = at_switch ? models.switch_module : models.nic_module;
  const auto with_power = [&](Part part) {
    if (part.power || !models.module_stand_in) return part;
    part.power = models.module_stand_in;
    part.title += ", power assumed";
    return part;
  };
  if (own && at_speed(*own, gbps) && makes_end(medium, *own)) {
    return with_power(part_of(*own, PartCategory::transceivers));
  }
  if (own) {
    const auto found = std::find_if(
        medium.modules.begin(), medium.modules.end(),
        [&](const Optic& module) { return module.ports == ports && at_speed(module, gbps); });
    if (found != medium.modules.end()) {
      return with_power(part_of(*found, PartCategory::transceivers));
    }
  }
  const std::string of = ports == 1 ? "module-" : "module-" + std::to_string(ports) + "x-";
  return with_power({.id = of + gbps_text(gbps) + (nearest && !own ? "" : "-" + medium.medium.name),
                     .title = std::string("transceiver module ") +
                              (at_switch ? "in switches" : "at NICs") + ", " +
                              std::to_string(gbps) + " Gb/s, " + medium.medium.title,
                     .category = PartCategory::transceivers,
                     .ports = ports,
                     .port_gbps = gbps});
}

bool is_nearest_fibre(const std::vector<MediumModels>& media, std::size_t medium) {
  return std::none_of(media.begin(), media.begin() + static_cast<std::ptrdiff_t>(medium),
                      [](const MediumModels& before) { return has_modules(before.medium); });
}

std::vector<PartQuantity> link_parts(const LaidLinks& laid, const std::vector<MediumModels>& media,
                                     const Cabling& cabling, const FabricModels& models,
                                     const PriceBook& book) {
  std::vector<PartQuantity> parts;
  const auto add = [&parts](Part part, std::int64_t quantity) {
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const PartQuantity& other) {
      return other.part.title == part.title && other.part.id == part.id;
    });
    if (same != parts.end()) {
      same->quantity += quantity;
    } else {
      parts.push_back({.part = std::move(part), .quantity = quantity});
    }
  };
  std::map<std::tuple<std::int64_t, std::optional<Watts>>, std::int64_t> ends;
  for (const LaidModules& at : laid.modules) {
    const std::int64_t ports =
        at.at_switch ? cabling.ports_per_switch_module : cabling.ports_per_nic_module;
    Part part = module_part(media[at.medium], is_nearest_fibre(media, at.medium), at.gbps,
                            at.at_switch, ports, models);
    if (book.transceiver_ends.empty()) {
      add(std::move(part), at.modules);
    } else {
      // Under a price per end, the power of an end is its share of the module's.
      std::optional<Watts> share;
      if (part.power) share = *part.power / static_cast<double>(part.ports);
      ends[{at.gbps, share}] += at.ends;
    }
  }
  for (const auto& [of, number] : ends) {
    const auto& [gbps, power] = of;
    add({.id = "transceiver-end-" + gbps_text(gbps),
         .title = "transceiver end, " + std::to_string(gbps) + " Gb/s",
         .category = PartCategory::transceivers,
         .power = power,
         .ports = 1,
         .port_gbps = gbps},
        number);
  }
  std::vector<LaidCables> by_length = laid.cables;
  std::stable_sort(
      by_length.begin(), by_length.end(), [](const LaidCables& a, const LaidCables& b) {
        return std::tie(a.medium, a.fibres, a.sold_m) < std::tie(b.medium, b.fibres, b.sold_m);
      });
  for (const LaidCables& cables : by_length) {
    Part part =
        cable_part(media[cables.medium], cables.gbps, cabling.ports_per_switch_module, models);
    if (cables.fibres > 0) part = trunk_of(std::move(part), cables.fibres);
    part.title += ", " + length_text(cables.sold_m) + " m";
    part.length_m = cables.sold_m;
    add(std::move(part), cables.pieces);
  }
  return parts;
}

}  // namespace planner::cost
