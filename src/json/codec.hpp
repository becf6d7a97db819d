#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/json/number_text.hpp"
#include "planner/json/read_context.hpp"

namespace planner::json {

using Json = nlohmann::ordered_json;

/// How a V is read from JSON, written to it, and described by a JSON Schema.
template <class V>
struct Codec {
  /// Nothing after reporting what is wrong.
  std::function<std::optional<V>(const JsonNode&, const ReadContext&)> read;
  std::function<void(const V&, Json& out)> write;
  std::function<void(Json& schema)> describe;
};

/// The numbers a key accepts, both ends included. The defaults keep every later product finite.
struct Range {
  double min;
  double max;

  static constexpr Range positive(double max = 1e9) { return {1e-9, max}; }
  static constexpr Range non_negative(double max = 1e9) { return {0, max}; }
};

/// A string that is not empty and has no control characters.
Codec<std::string> text();
/// "2024", "2024-03", "2024-03-18" or "".
Codec<std::string> date();
/// One of these strings.
Codec<std::string> word(const std::vector<std::string>& allowed);
Codec<bool> boolean();
/// An integer; 4096.0 and 1e6 are integers too, as in JSON Schema.
Codec<std::int64_t> integer(std::int64_t min, std::int64_t max);
Codec<double> number(Range range);

namespace detail {
const JsonNode::Array* expect_array(const JsonNode& node, const ReadContext& context);
Json& append_to(Json& array);
void make_array(Json& out);
Json& describe_array(Json& schema);
/// A non-empty string or what `other` describes.
void describe_name_or(Json& schema, const std::function<void(Json&)>& other);
}  // namespace detail

/// A number of `unit`s: the unit is in the key's name.
template <class Q>
Codec<Q> quantity(Q unit, Range range) {
  const Codec<double> plain = number(range);
  return {[plain, unit](const JsonNode& node, const ReadContext& context) -> std::optional<Q> {
            const std::optional<double> value = plain.read(node, context);
            return value ? std::optional<Q>(*value * unit) : std::nullopt;
          },
          [plain, unit](const Q& value, Json& out) {
            plain.write(in_unit(value.si(), unit.si()), out);
          },
          plain.describe};
}

/// One of the values, by its name_of().
template <class E, std::size_t N>
Codec<E> choice(const std::array<E, N>& values) {
  std::vector<std::string> words;
  for (const E value : values) words.emplace_back(name_of(value));
  const Codec<std::string> plain = word(std::move(words));
  return {[plain, values](const JsonNode& node, const ReadContext& context) -> std::optional<E> {
            const std::optional<std::string> name = plain.read(node, context);
            if (!name) return std::nullopt;
            for (const E value : values) {
              if (name_of(value) == *name) return value;
            }
            return std::nullopt;
          },
          [plain](const E& value, Json& out) { plain.write(std::string{name_of(value)}, out); },
          plain.describe};
}

/// An array of values of one kind.
template <class V>
Codec<std::vector<V>> list(Codec<V> item) {
  return {
      [item](const JsonNode& node, const ReadContext& context) -> std::optional<std::vector<V>> {
        const JsonNode::Array* const array = detail::expect_array(node, context);
        if (array == nullptr) return std::nullopt;
        std::vector<V> values;
        for (std::size_t i = 0; i < array->size(); ++i) {
          std::optional<V> value = item.read((*array)[i], context.element(i));
          if (value) values.push_back(*std::move(value));
        }
        if (values.size() < array->size()) return std::nullopt;
        return values;
      },
      [item](const std::vector<V>& values, Json& out) {
        detail::make_array(out);
        for (const V& value : values) item.write(value, detail::append_to(out));
      },
      [item](Json& schema) { item.describe(detail::describe_array(schema)); }};
}

}  // namespace planner::json
