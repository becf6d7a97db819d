#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/io/documents.hpp"
#include "planner/report/json_network.hpp"
#include "planner/report/json_plan.hpp"
#include "planner/report/report.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Diagnostic& diagnostic) {
  return {{"code", diagnostic.code},
          {"message", diagnostic.message},
          {"hint", diagnostic.hint.empty() ? Json(nullptr) : Json(diagnostic.hint)},
          {"file", diagnostic.file.empty() ? Json(nullptr) : Json(diagnostic.file)},
          {"line", diagnostic.line > 0 ? Json(diagnostic.line) : Json(nullptr)},
          {"column", diagnostic.column > 0 ? Json(diagnostic.column) : Json(nullptr)}};
}

std::string_view name_of(PublishedKind kind) {
  switch (kind) {
    case PublishedKind::timing:
      return "timing";
    case PublishedKind::computed:
      return "computed";
    case PublishedKind::arithmetic:
      return "arithmetic";
  }
  return "";
}

Json to_json(const PublishedCheck& row) {
  return {{"id", row.id},     {"source", row.source},       {"quantity", row.quantity},
          {"unit", row.unit}, {"kind", name_of(row.kind)},  {"published", row.published},
          {"ours", row.ours}, {"tolerance", row.tolerance}, {"reproduced", row.reproduced()},
          {"note", row.note}};
}

Json to_json(const ValidateResult& result) {
  Json rows = Json::array();
  std::int64_t reproduced = 0;
  for (const PublishedCheck& row : result.rows) {
    rows.push_back(to_json(row));
    reproduced += row.reproduced() ? 1 : 0;
  }
  return {{"count", result.rows.size()}, {"reproduced", reproduced}, {"rows", rows}};
}

Json to_json(const ListResult& result) {
  Json entries = Json::array();
  for (const ListEntry& entry : result.entries) {
    entries.push_back({{"name", entry.name}, {"title", entry.title}, {"summary", entry.summary}});
  }
  return {{"kind", result.kind}, {"entries", entries}};
}

struct ResultToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const ShowResult& result) const {
    return std::visit([](const auto& item) { return io::to_json(item); }, result.item);
  }
  Json operator()(const SchemaResult& result) const { return io::json_schema(result.type); }
  Json operator()(const auto& result) const { return to_json(result); }
};

}  // namespace

std::string render_json(const Response& response) {
  Json json{{"schema_version", "1"},
            {"command", name_of(response.command)},
            {"ok", response.errors.empty()}};
  if (response.inputs) json["inputs"] = to_json(*response.inputs);
  if (!std::holds_alternative<std::monostate>(response.result)) {
    json["result"] = std::visit(ResultToJson{}, response.result);
  }
  json["warnings"] = response.warnings;
  if (!response.errors.empty()) {
    json["errors"] = Json::array();
    for (const Diagnostic& error : response.errors) json["errors"].push_back(to_json(error));
  }
  // Text from a user's file may hold anything; what is not UTF-8 becomes a replacement character.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace planner
