// Evaluates the formulas that --explain prints: + - * / ^ ( ), min, max, ceil, log2, numbers and
// named symbols.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace planner::testing {

/// Recursive descent, one function per level of precedence.
class Expression {
 public:
  using Lookup = std::function<double(const std::string&)>;

  static double evaluate(const std::string& text, Lookup symbols) {
    Expression expression(text, std::move(symbols));
    const double value = expression.sum();
    if (expression.next() != '\0') throw std::invalid_argument("left over in: " + text);
    return value;
  }

 private:
  Expression(const std::string& text, Lookup symbols)
      : at_(text.c_str()), symbols_(std::move(symbols)) {}

  char next() {
    while (*at_ == ' ') ++at_;
    return *at_;
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = power();
    while (true) {
      if (take('*')) {
        value *= power();
      } else if (take('/')) {
        value /= power();
      } else {
        return value;
      }
    }
  }

  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, power()) : base;
  }

  double atom() {
    if (take('(')) {
      const double value = sum();
      if (!take(')')) throw std::invalid_argument("missing )");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(next())) != 0) {
      char* end = nullptr;
      const double value = std::strtod(at_, &end);
      at_ = end;
      return value;
    }
    std::string name;
    while (std::isalnum(static_cast<unsigned char>(*at_)) != 0 || *at_ == '_') name += *at_++;
    if (name.empty()) throw std::invalid_argument("neither number nor name: " + std::string{at_});
    return take('(') ? call(name) : symbols_(name);
  }

  /// A function of one argument, or of two.
  double call(const std::string& name) {
    const double first = sum();
    if (name == "ceil" || name == "log2") {
      if (!take(')')) throw std::invalid_argument("missing )");
      return name == "ceil" ? std::ceil(first) : std::log2(first);
    }
    if (name != "min" && name != "max") throw std::invalid_argument("no function " + name);
    if (!take(',')) throw std::invalid_argument("missing , in " + name);
    const double second = sum();
    if (!take(')')) throw std::invalid_argument("missing )");
    return name == "min" ? std::min(first, second) : std::max(first, second);
  }

  const char* at_;
  Lookup symbols_;
};

}  // namespace planner::testing
