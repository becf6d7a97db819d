#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What people and programs find in a rendered document, read without our renderers' help.
namespace planner::testing {

inline std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n\r\t");
  if (first == std::string_view::npos) return {};
  return std::string{text.substr(first, text.find_last_not_of(" \n\r\t") + 1 - first)};
}

inline std::string all_replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The cells of Markdown's tables; backslashes escape.
inline std::vector<std::string> markdown_cells(const std::string& page) {
  std::vector<std::string> cells;
  for (std::size_t start = 0; start < page.size();) {
    const std::size_t end = std::min(page.find('\n', start), page.size());
    if (page[start] == '|') {
      std::string cell;
      for (std::size_t i = start + 1; i < end; ++i) {
        if (page[i] == '\\') {
          cell += page[++i];
        } else if (page[i] == '|') {
          cells.push_back(trimmed(all_replaced(all_replaced(cell, "&lt;", "<"), "&amp;", "&")));
          cell.clear();
        } else {
          cell += page[i];
        }
      }
    }
    start = end + 1;
  }
  return cells;
}

/// The cells of a page's tables, without what compares them with others.
inline std::vector<std::string> html_cells(const std::string& page) {
  std::vector<std::string> cells;
  for (std::size_t at = page.find("<body>"); (at = page.find("<t", at)) != std::string::npos;) {
    const char kind = page[at + 2];
    const bool cell = (kind == 'd' || kind == 'h') && (page[at + 3] == ' ' || page[at + 3] == '>');
    at = page.find('>', at) + 1;
    if (!cell) continue;
    std::string text;
    const std::size_t end = page.find(kind == 'd' ? "</td>" : "</th>", at);
    while (at < end) {
      if (page[at] != '<') {
        text += page[at++];
        continue;
      }
      const bool aside = page.compare(at, 18, "<span class=\"delta") == 0;
      at = aside ? page.find("</span>", at) + 7 : page.find('>', at) + 1;
    }
    for (const auto& [entity, character] :
         {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""},
          std::pair{"&#39;", "'"}, std::pair{"\u00A0", " "}, std::pair{"&amp;", "&"}}) {
      text = all_replaced(text, entity, character);
    }
    cells.push_back(trimmed(text));
  }
  return cells;
}

/// The records of a CSV (RFC 4180).
inline std::vector<std::vector<std::string>> csv_records(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      records.back().emplace_back();
    } else if (text.compare(i, 2, "\r\n") == 0 && !quoted) {
      records.emplace_back(1);
      ++i;
    } else {
      field += text[i];
    }
  }
  return records;
}

}  // namespace planner::testing
