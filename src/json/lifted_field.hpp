#pragma once

#include <optional>
#include <utility>

#include "planner/json/field_table.hpp"

namespace planner::json {

/// A field of a part of T as a field of T: the JSON is flat where the C++ is nested.
/// @param part  T& to Part&, and const T& to const Part&
template <class T, class Part, class Access>
Field<T> lifted(Access part, const Field<Part>& field) {
  const AnyField& any = field;
  return {any.key,
          any.doc,
          any.required,
          [part, read = any.read](const JsonNode& node, T& target, const ReadContext& context) {
            Part& held = part(target);
            return read(node, &held, context);
          },
          [part, write = any.write](const T& from, Json& object) {
            const Part& held = part(from);
            write(&held, object);
          },
          any.describe,
          any.always_written};
}

/// A field of a part that only some values have, flat beside their other fields.
template <class T, class Part>
Field<T> of_optional(std::optional<Part> T::*part, const Field<Part>& field) {
  const AnyField& any = field;
  return {any.key,
          any.doc,
          false,
          [part, read = any.read](const JsonNode& node, T& target, const ReadContext& context) {
            std::optional<Part>& held = target.*part;
            if (!held) held.emplace();
            return read(node, &*held, context);
          },
          [part, write = any.write](const T& from, Json& object) {
            const std::optional<Part>& held = from.*part;
            if (held) write(&*held, object);
          },
          any.describe};
}

}  // namespace planner::json
