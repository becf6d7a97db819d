#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/json/codec.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/read_context.hpp"

namespace planner::json {

/// One key of a JSON object, without the type of what is behind it: objects are given by their
/// address, as AnyCodec's values are.
struct AnyField {
  std::string key;
  std::string doc;
  bool required = false;
  std::function<bool(const JsonNode&, void* object, const ReadContext&)> read;  ///< false: reported
  std::function<void(const void* from, Json& object)> write;  ///< sets the key, or leaves it out
  std::function<void(Json& schema)> describe;
  bool always_written = false;  ///< though reading does not need it
};

/// One key of a JSON object and the member of T behind it.
template <class T>
struct Field : AnyField {
  explicit Field(AnyField any) : AnyField(std::move(any)) {}
  /// One of another type is lifted(), never taken as it is.
  template <class U>
  explicit Field(const Field<U>& other) = delete;
  /// @param reads   bool(const JsonNode&, T&, const ReadContext&)
  /// @param writes  void(const T&, Json& object)
  template <class Read, class Write>
  Field(std::string_view name, std::string_view words, bool needed, Read reads, Write writes,
        std::function<void(Json& schema)> describes, bool always = false)
      : AnyField{.key = std::string(name),
                 .doc = std::string(words),
                 .required = needed,
                 .read =
                     [reads](const JsonNode& node, void* object, const ReadContext& context) {
                       return reads(node, *static_cast<T*>(object), context);
                     },
                 .write = {},
                 .describe = std::move(describes),
                 .always_written = always} {
    written_by(std::move(writes));
  }

  bool read(const JsonNode& node, T& object, const ReadContext& context) const {
    return AnyField::read(node, &object, context);
  }
  void write(const T& from, Json& object) const { AnyField::write(&from, object); }
  /// Writes it in another way from now on.
  template <class Write>
  void written_by(Write writes) {
    AnyField::write = [writes](const void* from, Json& object) {
      writes(*static_cast<const T*>(from), object);
    };
  }
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

bool expect_object(const JsonNode& node, const ReadContext& context);
/// Reads the value of each key. Reports unknown, duplicate and missing keys.
/// @param open  unknown keys are no error
/// @return      keys that were not read well
std::vector<std::string_view> read_fields(const std::vector<const AnyField*>& fields, bool open,
                                          const JsonNode& node, const ReadContext& context,
                                          void* object);
bool were_read(const std::vector<std::string>& paths, const std::vector<std::string_view>& unread);
/// Reports a rule that does not hold, where its first key is.
void report_broken(const std::vector<std::string>& keys, const std::string& message,
                   const JsonNode& node, const ReadContext& context);
void describe_field(const AnyField& field, Json& schema);
Json& member(Json& object, const std::string& key);
void make_object(Json& out);
void drop_if_empty(Json& object, const std::string& key);
void describe_object(Json& schema, const std::string& doc, bool open);
void describe_document(Json& schema, const std::string& type);

template <class T>
std::vector<const AnyField*> all(const std::vector<Field<T>>& fields) {
  std::vector<const AnyField*> all;
  for (const AnyField& field : fields) all.push_back(&field);
  return all;
}

/// From an object to one of its members.
using Place = std::function<void*(void* object)>;
template <class T, class V>
Place at(V T::*place) {
  return [place](void* object) -> void* { return &(static_cast<T*>(object)->*place); };
}
/// An object as C++ makes it.
template <class T>
const void* as_made() {
  static const T made{};
  return &made;
}
AnyField required(std::string_view key, Place place, SharedCodec codec, std::string_view doc);
AnyField optional(std::string_view key, Place place, SharedCodec codec, std::string_view doc,
                  const void* (*as_made)());
AnyField optional(std::string_view key, Place place, SharedCodec codec, std::string_view doc,
                  AnyOptional of);

}  // namespace detail

/// A key that must be there.
template <class T, class V>
Field<T> required(std::string_view key, V T::*place, const Codec<V>& codec, std::string_view doc) {
  return Field<T>(detail::required(key, detail::at(place), codec.any(), doc));
}

/// A key whose default is that of the C++ member. An empty list or object is not written.
template <class T, class V>
Field<T> optional(std::string_view key, V T::*place, const Codec<V>& codec, std::string_view doc) {
  return Field<T>(detail::optional(key, detail::at(place), codec.any(), doc, detail::as_made<T>));
}

/// A key that may be absent, which is a value of its own.
template <class T, class V>
Field<T> optional(std::string_view key, std::optional<V> T::*place, const Codec<V>& codec,
                  std::string_view doc) {
  return Field<T>(
      detail::optional(key, detail::at(place), codec.any(), doc, detail::any_optional<V>()));
}

/// A key whose default follows from other fields, in the table's `complete`. Always written.
template <class T, class V>
Field<T> derived(std::string_view key, V T::*place, const Codec<V>& codec, std::string_view doc) {
  Field<T> field = required(key, place, codec, doc);
  field.required = false;
  return field;
}

/// Reads one object into `result`; false after reporting all that is wrong with it.
template <class T>
bool read_into(const FieldTable<T>& table, const JsonNode& node, const ReadContext& context,
               T& result) {
  if (!detail::expect_object(node, context)) return false;
  const std::size_t before = context.problems.count();
  const std::vector<std::string_view> unread = detail::read_fields(
      detail::all(table.fields), table.open || context.saved, node, context, &result);
  for (const Check<T>& check : table.checks) {
    if (context.saved) break;
    if (!detail::were_read(check.keys, unread) || check.holds(result)) continue;
    detail::report_broken(check.keys, check.message(result), node, context);
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
  for (const AnyField& field : table.fields) detail::describe_field(field, schema);
}

namespace detail {
/// What is done with values of a type that is not told, by its table.
struct AnyTable {
  const void* table;
  bool (*read)(const void* table, const JsonNode&, const ReadContext&, void* value);
  void (*write)(const void* table, const void* value, Json& out);
  void (*describe)(const void* table, Json& schema);
};
AnyCodec object(AnyTable of);
}  // namespace detail

/// A nested object. The table must outlive the codec: tables are static.
template <class T>
Codec<T> object(const FieldTable<T>& table) {
  using Table = FieldTable<T>;
  return Codec<T>(detail::object(
      {.table = &table,
       .read =
           [](const void* of, const JsonNode& node, const ReadContext& context, void* value) {
             T& object = *static_cast<T*>(value);
             object = T{};
             return read_into(*static_cast<const Table*>(of), node, context, object);
           },
       .write =
           [](const void* of, const void* value, Json& out) {
             write_object(*static_cast<const Table*>(of), *static_cast<const T*>(value), out);
           },
       .describe = [](const void* of,
                      Json& schema) { describe_object(*static_cast<const Table*>(of), schema); }}));
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
