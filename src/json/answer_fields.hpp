#pragma once

#include <cmath>
#include <limits>
#include <memory>
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

/// A quantity as the number `number_of` makes of it, read by `of_number` and by one step of the
/// last digit either way, so that what is written again is the same.
template <class Q, class NumberOf, class OfNumber>
Codec<Q> measure(NumberOf number_of, OfNumber of_number) {
  const Codec<double> plain = figure();
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<Q> {
            const std::optional<double> value = plain.read(node, context);
            if (!value) return std::nullopt;
            const Q read = of_number(*value);
            for (const double towards : {std::numeric_limits<double>::infinity(),
                                         -std::numeric_limits<double>::infinity()}) {
              const Q next{std::nextafter(read.si(), towards)};
              if (number_of(read) != *value && number_of(next) == *value) return next;
            }
            return read;
          },
          [=](const Q& value, Json& out) { plain.write(number_of(value), out); }, plain.describe};
}

/// A number of `unit`s.
template <class Q>
Codec<Q> measure(Q unit) {
  return measure<Q>([unit](Q value) { return value.in(unit); },
                    [unit](double value) { return value * unit; });
}

/// A value that is written as another type.
template <class V, class Plain, class ToPlain, class FromPlain>
Codec<V> written_as(Codec<Plain> plain, ToPlain to_plain, FromPlain from_plain) {
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<V> {
            std::optional<Plain> read = plain.read(node, context);
            return read ? std::optional<V>(from_plain(*std::move(read))) : std::nullopt;
          },
          [=](const V& value, Json& out) { plain.write(to_plain(value), out); }, plain.describe};
}

/// {"low", "expected", "high"}, of a figure without a range too.
template <class V>
Codec<Estimate<V>> spread(Codec<V> value) {
  using E = Estimate<V>;
  const auto table = std::make_shared<const Table<E>>(
      Table<E>{.type = "range",
               .doc = "a figure on which sources disagree",
               .fields = {required("low", &E::low, value, "the least"),
                          required("expected", &E::expected, value, "to be counted with"),
                          required("high", &E::high, value, "the most")},
               .open = true});
  return {[table](const JsonNode& node, const ReadContext& context) {
            return read_object(*table, node, context);
          },
          [table](const E& from, Json& out) { write_object(*table, from, out); },
          [table](Json& schema) { describe_object(*table, schema); }};
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
