#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "planner/perf/closed_form.hpp"

namespace planner {

/// The micro-batch sizes and interleavings that go with one (p, d), as columns of numbers.
struct InnerGrid {
  std::vector<double> micro_batch;   ///< b
  std::vector<double> microbatches;  ///< m = B/(d·b)
  std::vector<double> interleave;    ///< v

  [[nodiscard]] std::size_t size() const { return micro_batch.size(); }
  void clear();
  /// Appends one pair; `samples_per_rank` is B/d.
  void add(std::int64_t samples_per_rank, std::int64_t b, std::int64_t v);
};

/// ClosedForm::finish() for a whole grid: total times in seconds and total memories in bytes, bit
/// for bit what the scalar model returns. Both spans have the grid's size.
void evaluate_grid(const ClosedForm::Terms& terms, const InnerGrid& grid, std::span<double> time_s,
                   std::span<double> memory_bytes);

/// The memories alone, for blocks whose times cannot matter.
void evaluate_grid_memory(const ClosedForm::Terms& terms, const InnerGrid& grid,
                          std::span<double> memory_bytes);

}  // namespace planner
