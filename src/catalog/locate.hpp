#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/core/diagnostic.hpp"

namespace planner::catalog {

/// A finding about a document that was read well, with the place of what it is about.
/// @param path  dotted, with list indices as numbers: "fabric_parts.switch", "extra_lines.0"; where
///              there is no such value, the nearest one above it is meant
Diagnostic located(const CatalogFile& file, std::string_view path, Diagnostic finding);

/// Whether the text at that path is this one.
bool has_text(const CatalogFile& file, std::string_view path, std::string_view text);

/// Runs `load`, which looks a name up, and says where in the file that name is.
template <class Load>
auto named_at(const CatalogFile& file, std::string_view path, Load&& load) {
  try {
    return load();
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& one : found) {
      if (one.file.empty()) one = located(file, path, std::move(one));
    }
    throw InputError(std::move(found));
  }
}

}  // namespace planner::catalog
