#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "planner/core/money.hpp"
#include "planner/domain/estimate.hpp"

// What several of the JSON writers need.
namespace planner {

/// The value, or null.
nlohmann::ordered_json or_null(const auto& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// The text, or null where there is none.
inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

/// Low, expected and high, in dollars.
inline nlohmann::ordered_json dollars(const Estimate<Usd>& amount) {
  return {{"low", amount.low.in(units::usd)},
          {"expected", amount.expected.in(units::usd)},
          {"high", amount.high.in(units::usd)}};
}
inline nlohmann::ordered_json dollars(const Estimate<Money>& amount) {
  return {{"low", amount.low.dollars()},
          {"expected", amount.expected.dollars()},
          {"high", amount.high.dollars()}};
}

}  // namespace planner
