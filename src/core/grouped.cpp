#include "planner/core/grouped.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace planner {

namespace {

/// @param whole  digits before the point, with their sign
std::string with_separators(std::string whole) {
  const std::size_t first = whole.front() == '-' ? 1 : 0;
  for (std::size_t i = whole.size(); i > first + 3; i -= 3) whole.insert(i - 3, ",");
  return whole;
}

}  // namespace

std::string grouped(std::int64_t value) {
  return with_separators(std::to_string(value));
}

std::string grouped(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  const double rounded = std::round(value * scale) / scale + 0.0;  // no "-0"
  const std::string all = std::to_string(std::isfinite(rounded) ? rounded : value);
  const std::size_t point = std::min(all.find('.'), all.size());
  const std::size_t after = digits > 0 ? static_cast<std::size_t>(digits) + 1 : 0;
  return with_separators(all.substr(0, point)) + all.substr(point, after);
}

}  // namespace planner
