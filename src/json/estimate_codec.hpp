#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/core/money.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/json/field_table.hpp"

namespace planner::json {

namespace detail {
/// The schema accepts what any one of them describes.
void describe_one_of(Json& schema, const std::vector<std::function<void(Json&)>>& each);
void describe_or_null(Json& schema, const std::function<void(Json&)>& value);
}  // namespace detail

/// An amount of money, in whole cents and more than nothing: a price that is not known is null or
/// left out, never 0.
Codec<Money> money();

/// One value, or {"low", "expected", "high"} where sources disagree.
template <class V>
Codec<Estimate<V>> estimate(const Codec<V>& value) {
  using E = Estimate<V>;
  const auto table = std::make_shared<const FieldTable<E>>(FieldTable<E>{
      "estimate",
      "A figure on which sources disagree",
      {required("low", &E::low, value, "the least"),
       required("expected", &E::expected, value, "to be counted with"),
       required("high", &E::high, value, "the most")},
      {{.keys = {"expected", "low", "high"},
        .holds = [](const E& e) { return e.low <= e.expected && e.expected <= e.high; },
        .message = [](const E&) { return std::string("must lie between low and high"); }}}});
  return {[value, table](const JsonNode& node, const ReadContext& context) -> std::optional<E> {
            if (node.get<JsonNode::Object>() != nullptr) return read_object(*table, node, context);
            const std::optional<V> single = value.read(node, context);
            return single ? std::optional(E::exactly(*single)) : std::nullopt;
          },
          [value, table](const E& from, Json& out) {
            if (from == E::exactly(from.expected)) {
              value.write(from.expected, out);
            } else {
              write_object(*table, from, out);
            }
          },
          [value, table](Json& schema) {
            detail::describe_one_of(schema, {value.description(), [&table](Json& ranged) {
                                               describe_object(*table, ranged);
                                             }});
          }};
}

/// A value or null, which says that it is not known.
template <class V>
Codec<std::optional<V>> or_null(const Codec<V>& value) {
  return Codec<std::optional<V>>(detail::or_null(value.any(), detail::any_optional<V>()));
}

}  // namespace planner::json
