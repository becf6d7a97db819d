#pragma once

#include "planner/domain/bill.hpp"
#include "planner/domain/cost.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/document.hpp"

// A bill of materials in answers, as JSON and for people.
namespace planner::commands {

/// An amount of money in dollars, of any sign.
json::Codec<Money> dollars();

/// The key "lines". Amounts are under keys that end in _usd, or in _relative for a book of relative
/// units, which has no dollars.
json::Field<BillOfMaterials> bill_lines();

/// "derived from …; …": what to know of a price.
std::string note_of(const PriceSource& origin);

/// The bill with what it comes to.
present::Bill shown_bill(const BillOfMaterials& bill, const Total& total, std::string title,
                         std::string prices);

}  // namespace planner::commands
