#pragma once

#include <optional>
#include <string>

#include "planner/domain/cost.hpp"
#include "planner/json/answer_fields.hpp"

// What money of a cluster is over the years, in answers.
namespace planner::commands {

const json::FieldTable<Financed>& financed_table();
const json::FieldTable<RentOrBuy>& rent_or_buy_table();
const json::FieldTable<RentTerms>& rent_terms_table();

/// "1 term of three years, 1 of one year, 0.5 years on demand".
std::string rent_terms_words(const RentTerms& terms);

}  // namespace planner::commands
