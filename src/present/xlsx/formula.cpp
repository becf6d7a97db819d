#include "planner/present/xlsx/formula.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace planner::present {

namespace {

bool of_a_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Recursive descent: sums of products of powers of numbers, keys, functions and parentheses.
class Evaluation {
 public:
  Evaluation(std::string_view formula, const std::map<std::string, double>& values)
      : text_(formula), values_(values) {}

  double result() {
    const double all = sum();
    if (at_ < text_.size()) wrong();
    return all;
  }

 private:
  [[noreturn]] void wrong() const {
    throw std::logic_error("not a formula: " + std::string{text_});
  }
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  double sum() {
    double all = product();
    for (;;) {
      if (take('+')) {
        all += product();
      } else if (take('-')) {
        all -= product();
      } else {
        return all;
      }
    }
  }
  double product() {
    double all = power();
    for (;;) {
      if (take('*')) {
        all *= power();
      } else if (take('/')) {
        all /= power();
      } else {
        return all;
      }
    }
  }
  double power() {
    const double base = one();
    return take('^') ? std::pow(base, one()) : base;
  }
  double one() {
    if (take('(')) {
      const double inside = sum();
      if (!take(')')) wrong();
      return inside;
    }
    const char c = next();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    std::string name;
    while (at_ < text_.size() && of_a_key(text_[at_])) name += text_[at_++];
    if (take('(')) return function(name);
    const auto found = values_.find(name);
    if (found == values_.end()) wrong();
    return found->second;
  }
  double number() {
    const std::string rest{text_.substr(at_)};
    char* end = nullptr;
    const double value = std::strtod(rest.c_str(), &end);
    at_ += static_cast<std::size_t>(end - rest.c_str());
    return value;
  }
  double function(const std::string& name) {
    std::vector<double> of;
    do {
      of.push_back(sum());
    } while (take(','));
    if (!take(')')) wrong();
    if (name == "max") return *std::max_element(of.begin(), of.end());
    if (name == "min") return *std::min_element(of.begin(), of.end());
    if (name == "int") return std::floor(of.at(0));
    if (name == "cents") return std::round(of.at(0) * 100) / 100;
    if (name == "if") return of.at(0) != 0 ? of.at(1) : of.at(2);
    wrong();
  }

  std::string_view text_;
  const std::map<std::string, double>& values_;
  std::size_t at_ = 0;
};

}  // namespace

double evaluate(std::string_view formula, const std::map<std::string, double>& values) {
  return Evaluation(formula, values).result();
}

bool names(std::string_view formula, std::string_view key) {
  for (std::size_t at = formula.find(key); at != std::string_view::npos;
       at = formula.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    const bool starts = at == 0 || !of_a_key(formula[at - 1]);
    if (starts && (end == formula.size() || !of_a_key(formula[end]))) return true;
  }
  return false;
}

}  // namespace planner::present
