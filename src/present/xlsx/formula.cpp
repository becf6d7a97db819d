#include "planner/present/xlsx/formula.hpp"

#include <cctype>
#include <optional>

#include "planner/core/expression.hpp"

namespace planner::present {

namespace {

bool of_a_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

double evaluate(std::string_view formula, const std::map<std::string, double>& values) {
  return expression_value(formula, [&](const std::string& key) -> std::optional<double> {
    const auto found = values.find(key);
    if (found == values.end()) return std::nullopt;
    return found->second;
  });
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
