#include "planner/perf/derivation/formula.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace planner::inline perf {

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
  Expression(const std::string& text, const std::vector<Symbol>& symbols)
      : at_(text.c_str()), end_(at_ + text.size()), symbols_(symbols) {}

  double whole() {
    const double value = sum();
    if (next() != '\0') throw std::invalid_argument("left over: " + std::string{at_});
    return value;
  }

 private:
  char next() {
    while (*at_ == ' ') ++at_;
    return *at_;
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw std::invalid_argument(std::string{"missing "} + c);
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
      at_ = std::from_chars(at_, end_, value).ptr;
      return value;
    }
    std::string name;
    while (is_digit(*at_) || is_letter(*at_)) name += *at_++;
    if (name.empty()) throw std::invalid_argument("neither number nor name: " + std::string{at_});
    return take('(') ? function(name) : symbol(name);
  }

  double function(const std::string& name) {
    const double first = sum();
    if (name == "log2" || name == "ceil" || name == "floor") {
      expect(')');
      return name == "ceil"    ? std::ceil(first)
             : name == "floor" ? std::floor(first)
                               : std::log2(first);
    }
    if (name == "choose") {
      expect(',');
      const double taken = sum();
      expect(')');
      return choose(first, taken);
    }
    if (name != "max" && name != "min") throw std::invalid_argument("no function " + name);
    double best = first;
    while (take(',')) {
      const double next = sum();
      best = name == "max" ? std::max(best, next) : std::min(best, next);
    }
    expect(')');
    return best;
  }

  double symbol(const std::string& name) const {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(),
                                    [&](const Symbol& each) { return each.name == name; });
    if (found == symbols_.end()) throw std::invalid_argument("no value for " + name);
    return found->value;
  }

  const char* at_;
  const char* end_;
  const std::vector<Symbol>& symbols_;
};

}  // namespace

double formula_value(const std::string& formula, const std::vector<Symbol>& symbols) {
  return Expression(formula, symbols).whole();
}

}  // namespace planner::perf
