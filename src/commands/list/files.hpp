#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/domain/site.hpp"

namespace planner::commands {

/// What a file of the catalog holds.
using CatalogItem = std::variant<TransformerSpec, System, Accelerator, Node, SwitchModel, Optic,
                                 Nic, PriceBook, Economics, CollectiveLibrary, Cluster, Calibration,
                                 StorageSystem, FailureRates, SiteFile, Chassis, Medium, Brief>;

/// A kind of file, and how `list` and `show` read one.
struct CatalogFiles {
  catalog::CatalogKind kind;
  CatalogItem (*load)(const catalog::Catalog&, const std::string& ref);
};

/// In the order in which `show` looks for a name.
std::span<const CatalogFiles> catalog_files();
/// By "models" or "model"; null where there is no such kind.
const CatalogFiles* files_named(std::string_view word);
/// "models", "systems", …
std::vector<std::string> list_kinds();

/// An item in a line: "18.4 B parameters".
std::string summary(const CatalogItem& item);
std::string title(const CatalogItem& item);

}  // namespace planner::commands
