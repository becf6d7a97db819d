#pragma once

#include <set>
#include <string>

#include "planner/json/field_table.hpp"

// What the keys of an answer are to those who hold two answers against each other. Field tables say
// it, and so does the schema that they print.
namespace planner::json {

enum class Role {
  names,           ///< what an element of a list goes by, whatever its place
  aside,           ///< words about figures, or what stands under other keys too: not compared
  in_place_of_all  ///< compared in the place of what stands beside it
};

/// The keyword of the schema that says it: "x-names".
const char* keyword_of(Role role);
/// The keys that have the role anywhere in a schema.
std::set<std::string> keys_with(Role role, const Json& schema);

namespace detail {
std::function<void(Json&)> describe_with(Role role, std::function<void(Json&)> describe);
}  // namespace detail

template <class T>
Field<T> in_role(Role role, Field<T> field) {
  field.describe = detail::describe_with(role, std::move(field.describe));
  return field;
}

template <class T>
Field<T> naming(Field<T> field) {
  return in_role(Role::names, std::move(field));
}

template <class T>
Field<T> aside(Field<T> field) {
  return in_role(Role::aside, std::move(field));
}

template <class T>
Field<T> in_place_of_all(Field<T> field) {
  return in_role(Role::in_place_of_all, std::move(field));
}

}  // namespace planner::json
