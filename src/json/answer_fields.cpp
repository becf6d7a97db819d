#include "planner/json/answer_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace planner::json {

namespace {

/// The neighbour of `near` that is written as `written`; `near` where none is.
double read_back(double near, double written, const std::function<double(double)>& write) {
  for (const double end :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const double next = std::nextafter(near, end);
    if (write(near) != written && write(next) == written) return next;
  }
  return near;
}

/// The same value without places.
Json unlocated(const JsonNode& node, const ReadContext& context) {
  if (const auto* const array = node.get<JsonNode::Array>()) {
    Json json = Json::array();
    for (const JsonNode& element : *array) json.push_back(unlocated(element, context));
    return json;
  }
  if (const auto* const object = node.get<JsonNode::Object>()) {
    Json json = Json::object();
    for (const JsonMember& member : *object) {
      if (json.contains(member.key)) {
        context.problems.add(member.key_offset, "duplicate-key",
                             "the key " + in_quotes(member.key) + " is here twice");
      }
      json[member.key] = unlocated(member.value, context);
    }
    return json;
  }
  return std::visit(
      [](const auto& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
          return value;
        } else {
          return nullptr;
        }
      },
      node.value);
}

}  // namespace

Codec<double> converted(std::function<double(double)> write, std::function<double(double)> read) {
  const Codec<double> plain = figure();
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<double> {
            const std::optional<double> written = plain.read(node, context);
            if (!written) return std::nullopt;
            return read_back(read(*written), *written, write);
          },
          [=](const double& value, Json& out) { plain.write(write(value), out); },
          plain.description()};
}

Codec<double> percent() {
  return converted([](double share) { return 100 * share; },
                   [](double percents) { return percents / 100; });
}

Codec<double> in_units_of(double unit) {
  return converted([unit](double value) { return value / unit; },
                   [unit](double units) { return units * unit; });
}

Codec<std::string> json_text() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<std::string> {
            return unlocated(node, context).dump(2, ' ', false, Json::error_handler_t::replace);
          },
          [](const std::string& text, Json& out) { out = Json::parse(text); }, [](Json&) {}};
}

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

Codec<double> figure_or_null() {
  const Codec<double> plain = figure();
  return described(
      plain, [plain](Json& schema) { detail::describe_or_null(schema, plain.description()); });
}

Codec<std::int64_t> whole() {
  const Codec<std::int64_t> bounded =
      integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  return described(bounded, [](Json& schema) { schema["type"] = "integer"; });
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
          [plain](Json& schema) { detail::describe_or_null(schema, plain.description()); }};
}

namespace detail {

const JsonNode::Object* expect_members(const JsonNode& node, const ReadContext& context) {
  return expect_object(node, context) ? node.get<JsonNode::Object>() : nullptr;
}

void describe_map(Json& schema, const std::function<void(Json&)>& value) {
  schema["type"] = "object";
  value(schema["additionalProperties"]);
}

void describe_as(Json& schema, const std::string& definition) {
  schema = {{"$ref", "#/$defs/" + definition}};
}

}  // namespace detail

}  // namespace planner::json
