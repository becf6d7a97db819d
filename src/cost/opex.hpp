#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// What each year costs. Electricity is always an item, unless the hosting includes it; the others
/// are items when `economics` names them. Nothing: beyond Money's range.
///
/// Fire-Flyer AI-HPC (arXiv 2408.14158), section VIII-C: power consumption and rack rental, times
/// the nodes and the PUE; maintenance and staff are additions of this project.
/// @param racks  nothing: not known, and rack rental is missing
std::optional<std::vector<OpexLine>> opex_per_year(const Economics& economics,
                                                   const PowerDraw& power, const Total& capex,
                                                   std::optional<std::int64_t> racks);

/// What rented GPUs cost each year of the horizon: on demand the hours that are used, else whole
/// terms. Nothing: beyond Money's range.
std::optional<OpexLine> rent_per_year(const Economics& economics, const CloudPrice& rent,
                                      std::int64_t gpus);

/// Whether an item's amount is a lower bound: parts of unknown power or price are not in it.
bool is_lower_bound(OpexItem item, const PowerDraw& power, const Total& capex);

/// What `economics` says nothing about, so that a reader knows what no total holds.
std::vector<OpexItem> items_left_out(const Economics& economics);

/// Whether any item has an amount: a sum of none is not 0 but unknown.
bool any_known(const std::vector<OpexLine>& lines);

/// Their sum; an item that is missing or incomplete counts as missing, and so does each that nobody
/// gave: what it costs is not known, unless it is said to be nothing.
std::optional<Total> total_of(const std::vector<OpexLine>& lines,
                              const std::vector<OpexItem>& left_out);

}  // namespace planner::cost
