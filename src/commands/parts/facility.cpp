#include "planner/commands/parts/facility.hpp"

#include <string>
#include <variant>

#include "planner/catalog/site_files.hpp"

namespace planner::commands {

namespace {

constexpr const char* kPue = "pue";

}  // namespace

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
      if (site_figures()[index].key == kPue) pue = value;
    }
  };
  if (build.site) read(catalog::load_site(catalog, *build.site).settings);
  read(build.settings);
  return pue;
}

std::optional<double> other_pue(const BuildSettings& build, const Economics& economics,
                                const catalog::Catalog& catalog) {
  const std::optional<double> pue = pue_of(build, catalog);
  return pue && economics.pue && economics.pue->expected == *pue ? std::nullopt : pue;
}

void put_pue(const Economics& asked, const catalog::Catalog& catalog, BuildSettings& build) {
  if (!asked.pue || !other_pue(build, asked, catalog)) return;
  auto& figures = build.settings.figures;
  const auto is_pue = [](const auto& figure) { return site_figures()[figure.first].key == kPue; };
  std::erase_if(figures, is_pue);
  for (std::size_t index = 0; index < site_figures().size(); ++index) {
    if (site_figures()[index].key == kPue) figures.emplace_back(index, asked.pue->expected);
  }
}

}  // namespace planner::commands
