#include "planner/api/sweep_axis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace planner {

namespace {

constexpr std::size_t kMostValues = 10'000;
constexpr double kLargest = 1e18;

/// The option of sizes, which have units of their own.
constexpr std::string_view kSizes = "bytes";

/// 15 digits: all that doubles keep, so that 0.1 + 2·0.1 is written 0.3. Sizes are whole.
std::string written(std::string_view option, double value) {
  return fmt::format("{:.15g}", option == kSizes ? std::round(value) : value);
}

/// "from:to:xF" or "from:to:+S", cut apart.
struct Range {
  std::string_view from, to, step;
};

/// Nothing where the text is no range: a value such as the ratio 7:1.
std::optional<Range> as_range(std::string_view text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return Range{.from = text.substr(0, first),
               .to = text.substr(first + 1, second - first - 1),
               .step = text.substr(second + 1)};
}

/// What a range multiplies by or adds; -1 where it does neither.
double step_of(std::string_view option, std::string_view text) {
  if (text.starts_with('+')) return number_in(option, text.substr(1)).value_or(-1);
  return text.starts_with('x') ? parse_positive(text.substr(1), kLargest).value.value_or(-1) : -1;
}

/// Adds the values of a range to the axis; says what is wrong with it.
std::optional<std::string> expand(std::string_view text, const Range& range, SweepAxis& axis) {
  const auto from = number_in(axis.option, range.from), to = number_in(axis.option, range.to);
  const bool geometric = range.step.starts_with('x');
  const double step = step_of(axis.option, range.step);
  if (!from || !to || step < 0) {
    return fmt::format("a range is from:to:xF or from:to:+S, such as {}, not \"{}\"",
                       axis.option == kSizes ? "1KiB:1GiB:x4" : "256:4096:x2", text);
  }
  if (*to < *from) return fmt::format("the range \"{}\" ends before it begins", text);
  const bool moves = geometric ? step > 1 && *from > 0 : step > 0;
  if (!moves) return fmt::format("the range \"{}\" never gets to its end", text);
  const double end = *to * (1 + 1e-12);
  double value = *from;
  for (std::size_t i = 1; value <= end; ++i) {
    if (axis.values.size() >= kMostValues) {
      return fmt::format("more than {} values in one sweep", kMostValues);
    }
    axis.values.push_back(written(axis.option, value));
    value = geometric ? value * step : *from + static_cast<double>(i) * step;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> number_in(std::string_view option, std::string_view text) {
  return option == kSizes ? parse_bytes(text) : parse_non_negative(text, kLargest).value;
}

Parsed<SweepAxis> parse_sweep_axis(std::string_view text) {
  const auto wrong = [](std::string error) {
    return Parsed<SweepAxis>{.value = {}, .error = std::move(error)};
  };
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size()) {
    return wrong(fmt::format("must be OPTION=VALUES, such as hb-domain=1,2,4, not \"{}\"", text));
  }
  std::string_view name = text.substr(0, equals);
  if (name.starts_with("--")) name.remove_prefix(2);
  SweepAxis axis{.option = std::string{name}, .values = {}};
  for (const std::string& part : split_list(text.substr(equals + 1))) {
    if (part.empty()) return wrong(fmt::format("\"{}\" has an empty value", text));
    const std::optional<Range> range = as_range(part);
    if (!range) {
      axis.values.push_back(part);
    } else if (auto problem = expand(part, *range, axis)) {
      return wrong(*std::move(problem));
    }
  }
  std::set<std::string> seen;
  for (const std::string& value : axis.values) {
    const std::optional<double> number = number_in(axis.option, value);
    const auto [same, is_new] = seen.insert(number ? written(axis.option, *number) : value);
    if (!is_new) return wrong(fmt::format("\"{}\" has the value {} twice", text, *same));
  }
  return {.value = std::move(axis), .error = {}};
}

}  // namespace planner
