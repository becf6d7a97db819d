#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "planner/json/estimate_codec.hpp"
#include "planner/json/field_table.hpp"

// What the field tables of answers need besides those of files: answers are open to further keys,
// hold figures that follow from others, and keys that only some of them have.
namespace planner::json {

/// Any number; one that is not finite is written as null.
Codec<double> figure();
/// A whole number, however large.
Codec<std::int64_t> whole();
/// Any text, an empty one too.
Codec<std::string> any_text();
/// A text; an empty one is null.
Codec<std::string> text_or_null();

/// A number of `unit`s that reads back as the same quantity: what is written again is the same.
template <class Q>
Codec<Q> measure(Q unit) {
  const Codec<double> plain = figure();
  return {[plain, unit](const JsonNode& node, const ReadContext& context) -> std::optional<Q> {
            const std::optional<double> value = plain.read(node, context);
            if (!value) return std::nullopt;
            const Q read = *value * unit;
            for (const double towards : {std::numeric_limits<double>::infinity(),
                                         -std::numeric_limits<double>::infinity()}) {
              const Q next{std::nextafter(read.si(), towards)};
              if (read.in(unit) != *value && next.in(unit) == *value) return next;
            }
            return read;
          },
          [plain, unit](const Q& value, Json& out) { plain.write(value.in(unit), out); },
          plain.describe};
}

/// A figure that follows from others: written and described, passed over when read.
template <class T, class V, class Get>
Field<T> shown(std::string key, Get get, Codec<V> codec, std::string doc) {
  return {key,
          std::move(doc),
          false,
          [](const JsonNode&, T&, const ReadContext&) { return true; },
          [=](const T& from, Json& object) { codec.write(get(from), detail::member(object, key)); },
          codec.describe,
          true};
}

/// A field that only some values have: those of which `holds`.
template <class T, class Holds>
Field<T> when(Holds holds, Field<T> field) {
  field.required = field.always_written = false;
  field.write = [holds, write = std::move(field.write)](const T& from, Json& object) {
    if (holds(from)) write(from, object);
  };
  return field;
}

/// Some fields of T under a key of their own: the JSON is nested where the C++ is flat.
/// @param table  must outlive the field
template <class T>
Field<T> group(std::string key, const Table<T>& table, std::string doc) {
  return {key,
          std::move(doc),
          true,
          [&table](const JsonNode& node, T& target, const ReadContext& context) {
            return read_into(table, node, context, target);
          },
          [&table, key](const T& from, Json& object) {
            write_object(table, from, detail::member(object, key));
          },
          [&table](Json& schema) { describe_object(table, schema); }};
}

namespace detail {
/// The members of an object in their order; null after reporting that it is none.
const JsonNode::Object* expect_members(const JsonNode& node, const ReadContext& context);
void describe_map(Json& schema, const std::function<void(Json&)>& value);
}  // namespace detail

/// An object whose keys are names of things, in their order.
template <class V>
Codec<std::vector<std::pair<std::string, V>>> named(Codec<V> value) {
  using Pairs = std::vector<std::pair<std::string, V>>;
  return {[value](const JsonNode& node, const ReadContext& context) -> std::optional<Pairs> {
            const JsonNode::Object* const members = detail::expect_members(node, context);
            if (members == nullptr) return std::nullopt;
            Pairs pairs;
            for (const JsonMember& member : *members) {
              std::optional<V> read = value.read(member.value, context.member(member.key));
              if (read) pairs.emplace_back(member.key, *std::move(read));
            }
            if (pairs.size() < members->size()) return std::nullopt;
            return pairs;
          },
          [value](const Pairs& pairs, Json& out) {
            detail::make_object(out);
            for (const auto& [name, held] : pairs) value.write(held, detail::member(out, name));
          },
          [value](Json& schema) { detail::describe_map(schema, value.describe); }};
}

}  // namespace planner::json
