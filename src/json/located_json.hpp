#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/json/source_text.hpp"

namespace planner::json {

struct JsonMember;

/// One value of a JSON text and the byte where it starts.
struct JsonNode {
  using Array = std::vector<JsonNode>;
  using Object = std::vector<JsonMember>;  ///< in file order, duplicate keys kept

  /// Integers are exact: signed where they fit, else unsigned, else (like all others) a double.
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value;
  std::size_t offset = 0;

  template <class V>
  [[nodiscard]] const V* get() const {
    return std::get_if<V>(&value);
  }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value); }
  /// "a string", "null", …: for messages.
  [[nodiscard]] std::string_view kind() const;
  /// The first member with this key of an object; null when there is none.
  [[nodiscard]] const JsonNode* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t key_offset = 0;
  JsonNode value;
};

/// Parses one JSON text (RFC 8259, UTF-8, no byte order mark).
/// Nesting is bounded at 64, the text at 64 MiB and the number of values at 1 million.
/// @throws InputError with one located "syntax", "out-of-range", "too-deep" or "too-large"
JsonNode parse_json(SourceText source);

}  // namespace planner::json
