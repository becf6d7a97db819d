#include "planner/commands/parts/physical_build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/catalog/site_files.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/facility.hpp"
#include "planner/commands/parts/physical_media.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/core/usage.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// Overhead trays lie above the racks: nobody's height is raised to be so.
void lay_trays_above(const ClusterNetwork& at, const SiteChoice& choice, Physical& chosen) {
  constexpr double kAbove = 0.3;  // assumed: a hand's room
  Site& site = chosen.site;
  const double top = site.rack_base_m + site.rack_units * site::kUnitMetres;
  if (site.underfloor_m > 0 || site.tray_height_m >= top) return;
  if (!chosen.gave("tray_height_m")) {
    site.tray_height_m = top + kAbove;
    return;
  }
  const std::string what =
      fmt::format("trays at {:g} m lie below the tops of racks of {:g} units, {:.2f} m",
                  site.tray_height_m, site.rack_units, top);
  const std::string hint = "higher trays, lower racks, or \"underfloor_m\"";
  const auto& flags = choice.settings.figures;
  const bool by_flag = std::any_of(flags.begin(), flags.end(), [](const auto& figure) {
    const std::string_view key = site_figures()[figure.first].key;
    return key == "tray_height_m" || key == "rack_units";
  });
  if (by_flag) usage_error("--tray-height-m: " + what, hint);
  throw InputError(catalog::located(
      at.file, "build.tray_height_m",
      {.code = "inconsistent", .message = "\"tray_height_m\": " + what, .hint = hint}));
}

/// The site of the flags over that of the cluster file over that of the catalog.
void choose_site(const ClusterNetwork& at, const SiteChoice& choice,
                 const catalog::Catalog& catalog, Physical& chosen) {
  const auto put = [&](const SiteSettings& settings) {
    apply(settings, chosen.site);
    for (const auto& [index, value] : settings.figures) {
      chosen.given.emplace_back(site_figures()[index].key);
    }
    if (settings.power_units) chosen.given.emplace_back("power_units");
    if (settings.media) chosen.given.emplace_back("media");
  };
  const auto put_file = [&](const std::string& ref) {
    catalog::CatalogFile file = catalog.read(catalog::kinds::site, ref);
    const SiteSettings settings = catalog::parse_site(file.text, file.source_name).settings;
    put(settings);
    if (!settings.power_units) return;
    chosen.chain_file = std::move(file);
    chosen.chain_key = "power_units";
  };
  const std::optional<BuildSettings>& build = at.cluster.build;
  if (choice.site) {
    put_file(*choice.site);
  } else if (build && build->site) {
    named_at(at.file, "build.site", [&] { put_file(*build->site); });
  }
  if (build) put(build->settings);
  if (build && build->settings.power_units) {
    chosen.chain_file = at.file;
    chosen.chain_key = "build.power_units";
  }
  put(choice.settings);
  if (!chosen.site.switch_position) {
    const bool in_racks = topology_of(at.design) == Topology::meta_ai_zone;
    chosen.site.switch_position = in_racks ? SwitchPosition::tor : SwitchPosition::mid_row;
  }
  lay_trays_above(at, choice, chosen);
  // A block holds whole bays: a floor whose blocks are given has no longer ones for longer bays.
  Site& site = chosen.site;
  if (chosen.gave("block_racks")) {
    site.bay_racks = std::min(site.bay_racks, site.block_racks);
  } else {
    site.block_racks = std::max(site.block_racks, site.bay_racks);
  }
}

/// Where no building says its PUE, that of the economics: the one that `cost` has.
void take_pue(const Cluster& cluster, const catalog::Catalog& catalog, Physical& chosen) {
  if (chosen.gave("pue")) return;
  const std::optional<Economics> economics = economics_of(cluster, catalog);
  if (!economics || !economics->pue) return;
  chosen.site.pue = economics->pue->expected;
  chosen.pue_of = economics->name;
}

Chassis chassis_of(const ClusterNetwork& at, const catalog::Catalog& catalog,
                   std::vector<std::string>& warnings) {
  if (at.cluster.build && at.cluster.build->chassis) {
    return named_at(at.file, "build.chassis",
                    [&] { return catalog::load_chassis(catalog, *at.cluster.build->chassis); });
  }
  const std::vector<std::string> known = catalog.names(catalog::kinds::chassis);
  for (const std::string& name : {at.node ? at.node->name : std::string{}, at.system.name}) {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      return catalog::load_chassis(catalog, name);
    }
  }
  const std::int64_t gpus = at.node ? at.node->accelerators : std::int64_t{8};
  warnings.push_back(fmt::format(
      "nothing is known of the chassis of {}: its weight, ports and power supplies are assumed",
      at.node ? at.node->name : at.system.name));
  return {.name = "assumed",
          .title = "assumed",
          .accelerators = gpus,
          .rack_units = std::max<std::int64_t>(1, gpus),
          .kg = 16 * static_cast<double>(gpus)};
}

/// A part of unknown power draws what the building says in its place; else it is not counted, as in
/// the bill.
Watts known_or(const std::optional<Watts>& known, const std::optional<double>& stands_in,
               const std::string& what, const char* key, std::vector<std::string>& unknown) {
  if (known) return *known;
  if (stands_in) return *stands_in * units::W;
  unknown.push_back(fmt::format("{} (\"{}\")", what, key));
  return {};
}

void add_switches(const FabricModels& models, const Site& site, site::NetworkHardware& network,
                  std::vector<std::string>& unknown) {
  constexpr std::int64_t kPortsPerUnit = 128;
  for (std::size_t tier = 0; tier < network.count.switches.size(); ++tier) {
    const SwitchTier& of = network.count.switches[tier];
    const auto& model = tier > 0 && models.upper_switches ? models.upper_switches : models.switches;
    const std::string name = network.name.empty() ? of.name : network.name + " " + of.name;
    const std::optional<Watts> power = model ? model->power : std::nullopt;
    network.switch_power.push_back(
        known_or(power, site.switch_w, name + " switches", "switch_W", unknown));
    network.switch_unknown.push_back(!power && !site.switch_w);
    const auto units = ceil_div(of.radix, kPortsPerUnit);
    network.switch_units.push_back(model && model->rack_units ? *model->rack_units : units);
  }
}

/// A network with what its parts draw, as far as it is known.
site::NetworkHardware network_hardware(std::string name, const FabricDesign& design,
                                       const FabricCount& count, const FabricModels& models,
                                       const Physical& chosen, std::vector<std::string>& unknown) {
  site::NetworkHardware network{.name = std::move(name), .design = design, .count = count};
  add_switches(models, chosen.site, network, unknown);
  const auto watts = [](const std::optional<Optic>& optic) {
    return optic ? optic->power : std::nullopt;
  };
  const std::string beside = network.name.empty() ? "" : network.name + ": ";
  const auto module = [&](const std::optional<Optic>& optic, const char* where) {
    return known_or(watts(optic), chosen.site.module_w, fmt::format("{}modules {}", beside, where),
                    "module_W", unknown);
  };
  // What copper does not reach is fibre where lengths say so.
  if (count.cables.fibre > 0 || (chosen.by_length && count.cables.copper > 0)) {
    network.switch_module = module(models.switch_module, "in switches");
    network.nic_module = module(models.nic_module, "at cards");
  }
  if (const auto& copper = models.copper) {
    const std::int64_t ports = design.cabling.ports_per_switch_module;
    const std::int64_t links = count.cables.copper;
    const double pieces = static_cast<double>(ceil_div(links, ports));
    // As much for each link as the bill has for all pieces.
    const bool bought = copper->ports == ports && links > 0;
    if (bought) {
      network.copper_link = watts(copper).value_or(Watts{}) * (pieces / static_cast<double>(links));
    }
  }
  network.active_link = watts(models.active_optical).value_or(Watts{});
  return network;
}

/// Storage and management servers in racks of their own, and the lines of the bill with power.
void add_others(const Cluster& cluster, site::Hardware& hardware,
                std::vector<std::string>& unknown) {
  constexpr std::int64_t kServerUnits = 2;  // assumed
  const auto add = [&](const std::optional<PartOrder>& order, const char* name) {
    if (!order) return;
    const bool with_ports = !hardware.beside.empty();
    if (!with_ports && !order->power) return;
    if (!order->power) unknown.push_back(fmt::format("{} servers", name));
    std::optional<Watts> power = order->power;
    if (power) power = *power * static_cast<double>(order->quantity);
    hardware.others.push_back(
        {.name = name, .power = power, .pieces = order->quantity, .units = kServerUnits});
  };
  add(cluster.storage_nodes, site::kStorageLoad);
  add(cluster.management_nodes, site::kManagementLoad);
  for (const ExtraLine& line : cluster.extra_lines) {
    if (!line.power || *line.power <= Watts{}) continue;
    hardware.others.push_back({line.item, *line.power * static_cast<double>(line.quantity)});
  }
}

void add_networks_beside(const ClusterNetwork& at, Physical& chosen) {
  const std::vector<NamedNetwork> named = planner::networks_beside(at.cluster);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const CountedNetwork& counted = at.beside[i];
    site::NetworkHardware network = network_hardware(counted.name, counted.design, counted.count,
                                                     counted.models, chosen, chosen.unknown_power);
    network.node_ports = named[i].network->ports_per_node;
    network.storage_ports = named[i].network->ports_per_storage_node;
    network.management_ports = named[i].network->ports_per_management_node;
    chosen.hardware.beside.push_back(std::move(network));
  }
}

site::Hardware hardware_of(const ClusterNetwork& at, const Physical& chosen,
                           const FabricModels& models, const catalog::Catalog& catalog,
                           std::vector<std::string>& unknown, std::vector<std::string>& warnings) {
  const Cluster& cluster = at.cluster;
  site::Hardware hardware{.chassis = chassis_of(at, catalog, warnings),
                          .gpus = cluster.gpus,
                          .hb_domain = at.system.hb_domain};
  const Chassis& chassis = hardware.chassis;
  hardware.node_gpus = at.node ? at.node->accelerators : chassis.accelerators;
  hardware.nodes = ceil_div(cluster.gpus, hardware.node_gpus);
  hardware.spare_nodes = ceil_div(spare_gpus_of(cluster, at.node), hardware.node_gpus);
  hardware.node_units = at.node && at.node->rack_units ? *at.node->rack_units : chassis.rack_units;
  std::optional<Watts> power = cluster.node_power;
  if (!power && at.node) power = at.node->power;
  if (!power) {
    const double accelerator = at.system.accelerator.power.value_or(1000 * units::W).si();
    const double usual = 1.3 * accelerator * static_cast<double>(hardware.node_gpus);
    power = chassis.power.value_or(usual * units::W);
    warnings.push_back(
        fmt::format("the power of a node is not known: {:g} W stand in", power->si()));
  }
  hardware.node_rated = *power;
  hardware.node_power = *power * chosen.site.node_load;
  hardware.network = network_hardware("", at.design, at.count, models, chosen, unknown);
  return hardware;
}

}  // namespace

void put_stand_ins(const Site& site, FabricModels& models) {
  if (site.switch_w) models.switch_stand_in = *site.switch_w * units::W;
  if (site.module_w) models.module_stand_in = *site.module_w * units::W;
}

Site site_of(const BuildSettings& build, const catalog::Catalog& catalog) {
  Site site;
  if (build.site) apply(catalog::load_site(catalog, *build.site).settings, site);
  apply(build.settings, site);
  return site;
}

void take_stand_ins(const Physical& physical, ClusterModels& models) {
  put_stand_ins(physical.site, models.fabric);
  for (CountedNetwork& beside : models.beside) put_stand_ins(physical.site, beside.models);
  if (models.node) return;
  const site::Hardware& hardware = physical.hardware;
  const std::int64_t spares =
      std::max(hardware.spare_nodes, hosts_in_reserve(hardware.network.count, hardware.nodes));
  const std::int64_t nodes = hardware.nodes + spares;
  models.all_nodes =
      hardware.node_rated.value_or(hardware.node_power) * static_cast<double>(nodes) +
      site::domain_switch_power(hardware, physical.site);
}

bool Physical::gave(std::string_view key) const {
  return std::find(given.begin(), given.end(), key) != given.end();
}

Physical physical_of(const ClusterNetwork& at, const SiteChoice& choice,
                     const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  if (at.cluster.rent) {
    throw InputError(catalog::located(
        at.file, "rent",
        {.code = "inconsistent",
         .message = "\"rent\": rented nodes stand in their owner's building, which is not laid out",
         .hint = "leave \"rent\" out: the cluster is then one that is bought"}));
  }
  Physical physical{.by_length = choice.by_length || at.cluster.build};
  choose_site(at, choice, catalog, physical);
  take_pue(at.cluster, catalog, physical);
  FabricModels models = fabric_models(at.cluster.fabric_parts, at.file, catalog);
  put_stand_ins(physical.site, models);
  physical.hardware = hardware_of(at, physical, models, catalog, physical.unknown_power, warnings);
  add_networks_beside(at, physical);
  add_others(at.cluster, physical.hardware, physical.unknown_power);
  for (const std::string& what : physical.unknown_power) {
    warnings.push_back("the power of " + what + " is not known: it is not counted");
  }
  const bool of_file = at.cluster.build && at.cluster.build->settings.media;
  named_at(at.file, of_file ? "build.media" : "build.site", [&] { add_media(catalog, physical); });
  if (!physical.by_length) return physical;
  add_power_by_medium(models, physical, physical.hardware.network);
  for (std::size_t i = 0; i < at.beside.size(); ++i) {
    FabricModels beside = at.beside[i].models;
    put_stand_ins(physical.site, beside);
    add_power_by_medium(beside, physical, physical.hardware.beside[i]);
  }
  return physical;
}

}  // namespace planner::commands
