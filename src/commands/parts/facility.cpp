#include "planner/commands/parts/facility.hpp"

#include <string>
#include <variant>

#include "planner/catalog/site_files.hpp"

namespace planner::commands {

std::optional<Economics> economics_of(const Cluster& cluster, const catalog::Catalog& catalog) {
  if (!cluster.economics) return std::nullopt;
  if (const auto* name = std::get_if<std::string>(&*cluster.economics)) {
    return catalog.load_economics(*name);
  }
  return std::get<Economics>(*cluster.economics);
}

std::optional<double> pue_of(const BuildSettings& build, const catalog::Catalog& catalog) {
  std::optional<double> pue;
  const auto read = [&](const SiteSettings& settings) {
    for (const auto& [index, value] : settings.figures) {
      if (site_figures()[index].key == "pue") pue = value;
    }
  };
  if (build.site) read(catalog::load_site(catalog, *build.site).settings);
  read(build.settings);
  return pue;
}

}  // namespace planner::commands
