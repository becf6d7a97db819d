#pragma once

#include <utility>
#include <vector>

#include "planner/domain/price.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::catalog {

template <class T>
std::vector<json::Field<T>> origin_fields() {
  using S = PriceSource;
  const auto origin = [](auto& price) -> auto& {
    return price.origin;
  };
  return {json::lifted<T, S>(origin, json::required("source", &S::source, json::text(),
                                                    "document, table or page")),
          json::lifted<T, S>(origin,
                             json::optional("as_of", &S::as_of, json::date(), "date of the price")),
          json::lifted<T, S>(origin,
                             json::optional("verified", &S::verified, json::boolean(),
                                            "checked against the named source itself, not a copy")),
          json::lifted<T, S>(
              origin, json::optional("note", &S::note, json::text(), "what a reader should know"))};
}

/// The fields of a price followed by where it comes from, in one flat object.
template <class T>
std::vector<json::Field<T>> with_origin(std::vector<json::Field<T>> fields) {
  for (json::Field<T>& field : origin_fields<T>()) fields.push_back(std::move(field));
  return fields;
}

}  // namespace planner::catalog
