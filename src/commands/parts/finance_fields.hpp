#pragma once

#include <optional>
#include <string>

#include "planner/domain/cost.hpp"
#include "planner/json/answer_fields.hpp"

// What money of a cluster is over the years, in answers.
namespace planner::commands {

const json::FieldTable<Financed>& financed_table();
const json::FieldTable<RentOrBuy>& rent_or_buy_table();

/// ", at 9 % a year, after tax": what such a figure has in it besides what is paid; empty: nothing.
std::string financed_words(const std::optional<Financed>& financed);

}  // namespace planner::commands
