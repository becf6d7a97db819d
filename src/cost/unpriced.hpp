#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/bill.hpp"

namespace planner::inline cost {

/// The book's highest price of one part of that category, of a cable at its length; nothing: it has
/// none.
std::optional<Money> dearest(const PriceBook& book, const Part& part);

/// The lines without a price, for people: "512 × NVIDIA DGX B200 (part key dgx-b200)"; of many, the
/// first ones and how many more there are. Empty: all have one.
std::string not_priced(const BillOfMaterials& bill);

/// Entries of the book that no line of the bill has and whose part nobody knows: they have no
/// category, for they are in no catalog. Likely misspelt.
std::vector<std::string> unused_entries(const PriceBook& book, const BillOfMaterials& bill);

}  // namespace planner::cost
