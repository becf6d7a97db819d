#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>

namespace planner::inline network {

/// A whole number from 0 that sticks at the top of its range instead of overflowing: once a count
/// has left 64 bits, everything computed from it says so.
class Whole {
 public:
  constexpr Whole() = default;
  constexpr Whole(std::int64_t value) : value_(std::max<std::int64_t>(value, 0)) {}  // NOLINT

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  [[nodiscard]] constexpr bool overflowed() const { return value_ == kTop; }

  friend constexpr Whole operator+(Whole a, Whole b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.value_, b.value_, &sum) ? Whole{kTop} : Whole{sum};
  }
  friend constexpr Whole operator*(Whole a, Whole b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? Whole{kTop} : Whole{product};
  }
  /// Never below 0.
  friend constexpr Whole operator-(Whole a, Whole b) {
    return a.overflowed() ? a : Whole{a.value_ - b.value_};
  }
  /// Rounded down; b must not be 0.
  friend constexpr Whole operator/(Whole a, Whole b) {
    return a.overflowed() ? a : Whole{a.value_ / b.value_};
  }
  friend constexpr Whole operator%(Whole a, Whole b) {
    return a.overflowed() ? a : Whole{a.value_ % b.value_};
  }
  Whole& operator+=(Whole other) { return *this = *this + other; }

  friend constexpr bool operator==(Whole, Whole) = default;
  friend constexpr auto operator<=>(Whole, Whole) = default;

 private:
  static constexpr std::int64_t kTop = std::numeric_limits<std::int64_t>::max();
  std::int64_t value_ = 0;
};

/// ⌈a / b⌉; b must not be 0.
constexpr Whole ceil_div(Whole a, Whole b) {
  return a / b + (a % b == Whole{0} ? 0 : 1);
}

}  // namespace planner::network
