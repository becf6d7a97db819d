#include "planner/commands/values/value_parsers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace planner {

namespace {

/// The factor of a trailing K, M, B, G or T, which is cut off `text`; 1 when there is none.
double take_suffix(std::string_view& text) {
  if (text.empty()) return 1;
  double factor = 1;
  switch (text.back()) {
    case 'K':
    case 'k':
      factor = 1e3;
      break;
    case 'M':
      factor = 1e6;
      break;
    case 'B':
    case 'G':
      factor = 1e9;
      break;
    case 'T':
      factor = 1e12;
      break;
    default:
      return 1;
  }
  text.remove_suffix(1);
  return factor;
}

/// The whole text as a finite number, suffix included.
std::optional<double> parse_number(std::string_view text) {
  const double factor = take_suffix(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  number *= factor;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

constexpr double kMostBytes = 1e18;
constexpr double kLeastPositive = 1e-9;  // as in files

/// With B: a bare K is 1000 to some programs and 1024 to others, nccl-tests among these.
struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 10> kUnits{{{"", 1},
                                       {"B", 1},
                                       {"KB", 1e3},
                                       {"KiB", 0x1p10},
                                       {"MB", 1e6},
                                       {"MiB", 0x1p20},
                                       {"GB", 1e9},
                                       {"GiB", 0x1p30},
                                       {"TB", 1e12},
                                       {"TiB", 0x1p40}}};

}  // namespace

Parsed<double> parse_bytes(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : kUnits) {
    const double bytes = number * unit.bytes;
    const bool whole = bytes == std::floor(bytes) && bytes >= 1 && bytes <= kMostBytes;
    if (error == std::errc{} && unit.name == rest && whole) return {.value = bytes, .error = {}};
  }
  return {.value = {},
          .error = fmt::format("must be a whole number of bytes up to 1e18, like 1GiB or 256MB "
                               "(B, KB, KiB, MB, … TiB), not \"{}\"",
                               text)};
}

Parsed<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<double> number = parse_number(text);
  // Doubles hold whole numbers exactly up to 2^53, far above every limit used.
  if (number && std::floor(*number) == *number && *number >= static_cast<double>(least) &&
      *number <= static_cast<double>(most)) {
    return {.value = static_cast<std::int64_t>(*number), .error = {}};
  }
  return {
      .value = {},
      .error = fmt::format("must be a whole number from {} to {}, not \"{}\"", least, most, text)};
}

Parsed<double> parse_positive(std::string_view text, double most) {
  const std::optional<double> number = parse_number(text);
  if (number && *number >= kLeastPositive && *number <= most) return {.value = number, .error = {}};
  if (number && *number > 0 && *number < kLeastPositive) {
    return {.value = {},
            .error = fmt::format("must be at least {:g}, not \"{}\"", kLeastPositive, text)};
  }
  return {
      .value = {},
      .error = fmt::format("must be a number above 0 and at most {:g}, not \"{}\"", most, text)};
}

Parsed<double> parse_between(std::string_view text, double least, double most) {
  const std::optional<double> number = parse_number(text);
  if (number && *number >= least && *number <= most) return {.value = number, .error = {}};
  return {
      .value = {},
      .error = fmt::format("must be a number from {:g} to {:g}, not \"{}\"", least, most, text)};
}

Parsed<double> parse_non_negative(std::string_view text, double most) {
  return parse_between(text, 0, most);
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Parsed<std::vector<std::int64_t>> parse_integers(std::string_view text, std::int64_t least,
                                                 std::int64_t most) {
  std::vector<std::int64_t> values;
  for (const std::string& part : split_list(text)) {
    const Parsed<std::int64_t> one = parse_integer(part, least, most);
    if (!one.value) return {.value = {}, .error = one.error};
    values.push_back(*one.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return {.value = std::move(values), .error = {}};
}

}  // namespace planner
