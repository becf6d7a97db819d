#include "planner/json/field_table.hpp"

#include <nlohmann/json.hpp>

#include "planner/core/closest_match.hpp"

namespace planner::json::detail {

namespace {

std::string inside(const ReadContext& context) {
  return context.path.empty() ? "" : " in " + in_quotes(context.path);
}

std::string see_schema(const ReadContext& context) {
  return "(planner schema " + context.type + ")";
}

}  // namespace

bool expect_object(const JsonNode& node, const ReadContext& context) {
  const bool object = node.get<JsonNode::Object>() != nullptr;
  if (!object) context.wrong_type(node, "an object");
  return object;
}

std::vector<const JsonNode*> match_keys(const JsonNode& object, std::span<const KeyRule> rules,
                                        bool open, const ReadContext& context) {
  std::vector<std::string> known;
  for (const KeyRule& rule : rules) known.push_back(rule.key);
  std::vector<const JsonNode*> values(rules.size(), nullptr);
  std::vector<std::string> misspelt;  // keys that an unknown one was probably meant to be

  for (const JsonMember& member : *object.get<JsonNode::Object>()) {
    const auto found = std::find(known.begin(), known.end(), member.key);
    if (found == known.end()) {
      if (open) continue;
      const auto meant = context.problems.full() ? std::nullopt : closest_match(member.key, known);
      if (meant && misspelt.size() < known.size()) misspelt.push_back(*meant);
      context.problems.add(
          member.key_offset, "unknown-key",
          "unknown key " + in_quotes(member.key) + inside(context),
          (meant ? "did you mean " + in_quotes(*meant) + "?   " : "") + see_schema(context));
      continue;
    }
    const JsonNode*& value = values[static_cast<std::size_t>(found - known.begin())];
    if (value != nullptr) {
      context.problems.add(member.key_offset, "duplicate-key",
                           "duplicate key " + in_quotes(member.key) + inside(context),
                           "keep one of them");
    } else {
      value = &member.value;
    }
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!rules[i].required || values[i] != nullptr) continue;
    if (std::find(misspelt.begin(), misspelt.end(), rules[i].key) != misspelt.end()) continue;
    context.problems.add(object.offset, "missing-key",
                         "missing key " + in_quotes(rules[i].key) + inside(context),
                         see_schema(context));
  }
  return values;
}

const JsonNode& nearest(const JsonNode& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const JsonNode* const next = object.find(path.substr(0, dot));
  if (next == nullptr) return object;
  return dot == std::string_view::npos ? *next : nearest(*next, path.substr(dot + 1));
}

Json& member(Json& object, const std::string& key) {
  return object[key];
}

void make_object(Json& out) {
  out = Json::object();
}

void drop_if_empty(Json& object, const std::string& key) {
  const Json& value = object.at(key);
  if (value.is_structured() && value.empty()) object.erase(key);
}

void describe_object(Json& schema, const std::string& doc, bool open) {
  if (!schema.contains("description")) schema["description"] = doc;
  schema["type"] = "object";
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  if (!open) schema["additionalProperties"] = false;
}

Json& describe_member(Json& schema, const std::string& key, const std::string& doc, bool required) {
  if (required) schema["required"].push_back(key);
  Json& member_schema = schema["properties"][key];
  member_schema = {{"description", doc}};
  return member_schema;
}

void describe_document(Json& schema, const std::string& type) {
  schema = Json::object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "planner " + type;
}

}  // namespace planner::json::detail
