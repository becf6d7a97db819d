#include "planner/report/schemas.hpp"

#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/api/response.hpp"
#include "planner/catalog/documents.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/core/error_codes.hpp"
#include "planner/report/format.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner {

namespace {

using namespace shape;

/// What comes in: an object without other keys than these.
Json only(Json properties, Json required) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

Json document(const char* title, const Json& schema) {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  json.update(schema);
  return json;
}

Json command_names() {
  Json names = Json::array();
  for (const CommandInfo& info : command_table()) names.push_back(info.name);
  return {{"enum", names}};
}

/// The title is how help shows the value: "NAME|FILE".
Json schema_of(const Option& option) {
  if (option.is_switch()) return described({{"type", {"boolean", "null"}}}, option.help);
  const Json one{{"type", {"string", "number"}}};
  Json schema{{"title", option.value},
              {"anyOf", {{{"type", {"string", "number", "null"}}}, list_of(one)}}};
  return described(std::move(schema), option.help);
}

/// A sweep takes those of the command that it runs, too.
Json options_schema(Command command) {
  Json own = Json::object(), handed_on = Json::object();
  for (const Option& option : options()) {
    if (option.applies_to(command)) {
      own[option.name] = schema_of(option);
    } else if (command == Command::sweep && !handed_on.contains(option.name)) {
      handed_on[option.name] = schema_of(option);
    }
  }
  handed_on.update(own);
  return only(std::move(handed_on), Json::array());
}

Json schema_of(const CommandInfo& info) {
  Json arguments = list_of({{"type", "string"}});
  if (info.arguments.empty()) {
    arguments["maxItems"] = 0;
  } else {
    arguments["title"] = info.arguments;
  }
  Json formats = Json::array();
  for (const Format format : formats_of(info.name)) {
    if (format != Format::json && format != Format::xlsx) formats.push_back(name_of(format));
  }
  Json schema = only({{"command", {{"const", info.name}}},
                      {"options", options_schema(info.command)},
                      {"arguments", std::move(arguments)},
                      {"format", {{"enum", std::move(formats)}}}},
                     {"command"});
  schema["title"] = info.name;
  return described(std::move(schema), info.summary);
}

Json request_schema() {
  Json one_of = Json::array();
  for (const CommandInfo& info : command_table()) one_of.push_back(schema_of(info));
  return document("a request of planner_call()", {{"oneOf", std::move(one_of)}});
}

/// Every code with its meaning and the exit code that it leads to.
Json error_codes() {
  Json one_of = Json::array();
  for (const ErrorCode& error : kErrorCodes) {
    one_of.push_back(
        {{"const", error.code}, {"description", error.meaning}, {"exit_codes", error.exit_codes}});
  }
  return document("the codes of errors and warnings", {{"oneOf", std::move(one_of)}});
}

Json error_schema() {
  return object({{"code", described(word(), "stable: what kind of problem this is")},
                 {"message", word()},
                 {"hint", described(or_null(word()), "what to do about it")},
                 {"file", or_null(word())},
                 {"line", or_null(count())},
                 {"column", described(or_null(count()), "in bytes, from 1")}});
}

Json chart_schema() {
  return object({{"name", word()},
                 {"title", word()},
                 {"spec", described({{"type", "object"}}, "Vega-Lite, data inside")}});
}

/// A part of an answer of the registry.
Json described_part(const commands::Command& command, const char* part) {
  Json answer;
  command.describe(answer);
  return answer["properties"].value(part, object(Json::object()));
}

Json result_schema(Command command) {
  if (const auto* const known = commands::command_named(name_of(command))) {
    return described_part(*known, "result");
  }
  switch (command) {
    case Command::cost:
      return see("cluster_report");
    case Command::compare:
      return result_schemas::compare();
    case Command::sweep:
      return see("sweep");
    case Command::diff:
      return result_schemas::diff();
    case Command::schema:
      return {{"type", "object"}, {"required", {"$schema", "title"}}};
    case Command::optimize:
    case Command::estimate:
    case Command::reliability:
    case Command::routing:
    case Command::network:
    case Command::collective:
    case Command::hfreduce:  // described by the registry
    case Command::validate:
    case Command::calibrate:
    case Command::list:
    case Command::show:
    case Command::report:  // its answer is the saved one, of another command
      break;
  }
  return object(Json::object());
}

Json inputs_schema(Command command) {
  if (const auto* const known = commands::command_named(name_of(command))) {
    return described_part(*known, "inputs");
  }
  return object(Json::object());
}

/// What else holds where a key has a value.
Json where(const std::string& key, std::string_view value, Json holds) {
  return {{"if", {{"properties", {{key, {{"const", value}}}}}, {"required", {key}}}},
          {"then", std::move(holds)}};
}

/// A row: its parameters by name, and what the command answers to them.
Json sweep_schema() {
  Json row =
      object({{"ok", flag()}, {"warnings", list_of(word())}}, {{"inputs", {{"type", "object"}}},
                                                               {"result", {{"type", "object"}}},
                                                               {"emitted", see("emitted")},
                                                               {"errors", list_of(see("error"))}});
  row["additionalProperties"] = {{"type", {"string", "number"}}};
  Json schema = object({{"command", command_names()},
                        {"arguments", list_of(word())},
                        {"given", map_of({{"type", {"string", "number", "boolean"}}})},
                        {"parameters", map_of(list_of({{"type", {"string", "number"}}}))},
                        {"rows", list_of(std::move(row))}});
  schema["allOf"] = Json::array();
  for (const CommandInfo& info : command_table()) {
    if (!info.swept) continue;
    const Json answer{
        {"properties",
         {{"result", see("result_" + info.name)}, {"inputs", see("inputs_" + info.name)}}}};
    schema["allOf"].push_back(
        where("command", info.name, {{"properties", {{"rows", {{"items", answer}}}}}}));
  }
  return schema;
}

/// Files that answers hold, by the tables of their readers; then what the commands answer.
Json definitions() {
  Json defs = Json::object();
  for (const std::string& type : catalog::schema_types()) {
    defs[type] = catalog::json_schema(type);
    defs[type].erase("$schema");
  }
  defs["error"] = error_schema();
  json::describe_object(commands::plan_fields(), defs["plan"]);
  json::describe_object(commands::handed_over_fields(), defs["emitted"]);
  defs["fabric"] = result_schemas::fabric();
  defs["bill_lines"] = result_schemas::bill_lines();
  defs["cluster_report"] = result_schemas::cluster();
  json::describe_object(commands::forecast_fields(), defs["forecast"]);
  defs["sweep"] = sweep_schema();
  for (const CommandInfo& info : command_table()) {
    defs["result_" + info.name] = result_schema(info.command);
    defs["inputs_" + info.name] = inputs_schema(info.command);
  }
  return defs;
}

/// What all answers have in common, and the result of each command.
Json answer_schema() {
  const Json anything{{"type", "object"}};
  Json schema = object(
      {{"schema_version", {{"const", kSchemaVersion}}},
       {"command", described(or_null(command_names()), "null where it was not understood which")},
       {"ok", described(flag(), "whether there are no errors")},
       {"warnings", list_of(word())}},
      {{"inputs",
        described(anything, "what the answer is for: names looked up, defaults filled in")},
       {"result", described(anything, "missing where the command could not be answered")},
       {"emitted", described(see("emitted"), "the plan as settings of a training stack")},
       {"charts", list_of(chart_schema())},
       {"errors", list_of(see("error"))},
       {"rendered", described(word(), "the answer in the format asked for")}});
  schema["if"] = {{"properties", {{"ok", {{"const", true}}}}}};
  schema["then"] = {{"required", {"result"}}, {"properties", {{"errors", false}}}};
  schema["else"] = {{"required", {"errors"}}, {"properties", {{"errors", {{"minItems", 1}}}}}};
  schema["allOf"] = Json::array();
  for (const CommandInfo& info : command_table()) {
    schema["allOf"].push_back(where(
        "command", info.name,
        {{"properties",
          {{"result", see("result_" + info.name)}, {"inputs", see("inputs_" + info.name)}}}}));
  }
  schema["$defs"] = definitions();
  return document("an answer of planner", schema);
}

}  // namespace

Json schema_of(std::string_view type) {
  if (type == "request") return request_schema();
  if (type == "answer") return answer_schema();
  if (type == "errors") return error_codes();
  return catalog::json_schema(type);
}

}  // namespace planner
