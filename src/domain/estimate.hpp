#pragma once

namespace planner {

/// A figure on which sources disagree. All three are equal where there is only one.
template <class T>
struct Estimate {
  T low{};
  T expected{};
  T high{};

  static constexpr Estimate exactly(T value) { return {value, value, value}; }
  [[nodiscard]] constexpr bool exact() const { return low == high; }
  bool operator==(const Estimate&) const = default;
};

/// Standard deviations of a logarithm below and above its median: a split log-normal.
struct LogSpread {
  double below = 0, above = 0;

  bool operator==(const LogSpread&) const = default;
};

}  // namespace planner
