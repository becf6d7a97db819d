#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace planner {

/// An amount of money in integer cents, so that totals are the sums of their lines to the cent.
/// Range: ±92 quadrillion dollars.
class Money {
 public:
  constexpr Money() = default;
  static constexpr Money cents(std::int64_t value) {
    Money money;
    money.cents_ = value;
    return money;
  }
  /// Rounded to the nearest cent, halves away from zero; nothing if not finite or out of range.
  static std::optional<Money> from_dollars(double dollars);

  [[nodiscard]] constexpr std::int64_t in_cents() const { return cents_; }
  [[nodiscard]] constexpr double dollars() const { return static_cast<double>(cents_) / 100; }

  /// Sum and product with a count; nothing on overflow.
  [[nodiscard]] std::optional<Money> plus(Money other) const;
  [[nodiscard]] std::optional<Money> times(std::int64_t count) const;

  friend constexpr bool operator==(Money, Money) = default;
  friend constexpr auto operator<=>(Money, Money) = default;

 private:
  std::int64_t cents_ = 0;
};

}  // namespace planner
