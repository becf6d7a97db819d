#pragma once

#include <cstddef>
#include <vector>

#include "planner/reliability/run_losses.hpp"

// What losses of several kinds add up to on equal cells of time, by Panjer's recursion (1981).
namespace planner::inline reliability {

/// Adds to E[(x - loss)+], times how many are expected, at the cells from `first` on.
void add_shortfalls(const RunLosses& losses, double cell, std::size_t first,
                    std::vector<double>& of_all);

/// P(rare losses add i cells): x·g(x) = Σ μ·y·f(y)·g(x - y) (Panjer 1981). A loss between two cells
/// is shared out: the second differences of E[(x - loss)+] are these shares.
std::vector<double> added_by(double expected, const std::vector<double>& shortfalls, double cell);

}  // namespace planner::reliability
