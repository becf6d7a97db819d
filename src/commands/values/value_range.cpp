#include "planner/commands/values/value_range.hpp"

#include <fmt/format.h>

namespace planner {

namespace {

constexpr double kLargest = 1e18;

/// What a range multiplies by or adds; -1 where it does neither.
double step_of(std::string_view text, const NumberReader& read) {
  if (text.starts_with('+')) return read(text.substr(1)).value_or(-1);
  return text.starts_with('x') ? parse_positive(text.substr(1), kLargest).value.value_or(-1) : -1;
}

}  // namespace

bool is_range(std::string_view text) {
  const std::size_t first = text.find(':');
  return first != std::string_view::npos && text.find(':', first + 1) != std::string_view::npos;
}

Parsed<std::vector<double>> parse_range(std::string_view text, const NumberReader& read,
                                        std::size_t most, std::string_view example) {
  const auto wrong = [](std::string error) {
    return Parsed<std::vector<double>>{.value = {}, .error = std::move(error)};
  };
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  const auto from = read(text.substr(0, first));
  const auto to = read(text.substr(first + 1, second - first - 1));
  const std::string_view by = text.substr(second + 1);
  const double step = step_of(by, read);
  if (!from || !to || step < 0) {
    return wrong(
        fmt::format("a range is from:to:xF or from:to:+S, such as {}, not \"{}\"", example, text));
  }
  if (*to < *from) return wrong(fmt::format("the range \"{}\" ends before it begins", text));
  const bool geometric = by.starts_with('x');
  const bool moves = geometric ? step > 1 && *from > 0 : step > 0;
  if (!moves) return wrong(fmt::format("the range \"{}\" never gets to its end", text));
  const double end = *to * (1 + 1e-12);
  std::vector<double> values;
  for (double value = *from; value <= end;) {
    if (values.size() == most) {
      return wrong(fmt::format("the range \"{}\" has more than {} values", text, most));
    }
    values.push_back(value);
    value = geometric ? value * step : *from + static_cast<double>(values.size()) * step;
  }
  return {.value = std::move(values), .error = {}};
}

}  // namespace planner
