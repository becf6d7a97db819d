#pragma once

#include <string>
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
  return {
      json::lifted<T, S>(
          origin, json::required("source", &S::source, json::text(), "document, table or page")),
      json::lifted<T, S>(origin,
                         json::optional("as_of", &S::as_of, json::date(), "date of the price")),
      json::lifted<T, S>(origin,
                         json::optional("verified", &S::verified, json::boolean(),
                                        "checked against the named source itself, not a copy")),
      json::lifted<T, S>(
          origin, json::optional("derived_from", &S::derived_from, json::text(),
                                 "nobody published it: the other prices that it was made from")),
      json::lifted<T, S>(
          origin, json::optional("note", &S::note, json::text(), "what a reader should know"))};
}

/// The fields of a price followed by where it comes from, in one flat object.
template <class T>
std::vector<json::Field<T>> with_origin(std::vector<json::Field<T>> fields) {
  for (json::Field<T>& field : origin_fields<T>()) fields.push_back(std::move(field));
  return fields;
}

/// What was computed was not read anywhere.
template <class T>
json::Check<T> derived_is_not_verified() {
  return {
      .keys = {"derived_from", "verified"},
      .holds = [](const T& price) { return !price.origin.derived_from || !price.origin.verified; },
      .message =
          [](const T&) {
            return std::string("a derived price has no source to be verified against");
          }};
}

}  // namespace planner::catalog
