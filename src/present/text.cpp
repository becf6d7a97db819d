#include "planner/present/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "planner/domain/calibration.hpp"

namespace planner {

namespace {

/// Of years and of days, that anybody reads as a number.
constexpr double kMostCounted = 1e9;
constexpr const char* kMoreThanThat = "more than 10⁹";

}  // namespace

std::string significant(double value) {
  const double size = std::abs(value);
  if (value == 0) return "0";
  if (!std::isfinite(value) || size < 1e-3 || size >= 1e15) return fmt::format("{:.3g}", value);
  if (size >= 999.5) return grouped(static_cast<std::int64_t>(std::llround(value)));
  // Rounding to three digits can carry into the next power of ten (9.996 is 10.0).
  const int exponent = static_cast<int>(std::floor(std::log10(size * (1 + 5e-4))));
  return fmt::format("{:.{}f}", value, std::max(0, 2 - exponent));
}

std::string with_prefix(double value) {
  constexpr std::array<const char*, 7> kPrefixes{"", " k", " M", " B", " T", " P", " E"};
  std::size_t i = 0;
  while (std::abs(value) >= 999.5 && i + 1 < kPrefixes.size()) {
    value /= 1000;
    ++i;
  }
  return significant(value) + kPrefixes[i];
}

std::string duration(Seconds time) {
  const double s = std::abs(time.si());
  if (s == 0) return "0 s";
  if (s < 1e-6) return significant(time.si() * 1e9) + " ns";
  if (s < 1e-3) return significant(time.in(units::us)) + " µs";
  if (s < 0.1) return significant(time.in(units::ms)) + " ms";
  if (s < 3600) return significant(time.in(units::second)) + " s";
  if (s < 2 * 86400) return significant(time.in(units::hour)) + " h";
  if (s < 3650 * 86400.0) return significant(time.in(units::day)) + " days";
  const double years = time.in(units::day) / 365.25;
  return (years < kMostCounted ? significant(years) : kMoreThanThat) + " years";
}

std::string in_days(Seconds time) {
  const double days = time.in(units::day);
  return days < kMostCounted ? significant(days) : kMoreThanThat;
}

std::string range(Seconds low, Seconds high) {
  const std::string from = duration(low), to = duration(high);
  const std::size_t unit = from.rfind(' ');
  if (from.ends_with(" h") && to.ends_with(" days")) {
    return fmt::format("{}–{} days", in_days(low), in_days(high));
  }
  if (!to.ends_with(from.substr(unit))) return from + " to " + to;
  return from.substr(0, unit) + "–" + to;
}

std::string interval_text(Seconds low, Seconds high) {
  return fmt::format("{:.0f} %: {}", 100 * kIntervalShare, range(low, high));
}

std::string size_text(Bytes size) {
  struct Unit {
    double bytes;
    const char* name;
  };
  for (const Unit unit : {Unit{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}}) {
    const double count = size.si() / unit.bytes;
    if (count >= 1 && count == static_cast<double>(static_cast<std::int64_t>(count))) {
      return fmt::format("{} {}", grouped(static_cast<std::int64_t>(count)), unit.name);
    }
  }
  for (const Unit unit : {Unit{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}}) {
    if (size.si() >= unit.bytes) {
      return fmt::format("{} {}", significant(size.si() / unit.bytes), unit.name);
    }
  }
  return fmt::format("{} B", significant(size.si()));
}

std::string gigabytes(Bytes size) {
  const double gb = size.in(units::GB);
  return gb < 1e6 ? fmt::format("{:.1f}", gb) : fmt::format("{:.3g}", gb);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string bar(double share, int width) {
  constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[static_cast<std::size_t>(eighths % 8)];
  for (int i = (eighths + 7) / 8; i < width; ++i) text += "░";
  return text;
}

std::size_t display_width(std::string_view text) {
  // Every character that is printed here is one cell wide; continuation bytes start none.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string{text} + std::string(width > taken ? width - taken : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string(width > taken ? width - taken : 0, ' ') + std::string{text};
}

namespace {

/// Whether what follows the space is the sign or prefix of the number before it: "10 %", "$719 M".
bool holds_together(std::string_view text, std::size_t space) {
  if (space == 0 || space + 1 >= text.size()) return false;
  if (std::isdigit(static_cast<unsigned char>(text[space - 1])) == 0) return false;
  if (std::string_view{"%kMBT"}.find(text[space + 1]) == std::string_view::npos) return false;
  return space + 2 == text.size() ||
         std::string_view{" ,.;:)"}.find(text[space + 2]) != std::string_view::npos;
}

/// Where the first word of a text ends.
std::size_t word_end(std::string_view text) {
  std::size_t space = text.find(' ');
  while (space != std::string_view::npos && holds_together(text, space)) {
    space = text.find(' ', space + 1);
  }
  return std::min(space, text.size());
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t space = word_end(text);
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t cells = display_width(word);
    if (column > 0 && column + 1 + cells > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += cells;
  }
  return result;
}

}  // namespace planner
