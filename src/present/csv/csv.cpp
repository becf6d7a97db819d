#include "planner/present/csv/csv.hpp"

#include <algorithm>
#include <cmath>
#include <set>

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

/// What columns of a table need behind them.
struct Behind {
  bool ends = false, bounds = false;
};

void add_table(const DataTable& table, std::string& text) {
  std::vector<Behind> behind;
  for (const auto& row : table.rows) {
    behind.resize(std::max({behind.size(), row.size(), table.header.size()}));
    for (std::size_t i = 0; i < row.size(); ++i) {
      behind[i].ends |= row[i].ends.has_value();
      behind[i].bounds |= row[i].at_least;
    }
  }
  behind.resize(std::max(behind.size(), table.header.size()));
  std::vector<std::string> header;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    const std::string name = i < table.header.size() ? table.header[i] : "";
    header.push_back(csv_field(with_unit(name, table.rows, i)));
    if (behind[i].ends) {
      header.push_back(csv_field(name + ", low"));
      header.push_back(csv_field(name + ", high"));
    }
    if (behind[i].bounds) header.push_back(csv_field(name + ", at least"));
  }
  const bool named = std::any_of(header.begin(), header.end(),
                                 [](const std::string& name) { return !name.empty(); });
  if (named) add_record(header, text);
  for (const auto& row : table.rows) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < behind.size(); ++i) {
      static const Cell kEmpty{};
      const Cell& cell = i < row.size() ? row[i] : kEmpty;
      fields.push_back(std::visit(Field{cell}, cell.value));
      if (behind[i].ends) {
        fields.push_back(cell.ends ? number_text(cell.ends->low) : "");
        fields.push_back(cell.ends ? number_text(cell.ends->high) : "");
      }
      if (behind[i].bounds) {
        fields.emplace_back(!cell.is_number() ? "" : cell.at_least ? "true" : "false");
      }
    }
    add_record(fields, text);
  }
}

/// Whether numbers of the column are in more than one unit.
bool mixed_units(const DataTable& table, std::size_t column) {
  std::set<std::string> units;
  for (const auto& row : table.rows) {
    if (column < row.size() && row[column].is_number()) units.insert(row[column].unit);
  }
  return units.size() > 1;
}

/// Mixed units in a column of named figures get a column of their own.
DataTable with_units(DataTable table) {
  const bool named = table.header == std::vector<std::string>{"figure", "value"};
  if (!named || !mixed_units(table, 1)) return table;
  table.header.emplace_back("unit");
  for (auto& row : table.rows) row.push_back(words(row[1].is_number() ? row[1].unit : ""));
  return table;
}

/// What is not a table of its own.
std::string statement(const Content& content) {
  if (const auto* const text = std::get_if<Text>(&content)) return text->lead + text->text;
  if (const auto* const block = std::get_if<Verbatim>(&content)) return block->text;
  return {};
}

void add_block(const Content& content, std::string& text) {
  if (const auto* const section = std::get_if<Section>(&content)) {
    text += "\r\n";
    add_record({csv_field(section->title)}, text);
  }
  for (const DataTable& table : data_of(content)) add_table(with_units(table), text);
  if (const std::string words = statement(content); !words.empty()) {
    add_record({csv_field(words)}, text);
  }
  if (const auto* const list = std::get_if<List>(&content)) {
    for (const std::string& item : list->items) add_record({csv_field(item)}, text);
  }
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
      return std::holds_alternative<Table>(content) || std::holds_alternative<Bill>(content);
    });
  }
  if (first != document.blocks.end()) {
    for (const DataTable& table : data_of(first->content)) add_table(table, text);
  }
  std::string rest;
  for (auto block = document.blocks.begin(); block != document.blocks.end(); ++block) {
    const auto next = std::find_if(std::next(block), document.blocks.end(), [](const Block& later) {
      return later.where != Where::terminal;
    });
    const bool heads_first = next == first && std::holds_alternative<Section>(block->content);
    if (!heads_first && block != first && block->where != Where::terminal)
      add_block(block->content, rest);
  }
  if (!rest.empty() && !text.empty() && !rest.starts_with("\r\n")) text += "\r\n";
  return text + rest;
}

}  // namespace planner::present
