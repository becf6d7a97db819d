#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/domain/cluster.hpp"
#include "planner/domain/collective_library.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/network_part.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/reliability.hpp"

namespace planner::io {

// All of these throw InputError with everything that is wrong with the text, each finding with
// line and column. `source_name` is what messages call the text.

SwitchModel parse_switch(std::string_view text, std::string_view source_name);
Optic parse_optic(std::string_view text, std::string_view source_name);
Nic parse_nic(std::string_view text, std::string_view source_name);
PriceBook parse_price_book(std::string_view text, std::string_view source_name);
Economics parse_economics(std::string_view text, std::string_view source_name);
CollectiveLibrary parse_collectives(std::string_view text, std::string_view source_name);
Cluster parse_cluster(std::string_view text, std::string_view source_name);
FailureRates parse_rates(std::string_view text, std::string_view source_name);

/// The value as a file of ours: parsing it gives the same value again.
nlohmann::ordered_json to_json(const SwitchModel& model);
nlohmann::ordered_json to_json(const Optic& optic);
nlohmann::ordered_json to_json(const Nic& nic);
nlohmann::ordered_json to_json(const PriceBook& book);
nlohmann::ordered_json to_json(const Economics& economics);
nlohmann::ordered_json to_json(const CollectiveLibrary& library);
nlohmann::ordered_json to_json(const Cluster& cluster);
nlohmann::ordered_json to_json(const FailureRates& rates);

}  // namespace planner::io
