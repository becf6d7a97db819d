#include "planner/report/schemas.hpp"

#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/io/documents.hpp"
#include "planner/report/format.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json described(Json schema, const std::string& description) {
  schema["description"] = description;
  return schema;
}

Json object_of(Json properties, Json required) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json document(const char* title, Json schema) {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  json.update(schema);
  return json;
}

Json command_names() {
  Json names = Json::array();
  for (const CommandInfo& info : commands()) names.push_back(info.name);
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

Json schema_of(const CommandInfo& info) {
  Json known = Json::object();
  for (const Option& option : options()) {
    if (option.applies_to(info.command)) known[option.name] = schema_of(option);
  }
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
  Json schema = object_of({{"command", {{"const", info.name}}},
                           {"options", object_of(std::move(known), Json::array())},
                           {"arguments", std::move(arguments)},
                           {"format", {{"enum", std::move(formats)}}}},
                          {"command"});
  schema["title"] = info.name;
  return described(std::move(schema), info.summary);
}

Json request_schema() {
  Json one_of = Json::array();
  for (const CommandInfo& info : commands()) one_of.push_back(schema_of(info));
  return document("a request of planner_call()", {{"oneOf", std::move(one_of)}});
}

Json or_null(const char* type) {
  return {{"type", {type, "null"}}};
}

Json error_schema() {
  const Json text{{"type", "string"}};
  return object_of({{"code", described(text, "stable: what kind of problem this is")},
                    {"message", text},
                    {"hint", described(or_null("string"), "what to do about it")},
                    {"file", or_null("string")},
                    {"line", or_null("integer")},
                    {"column", described(or_null("integer"), "in bytes, from 1")}},
                   {"code", "message", "hint", "file", "line", "column"});
}

Json chart_schema() {
  return object_of({{"name", {{"type", "string"}}},
                    {"title", {{"type", "string"}}},
                    {"spec", described({{"type", "object"}}, "Vega-Lite, data inside")}},
                   {"name", "title", "spec"});
}

/// An object that has these keys; more may come with any version.
Json with(Json properties) {
  Json required = Json::array();
  for (const auto& [key, schema] : properties.items()) required.push_back(key);
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

Json all_of_type(const char* type) {
  return {{"type", "object"}, {"additionalProperties", {{"type", type}}}};
}

Json plan_schema() {
  const Json count{{"type", "integer"}, {"minimum", 0}}, figure{{"type", "number"}},
      word{{"type", "string"}}, flag{{"type", "boolean"}};
  return with(
      {{"strategy", with({{"tp", count},
                          {"pp", count},
                          {"dp", count},
                          {"cp", count},
                          {"ep", count},
                          {"interleave", count},
                          {"micro_batch", count},
                          {"microbatches", count},
                          {"recompute", word},
                          {"zero", count},
                          {"sequence_parallel", flag},
                          {"expert_tp", count},
                          {"schedule", word},
                          {"placement", all_of_type("integer")}})},
       {"iteration_time_s", figure},
       {"breakdown_s", described(all_of_type("number"), "the parts sum to iteration_time_s")},
       {"memory", all_of_type("number")},
       {"fits", flag},
       {"mfu", figure},
       {"hfu", figure},
       {"model_tflops_per_gpu", figure},
       {"tokens_per_s", figure},
       {"tokens_per_s_per_gpu", figure}});
}

Json fabric_schema() {
  const Json count{{"type", "integer"}, {"minimum", 0}}, counts = all_of_type("integer");
  return with({{"topology", {{"type", "string"}}},
               {"endpoints", count},
               {"tiers", count},
               {"planes", count},
               {"rails", count},
               {"radix", count},
               {"switches", counts},
               {"links", counts},
               {"transceivers", described(count, "logical ends")},
               {"modules", described(count, "physical parts")},
               {"cables", counts},
               {"oversubscription", with({{"down", count}, {"up", count}})}});
}

/// What the results of one command look like.
Json result_of(Command command, Json result) {
  return {{"if", {{"properties", {{"command", {{"const", name_of(command)}}}}}}},
          {"then", {{"properties", {{"result", std::move(result)}}}}}};
}

/// What all answers have in common, and the results that others read most. That of `show` is as the
/// schema of its type says.
Json answer_schema() {
  const Json object{{"type", "object"}}, count{{"type", "integer"}};
  const Json plan{{"$ref", "#/$defs/plan"}};
  Json schema = object_of(
      {{"schema_version", {{"const", "1"}}},
       {"command", command_names()},
       {"ok", described({{"type", "boolean"}}, "whether there are no errors")},
       {"inputs", described(object, "what the answer is for: names looked up, defaults filled in")},
       {"result", described(object, "missing where the command could not be answered")},
       {"warnings", list_of({{"type", "string"}})},
       {"charts", list_of(chart_schema())},
       {"errors", list_of(error_schema())},
       {"rendered", described({{"type", "string"}}, "the answer in the format asked for")}},
      {"schema_version", "command", "ok", "warnings"});
  schema["if"] = {{"properties", {{"ok", {{"const", true}}}}}};
  schema["then"] = {{"required", {"result"}}, {"properties", {{"errors", false}}}};
  schema["else"] = {{"required", {"errors"}}, {"properties", {{"errors", {{"minItems", 1}}}}}};
  const Json search = with({{"strategies", count}, {"feasible", count}});
  schema["allOf"] = {result_of(Command::estimate, plan),
                     result_of(Command::optimize,
                               with({{"best", plan}, {"top", list_of(plan)}, {"search", search}})),
                     result_of(Command::network, {{"$ref", "#/$defs/fabric"}})};
  schema["$defs"] = {{"plan", plan_schema()}, {"fabric", fabric_schema()}};
  return document("an answer of planner", std::move(schema));
}

}  // namespace

Json schema_of(std::string_view type) {
  if (type == "request") return request_schema();
  if (type == "answer") return answer_schema();
  return io::json_schema(type);
}

}  // namespace planner
