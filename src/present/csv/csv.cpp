#include "planner/present/csv/csv.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/core/printable.hpp"
#include "planner/json/number_text.hpp"
#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr std::string_view kFormulaStarts = "=+-@\t\r";

std::string number_text(double value) {
  return std::isfinite(value) ? json::shortest(value) : std::string{};
}

/// What a program reads: the plain value; where it is not known, the word for that.
struct Field {
  const Cell& cell;

  std::string operator()(std::monostate) const {
    return cell.text == none().text ? std::string{} : csv_field(cell.text);
  }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return csv_field(value); }
};

void add_record(const std::vector<std::string>& fields, std::string& text) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    text += fields[i];
  }
  text += "\r\n";
}

void add_table(const DataTable& table, std::string& text) {
  const DataTable wide = for_programs(table);
  std::vector<std::string> header;
  for (const std::string& name : wide.header) header.push_back(csv_field(name));
  const bool named = std::any_of(header.begin(), header.end(),
                                 [](const std::string& name) { return !name.empty(); });
  if (named) add_record(header, text);
  for (const auto& row : wide.rows) {
    std::vector<std::string> fields;
    for (const Cell& cell : row) fields.push_back(std::visit(Field{cell}, cell.value));
    add_record(fields, text);
  }
}

/// What is not a table of its own.
std::string statement(const Content& content) {
  if (const auto* const text = std::get_if<Text>(&content)) return text->lead + text->text;
  if (const auto* const block = std::get_if<Verbatim>(&content)) return block->text;
  return {};
}

std::string block_of(const Content& content) {
  std::string text;
  for (const DataTable& table : data_of(content)) add_table(table, text);
  if (const std::string words = statement(content); !words.empty()) {
    add_record({csv_field(words)}, text);
  }
  if (const auto* const list = std::get_if<List>(&content)) {
    for (const std::string& item : list->items) add_record({csv_field(item)}, text);
  }
  return text;
}

/// Words that only reports have are no data.
bool is_data(const Block& block) {
  const bool words =
      std::holds_alternative<Text>(block.content) || std::holds_alternative<List>(block.content);
  return block.where == Where::everywhere || (block.where == Where::beyond_terminal && !words);
}

}  // namespace

std::string csv_field(const std::string& words) {
  std::string text = printable(words, "?", "\t\r\n");
  if (!text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos) {
    text.insert(0, 1, '\'');
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string to_csv(const Document& document) {
  std::string text;
  const auto found = [&](const auto& is) {
    return std::find_if(document.blocks.begin(), document.blocks.end(), [&](const Block& block) {
      return block.where != Where::terminal && is(block.content);
    });
  };
  auto first = found([](const Content& content) {
    const auto* const table = std::get_if<Table>(&content);
    return table != nullptr && table->leads;
  });
  if (first == document.blocks.end()) {
    first = found([](const Content& content) {
      const auto* const table = std::get_if<Table>(&content);
      return (table != nullptr && !table->repeats) || std::holds_alternative<Bill>(content);
    });
  }
  if (first != document.blocks.end()) {
    for (const DataTable& table : data_of(first->content)) add_table(table, text);
  }
  std::string rest, heading;
  for (auto block = document.blocks.begin(); block != document.blocks.end(); ++block) {
    if (const auto* const section = std::get_if<Section>(&block->content)) {
      heading = "\r\n";
      add_record({csv_field(section->title)}, heading);
    } else if (block == first) {
      heading.clear();
    } else if (const std::string more = is_data(*block) ? block_of(block->content) : "";
               !more.empty()) {
      rest += std::exchange(heading, "") + more;
    }
  }
  if (!rest.empty() && !text.empty() && !rest.starts_with("\r\n")) text += "\r\n";
  return text + rest;
}

}  // namespace planner::present
