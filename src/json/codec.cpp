#include "planner/json/codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "planner/core/closest_match.hpp"
#include "planner/core/printable.hpp"
#include "planner/domain/display_currency.hpp"

namespace planner::json {

namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53: below it a double counts exactly

void out_of_range(const JsonNode& node, const ReadContext& context, std::string_view got,
                  bool below_positive, std::string_view min, std::string_view max) {
  const std::string bounds =
      below_positive ? "must be positive"
                     : "must be between " + std::string(min) + " and " + std::string(max);
  context.report(node, "out-of-range", bounds + ", got " + std::string(got));
}

/// The value of any JSON number; nothing of anything else.
std::optional<double> as_double(const JsonNode& node) {
  if (const auto* value = node.get<std::int64_t>()) return static_cast<double>(*value);
  if (const auto* value = node.get<std::uint64_t>()) return static_cast<double>(*value);
  if (const auto* value = node.get<double>()) return *value;
  return std::nullopt;
}

/// The number as a person would write it.
std::string number_text(const JsonNode& node) {
  if (const auto* value = node.get<std::int64_t>()) return std::to_string(*value);
  if (const auto* value = node.get<std::uint64_t>()) return std::to_string(*value);
  return shortest(as_double(node).value_or(0));
}

bool is_date(std::string_view value) {
  constexpr std::string_view shape = "dddd-dd-dd";
  if (!value.empty() && value.size() != 4 && value.size() != 7 && value.size() != 10) {
    return false;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool digit = value[i] >= '0' && value[i] <= '9';
    if (shape[i] == 'd' ? !digit : value[i] != '-') return false;
  }
  const std::string day = std::string(value) + std::string("0001-01-01").substr(value.size());
  return value.empty() || is_day(day);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + in_quotes(word);
  return text;
}

/// Shared by all codecs of strings: only `fault` differs, which is empty for a good one.
template <class Fault>
Codec<std::string> string_codec(Fault fault, std::function<void(Json&)> describe) {
  return {[fault](const JsonNode& node, const ReadContext& context) -> std::optional<std::string> {
            const std::string* const value = node.get<std::string>();
            if (value == nullptr) {
              context.wrong_type(node, "a string");
              return std::nullopt;
            }
            return fault(*value, node, context) ? std::nullopt : std::optional(*value);
          },
          [](const std::string& value, Json& out) { out = value; }, std::move(describe)};
}

}  // namespace

Codec<std::string> text() {
  return string_codec(
      [](const std::string& value, const JsonNode& node, const ReadContext& context) {
        const bool control = has_control(value);
        if (value.empty()) context.report(node, "bad-value", "must not be empty");
        if (control) context.report(node, "bad-value", "must not have control characters");
        return value.empty() || control;
      },
      [](Json& schema) {
        schema["type"] = "string";
        schema["minLength"] = 1;
      });
}

Codec<std::string> date() {
  return string_codec(
      [](const std::string& value, const JsonNode& node, const ReadContext& context) {
        if (is_date(value)) return false;
        context.report(node, "bad-value", "expected a date, got " + in_quotes(value),
                       "write 2024, 2024-03 or 2024-03-18");
        return true;
      },
      [](Json& schema) {
        schema["type"] = "string";
        schema["pattern"] = "^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$";
      });
}

Codec<std::string> word(const std::vector<std::string>& allowed) {
  return string_codec(
      [allowed](const std::string& value, const JsonNode& node, const ReadContext& context) {
        if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return false;
        const auto meant = closest_match(value, allowed);
        context.report(node, "bad-value",
                       "expected one of " + joined(allowed) + ", got " + in_quotes(value),
                       meant ? "did you mean " + in_quotes(*meant) + "?" : "");
        return true;
      },
      [allowed](Json& schema) { schema["enum"] = allowed; });
}

Codec<bool> boolean() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<bool> {
            if (const bool* const value = node.get<bool>()) return *value;
            context.wrong_type(node, "true or false");
            return std::nullopt;
          },
          [](const bool& value, Json& out) { out = value; },
          [](Json& schema) { schema["type"] = "boolean"; }};
}

Codec<std::int64_t> integer(std::int64_t min, std::int64_t max) {
  return {
      [min, max](const JsonNode& node, const ReadContext& context) -> std::optional<std::int64_t> {
        std::optional<std::int64_t> value;
        const std::optional<double> real = as_double(node);
        if (const auto* const exact = node.get<std::int64_t>()) {
          value = *exact;
        } else if (!real || std::trunc(*real) != *real) {
          context.wrong_type(node, "an integer");
          return std::nullopt;
        } else if (std::abs(*real) < kExactIntegers) {
          value = static_cast<std::int64_t>(*real);
        }
        if (value && *value >= min && *value <= max) return value;
        out_of_range(node, context, number_text(node), min == 1 && *real <= 0, std::to_string(min),
                     std::to_string(max));
        return std::nullopt;
      },
      [](const std::int64_t& value, Json& out) { out = value; },
      [min, max](Json& schema) {
        schema["type"] = "integer";
        schema["minimum"] = min;
        schema["maximum"] = max;
      }};
}

Codec<double> number(Range range) {
  return {[range](const JsonNode& node, const ReadContext& context) -> std::optional<double> {
            const std::optional<double> value = as_double(node);
            if (!value) {
              context.wrong_type(node, "a number");
              return std::nullopt;
            }
            if (context.saved || (*value >= range.min && *value <= range.max)) return value;
            out_of_range(node, context, number_text(node), range.min > 0 && *value <= 0,
                         shortest(range.min), shortest(range.max));
            return std::nullopt;
          },
          [](const double& value, Json& out) {
            // Whole numbers without ".0", as a person writes them.
            if (std::trunc(value) == value && std::abs(value) < kExactIntegers) {
              out = static_cast<std::int64_t>(value);
            } else {
              out = value;
            }
          },
          [range](Json& schema) {
            schema["type"] = "number";
            schema["minimum"] = range.min;
            schema["maximum"] = range.max;
          }};
}

namespace detail {

const JsonNode::Array* expect_array(const JsonNode& node, const ReadContext& context) {
  const auto* const array = node.get<JsonNode::Array>();
  if (array == nullptr) context.wrong_type(node, "an array");
  return array;
}

Json& append_to(Json& array) {
  array.push_back(nullptr);
  return array.back();
}

void make_array(Json& out) {
  out = Json::array();
}

Json& describe_array(Json& schema) {
  schema["type"] = "array";
  return schema["items"];
}

AnyCodec quantity(const Codec<double>& plain, double unit, AnyQuantity of) {
  return {
      .read =
          [=](const JsonNode& node, const ReadContext& context, void* to) {
            const std::optional<double> value = plain.read(node, context);
            if (value) of.set(to, *value * unit);
            return value.has_value();
          },
      .write = [=](const void* from, Json& out) { plain.write(in_unit(of.si(from), unit), out); },
      .describe = plain.description()};
}

AnyCodec choice(const std::vector<std::string>& names, const AnyChoice& of) {
  const Codec<std::string> plain = word(names);
  return {.read =
              [=](const JsonNode& node, const ReadContext& context, void* to) {
                const std::optional<std::string> name = plain.read(node, context);
                if (!name) return false;
                const auto place = std::find(names.begin(), names.end(), *name) - names.begin();
                std::memcpy(to, &of.bytes[static_cast<std::size_t>(place) * of.size], of.size);
                return true;
              },
          .write = [=](const void* from, Json& out) { plain.write(of.name(from), out); },
          .describe = plain.description()};
}

AnyCodec list(SharedCodec item, AnyList of) {
  return {.read =
              [=](const JsonNode& node, const ReadContext& context, void* all) {
                const JsonNode::Array* const array = expect_array(node, context);
                if (array == nullptr) return false;
                of.clear(all);
                bool good = true;
                for (std::size_t i = 0; i < array->size(); ++i) {
                  good = item->read((*array)[i], context.element(i), of.append(all)) && good;
                }
                return good;
              },
          .write =
              [=](const void* all, Json& out) {
                make_array(out);
                for (std::size_t i = 0; i < of.size(all); ++i) {
                  item->write(of.at(all, i), append_to(out));
                }
              },
          .describe = [=](Json& schema) { item->describe(describe_array(schema)); }};
}

void describe_name_or(Json& schema, const std::function<void(Json&)>& other) {
  Json name, value;
  text().describe(name);
  other(value);
  schema["oneOf"] = Json::array({std::move(name), std::move(value)});
}

}  // namespace detail

}  // namespace planner::json
