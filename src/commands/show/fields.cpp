#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/site_files.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "planner/commands/list/files.hpp"
#include "planner/commands/show/show.hpp"

namespace planner::commands {

std::string file_text(const CatalogItem& item) {
  return std::visit([](const auto& file) { return catalog::to_json(file).dump(2); }, item);
}

const json::FieldTable<ShowAnswer>& show_fields() {
  static const json::FieldTable<ShowAnswer> kTable = [] {
    const auto file = json::described(json::json_text(), [](json::Json& schema) {
      for (const std::string& type : catalog::schema_types()) {
        if (type != "measured-run") schema["anyOf"].push_back({{"$ref", "#/$defs/" + type}});
      }
    });
    return json::FieldTable<ShowAnswer>{
        .type = "answer",
        .doc = "an answer of show",
        .fields = {json::required("result", &ShowAnswer::file, file, "a file of the catalog")},
        .open = true};
  }();
  return kTable;
}

}  // namespace planner::commands
