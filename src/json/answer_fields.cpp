#include "planner/json/answer_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace planner::json {

Codec<double> figure() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<double> {
            if (const auto* const real = node.get<double>()) return *real;
            if (const auto* const exact = node.get<std::int64_t>()) {
              return static_cast<double>(*exact);
            }
            if (const auto* const exact = node.get<std::uint64_t>()) {
              return static_cast<double>(*exact);
            }
            if (node.is_null()) return std::numeric_limits<double>::quiet_NaN();
            context.wrong_type(node, "a number");
            return std::nullopt;
          },
          [](const double& value, Json& out) { out = value; },
          [](Json& schema) { schema["type"] = "number"; }};
}

Codec<std::int64_t> whole() {
  const Codec<std::int64_t> bounded =
      integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  return {bounded.read, bounded.write, [](Json& schema) { schema["type"] = "integer"; }};
}

Codec<std::string> any_text() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<std::string> {
            if (const auto* const value = node.get<std::string>()) return *value;
            context.wrong_type(node, "a string");
            return std::nullopt;
          },
          [](const std::string& value, Json& out) { out = value; },
          [](Json& schema) { schema["type"] = "string"; }};
}

Codec<std::string> text_or_null() {
  const Codec<std::string> plain = any_text();
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<std::string> {
            return node.is_null() ? std::optional<std::string>(std::string{})
                                  : plain.read(node, context);
          },
          [](const std::string& value, Json& out) {
            out = value.empty() ? Json(nullptr) : Json(value);
          },
          [plain](Json& schema) { detail::describe_or_null(schema, plain.describe); }};
}

namespace detail {

const JsonNode::Object* expect_members(const JsonNode& node, const ReadContext& context) {
  return expect_object(node, context) ? node.get<JsonNode::Object>() : nullptr;
}

void describe_map(Json& schema, const std::function<void(Json&)>& value) {
  schema["type"] = "object";
  value(schema["additionalProperties"]);
}

}  // namespace detail

}  // namespace planner::json
