#pragma once

#include "planner/domain/economics.hpp"

namespace planner::inline cost {

/// Share of its price that a part has in the books after so many years: 1 at the start, 0 from
/// `depreciation_years` on. Straight line, or double declining: each year the larger of
/// 2 / depreciation_years of what is left and of the line through the years left; within a year
/// along a line.
double book_value(const Economics& economics, double years);

/// Share of its price that a part sells for after so many years: `residual_by_year`, or the book
/// value where that is empty. After the last year that it names: as in that year.
double residual_share(const Economics& economics, double years);

}  // namespace planner::cost
