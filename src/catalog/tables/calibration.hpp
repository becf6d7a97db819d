#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/domain/calibration.hpp"
#include "planner/json/field_table.hpp"

namespace planner::catalog {

const json::FieldTable<Calibration>& calibration_table();

/// @throws InputError with everything that is wrong with the text, each finding with line and
///         column; a constant that is missing is wrong too
Calibration parse_calibration(std::string_view text, std::string_view source_name);

/// The value as a file of ours: parsing it gives the same value again.
nlohmann::ordered_json to_json(const Calibration& calibration);

}  // namespace planner::catalog
