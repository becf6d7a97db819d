#pragma once

#include <string_view>

#include "planner/catalog/catalog.hpp"
#include "planner/core/diagnostic.hpp"

namespace planner::catalog {

/// A finding about a document that was read well, with the place of what it is about.
/// @param path  dotted, with list indices as numbers: "fabric_parts.switch", "extra_lines.0"; where
///              there is no such value, the nearest one above it is meant
Diagnostic located(const CatalogFile& file, std::string_view path, Diagnostic finding);

}  // namespace planner::catalog
