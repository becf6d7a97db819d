#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/collective_library.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/network_part.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"
#include "planner/domain/transformer.hpp"

namespace planner::catalog {

/// Finds a catalog accelerator by name; throws InputError when there is none.
using AcceleratorLookup = std::function<Accelerator(const std::string& name)>;

/// A model, and what a person should know about how its file was read.
struct LoadedModel {
  TransformerSpec spec;
  std::vector<Diagnostic> warnings;  ///< keys of a Hugging Face file that are not understood
};

// All of these throw InputError with everything that is wrong with the text, each finding with
// line and column. `source_name` is what messages call the text.

/// A model file of ours, or a Hugging Face config.json (which has "model_type" or "architectures").
LoadedModel parse_model(std::string_view text, std::string_view source_name);
Accelerator parse_accelerator(std::string_view text, std::string_view source_name);
Node parse_node(std::string_view text, std::string_view source_name);
/// @param lookup  resolves an accelerator that is given by name
System parse_system(std::string_view text, std::string_view source_name,
                    const AcceleratorLookup& lookup);
SwitchModel parse_switch(std::string_view text, std::string_view source_name);
Optic parse_optic(std::string_view text, std::string_view source_name);
Nic parse_nic(std::string_view text, std::string_view source_name);
PriceBook parse_price_book(std::string_view text, std::string_view source_name);
Economics parse_economics(std::string_view text, std::string_view source_name);
CollectiveLibrary parse_collectives(std::string_view text, std::string_view source_name);
Cluster parse_cluster(std::string_view text, std::string_view source_name);
StorageSystem parse_storage(std::string_view text, std::string_view source_name);
FailureRates parse_rates(std::string_view text, std::string_view source_name);

/// The value as a file of ours: parsing it gives the same value again. A system's accelerator is
/// written in full.
nlohmann::ordered_json to_json(const TransformerSpec& model);
nlohmann::ordered_json to_json(const Accelerator& accelerator);
nlohmann::ordered_json to_json(const Node& node);
nlohmann::ordered_json to_json(const System& system);
nlohmann::ordered_json to_json(const SwitchModel& model);
nlohmann::ordered_json to_json(const Optic& optic);
nlohmann::ordered_json to_json(const Nic& nic);
nlohmann::ordered_json to_json(const PriceBook& book);
nlohmann::ordered_json to_json(const Economics& economics);
nlohmann::ordered_json to_json(const CollectiveLibrary& library);
nlohmann::ordered_json to_json(const Cluster& cluster);
nlohmann::ordered_json to_json(const StorageSystem& storage);
nlohmann::ordered_json to_json(const FailureRates& rates);

/// The types that json_schema() knows: "model", "system", "cluster", …
std::vector<std::string> schema_types();
/// JSON Schema (draft 2020-12) of one type.
/// @throws InputError "unknown-name" with a hint
nlohmann::ordered_json json_schema(std::string_view type);

}  // namespace planner::catalog
