#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/perf/closed_form/batch.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

// A timing model as the search uses it: many strategies at a time, what they share worked out once.
// Results are bit for bit those of evaluate(). One kernel per thread.

/// Degrees that columns have in common between which a kernel keeps what it has worked out.
using Family = std::array<std::int64_t, 4>;

/// The closed form: all micro-batch sizes and interleavings of a placement in one vector loop.
class ClosedFormKernel {
 public:
  explicit ClosedFormKernel(const Workload& workload) : model_(workload) {}

  /// Columns have nothing in common.
  [[nodiscard]] static Family family(const Column& column) {
    return {column.tp, column.pp, column.dp};
  }
  /// Starts over with a column's pairs and placements, which it refers to, and the ZeRO stages that
  /// are asked for; none: any.
  void start(const Column& column, std::span<const InnerPair> pairs,
             std::span<const Strategy> /*placements*/, std::int64_t samples,
             std::span<const Sharding> /*stages*/ = {}) {
    samples_ = static_cast<double>(samples);
    grid_.reset(column.pp, samples);
    for (const auto& [b, v] : pairs) grid_.add(b, v);
  }
  /// ZeRO stages of a column under which some strategy may need no more than so many bytes.
  [[nodiscard]] static std::vector<Sharding> may_fit(const Strategy& /*common*/,
                                                     std::vector<Sharding> stages,
                                                     double /*capacity*/) {
    return stages;
  }
  /// How long the spans below are: at least the pairs, the rest is NaN.
  [[nodiscard]] std::size_t padded_size() const { return grid_.padded_size(); }

  /// Total bytes of each pair, or infinity where they are beyond `capacity`, but for the least; the
  /// strategy's placement is not looked at.
  void memories(const Strategy& common, double /*capacity*/, std::span<double> bytes) const {
    evaluate_memories(model_.memory_terms(common), grid_, bytes);
  }
  /// Whether no placement can reach `bound`, whatever the pair and the ZeRO stage, or with a pair
  /// that fitted the last memories(). False: it takes each one's times to know. Where `stop` is set
  /// meanwhile, true may be wrong. For one column, bounds never rise.
  [[nodiscard]] bool none_within(const Strategy& /*common*/, double /*bound*/,
                                 const std::atomic<bool>* /*stop*/) const {
    return false;
  }
  /// The same with the ZeRO stage at hand, once it is known of any that one can.
  [[nodiscard]] bool none_synchronised_within(const Strategy& /*common*/, double /*bound*/,
                                              const std::atomic<bool>* /*stop*/) const {
    return false;
  }
  [[nodiscard]] bool none_fitting_within(const Strategy& /*common*/, double /*bound*/) const {
    return false;
  }
  /// The same of one placement.
  [[nodiscard]] bool none_fitting_within(const Strategy& /*common*/, std::size_t /*placement*/,
                                         double /*bound*/) const {
    return false;
  }
  /// Total seconds of each pair. Where a pair cannot reach `bound`, or its memory lies beyond
  /// `capacity`, NaN may stand instead. False: no pair can.
  /// @param placement  index of the strategy's placement among the column's
  bool times(const Strategy& strategy, std::size_t /*placement*/, double bound,
             std::span<const double> /*bytes*/, double /*capacity*/, std::span<double> seconds) {
    const ClosedForm::Orders orders = model_.orders(strategy);
    const bool first = within(orders.first.terms, bound);
    const bool second = orders.second && within(orders.second->terms, bound);
    if (!first && !second) return false;
    evaluate_times(first ? orders.first.terms : orders.second->terms, grid_, seconds);
    if (!first || !second) return true;
    other_.resize(seconds.size());
    evaluate_times(orders.second->terms, grid_, other_);
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] = std::min(seconds[i], other_[i]);
    return true;
  }

  /// Seconds that none of the column's strategies beats of which any of these has said something.
  [[nodiscard]] static double least() { return 0; }
  /// The same of the setting of the last memories(), since its start.
  static void start_setting() {}
  [[nodiscard]] static double least_of_setting(const Strategy& /*common*/) { return 0; }
  /// It is worth some work to know least() up to so many times the bound.
  static void tell_up_to(double /*times_the_bound*/) {}

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }
  /// The strategy in the order of ranks whose time times() gives.
  [[nodiscard]] Strategy in_best_order(const Strategy& strategy) const {
    return model_.in_best_order(strategy);
  }

 private:
  [[nodiscard]] bool within(const ClosedForm::TimeTerms& terms, double bound) const {
    return !(ClosedForm::lower_bound(terms, samples_).si() > bound);
  }

  ClosedForm model_;
  ScheduleGrid grid_;
  std::vector<double> other_;  ///< times in the other order of ranks
  double samples_ = 1;
};

}  // namespace planner::search
