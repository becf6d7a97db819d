#include "planner/report/document.hpp"

#include <algorithm>
#include <array>

#include "planner/core/diagnostic.hpp"
#include "planner/report/sweep_view.hpp"

namespace planner {

namespace {

std::string joined(std::initializer_list<std::string_view> path) {
  std::string text;
  for (const std::string_view key : path) (text += text.empty() ? "" : ".") += key;
  return text;
}

DataTable differing(const Json& answer) {
  DataTable table{.title = "What differs",
                  .header = {"section", "figure", "a", "b", "difference", "difference (%)"}};
  for (const Json& row : needed_array(answer, {"result", "rows"})) {
    table.rows.push_back({at(row, {"section"}), at(row, {"name"}), at(row, {"a"}), at(row, {"b"}),
                          at(row, {"difference"}), at(row, {"difference_pct"})});
  }
  return table;
}

Document of_one(std::string title, DataTable table) {
  table.title.clear();
  return {.title = std::move(title), .tables = {std::move(table)}};
}

Document diff_document(const Json& answer) {
  return of_one(text(answer, {"result", "a"}) + " against " + text(answer, {"result", "b"}),
                differing(answer));
}

/// How the answers of a command are shown.
struct View {
  std::string_view command;
  Document (*document)(const Json& answer);
  DataTable (*data)(const Json& answer);
};

constexpr std::array kViews{
    View{"sweep", sweep_document, sweep_data}, View{"cost", cluster_document, cluster_data},
    View{"compare", cluster_document, cluster_data}, View{"diff", diff_document, differing}};

const View& view_of(const Json& answer) {
  const std::string command = text(answer, {"command"});
  const auto* const found = std::find_if(kViews.begin(), kViews.end(),
                                         [&](const View& view) { return view.command == command; });
  if (found != kViews.end()) return *found;
  throw InputError(
      Diagnostic{.code = "not-an-answer", .message = "there is no report of \"" + command + "\""});
}

}  // namespace

const Json& needed(const Json& json, std::initializer_list<std::string_view> path) {
  const Json& found = at(json, path);
  if (!found.is_null()) return found;
  throw InputError(Diagnostic{.code = "not-an-answer",
                              .message = "the answer has no \"" + joined(path) + "\"",
                              .hint = "it was changed after planner wrote it; save it again"});
}

const Json& needed_array(const Json& json, std::initializer_list<std::string_view> path) {
  const Json& found = needed(json, path);
  if (found.is_array()) return found;
  throw InputError(Diagnostic{.code = "not-an-answer",
                              .message = "the answer's \"" + joined(path) + "\" is no list",
                              .hint = "it was changed after planner wrote it; save it again"});
}

void add_texts(const Json& list, std::vector<std::string>& texts) {
  if (!list.is_array()) return;
  for (const Json& element : list) {
    if (!element.is_string()) continue;
    std::string words = element.get<std::string>();
    if (std::find(texts.begin(), texts.end(), words) == texts.end()) {
      texts.push_back(std::move(words));
    }
  }
}

void needed_bill(const Json& answer) {
  if (text(answer, {"command"}) == "cost") {
    needed_array(answer, {"result", "lines"});
  } else if (needed_array(answer, {"result", "clusters"}).empty()) {
    needed(answer, {"result", "a cluster"});
  }
}

Document document_of(const Json& answer) {
  Document document = view_of(answer).document(answer);
  add_texts(at(answer, {"warnings"}), document.notes);
  return document;
}

DataTable data_of(const Json& answer) {
  return view_of(answer).data(answer);
}

}  // namespace planner
