#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/present/terminal/terminal.hpp"
#include "planner/report/schemas.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

std::string bold(std::string_view text, const present::TerminalStyle& style) {
  return present::emphasised(present::Emphasis::strong, text, style);
}

std::string dim(std::string_view text, const present::TerminalStyle& style) {
  return present::emphasised(present::Emphasis::quiet, text, style);
}

std::string render_table(const Response& response, const present::TerminalStyle& style) {
  if (const auto* const answered = std::get_if<commands::Answered>(&response.result)) {
    return answered->has_result() ? present::to_terminal(answered->document(), style) : "";
  }
  TerminalWriter out(style);
  if (std::holds_alternative<ClusterReport>(response.result)) write_cost(response, out);
  if (std::holds_alternative<CompareResult>(response.result)) write_compare(response, out);
  if (std::holds_alternative<SweepResult>(response.result)) write_sweep(response, out);
  if (std::holds_alternative<DiffResult>(response.result)) write_diff(response, out);
  if (const auto* schema = std::get_if<SchemaResult>(&response.result)) {
    out.line(schema_of(schema->type).dump(2));
  }
  return out.take();
}

// Messages stay on one line each: they are searched and copied more often than they are read.
std::string render_errors(const Response& response, const present::TerminalStyle& style) {
  std::string text;
  for (const Diagnostic& error : response.errors) {
    text += present::emphasised(present::Emphasis::error, "error:", style) + ' ' +
            printable(to_string(error)) + '\n';
    if (error.hint.empty()) continue;
    const bool says_closest = error.hint.starts_with("closest:");
    text += (says_closest ? "  " : "  hint: ") + printable(error.hint) + '\n';
  }
  return text;
}

std::string render_warnings(const Response& response, const present::TerminalStyle& style) {
  std::string text;
  const auto add = [&](const std::string& warning) {
    text += present::emphasised(present::Emphasis::warning, "warning:", style) + ' ' +
            printable(warning) + '\n';
  };
  std::ranges::for_each(response.warnings, add);
  const auto* const answered = std::get_if<commands::Answered>(&response.result);
  if (answered != nullptr && answered->has_result()) {
    std::ranges::for_each(answered->document().beside, add);
  }
  return text;
}

}  // namespace planner
