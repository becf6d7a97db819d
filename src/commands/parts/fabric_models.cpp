#include "planner/commands/parts/fabric_models.hpp"

#include "planner/commands/parts/cluster_network.hpp"

namespace planner::commands {

FabricModels fabric_models(const FabricParts& parts, const catalog::CatalogFile& file,
                           const catalog::Catalog& catalog, const std::string& path) {
  FabricModels models{.quote = parts.quote};
  const auto find = [&](auto& model, const std::optional<std::string>& name, const char* key,
                        auto load) {
    if (name) model = named_at(file, path + "." + key, [&] { return (catalog.*load)(*name); });
  };
  const auto a_switch = &catalog::Catalog::load_switch;
  const auto an_optic = &catalog::Catalog::load_optic;
  find(models.switches, parts.switches, "switch", a_switch);
  find(models.upper_switches, parts.upper_switches, "upper_switch", a_switch);
  find(models.switch_module, parts.switch_module, "switch_module", an_optic);
  find(models.nic_module, parts.nic_module, "nic_module", an_optic);
  find(models.copper, parts.copper, "copper", an_optic);
  find(models.active_optical, parts.active_optical, "active_optical", an_optic);
  find(models.fibre, parts.fibre, "fibre", an_optic);
  return models;
}

}  // namespace planner::commands
