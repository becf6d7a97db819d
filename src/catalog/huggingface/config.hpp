#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "planner/json/codec.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/read_context.hpp"

namespace planner::catalog {

/// Reads the values of one config object and remembers which keys were understood. `null` counts
/// as absent. Keys given together are alternative names of one value.
class ConfigReader {
 public:
  using Keys = std::initializer_list<std::string_view>;

  ConfigReader(const json::JsonNode& object, json::ReadContext context)
      : object_(object), context_(std::move(context)) {}

  /// Marks the keys as understood; the first of them that has a value.
  const json::JsonNode* find(Keys keys);
  /// Whether the key is there, be it null.
  [[nodiscard]] bool has(std::string_view key) const { return object_.find(key) != nullptr; }

  /// Nothing when absent, or wrong and reported.
  template <class V>
  std::optional<V> read(Keys keys, const json::Codec<V>& codec) {
    const json::JsonNode* const node = find(keys);
    if (node == nullptr) return std::nullopt;
    return codec.read(*node, context_.member(found_key_));
  }
  bool flag(std::string_view key, bool fallback) {
    return read({key}, json::boolean()).value_or(fallback);
  }
  /// An integer that must be there; 0 after reporting that it is missing or wrong.
  std::int64_t required(Keys keys, const json::Codec<std::int64_t>& codec);

  void report_missing(Keys keys);
  void report(std::string_view key, std::string code, const std::string& message);
  /// Takes an understood key back: its value says something that a spec cannot express.
  void doubt(std::string_view key) { doubted_.emplace(key); }

  [[nodiscard]] bool understood(std::string_view key) const {
    return understood_.contains(key) && !doubted_.contains(key);
  }
  [[nodiscard]] const json::JsonNode& object() const { return object_; }
  [[nodiscard]] const json::ReadContext& context() const { return context_; }

 private:
  const json::JsonNode& object_;
  json::ReadContext context_;
  std::string_view found_key_;
  std::set<std::string, std::less<>> understood_;
  std::set<std::string, std::less<>> doubted_;
};

}  // namespace planner::catalog
