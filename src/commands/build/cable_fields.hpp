#pragma once

#include "planner/commands/build/build.hpp"
#include "planner/json/field_table.hpp"

namespace planner::commands {

const json::FieldTable<BuildAnswer::Cables>& cable_fields();

}  // namespace planner::commands
