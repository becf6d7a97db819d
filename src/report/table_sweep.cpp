#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/report/answer_json.hpp"
#include "planner/report/sweep_view.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string cell(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_number_integer()) return grouped(value.get<std::int64_t>());
  return value.is_number() ? significant(value.get<double>()) : value.dump();
}

}  // namespace

void write_sweep(const Response& response, TerminalWriter& out) {
  const Json answer = answer_json(response);
  DataTable table = sweep_data(answer);
  const bool failures = table.header.back() == "error";
  if (failures) table.header.pop_back();
  const std::size_t parameters = parameters_of(answer).size();

  std::vector<std::vector<std::string>> rows{table.header};
  std::vector<std::string> errors;
  for (const std::vector<Json>& values : table.rows) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < table.header.size(); ++i) row.push_back(cell(values[i]));
    if (!failures || values.back().is_null()) continue;
    std::string where;
    for (std::size_t i = 0; i < parameters; ++i) {
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ", table.header[i], row[i]);
    }
    std::string error = where + ": " + printable(values.back().get<std::string>());
    if (errors.empty() || errors.back() != error) errors.push_back(std::move(error));
  }
  out.heading(table.title);
  out.columns(rows, 2);
  if (errors.empty()) return;
  out.line();
  out.heading("Rows that failed");
  for (const std::string& error : errors) out.paragraph(error, 2);
}

}  // namespace planner
