#pragma once

#include <utility>
#include <vector>

#include "planner/domain/price.hpp"
#include "planner/io/lifted_field.hpp"

namespace planner::io {

template <class T>
std::vector<Field<T>> origin_fields() {
  using S = PriceSource;
  const auto origin = [](auto& price) -> auto& {
    return price.origin;
  };
  return {lifted<T, S>(origin, required("source", &S::source, text(), "document, table or page")),
          lifted<T, S>(origin, optional("as_of", &S::as_of, date(), "date of the price")),
          lifted<T, S>(origin, optional("verified", &S::verified, boolean(),
                                        "checked against the named source itself, not a copy")),
          lifted<T, S>(origin, optional("note", &S::note, text(), "what a reader should know"))};
}

/// The fields of a price followed by where it comes from, in one flat object.
template <class T>
std::vector<Field<T>> with_origin(std::vector<Field<T>> fields) {
  for (Field<T>& field : origin_fields<T>()) fields.push_back(std::move(field));
  return fields;
}

}  // namespace planner::io
