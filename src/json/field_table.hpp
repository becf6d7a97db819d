#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "planner/json/codec.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/read_context.hpp"

namespace planner::json {

/// One key of a JSON object and the member of T behind it.
template <class T>
struct Field {
  std::string key;
  std::string doc;
  bool required;
  std::function<bool(const JsonNode&, T&, const ReadContext&)> read;  ///< false: reported
  std::function<void(const T&, Json& object)> write;  ///< sets the key, or leaves it out
  std::function<void(Json& schema)> describe;
  bool always_written = false;  ///< though reading does not need it
};

/// A rule between fields, checked when all of its keys were read well.
template <class T>
struct Check {
  std::vector<std::string> keys;  ///< "moe.top_k" for a nested one; the first is where it is shown
  std::function<bool(const T&)> holds;
  std::function<std::string(const T&)> message;
};

/// A JSON object type. This one table drives the reader, the writer, the JSON Schema and the
/// did-you-mean hints.
template <class T>
struct FieldTable {
  using Type = T;
  std::string type;  ///< as in `planner schema TYPE`
  std::string doc;
  std::vector<Field<T>> fields;
  std::vector<Check<T>> checks = {};
  /// Looks at the JSON itself, for rules that are about keys.
  std::function<void(const JsonNode&, const ReadContext&)> inspect = {};
  /// Fills in the defaults that depend on other fields, after everything was found good.
  std::function<void(T&)> complete = {};
  /// Unknown keys are no error: those of answers, to which any version may add.
  bool open = false;
};

namespace detail {

struct KeyRule {
  std::string key;
  bool required;
};

bool expect_object(const JsonNode& node, const ReadContext& context);
/// The value of each key, null where it is absent. Reports unknown, duplicate and missing keys.
std::vector<const JsonNode*> match_keys(const JsonNode& object, std::span<const KeyRule> rules,
                                        bool open, const ReadContext& context);
/// The node at a dotted path, or the nearest one above it.
const JsonNode& nearest(const JsonNode& object, std::string_view path);

Json& member(Json& object, const std::string& key);
void make_object(Json& out);
void drop_if_empty(Json& object, const std::string& key);
void describe_object(Json& schema, const std::string& doc, bool open);
Json& describe_member(Json& schema, const std::string& key, const std::string& doc, bool required);
void describe_document(Json& schema, const std::string& type);

template <class T, class V>
std::function<bool(const JsonNode&, T&, const ReadContext&)> read_into(V T::*place,
                                                                       auto read_value) {
  return [place, read_value](const JsonNode& node, T& target, const ReadContext& context) {
    auto value = read_value(node, context);
    if (value) target.*place = *std::move(value);
    return value.has_value();
  };
}

}  // namespace detail

/// A key that must be there.
template <class T, class V>
Field<T> required(std::string key, V T::*place, Codec<V> codec, std::string doc) {
  return {
      key,
      std::move(doc),
      true,
      detail::read_into(place, codec.read),
      [=](const T& from, Json& object) { codec.write(from.*place, detail::member(object, key)); },
      codec.describe};
}

/// A key whose default is that of the C++ member. An empty list or object is not written.
template <class T, class V>
Field<T> optional(std::string key, V T::*place, Codec<V> codec, std::string doc) {
  return {key,
          std::move(doc),
          false,
          detail::read_into(place, codec.read),
          [=](const T& from, Json& object) {
            codec.write(from.*place, detail::member(object, key));
            detail::drop_if_empty(object, key);
          },
          [=](Json& schema) {
            codec.describe(schema);
            codec.write(T{}.*place, detail::member(schema, "default"));
            detail::drop_if_empty(schema, "default");
          }};
}

/// A key that may be absent, which is a value of its own.
template <class T, class V>
Field<T> optional(std::string key, std::optional<V> T::*place, Codec<V> codec, std::string doc) {
  return {key,
          std::move(doc),
          false,
          detail::read_into(place, codec.read),
          [=](const T& from, Json& object) {
            if (from.*place) codec.write(*(from.*place), detail::member(object, key));
          },
          codec.describe};
}

/// A key whose default follows from other fields, in the table's `complete`. Always written.
template <class T, class V>
Field<T> derived(std::string key, V T::*place, Codec<V> codec, std::string doc) {
  Field<T> field = required(std::move(key), place, std::move(codec), std::move(doc));
  field.required = false;
  return field;
}

/// Reads one object into `result`; false after reporting all that is wrong with it.
template <class T>
bool read_into(const FieldTable<T>& table, const JsonNode& node, const ReadContext& context,
               T& result) {
  if (!detail::expect_object(node, context)) return false;
  const std::size_t before = context.problems.count();
  std::vector<detail::KeyRule> rules;
  for (const Field<T>& field : table.fields) rules.push_back({field.key, field.required});
  const std::vector<const JsonNode*> values =
      detail::match_keys(node, rules, table.open || context.saved, context);

  std::vector<std::string_view> unread;
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field<T>& field = table.fields[i];
    const bool good = values[i] == nullptr
                          ? !field.required
                          : field.read(*values[i], result, context.member(field.key));
    if (!good) unread.push_back(field.key);
  }
  const auto was_read = [&unread](const std::string& path) {
    const std::string_view key = std::string_view(path).substr(0, path.find('.'));
    return std::find(unread.begin(), unread.end(), key) == unread.end();
  };
  for (const Check<T>& check : table.checks) {
    if (context.saved) break;
    if (!std::all_of(check.keys.begin(), check.keys.end(), was_read)) continue;
    if (check.holds(result)) continue;
    const std::string& key = check.keys.front();
    context.member(key).report(detail::nearest(node, key), "inconsistent", check.message(result));
  }
  if (table.inspect && !context.saved) table.inspect(node, context);
  if (context.problems.count() != before) return false;
  if (table.complete) table.complete(result);
  return true;
}

/// Reads one object; nothing after reporting all that is wrong with it.
template <class T>
std::optional<T> read_object(const FieldTable<T>& table, const JsonNode& node,
                             const ReadContext& context) {
  T result{};
  return read_into(table, node, context, result) ? std::optional<T>(std::move(result))
                                                 : std::nullopt;
}

/// Writes the fields into `out`, in the order of the table.
template <class T>
void write_object(const FieldTable<T>& table, const T& value, Json& out) {
  detail::make_object(out);
  for (const Field<T>& field : table.fields) field.write(value, out);
}

/// Writes the JSON Schema of the object type into `schema`.
template <class T>
void describe_object(const FieldTable<T>& table, Json& schema) {
  detail::describe_object(schema, table.doc, table.open);
  for (const Field<T>& field : table.fields) {
    field.describe(detail::describe_member(schema, field.key, field.doc,
                                           field.required || field.always_written));
  }
}

/// A nested object. The table must outlive the codec: tables are static.
template <class T>
Codec<T> object(const FieldTable<T>& table) {
  return {[&table](const JsonNode& node, const ReadContext& context) {
            return read_object(table, node, context);
          },
          [&table](const T& value, Json& out) { write_object(table, value, out); },
          [&table](Json& schema) { describe_object(table, schema); }};
}

/// Reads a parsed text as one T.
/// @throws InputError with everything that is wrong, each finding located
template <class T>
T read_document(const FieldTable<T>& table, const JsonNode& root, SourceText source) {
  Problems problems(source);
  std::optional<T> value = read_object(table, root, ReadContext{problems, table.type});
  problems.throw_if_any();
  return *std::move(value);
}

/// Parses and reads a text as one T.
template <class T>
T parse_document(const FieldTable<T>& table, SourceText source) {
  return read_document(table, parse_json(source), source);
}

/// JSON Schema (draft 2020-12) of a document.
template <class T>
void describe_document(const FieldTable<T>& table, Json& schema) {
  detail::describe_document(schema, table.type);
  describe_object(table, schema);
}

}  // namespace planner::json
