#include "planner/json/syntax_error.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace planner::json {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

unsigned char byte_at(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

std::string hex(unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  return {'0', 'x', digits[byte >> 4], digits[byte & 0xF]};
}

/// Where the string that opens at `start` closes; the text's size when it does not.
std::size_t string_end(std::string_view text, std::size_t start) {
  std::size_t at = start + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

/// The word or character that stands at `offset`.
std::string found_at(std::string_view text, std::size_t offset) {
  const unsigned char first = byte_at(text, offset);
  if (first == '"') return "a string";
  if (first < 0x20 || first >= 0x7F) return "byte " + hex(first);
  const auto in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '+' || c == '-' || c == '.';
  };
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto end = std::find_if_not(begin, text.end(), in_word);
  return in_quotes(begin == end ? text.substr(offset, 1) : std::string_view(begin, end));
}

/// What may stand after the tokens understood and the separators `between`.
std::string expected(const JsonState& state, std::string_view between) {
  const bool comma = between.find(',') != std::string_view::npos;
  const bool colon = between.find(':') != std::string_view::npos;
  switch (state.place) {
    case JsonPlace::before_value:
      return "a value";
    case JsonPlace::after_value:
      return "the end of the file";
    case JsonPlace::after_key:
      return colon ? "a value" : "\":\" after the key";
    case JsonPlace::in_object:
      if (comma) return "a key in double quotes";
      return state.just_opened ? "a key in double quotes or \"}\"" : "\",\" or \"}\"";
    case JsonPlace::in_array:
      if (comma) return "a value";
      return state.just_opened ? "a value or \"]\"" : "\",\" or \"]\"";
  }
  return "a value";
}

/// The usual cause of this very character at this very place.
std::string usual_cause(std::string_view text, std::size_t offset, std::string_view between) {
  const char c = text[offset];
  const std::string_view rest = text.substr(offset);
  if ((c == '}' || c == ']') && between.find(',') != std::string_view::npos) {
    return "remove the comma before it";
  }
  if (c == '/' || c == '#') return "JSON has no comments";
  if (c == '\'') return "JSON strings stand in double quotes";
  if (rest.starts_with("NaN") || rest.starts_with("nan") || rest.starts_with("Inf") ||
      rest.starts_with("-Inf")) {
    return "JSON has finite numbers only";
  }
  if (rest.starts_with("True") || rest.starts_with("False") || rest.starts_with("None")) {
    return "JSON writes true, false and null";
  }
  return {};
}

/// Something is wrong inside the string that starts at `start`; the lexer stopped at `bad`.
Diagnostic explain_string(SourceText source, std::size_t start, std::size_t bad) {
  if (bad >= source.text.size()) {
    return source.diagnose(start, "syntax", "this string is never closed", "add the closing \"");
  }
  const unsigned char byte = byte_at(source.text, bad);
  if (byte == '\n' || byte == '\r') {
    return source.diagnose(start, "syntax", "this string is not closed on its line",
                           "add the closing \"");
  }
  if (byte < 0x20) {
    return source.diagnose(bad, "syntax", "control byte " + hex(byte) + " in a string",
                           "write it as an escape, e.g. \\t");
  }
  const std::string_view so_far = source.text.substr(start, bad - start);
  if (byte >= 0x80 || byte_at(source.text, bad - 1) >= 0x80) {
    return source.diagnose(bad, "syntax", "the text is not UTF-8 here (byte " + hex(byte) + ")",
                           "save the file as UTF-8");
  }
  const std::size_t backslash = so_far.rfind('\\');
  return source.diagnose(backslash == std::string_view::npos ? bad : start + backslash, "syntax",
                         "this escape is not one of JSON's", "a backslash itself is written \\\\");
}

Diagnostic explain_end(SourceText source, const JsonState& state) {
  const std::size_t end = source.text.size();
  if (state.place == JsonPlace::before_value) {
    return source.diagnose(end, "syntax", "the file is empty", "a JSON object was expected");
  }
  const Diagnostic opened = source.diagnose(state.opened, "", "");
  return source.diagnose(end, "syntax", "the file ends too early",
                         "the " + in_quotes(source.text.substr(state.opened, 1)) + " opened at " +
                             std::to_string(opened.line) + ":" + std::to_string(opened.column) +
                             " is never closed");
}

}  // namespace

Diagnostic explain_syntax_error(SourceText source, const JsonState& state) {
  const std::string_view text = source.text;
  // The offending token is the first one after the last that was understood, separators aside;
  // of two separators in a row it is the one that the lexer read last.
  const std::size_t last_read = state.read == 0 ? 0 : state.read - 1;
  std::size_t start = std::min(text.find_first_not_of(" \t\r\n,:", state.cursor), text.size());
  const bool blank = text.find_first_not_of(kBlank) == std::string_view::npos;
  const bool open = state.place != JsonPlace::before_value && state.place != JsonPlace::after_value;
  if (blank || (open && start >= text.size())) return explain_end(source, state);
  start = std::min(start, last_read);
  const std::string_view between =
      state.cursor < start ? text.substr(state.cursor, start - state.cursor) : "";
  const std::string wanted = expected(state, between);
  // A string that may stand here, or does not end where the lexer stopped, is itself at fault.
  if (text[start] == '"' && (wanted.starts_with("a ") || string_end(text, start) != last_read)) {
    // At the end of the text nothing more is read: the last byte may itself be a good one.
    const bool ended = state.read == text.size() && byte_at(text, last_read) >= 0x20;
    return explain_string(source, start, ended ? text.size() : last_read);
  }
  return source.diagnose(start, "syntax", "expected " + wanted + ", got " + found_at(text, start),
                         usual_cause(text, start, between));
}

}  // namespace planner::json
