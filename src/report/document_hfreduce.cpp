#include <fmt/format.h>

#include "planner/report/document.hpp"

namespace planner {

namespace {

void add_object(const Json& object, const std::string& section, DataTable& table) {
  if (!object.is_object()) return;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_object() && !value.is_array()) table.rows.push_back({section, name, value});
  }
}

/// Objects of the same keys, as rows.
DataTable listed(std::string title, const Json& objects) {
  DataTable table{.title = std::move(title), .header = {}};
  for (const Json& object : objects) {
    std::vector<Json> row;
    for (const auto& [name, value] : object.items()) {
      if (table.rows.empty()) table.header.push_back(name);
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
  add_object(at(result, {"storage", "read"}), "storage, read", table);
  add_object(at(result, {"storage", "write"}), "storage, write", table);
  add_object(at(result, {"storage", "checkpoint"}), "checkpoint", table);
  return table;
}

}  // namespace

Document hfreduce_document(const Json& answer) {
  const Json& result = needed(answer, {"result"});
  Document document{.title = "HFReduce on " + text(result, {"node"})};
  document.tables = {figures(result), listed("What if", needed_array(result, {"what_ifs"})),
                     listed("By number of nodes", needed_array(result, {"scaling", "rows"}))};
  return document;
}

DataTable hfreduce_data(const Json& answer) {
  return figures(needed(answer, {"result"}));
}

}  // namespace planner
