#pragma once

#include "planner/domain/fabric.hpp"
#include "planner/json/answer_fields.hpp"

namespace planner::commands {

/// A counted network in answers.
const json::FieldTable<FabricCount>& fabric_fields();

}  // namespace planner::commands
