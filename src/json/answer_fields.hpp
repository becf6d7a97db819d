#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "planner/json/estimate_codec.hpp"
#include "planner/json/field_table.hpp"

// What the field tables of answers need besides those of files: answers are open to further keys,
// hold figures that follow from others, and keys that only some of them have.
namespace planner::json {

namespace detail {
/// The members of an object in their order; null after reporting that it is none.
const JsonNode::Object* expect_members(const JsonNode& node, const ReadContext& context);
void describe_map(Json& schema, const std::function<void(Json&)>& value);
void describe_as(Json& schema, const std::string& definition);
}  // namespace detail

/// Any number; one that is not finite is written as null.
Codec<double> figure();
/// figure() of what may not be finite: the schema has null too.
Codec<double> figure_or_null();
/// A whole number, however large.
Codec<std::int64_t> whole();
/// Any text, an empty one too.
Codec<std::string> any_text();
/// A text; an empty one is null.
Codec<std::string> text_or_null();

/// A number that is written as another, and read so that it would be written alike.
Codec<double> converted(std::function<double(double)> write, std::function<double(double)> read);
/// A share as a percentage, read back as the same share.
Codec<double> percent();
/// An SI value in larger units, read back so that it is written alike.
Codec<double> in_units_of(double unit);
/// Any JSON, as its text in lines indented by two spaces.
Codec<std::string> json_text();

/// Described elsewhere: under "$defs" of the schema that it becomes part of.
template <class V>
Codec<V> defined(const std::string& name, const Codec<V>& codec) {
  return described(codec, [name](Json& schema) { detail::describe_as(schema, name); });
}

/// A value that is written as another type.
template <class V, class Plain, class ToPlain, class FromPlain>
Codec<V> written_as(const Codec<Plain>& plain, ToPlain to_plain, FromPlain from_plain) {
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<V> {
            std::optional<Plain> read = plain.read(node, context);
            return read ? std::optional<V>(from_plain(*std::move(read))) : std::nullopt;
          },
          [=](const V& value, Json& out) { plain.write(to_plain(value), out); },
          plain.description()};
}

/// A quantity as the number `number_of` makes of it, read by `of_number` and by one step of the
/// last digit either way, so that what is written again is the same.
template <class Q, class NumberOf, class OfNumber>
Codec<Q> measure(NumberOf number_of, OfNumber of_number) {
  return written_as<Q>(
      converted([=](double si) { return number_of(Q{si}); },
                [=](double number) { return of_number(number).si(); }),
      [](const Q& value) { return value.si(); }, [](double si) { return Q{si}; });
}

/// A number of `unit`s.
template <class Q>
Codec<Q> measure(Q unit) {
  return measure<Q>([unit](Q value) { return value.in(unit); },
                    [unit](double value) { return value * unit; });
}

/// {"low", "expected", "high"}, of a figure without a range too.
template <class V>
Codec<Estimate<V>> spread(const Codec<V>& value) {
  using E = Estimate<V>;
  const auto table = std::make_shared<const FieldTable<E>>(
      FieldTable<E>{.type = "range",
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
Field<T> shown(std::string_view key, Get get, const Codec<V>& codec, std::string_view doc) {
  return {key,
          doc,
          false,
          [](const JsonNode&, T&, const ReadContext&) { return true; },
          [=, key = std::string(key)](const T& from, Json& object) {
            codec.write(get(from), detail::member(object, key));
          },
          codec.description(),
          true};
}

/// A key that no member holds as it is written: what `get` says, and `set` stores.
template <class T, class V, class Get, class Set>
Field<T> computed(std::string_view key, Get get, Set set, const Codec<V>& codec,
                  std::string_view doc) {
  return {key,
          doc,
          true,
          [=](const JsonNode& node, T& target, const ReadContext& context) {
            std::optional<V> value = codec.read(node, context);
            if (value) set(target, *std::move(value));
            return value.has_value();
          },
          [=, key = std::string(key)](const T& from, Json& object) {
            codec.write(get(from), detail::member(object, key));
          },
          codec.description()};
}

/// A field that only some values have: those of which `holds`.
template <class T, class Holds>
Field<T> when(Holds holds, Field<T> field) {
  field.required = field.always_written = false;
  field.written_by([holds, shown = field](const T& from, Json& object) {
    if (holds(from)) shown.write(from, object);
  });
  return field;
}

/// Some fields of T under a key of their own: the JSON is nested where the C++ is flat.
/// @param table  must outlive the field
template <class T>
Field<T> group(std::string_view key, const FieldTable<T>& table, std::string_view doc) {
  return {key,
          doc,
          true,
          [&table](const JsonNode& node, T& target, const ReadContext& context) {
            return read_into(table, node, context, target);
          },
          [&table, key = std::string(key)](const T& from, Json& object) {
            write_object(table, from, detail::member(object, key));
          },
          [&table](Json& schema) { describe_object(table, schema); }};
}

/// An object whose keys are names of things, in their order.
template <class V>
Codec<std::vector<std::pair<std::string, V>>> named(const Codec<V>& value) {
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
          [value](Json& schema) { detail::describe_map(schema, value.description()); }};
}

/// An object of one of several kinds: the first whose keys that are always written are all there,
/// else the last. The tables must outlive the field.
template <class T, class... Kinds>
Field<T> one_of(std::string_view key, std::variant<Kinds...> T::*place, std::string_view doc,
                const FieldTable<Kinds>&... tables) {
  const auto read_as = [place](const auto& table, const JsonNode& node, T& target,
                               const ReadContext& context, std::size_t& left) {
    const bool last = --left == 0;
    for (const auto& field : table.fields) {
      const bool needed = field.required || field.always_written;
      if (!last && needed && node.find(field.key) == nullptr) return false;
    }
    if (auto value = read_object(table, node, context)) {
      target.*place = *std::move(value);
      return true;
    }
    left = 0;
    return false;
  };
  return {key,
          doc,
          true,
          [&tables..., read_as](const JsonNode& node, T& target, const ReadContext& context) {
            std::size_t left = sizeof...(Kinds);
            return detail::expect_object(node, context) &&
                   ((left > 0 && read_as(tables, node, target, context, left)) || ...);
          },
          [&tables..., place, key = std::string(key)](const T& from, Json& object) {
            const auto write = [&](const auto& table) {
              using Kind = typename std::decay_t<decltype(table)>::Type;
              const auto* const value = std::get_if<Kind>(&(from.*place));
              if (value != nullptr) write_object(table, *value, detail::member(object, key));
            };
            (write(tables), ...);
          },
          [&tables...](Json& schema) {
            std::vector<std::function<void(Json&)>> kinds;
            const auto add = [&kinds](const auto& table) {
              kinds.push_back([&table](Json& kind) { describe_object(table, kind); });
            };
            (add(tables), ...);
            detail::describe_one_of(schema, kinds);
          }};
}

}  // namespace planner::json
