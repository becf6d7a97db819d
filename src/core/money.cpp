#include "planner/core/money.hpp"

#include <cmath>

namespace planner {

namespace {
// Doubles at or beyond 2^63 have no 64-bit integer.
constexpr double kBeyondInt64 = 9223372036854775808.0;
}  // namespace

std::optional<Money> Money::from_dollars(double dollars) {
  const double rounded = std::round(dollars * 100);
  if (!(std::abs(rounded) < kBeyondInt64)) return std::nullopt;
  return cents(static_cast<std::int64_t>(rounded));
}

std::optional<Money> Money::plus(Money other) const {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(cents_, other.cents_, &sum)) return std::nullopt;
  return cents(sum);
}

std::optional<Money> Money::times(std::int64_t count) const {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(cents_, count, &product)) return std::nullopt;
  return cents(product);
}

}  // namespace planner
