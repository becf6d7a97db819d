#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "planner/perf/calibrated.hpp"
#include "planner/perf/closed_form_batch.hpp"
#include "planner/search/space.hpp"

namespace planner {

// A timing model as the search uses it: many strategies at a time, what they share worked out once.
// Results are bit for bit those of evaluate(). One kernel per thread.

/// The closed form: all micro-batch sizes and interleavings of a placement in one vector loop.
class ClosedFormKernel {
 public:
  explicit ClosedFormKernel(const Workload& workload) : model_(workload) {}

  /// Starts over with a column's pairs and placements.
  void start(const Column& column, std::span<const InnerPair> pairs,
             std::span<const Strategy> /*placements*/, std::int64_t samples) {
    samples_ = static_cast<double>(samples);
    grid_.reset(column.pp, samples);
    for (const auto& [b, v] : pairs) grid_.add(b, v);
  }
  /// How long the spans below are: at least the pairs, the rest is NaN.
  [[nodiscard]] std::size_t padded_size() const { return grid_.padded_size(); }

  /// Total bytes of each pair, or infinity where they are beyond `capacity`, but for the least; the
  /// strategy's placement is not looked at.
  void memories(const Strategy& common, double /*capacity*/, std::span<double> bytes) const {
    evaluate_memories(model_.memory_terms(common), grid_, bytes);
  }
  /// Total seconds of each pair. Where a pair cannot reach `bound`, or its memory lies beyond
  /// `capacity`, NaN may stand instead. False: no pair can.
  /// @param placement  index of the strategy's placement among the column's
  bool times(const Strategy& strategy, std::size_t /*placement*/, double bound,
             std::span<const double> /*bytes*/, double /*capacity*/, std::span<double> seconds) {
    const ClosedForm::TimeTerms terms = model_.time_terms(strategy);
    if (ClosedForm::lower_bound(terms, samples_).si() > bound) return false;
    evaluate_times(terms, grid_, seconds);
    return true;
  }

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }

 private:
  ClosedForm model_;
  ScheduleGrid grid_;
  double samples_ = 1;
};

/// The calibrated model: the time of a micro-batch depends neither on the pipeline nor on ZeRO, and
/// is kept for all strategies that share it.
class CalibratedKernel {
 public:
  explicit CalibratedKernel(const Workload& workload);

  void start(const Column& column, std::span<const InnerPair> pairs,
             std::span<const Strategy> placements, std::int64_t samples);
  [[nodiscard]] std::size_t padded_size() const { return padded_; }
  /// Infinite beyond a micro-batch size of which nothing fits: larger ones need more.
  void memories(const Strategy& common, double capacity, std::span<double> bytes);
  bool times(const Strategy& strategy, std::size_t placement, double bound,
             std::span<const double> bytes, double capacity, std::span<double> seconds);

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }

 private:
  /// tp, cp, ep inside and across domains, expert tp.
  using Layout = std::array<std::int64_t, 7>;
  /// Micro-batches of one layout under one recomputation, with or without sequence parallelism, by
  /// the index of b among the divisors of the global batch.
  struct Kept {
    std::vector<std::optional<Calibrated::MicroBatch>> by_b;
    std::vector<std::optional<Seconds>> least;  ///< per sample, of micro-batches up to b
    // Of the column at hand.
    std::uint64_t column = 0;    ///< its serial number
    std::vector<double> steady;  ///< by b, seconds of all micro-batches on the slowest stage
  };
  static constexpr std::size_t kModes = 6;
  [[nodiscard]] std::size_t index_of(std::int64_t b) const;
  [[nodiscard]] const Calibrated::MicroBatch& micro_batch(Kept& kept, const Strategy& strategy);
  [[nodiscard]] Seconds least_per_sample(Kept& kept, const Strategy& strategy);

  Calibrated model_;
  std::vector<std::int64_t> batch_divisors_;
  std::map<Layout, std::array<Kept, kModes>> layouts_;

  // Of the column at hand.
  std::span<const InnerPair> pairs_;
  std::vector<std::array<Kept, kModes>*> placed_;  ///< of each placement
  std::vector<std::size_t> groups_;                ///< where the pairs of each b begin, and the end
  std::uint64_t column_ = 0;
  std::size_t padded_ = 0;
  double samples_ = 1, p_ = 1;
  std::int64_t largest_fitting_ = 0;  ///< micro-batch of the last memories(); 0: none fits
};

}  // namespace planner
