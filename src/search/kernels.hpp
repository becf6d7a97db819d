#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
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

  /// Starts over with a column's pairs.
  void start(const Column& column, std::span<const InnerPair> pairs, std::int64_t samples) {
    samples_ = static_cast<double>(samples);
    grid_.reset(column.pp, samples);
    for (const auto& [b, v] : pairs) grid_.add(b, v);
  }
  /// How long the spans below are: at least the pairs, the rest is NaN.
  [[nodiscard]] std::size_t padded_size() const { return grid_.padded_size(); }

  /// Total bytes of each pair; the strategy's placement is not looked at.
  void memories(const Strategy& common, std::span<double> bytes) const {
    evaluate_memories(model_.memory_terms(common), grid_, bytes);
  }
  /// The placement that the next two are about.
  void place(const Strategy& strategy) { terms_ = model_.time_terms(strategy); }
  /// Seconds that no pair can beat.
  [[nodiscard]] double lower_bound() const {
    return ClosedForm::lower_bound(terms_, samples_).si();
  }
  /// Total seconds of each pair.
  void times(std::span<double> seconds) { evaluate_times(terms_, grid_, seconds); }

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }

 private:
  ClosedForm model_;
  ClosedForm::TimeTerms terms_;
  ScheduleGrid grid_;
  double samples_ = 1;
};

/// The calibrated model: the time of a micro-batch does not depend on the pipeline, nor on ZeRO,
/// and is kept for all strategies that share it.
class CalibratedKernel {
 public:
  explicit CalibratedKernel(const Workload& workload);

  void start(const Column& column, std::span<const InnerPair> pairs, std::int64_t samples);
  [[nodiscard]] std::size_t padded_size() const { return padded_; }
  void memories(const Strategy& common, std::span<double> bytes) const;
  void place(const Strategy& strategy);
  [[nodiscard]] double lower_bound() const;
  void times(std::span<double> seconds);

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }

 private:
  /// t, t_h, cp, cp_h, ep, ep_h, expert tp, recompute and sequence parallelism.
  using Layout = std::array<std::int64_t, 9>;
  /// Micro-batches of one layout, by the index of b among the divisors of the global batch.
  struct Kept {
    Seconds least_per_sample{};  ///< of all layers, that no micro-batch size can beat
    std::vector<Calibrated::MicroBatch> by_b;
    std::vector<bool> known;
  };
  [[nodiscard]] Kept& kept(const Strategy& strategy);
  [[nodiscard]] const Calibrated::MicroBatch& micro_batch(std::int64_t b);

  Calibrated model_;
  std::vector<std::int64_t> batch_divisors_;
  std::map<Layout, Kept> layouts_;

  std::span<const InnerPair> pairs_;
  std::size_t padded_ = 0;
  double samples_ = 1, p_ = 1;
  Strategy strategy_;
  Kept* layout_ = nullptr;
};

}  // namespace planner
