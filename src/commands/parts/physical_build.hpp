#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/cost/link_parts.hpp"
#include "planner/site/build.hpp"

// A cluster file as it is to stand in a building: what `build` lays out, and what `cost` and
// `compare` bill by length.
namespace planner::commands {

/// What is asked of the building in place of what the cluster file says.
struct SiteChoice {
  std::optional<std::string> site;
  SiteSettings settings;
  bool by_length = false;  ///< transceivers and their power follow the lengths in any case
};

/// A cluster ready to be laid out.
struct Physical {
  Site site;
  std::vector<std::string> given;  ///< keys of the site's figures that somebody gave
  site::Hardware hardware;
  site::Media media;
  std::vector<MediumModels> media_models;  ///< as `media`
  bool by_length = false;                  ///< the file has a building, or it was asked for
  /// Of what nobody says what it draws, and no figure of the building stands in: it is not counted.
  std::vector<std::string> unknown_power{};
  /// The economics whose PUE is taken, since no building says one; empty: none.
  std::string pue_of{};
  /// Where the power chain is said: a file, and the key there.
  catalog::CatalogFile chain_file{};
  std::string chain_key{};

  [[nodiscard]] bool gave(std::string_view key) const;
};

/// @param warnings  gets what is not known and what stands in for it
Physical physical_of(const ClusterNetwork& at, const SiteChoice& choice,
                     const catalog::Catalog& catalog, std::vector<std::string>& warnings);

/// The building of a file, as it says it.
Site site_of(const BuildSettings& build, const catalog::Catalog& catalog);

/// What is planned with where nobody says what a switch or a module draws.
void put_stand_ins(const Site& site, FabricModels& models);
/// What stands in for unknown power in the building stands in for it in the bill too.
void take_stand_ins(const Physical& physical, ClusterModels& models);

/// The media that a network may use, in the numbers of its bill.
std::vector<MediumModels> offered(const Physical& physical, const site::NetworkHardware& network);
/// The same of a network whose ports have this speed and that stands alone.
std::vector<MediumModels> media_for(const BuildSettings& build, std::int64_t gbps,
                                    const catalog::Catalog& catalog);

/// The cluster laid out in its building.
/// @throws InfeasibleError  nothing can be built
/// @throws InputError  the power chain has racks that are not there
/// @throws Interrupted  as options.stop says
site::Build stand(const Physical& physical, const std::string& cluster,
                  const site::BuildOptions& options);

/// "layer host: a cable of 2,400.0 m, and no medium reaches beyond 2000 m"
Diagnostic beyond_reach(const site::Laid& laid);

/// Cables and transceivers of every network as they are laid: ClusterModels::links.
std::vector<std::vector<PartQuantity>> laid_parts(const ClusterNetwork& at,
                                                  const Physical& physical, const site::Laid& laid,
                                                  const FabricModels& models,
                                                  const PriceBook& book);

}  // namespace planner::commands
