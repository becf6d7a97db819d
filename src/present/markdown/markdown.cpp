#include "planner/present/markdown/markdown.hpp"

#include <algorithm>

#include "planner/core/printable.hpp"
#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

/// Writes one kind of block each.
class Blocks {
 public:
  explicit Blocks(std::string& text) : text_(text) {}

  void operator()(const Section& section) {
    text_ += "\n## " + markdown_escaped(section.title) + '\n';
    if (!section.aside.empty()) text_ += "\n*" + markdown_escaped(section.aside) + "*\n";
  }
  void operator()(const Text& block) {
    text_ += '\n' + markdown_escaped(block.lead + block.text) + '\n';
  }
  void operator()(const List& list) {
    text_ += '\n';
    for (const std::string& item : list.items) text_ += "- " + markdown_escaped(item) + '\n';
  }
  void operator()(const Sources& block) {
    text_ += '\n';
    std::size_t number = 0;
    for (const Source& source : block.sources) {
      text_ += std::to_string(++number) + ". " + markdown_escaped(source.text);
      if (!source.as_of.empty()) text_ += ", " + markdown_escaped(source.as_of);
      if (!source.verified) text_ += " (unverified)";
      if (!source.note.empty()) text_ += " (" + markdown_escaped(source.note) + ")";
      text_ += '\n';
    }
  }
  void operator()(const Verbatim& block) { text_ += "\n```\n" + block.text + "\n```\n"; }
  void operator()(const Charts&) {}
  void operator()(const Drawing&) {}
  void operator()(const auto& block) {
    for (const DataTable& table : data_of(block)) add(table);
  }

 private:
  static bool has_numbers(const DataTable& table, std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return column < row.size() && row[column].is_number();
    });
  }

  void add(const DataTable& table) {
    std::size_t columns = table.header.size();
    for (const auto& row : table.rows) columns = std::max(columns, row.size());
    text_ += "\n|";
    for (std::size_t i = 0; i < columns; ++i) {
      text_ += ' ' + (i < table.header.size() ? markdown_escaped(table.header[i]) : "") + " |";
    }
    text_ += "\n|";
    for (std::size_t i = 0; i < columns; ++i) text_ += has_numbers(table, i) ? " ---: |" : " --- |";
    text_ += '\n';
    for (const auto& row : table.rows) {
      text_ += '|';
      for (std::size_t i = 0; i < columns; ++i) {
        text_ += ' ' + (i < row.size() ? markdown_escaped(row[i].text) : "") + " |";
      }
      text_ += '\n';
    }
  }

  std::string& text_;
};

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text, " ", "")) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::string_view{"\\`*_[]|~#"}.find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string to_markdown(const Document& document) {
  std::string text = "# " + markdown_escaped(document.title) + '\n';
  if (!document.aside.empty()) text += "\n*" + markdown_escaped(document.aside) + "*\n";
  for (const Block& block : document.blocks) {
    if (block.where != Where::terminal) std::visit(Blocks(text), block.content);
  }
  return text;
}

}  // namespace planner::present
