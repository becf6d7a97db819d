#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "planner/perf/closed_form/closed_form.hpp"

namespace planner::inline perf {

/// The stage schedules of all micro-batch sizes and interleavings that go with one (p, d), as
/// columns of numbers. The columns are padded with NaN to whole vectors; every time and memory of a
/// padding row is NaN, which no comparison lets through.
class ScheduleGrid {
 public:
  /// Starts over for a pipeline of p stages whose ranks each work on `samples_per_rank` = B/d.
  void reset(std::int64_t p, std::int64_t samples_per_rank);
  /// Appends one pair.
  void add(std::int64_t b, std::int64_t v);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Size with padding: what the spans below hold.
  [[nodiscard]] std::size_t padded_size() const { return b_.size(); }

 private:
  friend void evaluate_times(const ClosedForm::TimeTerms&, const ScheduleGrid&, std::span<double>);
  friend void evaluate_memories(const ClosedForm::MemoryTerms&, const ScheduleGrid&,
                                std::span<double>);
  std::size_t size_ = 0;
  double p_ = 1;
  std::int64_t samples_per_rank_ = 1;
  std::vector<double> b_, m_, v_, idle_, in_flight_;  ///< of StageSchedule
};

/// ClosedForm::time() for a whole grid: totals in seconds, bit for bit what the scalar model
/// returns.
/// @param time_s  of the grid's padded size
void evaluate_times(const ClosedForm::TimeTerms& terms, const ScheduleGrid& grid,
                    std::span<double> time_s);

/// ClosedForm::memory() for a whole grid: totals in bytes, bit for bit what the scalar model
/// returns.
/// @param memory_bytes  of the grid's padded size
void evaluate_memories(const ClosedForm::MemoryTerms& terms, const ScheduleGrid& grid,
                       std::span<double> memory_bytes);

/// How many values are at most `limit`. The span has a padded size.
std::size_t count_within(std::span<const double> values, double limit);

/// How many places there are at which both values are at most their limits. The spans have the same
/// padded size.
std::size_t count_within(std::span<const double> first, double first_limit,
                         std::span<const double> second, double second_limit);

}  // namespace planner::perf
