#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/present/html/page.hpp"
#include "planner/report/answer_view.hpp"
#include "planner/report/document.hpp"

// The sections of the HTML report. Each returns finished markup, all text in it escaped.
namespace planner::html {

using present::html_escaped;

/// A document that figures come from.
struct Source {
  std::string text, as_of, note;
  std::optional<bool> verified;
  std::vector<std::string> used_for;  ///< in the order found, each once
};

/// Numbers the sources of the page, so that a figure names its source with a number.
class Sources {
 public:
  /// The number of a source, from 1; 0 for none. `json` has "source", "as_of", "verified", "note".
  std::size_t add(const Json& json, const std::string& used_for);
  [[nodiscard]] const std::vector<Source>& list() const { return list_; }

 private:
  std::vector<Source> list_;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
};

/// "<sup>…3…</sup>" with a link to the list of sources; nothing for 0.
std::string reference(std::size_t number);

/// What the sections are made from.
struct Page {
  const Json& answer;
  std::vector<Json> clusters;
  std::vector<std::string> names;  ///< short
  Sources sources{};
};

/// `text` with the clusters' titles as their short names.
std::string in_short(std::string text, const Page& page);

/// A table, its title as a heading of this level.
std::string data_table(const DataTable& data, int level = 2);

/// A document as headings, paragraphs and tables: every command but cost and compare. The charts
/// stand below the first table, before the details.
std::string document_body(const Document& document, const std::string& charts);

std::string side_by_side(const Page& page);
/// What routing and failures make of the runs; nothing where no cluster has either.
std::string expected(const Page& page);
std::string bills(Page& page);
std::string assumptions(Page& page);
std::string source_list(const Page& page);
std::string warnings(const Page& page);
std::string unknowns(const Page& page);

}  // namespace planner::html
