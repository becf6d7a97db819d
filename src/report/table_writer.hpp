#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/core/printable.hpp"
#include "planner/present/text.hpp"
#include "planner/report/report.hpp"

// What the tables of all commands are made of.
namespace planner {

/// Collects the lines of a report.
class TableWriter {
 public:
  explicit TableWriter(const TableStyle& style) : style_(style) {}

  void line(std::string_view text = {}) { (text_ += text) += '\n'; }
  /// A heading, bold where colours are on; `right` is set at the right edge.
  void heading(std::string_view left, std::string_view right = {});
  /// Text broken at the terminal's width, continued under its own start; `lead` hangs before it.
  void paragraph(std::string_view text, std::size_t indent, std::string_view lead = {});
  /// Rows with columns as wide as their widest cell; the first column is set left and broken into
  /// lines where a row is wider than the terminal, the others are set right; an empty column takes
  /// no room.
  void columns(const std::vector<std::vector<std::string>>& rows, std::size_t indent);

  [[nodiscard]] const TableStyle& style() const { return style_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  TableStyle style_;
  std::string text_;
};

/// ANSI emphasis, or the text as it is.
std::string bold(std::string_view text, const TableStyle& style);
std::string dim(std::string_view text, const TableStyle& style);

void write_optimize(const Response& response, TableWriter& out);
void write_estimate(const Response& response, TableWriter& out);
void write_collective(const Response& response, TableWriter& out);
void write_cost(const Response& response, TableWriter& out);
void write_compare(const Response& response, TableWriter& out);
void write_hfreduce(const Response& response, TableWriter& out);
void write_reliability(const Response& response, TableWriter& out);
void write_routing(const Response& response, TableWriter& out);
void write_sweep(const Response& response, TableWriter& out);
void write_validate(const Response& response, TableWriter& out);
void write_measured(const Response& response, TableWriter& out);
void write_calibrate(const Response& response, TableWriter& out);
void write_diff(const Response& response, TableWriter& out);
void write_show(const Response& response, TableWriter& out);

}  // namespace planner
