#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace planner {

/// Value of an expression: + - * / ^ ( ), numbers, names, and the functions max(a, …), min(a, …),
/// ceil(a), floor(a), which spreadsheets call int(a), log2(a), choose(a, k), the ways to take k of
/// a, cents(a), rounded to hundredths, and if(a, b, c), which is c where a is 0. NaN or infinite
/// where it divides by zero.
/// @param value_of  of a name; nothing: there is none
/// @throws std::invalid_argument  where it is none, or has a name without a value
double expression_value(std::string_view text,
                        const std::function<std::optional<double>(const std::string&)>& value_of);

}  // namespace planner
