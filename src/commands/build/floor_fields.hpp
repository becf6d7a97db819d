#pragma once

#include "planner/commands/build/build.hpp"
#include "planner/json/answer_fields.hpp"

// The floor and the halls of a build as keys of its answer.
namespace planner::commands {

const json::FieldTable<BuildAnswer::FloorLine>& floor_fields();
const json::FieldTable<BuildAnswer::HallLine>& hall_fields();

}  // namespace planner::commands
