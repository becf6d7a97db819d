#include "planner/core/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace planner {

namespace {

// Whatever the locale of the program that embeds us.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Ways to take so many of `all`.
double choose(double all, double taken) {
  double ways = 1;
  for (double i = 0; i < taken; ++i) ways *= std::max(0.0, all - i) / (i + 1);
  return ways;
}

/// Recursive descent, one function per level of precedence.
class Expression {
 public:
  Expression(std::string_view text,
             const std::function<std::optional<double>(const std::string&)>& value_of)
      : text_(text), value_of_(value_of) {}

  double whole() {
    const double value = sum();
    if (next() != '\0') wrong("left over");
    return value;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    throw std::invalid_argument(what + ": " + std::string{text_.substr(at_)} + " of " +
                                std::string{text_});
  }
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    while (here() == ' ') ++at_;
    return here();
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) wrong(std::string{"missing "} + c);
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
      expect(')');
      return value;
    }
    if (is_digit(next())) {
      double value = 0;
      const char* const begin = text_.data() + at_;
      at_ += static_cast<std::size_t>(
          std::from_chars(begin, text_.data() + text_.size(), value).ptr - begin);
      return value;
    }
    std::string name;
    while (is_digit(here()) || is_letter(here())) name += text_[at_++];
    if (name.empty()) wrong("neither number nor name");
    if (take('(')) return function(name);
    const std::optional<double> value = value_of_(name);
    if (!value) wrong("no value for " + name);
    return *value;
  }

  double function(const std::string& name) {
    std::vector<double> of;
    do {
      of.push_back(sum());
    } while (take(','));
    expect(')');
    if (name == "max") return *std::max_element(of.begin(), of.end());
    if (name == "min") return *std::min_element(of.begin(), of.end());
    if (of.size() == 1) {
      if (name == "ceil") return std::ceil(of[0]);
      if (name == "floor" || name == "int") return std::floor(of[0]);
      if (name == "log2") return std::log2(of[0]);
      if (name == "cents") return std::round(of[0] * 100) / 100;
    }
    if (name == "choose" && of.size() == 2) return choose(of[0], of[1]);
    if (name == "if" && of.size() == 3) return of[0] != 0 ? of[1] : of[2];
    wrong("no function " + name + " of so many");
  }

  std::string_view text_;
  const std::function<std::optional<double>(const std::string&)>& value_of_;
  std::size_t at_ = 0;
};

}  // namespace

double expression_value(std::string_view text,
                        const std::function<std::optional<double>(const std::string&)>& value_of) {
  return Expression(text, value_of).whole();
}

}  // namespace planner
