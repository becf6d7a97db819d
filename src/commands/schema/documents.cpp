#include "planner/catalog/documents.hpp"

#include <nlohmann/json.hpp>
#include <span>

#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/format.hpp"
#include "planner/commands/reply.hpp"
#include "planner/commands/schema/schema.hpp"
#include "planner/core/error_codes.hpp"

namespace planner::commands {

namespace {

using json::Json;

Json document(const char* title, const Json& schema) {
  Json all{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  all.update(schema);
  return all;
}

Json typed(const char* type, const char* description = "") {
  Json schema{{"type", type}};
  if (*description != '\0') schema["description"] = description;
  return schema;
}

Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json see(const std::string& name) {
  return {{"$ref", "#/$defs/" + name}};
}

/// What comes in: an object without other keys than these.
Json only(Json properties, Json required) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

/// The title is how help shows the value: "NAME|FILE".
Json schema_of(const OptionInfo& option) {
  if (option.is_switch()) {
    return {{"type", {"boolean", "null"}}, {"description", option.told()}};
  }
  const Json one{{"type", {"string", "number"}}};
  return {{"title", option.value},
          {"anyOf", {{{"type", {"string", "number", "null"}}}, list_of(one)}},
          {"description", option.told()}};
}

/// With those that it hands on to the commands that it runs.
Json options_of(const Command& command) {
  Json options = Json::object();
  for (const Command::Option& option : command.options) {
    options[option.info.name] = schema_of(option.info);
  }
  if (!command.runs_others) return options;
  for (const OptionInfo* option : handed_on()) {
    if (!options.contains(option->name)) options[option->name] = schema_of(*option);
  }
  return options;
}

Json request_of(const Command& command) {
  Json arguments = list_of(typed("string"));
  if (command.arguments.empty()) {
    arguments["maxItems"] = 0;
  } else {
    arguments["title"] = command.arguments;
  }
  Json formats = Json::array();
  for (const Format* const format : text_formats(command.to_the_letter)) {
    formats.push_back(format->name);
  }
  Json schema = only({{"command", {{"const", command.name}}},
                      {"options", only(options_of(command), Json::array())},
                      {"arguments", std::move(arguments)},
                      {"format", {{"enum", std::move(formats)}}}},
                     {"command"});
  schema["title"] = command.name;
  schema["description"] = command.summary;
  return schema;
}

/// What else holds where a command is named.
Json where_command(const std::string& name, Json properties) {
  return {{"if", {{"properties", {{"command", {{"const", name}}}}}, {"required", {"command"}}}},
          {"then", {{"properties", std::move(properties)}}}};
}

/// The parts of a command's answers: "inputs", "result".
Json parts_of(const Command& command) {
  Json answer = Json::object();
  if (command.describe) command.describe(answer);
  return answer.value("properties", Json::object());
}

/// Where the parts of a command's answers are described.
Json seen_parts(const Command& command) {
  Json seen = Json::object();
  const Json parts = parts_of(command);
  for (const auto& [part, schema] : parts.items()) seen[part] = see(part + '_' + command.name);
  return seen;
}

/// Files that answers hold, by the tables of their readers; then what the commands answer.
Json definitions() {
  Json defs = Json::object();
  for (const std::string& type : catalog::schema_types()) {
    defs[type] = catalog::json_schema(type);
    defs[type].erase("$schema");
  }
  describe_error(defs["error"]);
  json::describe_object(catalog::display_currency_table(), defs[kShownIn]);
  for (const Command& command : registry()) {
    const Json parts = parts_of(command);
    for (const auto& [part, schema] : parts.items()) defs[part + '_' + command.name] = schema;
    if (!command.runs_others) continue;
    Json& rows = defs["result_" + command.name]["allOf"] = Json::array();
    for (const Command& other : registry()) {
      if (!other.lines) continue;
      rows.push_back(
          where_command(other.name, {{"rows", {{"items", {{"properties", seen_parts(other)}}}}}}));
    }
  }
  return defs;
}

}  // namespace

Json request_schema() {
  Json one_of = Json::array();
  for (const Command& command : registry()) one_of.push_back(request_of(command));
  return document("a request of planner_call()", {{"oneOf", std::move(one_of)}});
}

Json request_schema(const Command& command) {
  return document("a request of planner_call()", {{"oneOf", Json::array({request_of(command)})}});
}

Json answer_schema() {
  Json names = Json::array(), by_command = Json::array();
  const Json chart{{"type", "object"},
                   {"properties",
                    {{"name", typed("string")},
                     {"title", typed("string")},
                     {"spec", typed("object", "Vega-Lite, data inside")}}},
                   {"required", {"name", "title", "spec"}}};
  Json properties{
      {"schema_version", {{"const", kSchemaVersion}}},
      {"command", {}},
      {"ok", typed("boolean", "whether there are no errors")},
      {"warnings", list_of(typed("string"))},
      {"inputs", typed("object", "what it is for: names looked up, defaults filled in")},
      {"result", typed("object", "missing where the command could not be answered")},
      {"charts", list_of(chart)},
      {kAskedByKey, typed("string", "who asked, as the call says")},
      {kShownIn, see(kShownIn)},
      {"errors", list_of(see("error"))},
      {"rendered", typed("string", "the answer in the format asked for")}};
  for (const Command& command : registry()) {
    names.push_back(command.name);
    const Json parts = seen_parts(command);
    for (const auto& [part, seen] : parts.items()) {
      if (!properties.contains(part)) properties[part] = typed("object");
    }
    if (!parts.empty()) by_command.push_back(where_command(command.name, parts));
  }
  properties["command"] = {{"anyOf", {{{"enum", std::move(names)}}, typed("null")}},
                           {"description", "null where it was not understood which"}};
  return document(
      "an answer of planner",
      {{"type", "object"},
       {"properties", std::move(properties)},
       {"required", {"schema_version", "command", "ok", "warnings"}},
       {"if", {{"properties", {{"ok", {{"const", true}}}}}}},
       {"then", {{"required", {"result"}}, {"properties", {{"errors", false}}}}},
       {"else", {{"required", {"errors"}}, {"properties", {{"errors", {{"minItems", 1}}}}}}},
       {"allOf", std::move(by_command)},
       {"$defs", definitions()}});
}

Json error_schema() {
  Json one_of = Json::array();
  for (const ErrorCode& error : kErrorCodes) {
    one_of.push_back(
        {{"const", error.code}, {"description", error.meaning}, {"exit_codes", error.exit_codes}});
  }
  return document("the codes of errors and warnings", {{"oneOf", std::move(one_of)}});
}

}  // namespace planner::commands
