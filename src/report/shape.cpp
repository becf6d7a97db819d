#include "planner/report/shape.hpp"

namespace planner::shape {

Json see(const std::string& name) {
  return {{"$ref", "#/$defs/" + name}};
}

Json one_of_words(Json words) {
  return {{"enum", std::move(words)}};
}

Json any_of(Json schemas) {
  return {{"anyOf", std::move(schemas)}};
}

Json or_null(Json schema) {
  return any_of(Json::array({std::move(schema), {{"type", "null"}}}));
}

Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json map_of(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json object(const Json& always, const Json& sometimes) {
  return with({{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}},
              always, sometimes);
}

Json with(Json object, const Json& always, const Json& sometimes) {
  for (const auto& [key, schema] : always.items()) object["required"].push_back(key);
  object["properties"].update(always);
  object["properties"].update(sometimes);
  return object;
}

Json described(Json schema, const std::string& description) {
  schema["description"] = description;
  return schema;
}

Json range_of(const Json& value) {
  return object({{"low", value}, {"expected", value}, {"high", value}});
}

}  // namespace planner::shape
