#include <algorithm>
#include <array>

#include "planner/report/document.hpp"

namespace planner {

namespace {

/// "gain_pct" as people write it: "gain (%)".
std::string heading_of(std::string name) {
  struct Ending {
    std::string_view key, text;
  };
  constexpr std::array<Ending, 5> kUnits{{{"_GBps", " (GB/s)"},
                                          {"_pct", " (%)"},
                                          {"_us", " (µs)"},
                                          {"_bytes", " (bytes)"},
                                          {"_s", " (s)"}}};
  std::string unit;
  for (const Ending& ending : kUnits) {
    if (!name.ends_with(ending.key)) continue;
    name.resize(name.size() - ending.key.size());
    unit = ending.text;
    break;
  }
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + unit;
}

void add_object(const Json& object, const std::string& section, DataTable& table) {
  if (!object.is_object()) return;
  for (const auto& [name, value] : object.items()) {
    if (value.is_object() || value.is_array()) continue;
    table.rows.push_back({section, heading_of(name), value});
  }
}

/// Objects of the same keys, as rows.
DataTable listed(std::string title, const Json& objects) {
  DataTable table{.title = std::move(title), .header = {}};
  for (const Json& object : objects) {
    std::vector<Json> row;
    for (const auto& [name, value] : object.items()) {
      if (table.rows.empty()) table.header.push_back(heading_of(name));
      row.push_back(value);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable figures(const Json& result) {
  DataTable table{.title = "Figures", .header = {"section", "figure", "value"}};
  add_object(result, "answer", table);
  add_object(needed(result, {"memory_operations"}), "memory operations", table);
  add_object(needed(result, {"bounds_GBps"}), "bounds (GB/s)", table);
  add_object(at(result, {"training"}), "training", table);
  add_object(at(result, {"training", "hfreduce"}), "training, HFReduce", table);
  add_object(at(result, {"training", "nccl"}), "training, NCCL", table);
  add_object(at(result, {"storage"}), "storage", table);
  for (const std::string rate : {"read", "write"}) {
    add_object(at(result, {"storage", rate}), "storage, " + rate, table);
    add_object(at(result, {"storage", rate, "bounds_GBps"}), "storage, " + rate + ", GB/s at most",
               table);
  }
  add_object(at(result, {"storage", "checkpoint"}), "checkpoint", table);
  return table;
}

}  // namespace

Document hfreduce_document(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  Document document{.title = "HFReduce on " + text(result, {"node"})};
  document.tables = {figures(result),
                     listed("Lifted one after the other", needed_array(result, {"gains"})),
                     listed("Measured", needed_array(result, {"measured"})),
                     listed("What if", needed_array(result, {"what_ifs"})),
                     listed("By number of nodes", needed_array(result, {"scaling", "rows"}))};
  std::erase_if(document.tables, [](const DataTable& table) { return table.rows.empty(); });
  return document;
}

DataTable hfreduce_data(const Json& answer) {
  return figures(needed(answer, {"result"}));
}

}  // namespace planner
