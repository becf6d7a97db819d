#include "planner/report/csv.hpp"

#include "planner/json/number_text.hpp"
#include "planner/present/csv/csv.hpp"

namespace planner {

namespace {

std::string field_of(const std::string& text) {
  return present::csv_field(text);
}

std::string field_of(const Json& cell) {
  if (cell.is_null()) return {};
  if (cell.is_string()) return field_of(cell.get<std::string>());
  if (cell.is_number_float()) return json::shortest(cell.get<double>());
  if (cell.is_number() || cell.is_boolean()) return cell.dump();
  return field_of(cell.dump());
}

void add_record(const auto& cells, std::string& text) {
  bool first = true;
  for (const auto& cell : cells) {
    if (!first) text += ',';
    text += field_of(cell);
    first = false;
  }
  text += "\r\n";
}

}  // namespace

std::string to_csv(const DataTable& table) {
  std::string text;
  add_record(table.header, text);
  for (const auto& row : table.rows) add_record(row, text);
  return text;
}

}  // namespace planner
