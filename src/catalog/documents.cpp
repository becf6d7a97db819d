#include "planner/catalog/documents.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/huggingface/huggingface.hpp"
#include "planner/catalog/measured/row.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "planner/catalog/tables/site.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/catalog/written.hpp"
#include "planner/core/closest_match.hpp"

namespace planner::catalog {

using namespace json;

namespace {

LoadedModel from_huggingface(const JsonNode& root, SourceText source) {
  HuggingFaceModel model = read_huggingface(root, source);
  return {std::move(model.spec), std::move(model.warnings)};
}

/// A type of file by its name, and what describes it.
struct SchemaType {
  const char* name;
  void (*describe)(Json& schema);
};

template <auto table>
void describe(Json& schema) {
  describe_document(table(), schema);
}

constexpr std::array<SchemaType, 19> kSchemaTypes{{
    {"model", describe<model_table>},
    {"accelerator", describe<accelerator_table>},
    {"node", describe<node_table>},
    {"system", describe<whole_system_table>},
    {"switch", describe<switch_table>},
    {"optic", describe<optic_table>},
    {"nic", describe<nic_table>},
    {"price_book", describe<price_book_table>},
    {"economics", describe<economics_table>},
    {"collectives", describe<collective_library_table>},
    {"cluster", describe<cluster_table>},
    {"brief", describe<brief_table>},
    {"calibration", describe<calibration_table>},
    {"measured-run", describe_measured_run},
    {"storage", describe<storage_table>},
    {"rates", describe<rates_table>},
    {"site", describe<site_table>},
    {"chassis", describe<chassis_table>},
    {"medium", describe<medium_table>},
}};

}  // namespace

LoadedModel parse_model(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  const JsonNode root = parse_json(source);
  if (is_huggingface(root)) return from_huggingface(root, source);
  return {read_document(model_table(), root, source), {}};
}

Accelerator parse_accelerator(std::string_view text, std::string_view source_name) {
  return parse_document(accelerator_table(), {source_name, text});
}

Node parse_node(std::string_view text, std::string_view source_name) {
  return parse_document(node_table(), {source_name, text});
}

System parse_system(std::string_view text, std::string_view source_name,
                    const AcceleratorLookup& lookup) {
  return parse_document(system_table(lookup), {source_name, text});
}

SwitchModel parse_switch(std::string_view text, std::string_view source_name) {
  return parse_document(switch_table(), {source_name, text});
}

Optic parse_optic(std::string_view text, std::string_view source_name) {
  return parse_document(optic_table(), {source_name, text});
}

Nic parse_nic(std::string_view text, std::string_view source_name) {
  return parse_document(nic_table(), {source_name, text});
}

PriceBook parse_price_book(std::string_view text, std::string_view source_name) {
  return parse_document(price_book_table(), {source_name, text});
}

Economics parse_economics(std::string_view text, std::string_view source_name) {
  return parse_document(economics_table(), {source_name, text});
}

CollectiveLibrary parse_collectives(std::string_view text, std::string_view source_name) {
  return parse_document(collective_library_table(), {source_name, text});
}

Cluster parse_cluster(std::string_view text, std::string_view source_name) {
  return parse_document(cluster_table(), {source_name, text});
}

StorageSystem parse_storage(std::string_view text, std::string_view source_name) {
  return parse_document(storage_table(), {source_name, text});
}

FailureRates parse_rates(std::string_view text, std::string_view source_name) {
  return parse_document(rates_table(), {source_name, text});
}

Json to_json(const TransformerSpec& model) {
  return written(model_table(), model);
}
Json to_json(const Accelerator& accelerator) {
  return written(accelerator_table(), accelerator);
}
Json to_json(const Node& node) {
  return written(node_table(), node);
}
Json to_json(const System& system) {
  return written(whole_system_table(), system);
}
Json to_json(const SwitchModel& model) {
  return written(switch_table(), model);
}
Json to_json(const Optic& optic) {
  return written(optic_table(), optic);
}
Json to_json(const Nic& nic) {
  return written(nic_table(), nic);
}
Json to_json(const PriceBook& book) {
  return written(price_book_table(), book);
}
Json to_json(const Economics& economics) {
  return written(economics_table(), economics);
}
Json to_json(const CollectiveLibrary& library) {
  return written(collective_library_table(), library);
}
Json to_json(const Cluster& cluster) {
  return written(cluster_table(), cluster);
}
Json to_json(const StorageSystem& storage) {
  return written(storage_table(), storage);
}
Json to_json(const FailureRates& rates) {
  return written(rates_table(), rates);
}

std::vector<std::string> schema_types() {
  std::vector<std::string> names;
  for (const SchemaType& type : kSchemaTypes) names.emplace_back(type.name);
  return names;
}

Json json_schema(std::string_view type) {
  const auto* const found =
      std::find_if(kSchemaTypes.begin(), kSchemaTypes.end(),
                   [&](const SchemaType& known) { return known.name == type; });
  if (found == kSchemaTypes.end()) {
    std::string types;
    for (const std::string& known : schema_types()) types += (types.empty() ? "" : ", ") + known;
    const auto meant = closest_match(type, schema_types());
    throw InputError(Diagnostic{
        .code = "unknown-name",
        .message = "no type is called " + in_quotes(type),
        .hint = meant ? "did you mean " + in_quotes(*meant) + "?" : "the types are " + types});
  }
  Json schema;
  found->describe(schema);
  return schema;
}

}  // namespace planner::catalog
