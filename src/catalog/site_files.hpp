#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "planner/catalog/catalog.hpp"
#include "planner/domain/site.hpp"

// The files of a catalog that say where a cluster stands: as catalog.hpp has it for the others.
namespace planner::catalog {

namespace kinds {
inline constexpr CatalogKind site{"site", "sites", "catalog/sites"};
inline constexpr CatalogKind chassis{"chassis", "chassis", "catalog/chassis"};
inline constexpr CatalogKind medium{"medium", "media", "catalog/media"};
}  // namespace kinds

SiteFile parse_site(std::string_view text, std::string_view source_name);
Chassis parse_chassis(std::string_view text, std::string_view source_name);
Medium parse_medium(std::string_view text, std::string_view source_name);

SiteFile load_site(const Catalog& catalog, const std::string& ref);
Chassis load_chassis(const Catalog& catalog, const std::string& ref);
Medium load_medium(const Catalog& catalog, const std::string& ref);

nlohmann::ordered_json to_json(const SiteFile& site);
nlohmann::ordered_json to_json(const Chassis& chassis);
nlohmann::ordered_json to_json(const Medium& medium);

}  // namespace planner::catalog
