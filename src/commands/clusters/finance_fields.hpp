#pragma once

#include "planner/domain/cost.hpp"
#include "planner/json/answer_fields.hpp"

// What money of a cluster is over the years, in answers.
namespace planner::commands {

const json::FieldTable<Financed>& financed_table();
const json::FieldTable<RentOrBuy>& rent_or_buy_table();

}  // namespace planner::commands
