#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/present/terminal/terminal.hpp"
#include "planner/report/emit.hpp"
#include "planner/report/schemas.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string emphasised(const char* code, std::string_view text, const TableStyle& style) {
  if (!style.color) return std::string{text};
  return std::string{"\x1b["} + code + "m" + std::string{text} + "\x1b[0m";
}

constexpr std::size_t kLeastFirst = 20;

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

std::string bold(std::string_view text, const TableStyle& style) {
  return emphasised("1", text, style);
}

std::string dim(std::string_view text, const TableStyle& style) {
  return emphasised("2", text, style);
}

void TableWriter::heading(std::string_view left, std::string_view right) {
  const std::size_t taken = display_width(left) + display_width(right);
  const std::size_t gap = style_.width > taken ? style_.width - taken : 1;
  line(right.empty() ? bold(left, style_)
                     : bold(left, style_) + std::string(gap, ' ') + dim(right, style_));
}

void TableWriter::paragraph(std::string_view text, std::size_t indent, std::string_view lead) {
  const std::size_t hanging = indent + display_width(lead);
  std::string lines = wrapped(text, style_.width - hanging, 0);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += hanging) {
    lines.insert(++at, hanging, ' ');
  }
  line(std::string(indent, ' ') + std::string{lead} + lines);
}

void TableWriter::columns(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  narrow_first(widths, indent, style_.width);
  for (const auto& row : rows) {
    const std::vector<std::string> words = row_lines(row.front(), widths.front());
    std::string text = std::string(indent, ' ') + pad_right(words.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (widths[i] > 0) text += "  " + pad_left(row[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    line(text);
    for (std::size_t i = 1; i < words.size(); ++i) line(std::string(indent, ' ') + words[i]);
  }
}

std::string render_table(const Response& response, const TableStyle& style) {
  if (response.emit && plan_of(response) != nullptr) return emitted_text(response);
  if (const auto* const answered = std::get_if<commands::Answered>(&response.result)) {
    return present::to_terminal(answered->document(), {style.color, style.width});
  }
  TableWriter out(style);
  if (std::holds_alternative<OptimizeResult>(response.result)) write_optimize(response, out);
  if (std::holds_alternative<EstimateResult>(response.result)) write_estimate(response, out);
  if (std::holds_alternative<CollectiveResult>(response.result)) write_collective(response, out);
  if (std::holds_alternative<ClusterReport>(response.result)) write_cost(response, out);
  if (std::holds_alternative<CompareResult>(response.result)) write_compare(response, out);
  if (std::holds_alternative<HfReduceResult>(response.result)) write_hfreduce(response, out);
  if (std::holds_alternative<ReliabilityResult>(response.result)) write_reliability(response, out);
  if (std::holds_alternative<RoutingResult>(response.result)) write_routing(response, out);
  if (std::holds_alternative<SweepResult>(response.result)) write_sweep(response, out);
  if (std::holds_alternative<ValidateResult>(response.result)) write_validate(response, out);
  if (std::holds_alternative<MeasuredResult>(response.result)) write_measured(response, out);
  if (std::holds_alternative<CalibrateResult>(response.result)) write_calibrate(response, out);
  if (std::holds_alternative<DiffResult>(response.result)) write_diff(response, out);
  if (std::holds_alternative<ShowResult>(response.result)) write_show(response, out);
  if (const auto* schema = std::get_if<SchemaResult>(&response.result)) {
    out.line(schema_of(schema->type).dump(2));
  }
  return out.take();
}

// Messages stay on one line each: they are searched and copied more often than they are read.
std::string render_errors(const Response& response, const TableStyle& style) {
  std::string text;
  for (const Diagnostic& error : response.errors) {
    text += emphasised("1;31", "error:", style) + ' ' + printable(to_string(error)) + '\n';
    if (error.hint.empty()) continue;
    const bool says_closest = error.hint.starts_with("closest:");
    text += (says_closest ? "  " : "  hint: ") + printable(error.hint) + '\n';
  }
  return text;
}

std::string render_warnings(const Response& response, const TableStyle& style) {
  std::string text;
  const auto add = [&](const std::string& warning) {
    text += emphasised("1;33", "warning:", style) + ' ' + printable(warning) + '\n';
  };
  std::ranges::for_each(response.warnings, add);
  std::ranges::for_each(remarks_beside(response), add);
  return text;
}

}  // namespace planner
