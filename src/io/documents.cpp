#include "planner/io/documents.hpp"

#include <nlohmann/json.hpp>

#include "planner/core/closest_match.hpp"
#include "planner/io/calibration_documents.hpp"
#include "planner/io/collective_table.hpp"
#include "planner/io/cost_tables.hpp"
#include "planner/io/huggingface.hpp"
#include "planner/io/measured_row.hpp"
#include "planner/io/tables.hpp"

namespace planner::io {

namespace {

template <class T>
Json written(const Table<T>& table, const T& value) {
  Json out;
  write_object(table, value, out);
  return out;
}

LoadedModel from_huggingface(const JsonNode& root, SourceText source) {
  HuggingFaceModel model = read_huggingface(root, source);
  return {std::move(model.spec), std::move(model.warnings)};
}

/// A system table for uses that read nothing.
const Table<System>& system_shape() {
  static const Table<System> table = system_table({});
  return table;
}

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

StorageSystem parse_storage(std::string_view text, std::string_view source_name) {
  return parse_document(storage_table(), {source_name, text});
}

System parse_system(std::string_view text, std::string_view source_name,
                    const AcceleratorLookup& lookup) {
  return parse_document(system_table(lookup), {source_name, text});
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
Json to_json(const StorageSystem& storage) {
  return written(storage_table(), storage);
}
Json to_json(const System& system) {
  return written(system_shape(), system);
}

std::vector<std::string> schema_types() {
  return {"model",   "accelerator", "node",         "system",    "switch",
          "optic",   "nic",         "price_book",   "economics", "collectives",
          "cluster", "calibration", "measured-run", "storage",   "rates"};
}

Json json_schema(std::string_view type) {
  Json schema;
  if (type == "model") {
    describe_document(model_table(), schema);
  } else if (type == "accelerator") {
    describe_document(accelerator_table(), schema);
  } else if (type == "node") {
    describe_document(node_table(), schema);
  } else if (type == "system") {
    describe_document(system_shape(), schema);
  } else if (type == "switch") {
    describe_document(switch_table(), schema);
  } else if (type == "optic") {
    describe_document(optic_table(), schema);
  } else if (type == "nic") {
    describe_document(nic_table(), schema);
  } else if (type == "price_book") {
    describe_document(price_book_table(), schema);
  } else if (type == "economics") {
    describe_document(economics_table(), schema);
  } else if (type == "collectives") {
    describe_document(collective_library_table(), schema);
  } else if (type == "cluster") {
    describe_document(cluster_table(), schema);
  } else if (type == "calibration") {
    describe_document(calibration_table(), schema);
  } else if (type == "measured-run") {
    describe_measured_run(schema);
  } else if (type == "storage") {
    describe_document(storage_table(), schema);
  } else if (type == "rates") {
    describe_document(rates_table(), schema);
  } else {
    std::string types;
    for (const std::string& known : schema_types()) types += (types.empty() ? "" : ", ") + known;
    const auto meant = closest_match(type, schema_types());
    throw InputError(Diagnostic{
        .code = "unknown-name",
        .message = "no type is called " + in_quotes(type),
        .hint = meant ? "did you mean " + in_quotes(*meant) + "?" : "the types are " + types});
  }
  return schema;
}

}  // namespace planner::io
