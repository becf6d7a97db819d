#include <fmt/format.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/commands/list/files.hpp"

namespace planner {

namespace {

using commands::list_kinds;

[[noreturn]] void unknown(std::string message, const std::string& word,
                          const std::vector<std::string>& candidates, std::string otherwise) {
  throw InputError(Diagnostic{.code = "unknown-name",
                              .message = std::move(message),
                              .hint = did_you_mean(word, candidates, std::move(otherwise))});
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Response show(const Request& request, const catalog::Catalog& catalog) {
  const std::vector<std::string>& words = request.arguments;
  if (words.empty() || words.size() > 2) {
    usage_error("show takes one name, or a kind and a name", "planner list models");
  }
  const std::string& name = words.back();
  if (words.size() == 2) {
    const commands::CatalogFiles* const listed = commands::files_named(words.front());
    if (listed == nullptr) {
      const std::vector<std::string> known = list_kinds();
      unknown(fmt::format("no kind of file is called \"{}\"", words.front()), words.front(), known,
              fmt::format("{}", fmt::join(known, ", ")));
    }
    return {.command = Command::show, .result = ShowResult{listed->load(catalog, name)}};
  }
  std::vector<std::string> all;
  for (const commands::CatalogFiles& listed : commands::catalog_files()) {
    const std::vector<std::string> names = catalog.names(listed.kind);
    if (!catalog::is_catalog_name(name) || holds(names, name)) {
      return {.command = Command::show, .result = ShowResult{listed.load(catalog, name)}};
    }
    all.insert(all.end(), names.begin(), names.end());
  }
  unknown(fmt::format("nothing in the catalog is called \"{}\"", name), name, all,
          fmt::format("planner list {}", fmt::join(list_kinds(), "|")));
}

std::vector<std::string> schema_types() {
  std::vector<std::string> types = catalog::schema_types();
  types.insert(types.end(), {"request", "answer", "errors"});
  return types;
}

Response schema(const Request& request) {
  const std::vector<std::string> types = schema_types();
  if (request.arguments.size() != 1)
    usage_error("schema takes one type", fmt::format("{}", fmt::join(types, ", ")));
  const std::string& type = request.arguments.front();
  if (!holds(types, type)) {
    unknown(fmt::format("no file type is called \"{}\"", type), type, types,
            fmt::format("{}", fmt::join(types, ", ")));
  }
  return {.command = Command::schema, .result = SchemaResult{.type = type}};
}

}  // namespace planner
