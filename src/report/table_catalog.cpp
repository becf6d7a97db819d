#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string figure(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.10g}", value);
}

/// Why a figure is shown without a verdict.
std::string_view unchecked_because(published::Kind kind) {
  return kind == published::Kind::input ? "input" : "–";
}

/// Counts and arithmetic have to be exact; all else has a tolerance.
std::vector<std::string> check_cells(const published::Check& row) {
  const bool counted =
      row.kind == published::Kind::computed || row.kind == published::Kind::arithmetic;
  const bool exact = counted && !row.ceiling && row.tolerance <= 1e-8 * std::abs(row.published);
  const std::string within = !row.checked() ? ""
                             : row.ceiling  ? "≤ ours"
                             : exact        ? "exact"
                                            : fmt::format("± {:g}", row.tolerance);
  return {exact ? row.id + " · " + row.quantity : row.quantity,
          figure(row.published),
          std::isnan(row.ours) || exact ? figure(row.ours) : fmt::format("{:.4g}", row.ours),
          within,
          row.unit,
          std::string{!row.checked()      ? unchecked_because(row.kind)
                      : !row.reproduced() ? "≠"
                      : row.ceiling       ? "≤"
                                          : "✓"}};
}

}  // namespace

void write_validate(const Response& response, TerminalWriter& out) {
  const auto& rows = std::get<ValidateResult>(response.result).rows;
  std::size_t reproduced = 0;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const published::Check& row) {
      return row.source != first->source;
    });
    out.heading(first->source);
    std::vector<std::vector<std::string>> cells{{"", "published", "ours", "within", "", ""}};
    std::vector<std::string> notes;
    for (auto row = first; row != last; ++row) {
      reproduced += row->reproduced() ? 1 : 0;
      cells.push_back(check_cells(*row));
      const bool has_id =
          row->kind == published::Kind::computed || row->kind == published::Kind::arithmetic;
      const std::string note =
          !has_id || row->note.empty() ? row->note : row->id + ": " + row->note;
      const bool known = std::find(notes.begin(), notes.end(), note) != notes.end();
      if (!note.empty() && !known) notes.push_back(note);
    }
    out.columns(cells, 2);
    for (const std::string& note : notes) out.paragraph(note, 2);
    out.line();
    first = last;
  }
  const auto checked = std::count_if(rows.begin(), rows.end(),
                                     [](const published::Check& row) { return row.checked(); });
  const auto arithmetic = std::count_if(rows.begin(), rows.end(), [](const published::Check& row) {
    return row.kind == published::Kind::arithmetic;
  });
  const auto ceilings = std::count_if(rows.begin(), rows.end(), [](const published::Check& row) {
    return row.ceiling && row.reproduced();
  });
  out.paragraph(
      fmt::format("{} of {} published figures reproduced ({} of all are arithmetic on published "
                  "figures, not formulas of ours; {}, marked ≤, are measurements that stay below a "
                  "ceiling of ours); the {} marked ≠ do not follow from the inputs that their "
                  "source gives, each with the reason.",
                  reproduced, checked, arithmetic, ceilings,
                  checked - static_cast<std::ptrdiff_t>(reproduced)),
      0);
  out.paragraph(
      fmt::format("{} more are shown and test nothing: inputs that do not follow from what their "
                  "source states, and those marked –: [F] a "
                  "parameter is not published and was chosen, [E] explained only, [X] not "
                  "reproduced.",
                  std::ssize(rows) - checked),
      0);
}

void write_show(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<ShowResult>(response.result);
  std::visit([&](const auto& item) { out.line(printable(catalog::to_json(item).dump(2))); },
             result.item);
}

}  // namespace planner
