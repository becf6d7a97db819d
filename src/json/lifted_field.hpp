#pragma once

#include <optional>
#include <utility>

#include "planner/json/field_table.hpp"

namespace planner::json {

/// A field of a part of T as a field of T: the JSON is flat where the C++ is nested.
/// @param part  T& to Part&, and const T& to const Part&
template <class T, class Part, class Access>
Field<T> lifted(Access part, const Field<Part>& field) {
  return {field.key,
          field.doc,
          field.required,
          [part, field](const JsonNode& node, T& target, const ReadContext& context) {
            return field.read(node, part(target), context);
          },
          [part, field](const T& from, Json& object) { field.write(part(from), object); },
          field.describe,
          field.always_written};
}

/// A field of a part that only some values have, flat beside their other fields.
template <class T, class Part>
Field<T> of_optional(std::optional<Part> T::*part, const Field<Part>& field) {
  return {field.key,
          field.doc,
          false,
          [part, field](const JsonNode& node, T& target, const ReadContext& context) {
            if (!(target.*part)) (target.*part).emplace();
            return field.read(node, *(target.*part), context);
          },
          [part, field](const T& from, Json& object) {
            if (from.*part) field.write(*(from.*part), object);
          },
          field.describe};
}

}  // namespace planner::json
