#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/domain/bill.hpp"
#include "planner/domain/economics.hpp"

// A price book and what is missing in it.
namespace planner::commands {

/// The book that `ref` means. Entries whose parts are in the catalog have a category.
/// @throws InputError
PriceBook load_prices(const std::string& ref, const catalog::Catalog& catalog);

/// Says which entries of a book that the user gave name parts that nobody knows, and what they may
/// have meant. Of the catalog's own books nothing is said.
void warn_about_unused(const PriceBook& book, const std::string& ref, const BillOfMaterials& bill,
                       const catalog::Catalog& catalog, std::vector<std::string>& warnings);

/// Says which prices and rents are dated after this version of the program, which nobody knew when
/// it was made: a slip of the pen, or a book that is younger.
void warn_about_later(const PriceBook& book, const std::optional<Economics>& economics,
                      std::vector<std::string>& warnings);

/// "no total: not priced: 512 × NVIDIA DGX B200 (part key dgx-b200)", or that totals are lower
/// bounds; empty: every line has a price.
std::string price_remark(const BillOfMaterials& bill, bool has_total);

}  // namespace planner::commands
