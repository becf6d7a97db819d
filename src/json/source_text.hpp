#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/diagnostic.hpp"

namespace planner::json {

/// A text under the name by which messages call it. Both must outlive the view.
struct SourceText {
  std::string_view name;
  std::string_view text;

  /// A diagnostic about the byte at `offset`.
  [[nodiscard]] Diagnostic diagnose(std::size_t offset, std::string code, std::string message,
                                    std::string hint = {}) const;
};

/// Collects what is wrong with one text, so that one run reports it all. Keeps the first 100
/// problems and counts the others, so that a hostile file costs little.
class Problems {
 public:
  explicit Problems(SourceText source) : source_(source) {}

  void add(std::size_t offset, std::string code, std::string message, std::string hint = {});
  /// A finding about another file, kept as it is.
  void add(Diagnostic diagnostic);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Whether further problems are only counted: no need to word them well.
  [[nodiscard]] bool full() const;
  /// Throws InputError with everything found, in the order of the text, then what was found in
  /// other files; nothing if all is well.
  void throw_if_any() const;

 private:
  SourceText source_;
  std::vector<Diagnostic> found_;
  std::size_t count_ = 0;
};

/// `"word"`, cut to a readable length, with what is not printable replaced: fit for a message.
std::string in_quotes(std::string_view word);

}  // namespace planner::json
