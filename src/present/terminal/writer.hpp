#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/present/terminal/terminal.hpp"

// What blocks are made of on a terminal.
namespace planner::present {

/// ANSI emphasis, or the text as it is.
std::string emphasised(Emphasis emphasis, std::string_view text, const TerminalStyle& style);

/// How narrow columns can be: as their widest cell below the name, the longest word of the name and
/// half of it, so that it stays readable in lines. The first row names the columns.
std::vector<std::size_t> least_widths(const std::vector<std::vector<std::string>>& rows);

/// Collects lines.
class TerminalWriter {
 public:
  explicit TerminalWriter(const TerminalStyle& style) : style_(style) {}

  void line(std::string_view text = {}) { (text_ += text) += '\n'; }
  /// A heading, bold where colours are on; `right` is set at the right edge, or below where there
  /// is no room.
  void heading(std::string_view left, std::string_view right = {});
  /// Text broken at the terminal's width, continued under its own start; `lead` hangs before it.
  void paragraph(std::string_view text, std::size_t indent, std::string_view lead = {},
                 Emphasis emphasis = Emphasis::plain);
  /// Rows with columns as wide as their widest cell; the first column is set left, the others are
  /// set right; an empty column takes no room. Where a row is wider than the terminal, the names of
  /// columns are broken into lines, then the first column, then those of words; what is too wide
  /// then has one space between columns, and its first as narrow as its words.
  /// @param headed  the first row names the columns
  void columns(const std::vector<std::vector<std::string>>& rows, std::size_t indent, bool headed);

  [[nodiscard]] const TerminalStyle& style() const { return style_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  TerminalStyle style_;
  std::string text_;
};

}  // namespace planner::present
