#pragma once

#include <string>
#include <utility>

#include "planner/json/field_table.hpp"

namespace planner::commands {

/// A key that answers of older programs lack: their schema does not ask for it.
template <class T>
json::Field<T> younger(json::Field<T> field) {
  field.required = field.always_written = false;
  return field;
}
template <class T, class Member>
json::Field<T> added(std::string key, Member T::*at, auto codec, std::string doc) {
  return younger(json::required(std::move(key), at, std::move(codec), std::move(doc)));
}

}  // namespace planner::commands
