#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/io/documents.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

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
      reproduced += row->reproduced() ? 1 : 0;
      cells.push_back({row->quantity, fmt::format("{:g}", row->published),
                       fmt::format("{:.2f}", row->ours), fmt::format("± {:g}", row->tolerance),
                       row->unit, row->reproduced() ? "✓" : "✗"});
      const bool known = std::find(notes.begin(), notes.end(), row->note) != notes.end();
      if (!row->note.empty() && !known) notes.push_back(row->note);
    }
    out.columns(cells, 2);
    for (const std::string& note : notes) out.paragraph(note, 2);
    out.line();
    first = last;
  }
  out.line(fmt::format("{} of {} published figures reproduced within their tolerance", reproduced,
                       rows.size()));
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
