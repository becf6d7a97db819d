#pragma once

#include <optional>
#include <utility>

#include "planner/core/money.hpp"
#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"

namespace planner::inline cost {

/// f of the lows, of the expected and of the highs.
template <class F, class... T>
constexpr auto each(F f, const Estimate<T>&... of) {
  return Estimate<decltype(f(of.low...))>{f(of.low...), f(of.expected...), f(of.high...)};
}

/// The reverse: what is best for a quotient's size is worst for its divisor.
template <class T>
constexpr Estimate<T> reversed(const Estimate<T>& of) {
  return {of.high, of.expected, of.low};
}

/// Nothing unless all three are there.
template <class T>
std::optional<Estimate<T>> all(const Estimate<std::optional<T>>& of) {
  if (!of.low || !of.expected || !of.high) return std::nullopt;
  return Estimate<T>{*of.low, *of.expected, *of.high};
}

// In cents; nothing when an amount leaves their range.

inline std::optional<Estimate<Money>> sum(const Estimate<Money>& a, const Estimate<Money>& b) {
  return all(each([](Money x, Money y) { return x.plus(y); }, a, b));
}

inline std::optional<Estimate<Money>> product(const Estimate<Money>& a, std::int64_t count) {
  return all(each([count](Money x) { return x.times(count); }, a));
}

/// Rounded to the cent.
inline std::optional<Estimate<Money>> in_cents(const Estimate<Usd>& amount) {
  return all(each([](Usd x) { return Money::from_dollars(x.in(units::usd)); }, amount));
}

inline Usd in_dollars(Money amount) {
  return amount.dollars() * units::usd;
}

inline Estimate<Usd> in_dollars(const Estimate<Money>& amount) {
  return each([](Money x) { return in_dollars(x); }, amount);
}

/// What is expected is 1.
template <class T>
constexpr Estimate<double> relative(const Estimate<T>& of) {
  return {of.low / of.expected, 1, of.high / of.expected};
}

}  // namespace planner::cost
