#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "planner/core/quantity.hpp"

// Formulas that are written once: a template over its arguments computes where they are numbers and
// quantities, and spells itself where they are Text.
namespace planner::inline perf {

/// A formula as formula_value() reads it. Its operators put parentheses where its value needs them:
/// a + (b - c) is a + b - c, a·(b/c) is a·b/c.
class Text {
 public:
  /// A number in decimal, as short as it can be.
  Text(double number);  // NOLINT(google-explicit-constructor): so that formulas can have numbers
  /// A symbol or a function's value.
  explicit Text(std::string symbol) : text_(std::move(symbol)) {}

  [[nodiscard]] const std::string& str() const { return text_; }

  friend Text operator+(const Text& a, const Text& b);
  friend Text operator-(const Text& a, const Text& b);
  friend Text operator*(const Text& a, const Text& b);
  friend Text operator/(const Text& a, const Text& b);
  /// a^b
  friend Text power(const Text& a, const Text& b);

 private:
  enum class Rank { sum, product, power, atom };
  Text(std::string text, Rank rank) : text_(std::move(text)), rank_(rank) {}
  /// In parentheses where it binds less than that.
  [[nodiscard]] std::string at_least(Rank rank) const;

  std::string text_;
  Rank rank_ = Rank::atom;
};

/// "max(a, b)": `function` of the arguments.
Text call(std::string_view function, std::initializer_list<Text> arguments);

// What a formula says for both, beside the operators: units of what it has counted, and functions.

constexpr Bytes bytes(double count) {
  return Bytes{count};
}
constexpr Flops flops(double count) {
  return Flops{count};
}
constexpr Seconds seconds(double count) {
  return Seconds{count};
}
inline const Text& bytes(const Text& count) {
  return count;
}
inline const Text& flops(const Text& count) {
  return count;
}
inline const Text& seconds(const Text& count) {
  return count;
}

template <class Q>
constexpr Q greater(Q a, Q b) {
  return a < b ? b : a;
}
template <class Q>
constexpr Q lesser(Q a, Q b) {
  return b < a ? b : a;
}
inline Text greater(const Text& a, const Text& b) {
  return call("max", {a, b});
}
inline Text lesser(const Text& a, const Text& b) {
  return call("min", {a, b});
}

/// At least nothing.
template <class Q>
constexpr Q positive(Q a) {
  return greater(Q{}, a);
}
inline Text positive(const Text& a) {
  return call("max", {0, a});
}

/// Beside std::ceil and std::floor.
inline Text ceil(const Text& a) {
  return call("ceil", {a});
}
inline Text floor(const Text& a) {
  return call("floor", {a});
}

/// Without a unit.
template <int B, int F, int S, int U, int J>
constexpr double number(Quantity<B, F, S, U, J> a) {
  return a.si();
}
inline const Text& number(const Text& a) {
  return a;
}

inline double power(double a, double b) {
  return std::pow(a, b);
}

/// a^n of a whole n, multiplied out.
constexpr double whole_power(double a, std::int64_t n) {
  double power = 1;
  for (std::int64_t i = 0; i < n; ++i) power *= a;
  return power;
}
inline Text whole_power(const Text& a, const Text& n) {
  return power(a, n);
}

/// What reads better in parentheses.
template <class Q>
constexpr Q grouped(Q a) {
  return a;
}
inline Text grouped(const Text& a) {
  return call("", {a});
}

/// A line of a derivation: what it computes and whence, and its formula, for numbers and for Text.
template <class Formula>
struct Row {
  std::string_view symbol;   ///< "t_mlp"
  std::string_view meaning;  ///< in words
  std::string_view source;   ///< where the formula is printed
  Formula formula;
  std::string_view unit = "s";

  template <class... Arguments>
  constexpr auto operator()(const Arguments&... arguments) const {
    return formula(arguments...);
  }
  /// The same formula of something else.
  [[nodiscard]] constexpr Row named(std::string_view other, std::string_view meant) const {
    return {other, meant, source, formula, unit};
  }
};
// clang deduces the argument of an aggregate from version 17 on only
template <class Formula>
Row(std::string_view, std::string_view, std::string_view, Formula, std::string_view = "s")
    -> Row<Formula>;

/// "t_mlp"_t
inline Text operator""_t(const char* symbol, std::size_t length) {
  return Text{std::string{symbol, length}};
}

}  // namespace planner::perf
