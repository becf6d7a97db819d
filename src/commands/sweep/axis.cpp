#include "planner/commands/sweep/axis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "planner/commands/values/value_range.hpp"

namespace planner::commands {

namespace {

constexpr std::size_t kMostValues = 10'000;
constexpr double kLargest = 1e18;

/// The option of sizes, which have units of their own.
constexpr std::string_view kSizes = "bytes";

/// 15 digits: all that doubles keep, so that 0.1 + 2·0.1 is written 0.3. Sizes are whole.
std::string written(std::string_view option, double value) {
  return fmt::format("{:.15g}", option == kSizes ? std::round(value) : value);
}

/// Adds the values of a range to the axis; says what is wrong with it.
std::optional<std::string> expand(std::string_view text, SweepAxis& axis) {
  const bool sizes = axis.option == kSizes;
  const auto read = [&axis](std::string_view number) { return number_in(axis.option, number); };
  const auto range = parse_range(text, read, kMostValues, sizes ? "1KiB:1GiB:x4" : "256:4096:x2");
  if (!range.value) return range.error;
  for (const double value : *range.value) axis.values.push_back(written(axis.option, value));
  return std::nullopt;
}

}  // namespace

std::optional<double> number_in(std::string_view option, std::string_view text) {
  return (option == kSizes ? parse_bytes(text) : parse_non_negative(text, kLargest)).value;
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
    if (!is_range(part)) {
      axis.values.push_back(part);
    } else if (auto problem = expand(part, axis)) {
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

}  // namespace planner::commands
