#include "planner/commands/parts/physical_media.hpp"

#include <algorithm>
#include <optional>

#include "planner/catalog/site_files.hpp"

namespace planner::commands {

namespace {

/// The usual media for the speed of the ports.
std::vector<std::string> usual_media(std::int64_t gbps) {
  if (gbps >= 400) {
    return {"dac-800g", "acc-800g", "sr-800g", "dr-800g", "dr-500-800g", "fr-800g"};
  }
  return {"dac-200g", "sr-100m", "dr-500m", "fr-2km"};
}

/// @param by_reach  the nearest first, else in their order
std::vector<MediumModels> looked_up(const std::vector<std::string>& names, bool by_reach,
                                    const catalog::Catalog& catalog) {
  std::vector<MediumModels> all;
  for (const std::string& name : names) {
    MediumModels& models = all.emplace_back();
    models.medium = catalog::load_medium(catalog, name);
    if (models.medium.cable) models.cable = catalog.load_optic(*models.medium.cable);
    for (const std::string& module : models.medium.modules) {
      models.modules.push_back(catalog.load_optic(module));
    }
  }
  if (!by_reach) return all;
  std::stable_sort(all.begin(), all.end(), [](const MediumModels& a, const MediumModels& b) {
    return a.medium.reach_m < b.medium.reach_m;
  });
  return all;
}

/// Whether no fibre that this network may use has a shorter reach.
bool is_nearest(const Physical& physical, const site::NetworkHardware& network,
                std::size_t medium) {
  const std::vector<MediumModels> all = offered(physical, network);
  const auto at = std::find_if(all.begin(), all.end(), [&](const MediumModels& of) {
    return of.medium.name == physical.media_models[medium].medium.name;
  });
  return is_nearest_fibre(all, static_cast<std::size_t>(at - all.begin()));
}

}  // namespace

void add_media(const catalog::Catalog& catalog, Physical& chosen) {
  std::vector<std::string> names = chosen.site.media;
  std::vector<site::NetworkHardware*> networks{&chosen.hardware.network};
  for (site::NetworkHardware& beside : chosen.hardware.beside) networks.push_back(&beside);
  if (names.empty()) {
    for (const site::NetworkHardware* network : networks) {
      for (const std::string& name : usual_media(network->design.port_gbps)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  chosen.media_models = looked_up(names, chosen.site.media.empty(), catalog);
  for (const MediumModels& of : chosen.media_models) chosen.media.all.push_back(of.medium);
  for (site::NetworkHardware* network : networks) {
    for (const LinkLayer& layer : network->count.layers) {
      for (std::size_t m = 0; m < chosen.media_models.size(); ++m) {
        if (!is_made_at(chosen.media_models[m], layer.gbps)) {
          network->not_made.emplace_back(layer.gbps, m);
        }
      }
    }
  }
  if (!chosen.site.media.empty()) return;
  for (site::NetworkHardware* network : networks) {
    const std::vector<std::string> usual = usual_media(network->design.port_gbps);
    for (std::size_t i = 0; i < chosen.media.all.size(); ++i) {
      const std::string& name = chosen.media.all[i].name;
      if (std::find(usual.begin(), usual.end(), name) != usual.end()) network->media.push_back(i);
    }
  }
}

void add_power_by_medium(const FabricModels& models, const Physical& physical,
                         site::NetworkHardware& network) {
  const Cabling& cabling = network.design.cabling;
  const auto known = [](const std::optional<Watts>& power) { return power.value_or(Watts{}); };
  for (const LinkLayer& layer : network.count.layers) {
    if (layer.cable == CableKind::backplane) continue;
    for (std::size_t m = 0; m < physical.media_models.size(); ++m) {
      const bool there = std::any_of(
          network.by_medium.begin(), network.by_medium.end(),
          [&](const site::MediumPower& of) { return of.medium == m && of.gbps == layer.gbps; });
      if (there) continue;
      const MediumModels& medium = physical.media_models[m];
      const bool nearest = is_nearest(physical, network, m);
      const auto module = [&](bool at_switch, std::int64_t ports) {
        return known(module_part(medium, nearest, layer.gbps, at_switch, ports, models).power);
      };
      network.by_medium.push_back(
          {.medium = m,
           .gbps = layer.gbps,
           .switch_module = module(true, cabling.ports_per_switch_module),
           .nic_module = module(false, cabling.ports_per_nic_module),
           .cable = known(
               cable_part(medium, layer.gbps, cabling.ports_per_switch_module, models).power)});
    }
  }
}

std::vector<MediumModels> offered(const Physical& physical, const site::NetworkHardware& network) {
  if (network.media.empty()) return physical.media_models;
  std::vector<MediumModels> all;
  for (const std::size_t medium : network.media) all.push_back(physical.media_models[medium]);
  return all;
}

std::vector<MediumModels> media_for(const BuildSettings& build, std::int64_t gbps,
                                    const catalog::Catalog& catalog) {
  std::vector<std::string> names;
  if (build.site) {
    names = catalog::load_site(catalog, *build.site).settings.media.value_or(names);
  }
  names = build.settings.media.value_or(names);
  const bool usual = names.empty();
  return looked_up(usual ? usual_media(gbps) : names, usual, catalog);
}

}  // namespace planner::commands
