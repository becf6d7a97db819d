#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "planner/catalog/catalog.hpp"
#include "planner/domain/brief.hpp"
#include "planner/json/field_table.hpp"

// Briefs: what to train, by when, for how much.
namespace planner::catalog {

namespace kinds {
inline constexpr CatalogKind brief{"brief", "briefs", "examples/briefs"};
}

/// @throws InputError with everything that is wrong with the text
Brief parse_brief(std::string_view text, std::string_view source_name);
/// As a file: parsing it gives the same brief again.
nlohmann::ordered_json to_json(const Brief& brief);
/// The brief that a name or path means.
Brief load_brief(const Catalog& catalog, const std::string& ref);

const json::FieldTable<Brief>& brief_table();

}  // namespace planner::catalog
