#pragma once

#include "planner/io/field_table.hpp"

namespace planner::io {

/// The fields "name" and "title", alike in all document types.
template <class T>
Field<T> name_field() {
  return required("name", &T::name, text(), "as on the command line");
}

template <class T>
Field<T> title_field() {
  return derived("title", &T::title, text(), "as in a report; the name when not given");
}

/// Without a title, the name is shown.
template <class T>
void complete_title(T& value) {
  if (value.title.empty()) value.title = value.name;
}

}  // namespace planner::io
