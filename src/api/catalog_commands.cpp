#include <fmt/format.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

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
