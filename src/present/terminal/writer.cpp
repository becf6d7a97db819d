#include "planner/present/terminal/writer.hpp"

#include <algorithm>

#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr std::size_t kLeastFirst = 20;

/// As ANSI terminals number it: bold, faint, bold red, bold yellow.
const char* code_of(Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::strong:
      return "1";
    case Emphasis::quiet:
      return "2";
    case Emphasis::error:
      return "1;31";
    case Emphasis::warning:
      return "1;33";
    case Emphasis::plain:
      break;
  }
  return "0";
}

/// Takes from the first column what a row has too much for the terminal.
void narrow_first(std::vector<std::size_t>& widths, std::size_t indent, std::size_t terminal) {
  std::size_t total = indent;
  for (const std::size_t width : widths) total += width > 0 ? width + 2 : 0;
  if (widths.empty() || total <= terminal + 2) return;
  const std::size_t excess = total - 2 - terminal;
  const std::size_t least = std::min(widths.front(), kLeastFirst);
  widths.front() = std::max(least, widths.front() - std::min(widths.front(), excess));
}

/// A cell's text in lines of at most `width`; spaces that lead it are kept.
std::vector<std::string> row_lines(const std::string& cell, std::size_t width) {
  if (display_width(cell) <= width) return {cell};
  const std::string text = wrapped(cell, width, 2);
  std::vector<std::string> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace

std::string emphasised(Emphasis emphasis, std::string_view text, const TerminalStyle& style) {
  if (!style.color || emphasis == Emphasis::plain) return std::string{text};
  return std::string{"\x1b["} + code_of(emphasis) + "m" + std::string{text} + "\x1b[0m";
}

void TerminalWriter::heading(std::string_view left, std::string_view right) {
  const std::size_t taken = display_width(left) + display_width(right);
  const std::size_t gap = style_.width > taken ? style_.width - taken : 1;
  const std::string title = emphasised(Emphasis::strong, left, style_);
  line(right.empty() ? title
                     : title + std::string(gap, ' ') + emphasised(Emphasis::quiet, right, style_));
}

void TerminalWriter::paragraph(std::string_view text, std::size_t indent, std::string_view lead,
                               Emphasis emphasis) {
  const std::size_t hanging = indent + display_width(lead);
  std::string lines = wrapped(text, style_.width - hanging, 0);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += hanging) {
    lines.insert(++at, hanging, ' ');
  }
  line(emphasised(emphasis, std::string(indent, ' ') + std::string{lead} + lines, style_));
}

void TerminalWriter::columns(const std::vector<std::vector<std::string>>& rows,
                             std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  narrow_first(widths, indent, style_.width);
  for (const auto& row : rows) {
    if (row.empty()) continue;
    const std::vector<std::string> lines = row_lines(row.front(), widths.front());
    std::string text = std::string(indent, ' ') + pad_right(lines.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (widths[i] > 0) text += "  " + pad_left(row[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    line(text);
    for (std::size_t i = 1; i < lines.size(); ++i) line(std::string(indent, ' ') + lines[i]);
  }
}

}  // namespace planner::present
