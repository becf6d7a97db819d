#pragma once

#include <map>
#include <string>
#include <string_view>

namespace planner::present {

/// What a formula of a calculation (document.hpp), an expression of core, comes to, by the values
/// of the keys that it names; NaN or infinite where it divides by zero.
double evaluate(std::string_view formula, const std::map<std::string, double>& values);

/// Whether it names a key.
bool names(std::string_view formula, std::string_view key);

}  // namespace planner::present
