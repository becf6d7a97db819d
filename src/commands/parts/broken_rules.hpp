#pragma once

#include <string>
#include <vector>

#include "planner/commands/parts/physical_build.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/document.hpp"
#include "planner/site/build.hpp"

// Rules that a building breaks, as answers say them.
namespace planner::commands {

/// "4", or three significant digits.
std::string amount(double value);
/// "rack-power: rack 3 needs 41 kW, 40 there".
std::string broken_words(const site::Broken& broken);
const json::FieldTable<site::Broken>& broken_fields();
/// Adds what the power of a hall or the building rests on.
void explain_power(const Physical& physical, const Cluster& cluster,
                   std::vector<site::Broken>& broken);
/// A section; a limit that somebody gave is an error, an assumed one a warning.
void add_broken(const std::vector<site::Broken>& broken, present::Document& document);

}  // namespace planner::commands
