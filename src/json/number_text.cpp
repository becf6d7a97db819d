#include "planner/json/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace planner::json {

namespace {

/// `value` rounded to so many significant decimal digits.
double rounded(double value, int digits) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, digits - 1);
  double result = value;
  if (written.ec == std::errc{}) std::from_chars(text.data(), written.ptr, result);
  return result;
}

}  // namespace

std::string shortest(double value) {
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  const bool plain = std::trunc(value) == value && std::abs(value) < 1e15;
  const auto written = plain ? std::to_chars(text.data(), end, value, std::chars_format::fixed)
                             : std::to_chars(text.data(), end, value);
  return {text.data(), written.ptr};
}

double in_unit(double si, double unit) {
  const double quotient = si / unit;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double candidate :
       {rounded(quotient, 15), rounded(quotient, 16), quotient, std::nextafter(quotient, infinity),
        std::nextafter(quotient, -infinity)}) {
    if (candidate * unit == si) return candidate;
  }
  return quotient;
}

}  // namespace planner::json
