#include "planner/report/sweep_view.hpp"

#include <algorithm>

#include "planner/present/text.hpp"

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
      {"availability", "availability (%)", {{"availability"}}, 100},
      {"wall_between_failures_h", "time between failures (h)", {{"wall_between_failures_h"}}},
      {"checkpoint_interval_s", "checkpoint interval (s)", {{"checkpoint_interval_s"}}},
      {"failures_per_30_days", "failures in 30 days", {{"failures_per_30_days"}}},
      {"p_spares_ok", "spares suffice (%)", {{"p_spares_ok"}}, 100},
      {"days", "days without failures", {{"training", "days"}, {"days", "ideal"}}},
      {"days_expected", "days expected", {{"expected", "days", "mean"}, {"days", "mean"}}},
      {"days_p95", "days in 95 of 100 runs", {{"expected", "days", "p95"}, {"days", "p95"}}},
      {"cost_per_run_usd",
       "cost per run (USD)",
       {{"training", "cost_per_run_usd"}, {"cost", "ideal_run_usd"}}},
      {"cost_expected_usd", "cost expected (USD)", {{"cost", "mean_run_usd"}}},
      {"time_s", "time (s)", {{"time_s"}}},
      {"bus_bandwidth_GBps", "bus bandwidth (GB/s)", {{"bus_bandwidth_GBps"}}},
      {"bandwidth_GBps", "HFReduce (GB/s)", {{"bandwidth_GBps"}}},
      {"nccl_GBps", "NCCL (GB/s)", {{"nccl_GBps"}}},
      {"hfreduce_iteration_s",
       "iteration, HFReduce (s)",
       {{"training", "hfreduce", "iteration_time_s"}}},
      {"nccl_iteration_s", "iteration, NCCL (s)", {{"training", "nccl", "iteration_time_s"}}},
      {"S_mean", "slowdown S", {{"S_mean"}}},
      {"S_q", "S quantile", {{"S_q"}}},
      {"effective_GBps",
       "effective (GB/s)",
       {{"effective_GBps", "flows"},
        {"effective_GBps", "all_rings", "cluster"},
        {"effective_GBps", "all_rings", "pod"},
        {"effective_GBps", "all_rings", "leaf"}}},
      {"cp", "cp", {{"best", "strategy", "cp"}, {"strategy", "cp"}}, 1, 1},
      {"ep", "ep", {{"best", "strategy", "ep"}, {"strategy", "ep"}}, 1, 1},
  };
  return kFigures;
}

const Json& rows_of(const Json& answer) {
  return needed_array(answer, {"result", "rows"});
}

bool any_line_has(const std::vector<SweepLine>& lines, const Figure& figure) {
  return std::any_of(lines.begin(), lines.end(), [&](const SweepLine& line) {
    const Json value = figure_in(line, figure);
    return !value.is_null() && !(figure.usual && value == *figure.usual);
  });
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Of a command without any of the known figures: the numbers at the top of its results.
std::vector<Figure> plain_figures(const std::vector<SweepLine>& lines,
                                  const std::vector<std::string>& varied) {
  std::vector<Figure> found;
  for (const SweepLine& line : lines) {
    if (!line.result->is_object()) continue;
    for (const auto& [key, value] : line.result->items()) {
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&key = key](const Figure& f) { return f.key == key; });
      if (known || contains(varied, key) || !value.is_number()) continue;
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

SweepLines lines_of(const Json& answer) {
  const std::string command = text(answer, {"result", "command"});
  SweepLines sweep;
  for (const Json& row : rows_of(answer)) {
    const Json& result = at(row, {"result"});
    const Json& clusters = at(result, {"clusters"});
    const Json& sizes = at(result, {"sizes"});
    if (command == "compare" && clusters.is_array()) {
      sweep.part = "cluster";
      const std::vector<std::string> names = short_names(clusters_of(row));
      for (std::size_t i = 0; i < clusters.size(); ++i) {
        sweep.lines.push_back({&row, names[i], &clusters[i]});
      }
    } else if (command == "collective" && sizes.is_array()) {
      if (sizes.size() > 1) sweep.part = "bytes";
      for (const Json& size : sizes) sweep.lines.push_back({&row, at(size, {"bytes"}), &size});
    } else {
      sweep.lines.push_back({&row, nullptr, &result});
    }
  }
  return sweep;
}

std::vector<Figure> figures_of(const Json& answer, const SweepLines& sweep) {
  std::vector<Figure> found;
  const std::vector<std::string> varied = parameters_of(answer);
  for (const Figure& figure : known_figures()) {
    if (!contains(varied, figure.key) && any_line_has(sweep.lines, figure)) {
      found.push_back(figure);
    }
  }
  return found.empty() ? plain_figures(sweep.lines, varied) : found;
}

Json figure_in(const SweepLine& line, const Figure& figure) {
  if (figure.paths.empty()) return at(*line.result, {figure.key});
  for (const auto& path : figure.paths) {
    const Json& value = find(*line.result, path);
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
  const SweepLines sweep = lines_of(answer);
  const std::vector<Figure> figures = figures_of(answer, sweep);
  const bool failures = std::any_of(sweep.lines.begin(), sweep.lines.end(),
                                    [](const auto& line) { return !error_of(*line.row).empty(); });
  DataTable table{.title = "Sweep of " + text(answer, {"result", "command"}), .header = parameters};
  for (std::string& name : table.header) std::replace(name.begin(), name.end(), '_', '-');
  if (!sweep.part.empty()) table.header.push_back(sweep.part);
  for (const Figure& figure : figures) table.header.push_back(figure.header);
  if (failures) table.header.emplace_back("error");
  for (const SweepLine& line : sweep.lines) {
    std::vector<Json>& cells = table.rows.emplace_back();
    for (const std::string& name : parameters) cells.push_back(at(*line.row, {name}));
    if (!sweep.part.empty()) cells.push_back(line.part);
    for (const Figure& figure : figures) cells.push_back(figure_in(line, figure));
    if (!failures) continue;
    const std::string error = error_of(*line.row);
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
