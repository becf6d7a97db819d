#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr std::size_t kLongestWord = 16;  // of a cell, so that four columns fit a terminal

/// Six digits: two figures that differ little must look different.
std::string figure(double value) {
  const bool whole = value == std::floor(value) || std::abs(value) >= 1e5;
  if (whole && std::abs(value) < 1e15) return grouped(std::llround(value));
  return fmt::format("{:.6g}", value);
}

struct ToCell {
  std::string operator()(std::monostate) const { return "–"; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(double value) const { return figure(value); }
  std::string operator()(const std::string& value) const { return printable(value); }
};

std::string cell_of(const AnswerValue& value) {
  return std::visit(ToCell{}, value);
}

std::string signed_figure(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return (value > 0 ? "+" : "") + (whole ? grouped(std::llround(value)) : significant(value));
}

bool is_long(const DiffRow& row) {
  return std::max(display_width(cell_of(row.a)), display_width(cell_of(row.b))) > kLongestWord;
}

/// Long words go below each other, figures into columns.
void write_section(const std::vector<DiffRow>& rows, TerminalWriter& out) {
  std::vector<std::vector<std::string>> cells{{"", "a", "b", "b - a", ""}};
  for (const DiffRow& row : rows) {
    if (is_long(row)) continue;
    const auto change = row.difference(), share = row.relative();
    cells.push_back({printable(row.name), cell_of(row.a), cell_of(row.b),
                     change ? signed_figure(*change) : "",
                     share ? fmt::format("{:+.1f} %", 100 * *share) : ""});
  }
  if (cells.size() > 1) out.columns(cells, 2);
  for (const DiffRow& row : rows) {
    if (!is_long(row)) continue;
    out.line("  " + printable(row.name));
    out.paragraph("a: " + cell_of(row.a), 4);
    out.paragraph("b: " + cell_of(row.b), 4);
  }
}

}  // namespace

void write_diff(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<DiffResult>(response.result);
  out.line("a: " + printable(result.a));
  out.line("b: " + printable(result.b));
  for (auto first = result.rows.begin(); first != result.rows.end();) {
    const auto last = std::find_if(first, result.rows.end(), [&](const DiffRow& row) {
      return row.section != first->section;
    });
    out.line();
    if (!first->section.empty()) out.heading("  " + printable(first->section));
    write_section({first, last}, out);
    first = last;
  }
  out.line();
  out.line(fmt::format("{} figure{} differ{}, {} agree.", grouped(std::ssize(result.rows)),
                       result.rows.size() == 1 ? "" : "s", result.rows.size() == 1 ? "s" : "",
                       grouped(static_cast<std::int64_t>(result.same))));
}

}  // namespace planner
