#include "planner/report/sweep_view.hpp"

#include <algorithm>

#include "planner/report/text.hpp"

namespace planner {

namespace {

/// What people look for first, by the key that holds it, whatever the command.
const std::vector<Figure>& known_figures() {
  static const std::vector<Figure> kFigures{
      {"iteration_time_s",
       "iteration (s)",
       {{"best", "iteration_time_s"}, {"iteration_time_s"}, {"training", "iteration_time_s"}}},
      {"mfu", "MFU (%)", {{"best", "mfu"}, {"mfu"}, {"training", "mfu"}}, 100},
      {"memory_bytes",
       "memory (GB)",
       {{"best", "memory", "total_bytes"}, {"memory", "total_bytes"}},
       1e-9},
      {"tp", "tp", {{"best", "strategy", "tp"}, {"strategy", "tp"}}},
      {"pp", "pp", {{"best", "strategy", "pp"}, {"strategy", "pp"}}},
      {"dp", "dp", {{"best", "strategy", "dp"}, {"strategy", "dp"}}},
      {"switches", "switches", {{"switches", "total"}}},
      {"transceivers", "transceivers", {{"transceivers"}}},
      {"cost_usd", "cost (USD)", {{"cost_usd", "total"}}},
      {"cost_relative", "cost (relative)", {{"cost_relative", "total"}}},
      {"capex_usd", "capex (USD)", {{"capex_usd"}}},
      {"capex_relative", "capex (relative)", {{"capex_relative"}}},
      {"tco_usd", "TCO (USD)", {{"tco_usd"}}},
      {"unpriced_lines", "lines without a price", {{"unpriced_lines"}}, 1, 0},
      {"days", "days without failures", {{"training", "days"}}},
      {"days_expected", "days expected", {{"expected", "days", "mean"}}},
      {"cost_per_run_usd", "cost per run (USD)", {{"training", "cost_per_run_usd"}}},
      {"cp", "cp", {{"best", "strategy", "cp"}, {"strategy", "cp"}}, 1, 1},
      {"ep", "ep", {{"best", "strategy", "ep"}, {"strategy", "ep"}}, 1, 1},
  };
  return kFigures;
}

const Json& rows_of(const Json& answer) {
  return needed_array(answer, {"result", "rows"});
}

bool any_row_has(const Json& rows, const Figure& figure) {
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) {
    const Json value = figure_in(row, figure);
    return !value.is_null() && !(figure.usual && value == *figure.usual);
  });
}

/// Of a command without any of the known figures: the numbers at the top of its results.
std::vector<Figure> plain_figures(const Json& rows) {
  std::vector<Figure> found;
  for (const Json& row : rows) {
    const Json& result = at(row, {"result"});
    if (!result.is_object()) continue;
    for (const auto& [key, value] : result.items()) {
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&key = key](const Figure& f) { return f.key == key; });
      if (known || !value.is_number()) continue;
      found.push_back({.key = key, .header = key, .paths = {}});
    }
  }
  return found;
}

const Json& find(const Json& json, const std::vector<std::string_view>& path) {
  const Json* found = &json;
  for (const std::string_view key : path) found = &at(*found, {key});
  return *found;
}

/// "gpus 4,096"; of a switch its name.
std::string option_in_words(std::string key, const Json& value) {
  std::replace(key.begin(), key.end(), '_', '-');
  if (value.is_string()) return key + " " + value.get<std::string>();
  if (value.is_number_integer()) return key + " " + grouped(value.get<std::int64_t>());
  if (value.is_number()) return key + " " + significant(value.get<double>());
  return key;
}

}  // namespace

std::vector<Figure> figures_of(const Json& answer) {
  const Json& rows = rows_of(answer);
  std::vector<Figure> found;
  const std::vector<std::string> varied = parameters_of(answer);
  for (const Figure& figure : known_figures()) {
    const bool given = std::find(varied.begin(), varied.end(), figure.key) != varied.end();
    if (!given && any_row_has(rows, figure)) found.push_back(figure);
  }
  return found.empty() ? plain_figures(rows) : found;
}

Json figure_in(const Json& row, const Figure& figure) {
  const Json& result = at(row, {"result"});
  if (figure.paths.empty()) return at(result, {figure.key});
  for (const auto& path : figure.paths) {
    const Json& value = find(result, path);
    if (value.is_number()) {
      return figure.scale == 1 ? value : Json(value.get<double>() * figure.scale);
    }
  }
  return nullptr;
}

std::vector<std::string> parameters_of(const Json& answer) {
  std::vector<std::string> names;
  for (const auto& [name, values] : needed(answer, {"result", "parameters"}).items()) {
    names.push_back(name);
  }
  return names;
}

std::string error_of(const Json& row) {
  const Json& errors = at(row, {"errors"});
  return errors.is_array() && !errors.empty() ? text(errors.front(), {"message"}) : std::string{};
}

DataTable sweep_data(const Json& answer) {
  const std::vector<std::string> parameters = parameters_of(answer);
  const std::vector<Figure> figures = figures_of(answer);
  const Json& rows = rows_of(answer);
  const bool failures =
      std::any_of(rows.begin(), rows.end(), [](const Json& row) { return !error_of(row).empty(); });
  DataTable table{.title = "Sweep of " + text(answer, {"result", "command"}), .header = parameters};
  for (std::string& name : table.header) std::replace(name.begin(), name.end(), '_', '-');
  for (const Figure& figure : figures) table.header.push_back(figure.header);
  if (failures) table.header.emplace_back("error");
  for (const Json& row : rows) {
    std::vector<Json>& cells = table.rows.emplace_back();
    for (const std::string& name : parameters) cells.push_back(at(row, {name}));
    for (const Figure& figure : figures) cells.push_back(figure_in(row, figure));
    if (!failures) continue;
    const std::string error = error_of(row);
    cells.push_back(error.empty() ? Json(nullptr) : Json(error));
  }
  return table;
}

std::string shared_by_all(const Json& answer) {
  std::vector<std::string> words;
  add_texts(at(answer, {"result", "arguments"}), words);
  const Json& given = at(answer, {"result", "given"});
  if (given.is_object()) {
    for (const auto& [key, value] : given.items()) words.push_back(option_in_words(key, value));
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " · ") + word;
  return text;
}

Document sweep_document(const Json& answer) {
  DataTable table = sweep_data(answer);
  Document document{.title = std::move(table.title)};
  if (std::string shared = shared_by_all(answer); !shared.empty()) {
    document.paragraphs.push_back(std::move(shared));
  }
  table.title.clear();
  document.tables.push_back(std::move(table));
  return document;
}

}  // namespace planner
