#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "planner/perf/calibrated/calibrated.hpp"

namespace planner::inline perf {

/// Pipelines that differ in micro-batch size and interleaving, as columns of numbers: their memory
/// takes one vector loop a stage. Padded with NaN to whole vectors, like ScheduleGrid. What the
/// schedule alone decides is worked out once for all memory terms.
class PipelineGrid {
 public:
  /// Starts over, for so many.
  void reset(std::size_t size);
  void add(const Calibrated::Pipeline& on);

  [[nodiscard]] std::size_t padded_size() const { return b_.size(); }
  [[nodiscard]] const std::vector<Calibrated::Pipeline>& pipelines() const { return pipelines_; }

  /// Totals of Calibrated::memory(), in bytes and bit for bit.
  /// @param bytes  of the padded size
  void total_memories(const Calibrated::MemoryTerms& terms, const Calibrated::Reserve& outside,
                      std::span<double> bytes);

 private:
  /// Micro-batches in flight on one stage, of each pipeline.
  struct Held {
    double stage = 0;
    std::vector<double> ahead, deferred, chunks;
  };
  [[nodiscard]] const Held& held_on(double stage);

  std::vector<Calibrated::Pipeline> pipelines_;
  std::vector<double> b_;
  std::vector<Held> held_;  ///< the first so many are of these pipelines:
  std::size_t stages_ = 0;
};

}  // namespace planner::perf
