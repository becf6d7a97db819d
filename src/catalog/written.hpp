#pragma once

#include <nlohmann/json.hpp>

#include "planner/json/field_table.hpp"

namespace planner::catalog {

/// A value as its file's JSON.
template <class T>
json::Json written(const json::FieldTable<T>& table, const T& value) {
  json::Json out;
  json::write_object(table, value, out);
  return out;
}

}  // namespace planner::catalog
