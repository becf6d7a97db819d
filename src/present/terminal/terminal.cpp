#include "planner/present/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/core/printable.hpp"
#include "planner/present/blocks.hpp"
#include "planner/present/terminal/writer.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kIndent = 2, kGap = 2;
constexpr std::size_t kLeastName = 22;  // of a row of a comparison
constexpr const char* kBullet = "· ";
constexpr std::size_t kBarName = 26, kBarFigure = 9, kBarShare = 8;

/// Rows with as many of their columns as fit side by side, names broken into lines where that lets
/// more of them stand together, then with the next ones: the first columns, which name the row, and
/// the last, which mark it, are in all.
std::vector<std::vector<Row>> side_by_side(const std::vector<Row>& rows, std::size_t naming,
                                           std::size_t marking, std::size_t room) {
  std::vector<std::size_t> widths = least_widths(rows);
  for (std::size_t& width : widths) width += kGap;
  widths.front() = std::min(widths.front(), kLeastName + kGap);
  const auto first_mark = static_cast<std::ptrdiff_t>(widths.size() - marking);
  const auto sum = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    return std::accumulate(widths.begin() + from, widths.begin() + to, std::size_t{0});
  };
  const auto named = static_cast<std::ptrdiff_t>(naming);
  const std::size_t in_all = sum(0, named) + sum(first_mark, std::ssize(widths));
  std::vector<std::vector<Row>> groups;
  for (std::ptrdiff_t first = named; first < first_mark;) {
    std::ptrdiff_t end = first + 1;
    while (end < first_mark && in_all + sum(first, end + 1) <= room + kGap) ++end;
    std::vector<Row>& group = groups.emplace_back();
    for (const Row& row : rows) {
      Row& part = group.emplace_back(row.begin(), row.begin() + named);
      part.insert(part.end(), row.begin() + first, row.begin() + end);
      part.insert(part.end(), row.begin() + first_mark, row.end());
    }
    first = end;
  }
  return groups;
}

/// Writes one kind of block each.
class Blocks {
 public:
  explicit Blocks(TerminalWriter& out) : out_(out) {}

  void operator()(const Section& section) {
    out_.line();
    out_.heading("  " + printable(section.title), printable(section.aside));
  }
  void operator()(const Text& text) {
    if (text.apart) out_.line();
    if (text.wrap) {
      out_.paragraph(printable(text.text), text.indent, text.lead, text.emphasis);
    } else {
      out_.line(emphasised(text.emphasis,
                           std::string(text.indent, ' ') + text.lead + printable(text.text),
                           out_.style()));
    }
  }
  void operator()(const Figures& block) {
    if (block.apart) out_.line();
    std::string line = std::string(block.indent, ' ') + block.lead;
    const Emphasis emphasis = block.strong ? Emphasis::strong : Emphasis::plain;
    const std::size_t hanging = display_width(line);
    for (const Figure& figure : block.figures) {
      const std::string phrase = printable(phrase_of(figure));
      const bool first = &figure == block.figures.data();
      const std::string longer = line + (first ? "" : block.separator) + phrase;
      const bool fits = first || display_width(longer) <= out_.style().width;
      if (!fits) out_.line(emphasised(emphasis, line, out_.style()));
      line = fits ? longer : std::string(hanging, ' ') + phrase;
    }
    out_.line(emphasised(emphasis, line, out_.style()));
  }
  void operator()(const Terms& block) {
    std::size_t widest = 0;
    for (const auto& [name, meaning] : block.terms) {
      widest = std::max(widest, display_width(printable(name)));
    }
    const std::size_t hanging = widest + kGap;
    const std::size_t room = std::max(out_.style().width, hanging + kLeastName) - hanging;
    for (const auto& [name, meaning] : block.terms) {
      std::string lines = wrapped(printable(meaning), room, 0);
      for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += hanging) {
        lines.insert(++at, hanging, ' ');
      }
      const std::string term = pad_right(printable(name), widest);
      out_.line(emphasised(Emphasis::strong, term, out_.style()) + "  " + lines);
    }
  }
  void operator()(const Facts& block) {
    std::vector<Row> rows;
    for (const Fact& fact : block.facts) {
      rows.push_back({printable(fact.name), printable(fact.cell.text)});
    }
    out_.columns(rows, kIndent, false);
  }
  void operator()(const Table& table) {
    const bool headed = !table.header.empty();
    const std::size_t naming = table.compares ? 1 : table.naming;
    if (naming == 0) return out_.columns(rows_of(table), kIndent, headed);
    bool first = true;
    for (const auto& group : side_by_side(rows_of(table), naming, table.compares ? 1 : 0,
                                          out_.style().width - kIndent)) {
      if (!std::exchange(first, false)) out_.line();
      out_.columns(group, kIndent, headed);
    }
  }
  void operator()(const Bars& bars) {
    std::size_t figure = kBarFigure;
    for (const Bars::Row& row : bars.rows) {
      figure = std::max(figure, display_width(row.cell.text));
    }
    for (const Bars::Row& row : bars.rows) {
      std::string text =
          "  " + pad_right(row.name, kBarName) + pad_left(row.cell.text, figure) + "  " +
          bar(row.share, bars.width) +
          (row.why_not.empty() ? pad_left(percent(row.share), kBarShare) : "  " + row.why_not);
      if (!row.aside.empty()) text += "  " + row.aside;
      out_.line(printable(text));
    }
  }
  void operator()(const List& list) {
    for (const std::string& item : list.items) {
      out_.paragraph(printable(item), kIndent, kBullet);
    }
  }
  void operator()(const Bill& bill) {
    std::vector<Row> rows{{"item", "quantity", "each", "total"}};
    for (const Bill::Line& line : bill.lines) {
      rows.push_back({printable(line.item), grouped(line.quantity),
                      line.unit_price.is_number() ? line.unit_price.text : std::string{},
                      printable(line.total.text)});
    }
    if (!bill.total.text.empty()) {
      const bool bound = bill.total.at_least;
      rows.push_back(
          {bound ? lower_bound_name(bill) : "total", "", "", unbounded_text(bill.total)});
    }
    out_.columns(rows, kIndent, true);
  }
  void operator()(const Calculation&) {}
  void operator()(const Charts&) {}
  void operator()(const Drawing&) {}
  void operator()(const Sources& block) {
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      out_.paragraph(printable(block.sources[i].text), kIndent, fmt::format("[{}] ", i + 1),
                     Emphasis::plain);
    }
  }
  void operator()(const Derivation& block) {
    for (const Derivation::Term& term : block.terms) {
      out_.line();
      const std::string value = "= " + printable(term.value.text);
      const std::string symbol = "  " + printable(term.symbol);
      if (term.formula.empty()) {
        out_.heading(symbol + " " + value, printable(term.equation));
        out_.paragraph(printable(term.meaning), 4);
        continue;
      }
      out_.heading(symbol + "  " + printable(term.meaning), printable(term.equation));
      out_.paragraph(printable("= " + term.formula), 4);
      if (!term.filled.empty()) out_.paragraph(printable("= " + term.filled), 4);
      out_.paragraph(value, 4);
    }
  }
  void operator()(const Verbatim& block) { out_.line(printable(block.text, "?", "\n\t")); }

 private:
  static std::vector<Row> rows_of(const Table& table) {
    std::vector<Row> rows;
    if (!table.header.empty()) {
      Row& header = rows.emplace_back();
      for (const std::string& name : table.header) header.push_back(printable(name));
      if (table.compares) header.emplace_back();
    }
    for (const Table::Row& line : table.rows) {
      if (line.heads) continue;
      Row& row = rows.emplace_back();
      if (line.cells.empty()) row.emplace_back();
      for (const Cell& cell : line.cells) row.push_back(printable(cell.text));
      if (table.compares) row.push_back(differs(line) ? "≠" : "");
    }
    return rows;
  }

  TerminalWriter& out_;
};

}  // namespace

std::string to_terminal(const Document& document, const TerminalStyle& style) {
  TerminalWriter out(style);
  if (!document.bare) {
    out.heading(printable(document.title), printable(document.aside));
  }
  for (const Block& block : document.blocks) {
    if (block.where != Where::beyond_terminal) std::visit(Blocks(out), block.content);
  }
  return out.take();
}

}  // namespace planner::present
