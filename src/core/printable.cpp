#include "planner/core/printable.hpp"

#include <array>
#include <cstddef>

namespace planner {

namespace {

/// The first character of a UTF-8 text.
struct Character {
  std::size_t bytes = 1;
  char32_t code = 0xFFFD;
  bool valid = false;
};

// RFC 3629 § 3: shortest forms only, no surrogates, nothing beyond U+10FFFF.
Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {.bytes = 1, .code = lead, .valid = true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes > text.size()) return {};
  char32_t code = lead & (0x7FU >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[bytes] || code > 0x10FFFF || surrogate) return {};
  return {.bytes = bytes, .code = code, .valid = true};
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool overrides_direction(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

bool has_control(std::string_view text) {
  while (!text.empty()) {
    const Character first = first_of(text);
    if (is_control(first.code)) return true;
    text.remove_prefix(first.bytes);
  }
  return false;
}

std::string printable(std::string_view text, std::string_view instead, std::string_view kept) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Character first = first_of(text);
    const std::string_view bytes = text.substr(0, first.bytes);
    const bool shown = first.valid && !is_control(first.code) && !overrides_direction(first.code);
    clean += shown || kept.find(bytes) != std::string_view::npos ? bytes : instead;
    text.remove_prefix(first.bytes);
  }
  return clean;
}

}  // namespace planner
