#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

// Pieces of JSON Schema for what planner writes. An object lists the keys that are always there and
// those that may be; it does not forbid others, since any version may add keys.
namespace planner::shape {

using Json = nlohmann::ordered_json;

inline Json figure() {
  return {{"type", "number"}};
}
inline Json count() {
  return {{"type", "integer"}, {"minimum", 0}};
}
inline Json word() {
  return {{"type", "string"}};
}
inline Json flag() {
  return {{"type", "boolean"}};
}

/// What "$defs" holds under this name.
Json see(const std::string& name);
Json one_of_words(Json words);
/// One of the values, by its name_of().
template <class E, std::size_t N>
Json one_of(const std::array<E, N>& values) {
  Json words = Json::array();
  for (const E value : values) words.push_back(name_of(value));
  return one_of_words(std::move(words));
}
Json any_of(Json schemas);
Json or_null(Json schema);
Json list_of(Json items);
/// An object whose keys are names: of parts, of sources.
Json map_of(Json values);
Json object(const Json& always, const Json& sometimes = Json::object());
/// The same object with more keys.
Json with(Json object, const Json& always, const Json& sometimes = Json::object());
Json described(Json schema, const std::string& description);
/// {"low", "expected", "high"}
Json range_of(const Json& value);

}  // namespace planner::shape
