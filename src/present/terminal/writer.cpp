#include "planner/present/terminal/writer.hpp"

#include <algorithm>

#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr std::size_t kBetween = 2;
constexpr std::size_t kLeastFirst = 20;  // while figures fit beside it
constexpr std::size_t kHanging = 2;      // of lines of a first column but the first

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

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  return widths;
}

/// By how much a row of these columns is wider than the terminal.
std::size_t excess_of(const std::vector<std::size_t>& widths, std::size_t indent,
                      std::size_t between, std::size_t terminal) {
  std::size_t total = indent;
  for (const std::size_t width : widths) total += width > 0 ? width + between : 0;
  return total > terminal + between ? total - between - terminal : 0;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0, start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    longest = std::max(longest, display_width(text.substr(start, end - start)));
    start = end + 1;
  }
  return longest;
}

/// Takes what a row has too much for the terminal from columns but the first, the widest of those
/// that can be narrower first.
void narrow_widest(const std::vector<std::size_t>& least, std::vector<std::size_t>& widths,
                   std::size_t excess) {
  for (; excess > 0; --excess) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < widths.size(); ++i) {
      const bool can = widths[i] > least[i];
      if (can && (widest == 0 || widths[i] > widths[widest])) widest = i;
    }
    if (widest == 0) return;
    --widths[widest];
  }
}

/// How narrow the first column can be: its lines but the first of each cell hang.
std::size_t longest_word_of_first(const Rows& rows) {
  std::size_t longest = 1;
  for (const auto& row : rows) {
    if (row.empty()) continue;
    const std::size_t first = std::min(row.front().find(' '), row.front().size());
    longest = std::max({longest, display_width(row.front().substr(0, first)),
                        longest_word(row.front().substr(first)) + kHanging});
  }
  return longest;
}

/// Takes from the first column what a row has too much for the terminal.
void narrow_first(std::size_t least, std::vector<std::size_t>& widths, std::size_t excess) {
  if (excess == 0) return;
  std::size_t& first = widths.front();
  first = std::max(std::min(first, least), first - std::min(first, excess));
}

/// How narrow columns can be where those of words, not figures, are broken into lines.
std::vector<std::size_t> least_of_words(const Rows& rows, std::vector<std::size_t> widths) {
  for (std::size_t i = 1; i < rows.front().size(); ++i) {
    std::size_t longest = longest_word(rows.front()[i]);
    bool words = true;
    for (std::size_t at = 1; at < rows.size() && words; ++at) {
      if (i >= rows[at].size() || rows[at][i].empty()) continue;
      words = rows[at][i].front() >= 'A';
      longest = std::max(longest, longest_word(rows[at][i]));
    }
    if (words) widths[i] = std::min(widths[i], longest);
  }
  return widths;
}

/// A cell's text in lines of at most `width`; spaces that lead it are kept.
std::vector<std::string> row_lines(const std::string& cell, std::size_t width, std::size_t indent) {
  if (display_width(cell) <= width) return {cell};
  const std::string text = wrapped(cell, width, indent);
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

std::vector<std::size_t> least_widths(const Rows& rows) {
  std::vector<std::size_t> least = widths_of({rows.begin() + 1, rows.end()});
  least.resize(std::max(least.size(), rows.front().size()));
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    const std::size_t half = (display_width(rows.front()[i]) + 1) / 2;
    least[i] = std::max({least[i], half, longest_word(rows.front()[i])});
  }
  return least;
}

void TerminalWriter::heading(std::string_view left, std::string_view right) {
  const std::size_t taken = display_width(left) + display_width(right);
  const std::string title = emphasised(Emphasis::strong, left, style_);
  if (!right.empty() && taken >= style_.width) {
    line(title);
    return paragraph(right, 2, {}, Emphasis::quiet);
  }
  const std::size_t gap = style_.width - std::min(taken, style_.width);
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

void TerminalWriter::columns(const Rows& rows, std::size_t indent, bool headed) {
  std::vector<std::size_t> widths = widths_of(rows);
  std::size_t gap = kBetween;
  const auto excess = [&] { return excess_of(widths, indent, gap, style_.width); };
  if (headed) narrow_widest(least_widths(rows), widths, excess());
  narrow_first(kLeastFirst, widths, excess());
  if (headed) narrow_widest(least_of_words(rows, widths), widths, excess());
  if (excess() > 0) gap = 1;
  narrow_first(longest_word_of_first(rows), widths, excess());
  const std::string between(gap, ' ');
  const auto write = [&](const std::vector<std::string>& row) {
    std::string text = std::string(indent, ' ') + pad_right(row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (widths[i] > 0) text += between + pad_left(row[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    line(text);
  };
  for (const auto& row : rows) {
    if (row.empty()) continue;
    const bool names = headed && &row == rows.data();
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(row_lines(row[i], widths[i], i == 0 ? kHanging : 0));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::vector<std::string> line;
      for (const std::vector<std::string>& lines : cells) {
        // Names stand on their column, figures beside the first line of what they are of.
        const std::size_t before = names ? height - lines.size() : 0;
        line.push_back(at >= before && at - before < lines.size() ? lines[at - before] : "");
      }
      write(line);
    }
  }
}

}  // namespace planner::present
