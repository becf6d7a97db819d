#include "planner/json/field_table.hpp"

#include <algorithm>
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

/// Only the address is of interest: nothing is written to the object.
const void* within(const Place& place, const void* object) {
  return place(const_cast<void*>(object));
}

}  // namespace

bool expect_object(const JsonNode& node, const ReadContext& context) {
  const bool object = node.get<JsonNode::Object>() != nullptr;
  if (!object) context.wrong_type(node, "an object");
  return object;
}

namespace {

/// The value of each key, null where it is absent.
std::vector<const JsonNode*> match_keys(const JsonNode& object,
                                        const std::vector<const AnyField*>& fields, bool open,
                                        const ReadContext& context) {
  std::vector<std::string> known;
  for (const AnyField* const field : fields) known.push_back(field->key);
  std::vector<const JsonNode*> values(fields.size(), nullptr);
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
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i]->required || values[i] != nullptr) continue;
    if (std::find(misspelt.begin(), misspelt.end(), known[i]) != misspelt.end()) continue;
    context.problems.add(object.offset, "missing-key",
                         "missing key " + in_quotes(known[i]) + inside(context),
                         see_schema(context));
  }
  return values;
}

/// The node at a dotted path, or the nearest one above it.
const JsonNode& nearest(const JsonNode& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const JsonNode* const next = object.find(path.substr(0, dot));
  if (next == nullptr) return object;
  return dot == std::string_view::npos ? *next : nearest(*next, path.substr(dot + 1));
}

}  // namespace

std::vector<std::string_view> read_fields(const std::vector<const AnyField*>& fields, bool open,
                                          const JsonNode& node, const ReadContext& context,
                                          void* object) {
  const std::vector<const JsonNode*> values = match_keys(node, fields, open, context);
  std::vector<std::string_view> unread;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const AnyField& field = *fields[i];
    const bool good = values[i] == nullptr
                          ? !field.required
                          : field.read(*values[i], object, context.member(field.key));
    if (!good) unread.push_back(field.key);
  }
  return unread;
}

bool were_read(const std::vector<std::string>& paths, const std::vector<std::string_view>& unread) {
  return std::all_of(paths.begin(), paths.end(), [&unread](std::string_view path) {
    const std::string_view key = path.substr(0, path.find('.'));
    return std::find(unread.begin(), unread.end(), key) == unread.end();
  });
}

void report_broken(const std::vector<std::string>& keys, const std::string& message,
                   const JsonNode& node, const ReadContext& context) {
  const std::string& key = keys.front();
  context.member(key).report(nearest(node, key), "inconsistent", message);
}

AnyField required(std::string_view key, Place place, SharedCodec codec, std::string_view doc) {
  return {
      .key = std::string(key),
      .doc = std::string(doc),
      .required = true,
      .read = [=](const JsonNode& node, void* object,
                  const ReadContext& context) { return codec->read(node, context, place(object)); },
      .write = [=, key = std::string(key)](
                   const void* from,
                   Json& object) { codec->write(within(place, from), member(object, key)); },
      .describe = codec->describe};
}

AnyField optional(std::string_view key, Place place, SharedCodec codec, std::string_view doc,
                  const void* (*as_made)()) {
  AnyField field = required(key, place, codec, doc);
  field.required = false;
  field.write = [write = field.write, key = field.key](const void* from, Json& object) {
    write(from, object);
    drop_if_empty(object, key);
  };
  field.describe = [=](Json& schema) {
    codec->describe(schema);
    codec->write(within(place, as_made()), member(schema, "default"));
    drop_if_empty(schema, "default");
  };
  return field;
}

AnyField optional(std::string_view key, Place place, SharedCodec codec, std::string_view doc,
                  AnyOptional of) {
  AnyField field = required(key, place, codec, doc);
  field.required = false;
  field.read = [=](const JsonNode& node, void* object, const ReadContext& context) {
    return codec->read(node, context, of.emplace(place(object)));
  };
  field.write = [=, key = field.key](const void* from, Json& object) {
    const void* const value = of.held(within(place, from));
    if (value != nullptr) codec->write(value, member(object, key));
  };
  return field;
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

namespace {

Json& describe_member(Json& schema, const std::string& key, const std::string& doc, bool required) {
  if (required) schema["required"].push_back(key);
  Json& member_schema = schema["properties"][key];
  member_schema = {{"description", doc}};
  return member_schema;
}

}  // namespace

void describe_field(const AnyField& field, Json& schema) {
  field.describe(
      describe_member(schema, field.key, field.doc, field.required || field.always_written));
}

AnyCodec object(AnyTable of) {
  return {.read = [=](const JsonNode& node, const ReadContext& context,
                      void* value) { return of.read(of.table, node, context, value); },
          .write = [=](const void* value, Json& out) { of.write(of.table, value, out); },
          .describe = [=](Json& schema) { of.describe(of.table, schema); }};
}

void describe_document(Json& schema, const std::string& type) {
  schema = Json::object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "planner " + type;
}

}  // namespace planner::json::detail
