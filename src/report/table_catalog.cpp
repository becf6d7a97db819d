#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/io/cost_documents.hpp"
#include "planner/io/documents.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

bool is_test(const PublishedCheck& row) {
  return row.kind != PublishedKind::shown;
}

/// Counts and arithmetic have to be exact; times and slowdowns have a tolerance.
std::vector<std::string> check_cells(const PublishedCheck& row) {
  const bool timed = row.kind == PublishedKind::timing;
  if (!is_test(row) || (!timed && row.tolerance > 1e-8 * std::abs(row.published))) {
    return {row.quantity,
            fmt::format("{:.10g}", row.published),
            fmt::format("{:.4g}", row.ours),
            is_test(row) ? fmt::format("± {:g}", row.tolerance) : "",
            row.unit,
            is_test(row) ? (row.reproduced() ? "✓" : "≠") : "–"};
  }
  return {timed ? row.quantity : row.id + " · " + row.quantity,
          fmt::format("{:.10g}", row.published),
          timed ? fmt::format("{:.2f}", row.ours) : fmt::format("{:.10g}", row.ours),
          timed ? fmt::format("± {:g}", row.tolerance) : "exact",
          row.unit,
          row.reproduced() ? "✓" : "≠"};
}

}  // namespace

void write_validate(const Response& response, TableWriter& out) {
  const auto& rows = std::get<ValidateResult>(response.result).rows;
  std::size_t reproduced = 0;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(
        first, rows.end(), [&](const PublishedCheck& row) { return row.source != first->source; });
    out.heading(first->source);
    std::vector<std::vector<std::string>> cells{{"", "published", "ours", "within", "", ""}};
    std::vector<std::string> notes;
    for (auto row = first; row != last; ++row) {
      reproduced += is_test(*row) && row->reproduced() ? 1 : 0;
      cells.push_back(check_cells(*row));
      const std::string note = row->kind == PublishedKind::timing || row->note.empty()
                                   ? row->note
                                   : row->id + ": " + row->note;
      const bool known = std::find(notes.begin(), notes.end(), note) != notes.end();
      if (!note.empty() && !known) notes.push_back(note);
    }
    out.columns(cells, 2);
    for (const std::string& note : notes) out.paragraph(note, 2);
    out.line();
    first = last;
  }
  const auto arithmetic = std::count_if(rows.begin(), rows.end(), [](const PublishedCheck& row) {
    return row.kind == PublishedKind::arithmetic;
  });
  const auto tests = static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), is_test));
  out.paragraph(
      fmt::format("{} of {} published figures reproduced ({} of all are arithmetic on published "
                  "figures, not formulas of ours); the {} marked ≠ do not follow from the inputs "
                  "that their source gives, each with the reason.",
                  reproduced, tests, arithmetic, tests - reproduced),
      0);
  if (tests == rows.size()) return;
  out.paragraph(fmt::format("{} more, marked –, are shown and test nothing: [F] a parameter is not "
                            "published and was chosen, [E] explained only, [X] not reproduced.",
                            rows.size() - tests),
                0);
}

void write_list(const Response& response, TableWriter& out) {
  const auto& result = std::get<ListResult>(response.result);
  std::size_t widest = 0;
  for (const ListEntry& entry : result.entries) {
    widest = std::max(widest, display_width(entry.name));
  }
  for (const ListEntry& entry : result.entries) {
    out.line(bold(pad_right(entry.name, widest), out.style()) + "  " + printable(entry.summary));
  }
}

void write_show(const Response& response, TableWriter& out) {
  const auto& result = std::get<ShowResult>(response.result);
  std::visit([&](const auto& item) { out.line(printable(io::to_json(item).dump(2))); },
             result.item);
}

}  // namespace planner
