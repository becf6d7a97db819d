#include "planner/json/source_text.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "planner/core/printable.hpp"

namespace planner::json {

namespace {
constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kLongestWord = 80;
}  // namespace

Diagnostic SourceText::diagnose(std::size_t offset, std::string code, std::string message,
                                std::string hint) const {
  const std::string_view before = text.substr(0, offset);
  const std::size_t last_break = before.rfind('\n');
  const std::size_t line_start = last_break == std::string_view::npos ? 0 : last_break + 1;
  return {.code = std::move(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .file = std::string(name),
          .line = static_cast<int>(1 + std::count(before.begin(), before.end(), '\n')),
          .column = static_cast<int>(1 + before.size() - line_start)};
}

bool Problems::full() const {
  return count_ >= kMostProblems;
}

void Problems::add(std::size_t offset, std::string code, std::string message, std::string hint) {
  if (!full()) {
    found_.push_back(
        source_.diagnose(offset, std::move(code), std::move(message), std::move(hint)));
  }
  ++count_;
}

void Problems::add(Diagnostic diagnostic) {
  if (!full()) found_.push_back(std::move(diagnostic));
  ++count_;
}

void Problems::throw_if_any() const {
  if (count_ == 0) return;
  std::vector<Diagnostic> sorted = found_;
  const auto place = [this](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.file != source_.name, diagnostic.line, diagnostic.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  if (count_ > found_.size()) {
    sorted.push_back({.code = "too-many-problems",
                      .message = std::to_string(count_ - found_.size()) + " more problems",
                      .file = std::string(source_.name)});
  }
  throw InputError(std::move(sorted));
}

std::string in_quotes(std::string_view word) {
  std::string out = "\"";
  const bool cut = word.size() > kLongestWord;
  std::size_t end = cut ? kLongestWord : word.size();
  // Not in the middle of a UTF-8 sequence.
  while (cut && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;
  out += printable(word.substr(0, end), "?", "");
  return out + (cut ? "…\"" : "\"");
}

}  // namespace planner::json
