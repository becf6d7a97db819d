#include "planner/json/compared_field.hpp"

#include <nlohmann/json.hpp>

namespace planner::json {

const char* keyword_of(Role role) {
  switch (role) {
    case Role::names:
      return "x-names";
    case Role::aside:
      return "x-aside";
    case Role::in_place_of_all:
      break;
  }
  return "x-in-place-of-all";
}

namespace {

void collect(const Json& schema, const char* keyword, std::set<std::string>& keys) {
  if (!schema.is_structured()) return;
  for (const auto& [key, part] : schema.items()) {
    if (part.is_object() && part.contains(keyword)) keys.insert(key);
    collect(part, keyword, keys);
  }
}

}  // namespace

std::set<std::string> keys_with(Role role, const Json& schema) {
  std::set<std::string> keys;
  collect(schema, keyword_of(role), keys);
  return keys;
}

namespace detail {

std::function<void(Json&)> describe_with(Role role, std::function<void(Json&)> describe) {
  return [role, describe = std::move(describe)](Json& schema) {
    describe(schema);
    schema[keyword_of(role)] = true;
  };
}

}  // namespace detail

}  // namespace planner::json
