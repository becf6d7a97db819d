#include "planner/commands/schema/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/commands/reply.hpp"

namespace planner::commands {

namespace {

struct OwnType {
  const char* name;
  json::Json (*describe)();
};
constexpr const char* kRequest = "request";
constexpr OwnType kOwnTypes[] = {
    {kRequest, request_schema}, {"answer", answer_schema}, {"errors", error_schema}};

json::Json described(const std::string& type) {
  for (const OwnType& own : kOwnTypes) {
    if (own.name == type) return own.describe();
  }
  return catalog::json_schema(type);
}

const Command& asked_command(const std::string& name) {
  const Command* const command = command_named(name);
  if (command == nullptr) throw UsageError(unknown_command(name));
  return *command;
}

present::Document schema_view(const SchemaAnswer& answer) {
  present::Document document{.title = "JSON Schema", .kicker = "Schema", .bare = true};
  document.add(present::Verbatim{answer.schema});
  return document;
}

}  // namespace

std::vector<std::string> schema_types() {
  std::vector<std::string> types = catalog::schema_types();
  for (const OwnType& own : kOwnTypes) types.emplace_back(own.name);
  return types;
}

SchemaAnswer describe_type(const SchemaRequest& request, Context&) {
  const std::vector<std::string> types = schema_types();
  const std::string all = fmt::format("{}", fmt::join(types, ", "));
  if (request.types.empty()) usage_error("schema takes a type", all);
  const std::string& type = request.types.front();
  if (request.types.size() == 2 && type == kRequest) {
    return {request_schema(asked_command(request.types.back())).dump(2)};
  }
  if (request.types.size() != 1) {
    usage_error("schema takes one type, and a command only after request", all);
  }
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    throw InputError(Diagnostic{.code = "unknown-name",
                                .message = fmt::format("no file type is called \"{}\"", type),
                                .hint = did_you_mean(type, types, all)});
  }
  return {described(type).dump(2)};
}

const json::FieldTable<SchemaAnswer>& schema_fields() {
  static const json::FieldTable<SchemaAnswer> kTable = [] {
    const auto text = json::described(json::json_text(), [](json::Json& schema) {
      schema["type"] = "object";
      schema["required"] = {"$schema", "title"};
    });
    return json::FieldTable<SchemaAnswer>{
        .type = "answer",
        .doc = "an answer of schema",
        .fields = {json::required("result", &SchemaAnswer::schema, text, "a JSON Schema")},
        .open = true};
  }();
  return kTable;
}

Command schema() {
  return erased(CommandOf<SchemaRequest, SchemaAnswer>{.name = "schema",
                                                       .summary = "JSON Schema of a file type",
                                                       .arguments = "TYPE [COMMAND]",
                                                       .words = schema_types,
                                                       .to_the_letter = true,
                                                       .options = {},
                                                       .positional = &SchemaRequest::types,
                                                       .run = describe_type,
                                                       .fields = schema_fields,
                                                       .view = schema_view});
}

}  // namespace planner::commands
