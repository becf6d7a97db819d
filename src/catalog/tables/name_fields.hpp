#pragma once

#include "planner/json/field_table.hpp"

namespace planner::catalog {

/// The fields "name" and "title", alike in all document types.
template <class T>
json::Field<T> name_field() {
  return json::required("name", &T::name, json::text(), "as on the command line");
}

template <class T>
json::Field<T> title_field() {
  return json::derived("title", &T::title, json::text(), "as in a report; the name when not given");
}

/// Without a title, the name is shown.
template <class T>
void complete_title(T& value) {
  if (value.title.empty()) value.title = value.name;
}

}  // namespace planner::catalog
