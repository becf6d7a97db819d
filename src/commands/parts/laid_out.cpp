#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/present/text.hpp"

// A cluster in its building, or why there is none.
namespace planner::commands {

namespace {

/// To a watt or a gram, so that what is a little too much does not read as what is there.
std::string exact(double value) {
  std::string text = grouped(value, 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// @throws InfeasibleError  always
[[noreturn]] void refuse(const site::NoBuild& none, const std::string& cluster) {
  using Why = site::NoBuild::Why;
  Diagnostic error{.code = "infeasible"};
  switch (none.why) {
    case Why::node_fits_no_rack:
      error.message = fmt::format("{}: a node fits no rack: it needs {} {}, a rack has {}", cluster,
                                  exact(none.need), none.unit, exact(none.have));
      error.hint = none.unit == "kW"   ? "--rack-kw (\"rack_kW\") says what a rack takes"
                   : none.unit == "kg" ? "\"rack_kg\" in \"build\" says what a rack carries"
                                       : "--rack-units (\"rack_units\") says how high a rack is";
      break;
    case Why::floor_too_small:
      error.message = fmt::format(
          "{}: the floor is too small: {} racks and their bays do not fit its {} places", cluster,
          amount(none.need), amount(none.have));
      error.hint = "more rows (--rows), or denser racks (--rack-kw)";
      break;
    case Why::too_large:
      error.message = fmt::format("{}: {} {}: more than {} are not laid out one by one", cluster,
                                  grouped(static_cast<std::int64_t>(std::min(none.need, 1e18))),
                                  none.unit, grouped(static_cast<std::int64_t>(none.have)));
      error.hint = none.unit == "cables" ? "a pod or a zone of it has fewer"
                                         : "fewer \"spare_nodes\", servers or \"extra_lines\"";
      break;
  }
  throw InfeasibleError(std::move(error));
}

/// Numbers of racks that the power chain has and the build has not.
void check_chain(const Physical& physical, const site::Build& built) {
  const auto racks = static_cast<std::int64_t>(built.plan.racks.size());
  std::vector<Diagnostic> wrong;
  for (std::size_t u = 0; u < physical.site.power_units.size(); ++u) {
    const PowerUnit& unit = physical.site.power_units[u];
    for (std::size_t r = 0; r < unit.racks.size(); ++r) {
      if (unit.racks[r] <= racks) continue;
      wrong.push_back(catalog::located(
          physical.chain_file, fmt::format("{}.{}.racks.{}", physical.chain_key, u, r),
          {.code = "inconsistent",
           .message =
               fmt::format("\"{}[{}].racks[{}]\": there is no rack {}: the build has {} racks",
                           physical.chain_key, u, r, grouped(unit.racks[r]), grouped(racks)),
           .hint = "numbers count from 1 in the order of \"racks\" in planner build --json"}));
    }
  }
  if (!wrong.empty()) throw InputError(std::move(wrong));
}

}  // namespace

std::vector<std::vector<PartQuantity>> laid_parts(const ClusterNetwork& at,
                                                  const Physical& physical, const site::Laid& laid,
                                                  const FabricModels& models,
                                                  const PriceBook& book) {
  std::vector<std::vector<PartQuantity>> parts;
  for (std::size_t i = 0; i < laid.links.size(); ++i) {
    const site::NetworkHardware& network = physical.hardware.of(i);
    const std::vector<MediumModels> media = offered(physical, network);
    LaidLinks links = laid.links[i];
    // In the numbers of the media that this network is offered.
    const auto renumber = [&](std::size_t& medium) {
      if (network.media.empty()) return;
      const auto found = std::find(network.media.begin(), network.media.end(), medium);
      medium = static_cast<std::size_t>(found - network.media.begin());
    };
    for (LaidCables& of : links.cables) renumber(of.medium);
    for (LaidModules& of : links.modules) renumber(of.medium);
    parts.push_back(link_parts(links, media, network.design.cabling,
                               i == 0 ? models : at.beside[i - 1].models, book));
  }
  return parts;
}

Diagnostic beyond_reach(const site::Laid& laid) {
  return {.code = "infeasible",
          .message = fmt::format("layer {}: a cable of {} m, and no medium reaches beyond {} m",
                                 laid.beyond.layer, grouped(laid.beyond.longest_m, 1),
                                 amount(laid.beyond.reach_m)),
          .hint = "\"media\" in \"build\" says which there are: planner list media"};
}

site::Build stand(const Physical& physical, const std::string& cluster,
                  const site::BuildOptions& options) {
  auto result = site::build(physical.hardware, physical.site, physical.media, options);
  if (options.stop && options.stop()) throw Interrupted();
  if (const auto* const none = std::get_if<site::NoBuild>(&result)) refuse(*none, cluster);
  auto built = std::get<site::Build>(std::move(result));
  check_chain(physical, built);
  return built;
}

}  // namespace planner::commands
