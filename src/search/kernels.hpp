#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/pipeline_grid.hpp"
#include "planner/search/closed_form_kernel.hpp"
#include "planner/search/least_gradients.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// The calibrated model: what a micro-batch takes depends neither on the pipeline nor on ZeRO, and
/// is kept for all strategies that share it.
class CalibratedKernel {
 public:
  explicit CalibratedKernel(const Workload& workload);

  /// Columns of one family share what is kept: they should follow each other.
  [[nodiscard]] static Family family(const Column& column) {
    return {column.tp, column.cp, column.ep, column.expert_tp};
  }
  void start(const Column& column, std::span<const InnerPair> pairs,
             std::span<const Strategy> placements, std::int64_t samples,
             std::span<const Sharding> stages = {});
  /// By what each holds of the model: that of no other choice.
  [[nodiscard]] std::vector<Sharding> may_fit(const Strategy& common, std::vector<Sharding> stages,
                                              double capacity) const;
  [[nodiscard]] std::size_t padded_size() const { return grid_.padded_size(); }
  /// Bytes of each pair under a setting. Of sizes beyond the last of which one fits no time is
  /// asked.
  void memories(const Strategy& common, double capacity, std::span<double> bytes);
  [[nodiscard]] bool none_within(const Strategy& common, double bound,
                                 const std::atomic<bool>* stop);
  [[nodiscard]] bool none_synchronised_within(const Strategy& common, double bound,
                                              const std::atomic<bool>* stop);
  [[nodiscard]] double least() const { return least_; }
  void start_setting() { least_of_setting_ = kInfinity; }
  [[nodiscard]] double least_of_setting(const Strategy& common) const;
  void tell_up_to(double times_the_bound) { told_up_to_ = times_the_bound; }
  [[nodiscard]] bool none_fitting_within(const Strategy& common, double bound);
  [[nodiscard]] bool none_fitting_within(const Strategy& common, std::size_t placement,
                                         double bound);
  bool times(const Strategy& strategy, std::size_t placement, double bound,
             std::span<const double> bytes, double capacity, std::span<double> seconds);

  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const {
    return model_.evaluate(strategy);
  }
  [[nodiscard]] Strategy in_best_order(const Strategy& strategy) const {
    return model_.in_best_order(strategy);
  }

 private:
  /// Recomputations, with or without sequence parallelism: what else acts on a micro-batch.
  static constexpr std::size_t kRecomputations = 5, kModes = 2 * kRecomputations;
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kSafely = 1 - 1e-9;  ///< leaves a bound room for rounding
  /// Places of a strategy's mode and of the same that runs nothing again; modes are numbered as
  /// they come. What runs again only adds to the time, so that without is asked first: its answer
  /// is known from other settings. Not where GPUs share cards, for which stages wait the less the
  /// longer they take: there it is the mode itself.
  struct Mode {
    std::size_t own = 0, once = 0;
  };
  /// Where in a domain the ranks lie that exchange parts of a micro-batch: tp, cp, ep.
  using Layout = std::array<std::int64_t, 3>;
  /// What one axis exchanges, by the place of b among the divisors of the global batch.
  using Exchange = std::vector<std::optional<Seconds>>;
  /// Micro-batches of one layout, likewise.
  struct Kept {
    Exchange *all_reduce = nullptr, *ring = nullptr, *all_to_all = nullptr;
    std::array<std::vector<double>, kModes> least;  ///< seconds per sample; NaN: not known yet
    std::array<std::vector<std::optional<Calibrated::MicroBatch>>, kModes> time;
  };
  /// The pairs of one micro-batch size.
  struct Size {
    std::size_t begin = 0, end = 0;
    std::size_t divisor = 0;  ///< place of b among those of the global batch
    /// Samples whose passes through the other stages are waited for, at least.
    double bubble = 0;
    double hides = 0;   ///< passes of the slowest stage that hide the last reduction, at most
    double micros = 1;  ///< micro-batches that a pipeline works through
  };

  /// Seconds with the ranks in either order: the first, or the second where that is open.
  struct InOrder {
    double first = 0, second = kInfinity;
  };
  /// Micro-batches of a size: how many, how long the slowest stage is waited for at least in each,
  /// and how many times that hides the last reduction.
  struct Micros {
    double count = 1, stage = 0, hides = 0;
  };
  /// What is left of a bound beside gradients and weights.
  struct Left {
    double bound = 0;
    LeastTied first{};
    std::optional<LeastTied> second{};

    [[nodiscard]] InOrder with(const Micros& micros) const {
      const auto left = [&](const LeastTied& tied) {
        return bound - kSafely * tied.si(micros.count, micros.stage, micros.hides);
      };
      return {left(first), second ? left(*second) : -kInfinity};
    }
    [[nodiscard]] bool never_more_than(const Left& other) const {
      if (!(bound <= other.bound && other.first.never_more_than(first))) return false;
      return !second || (other.second && other.second->never_more_than(*second));
    }
  };
  /// The first placement that may reach a bound; of a bound that is no less it still is.
  struct FirstWithin {
    std::size_t placement = 0;
    double bound = kInfinity;
    double least = kInfinity;  ///< seconds that those before it take at least
  };
  /// A placement under a mode: what its pairs of one size take.
  struct Untied {
    InOrder least{kUnknown, kUnknown};  ///< see least_untied()
    const Calibrated::MicroBatch* micro = nullptr;
    Calibrated::Stage stage{};
  };

  [[nodiscard]] std::size_t place_of(const Recomputation& again);
  [[nodiscard]] const Mode& mode_of(const Strategy& strategy);
  /// The strategy with what a mode runs again.
  [[nodiscard]] Strategy in_mode(Strategy strategy, std::size_t mode) const;
  void fill_pipelines(const Strategy& common);
  /// Of the mode at hand.
  [[nodiscard]] Calibrated::MemoryTerms memory_terms(const Strategy& common);
  [[nodiscard]] const Calibrated::Work& work(const Strategy& strategy, std::size_t divisor);
  [[nodiscard]] Kept& kept_of(const Layout& layout);
  [[nodiscard]] Calibrated::Communication communication(const Kept& kept, const Strategy& strategy,
                                                        std::size_t divisor) const;
  [[nodiscard]] const Calibrated::MicroBatch& micro_batch(Kept& kept, std::size_t mode,
                                                          const Strategy& strategy,
                                                          std::size_t divisor);
  /// What ZeRO asks of each placement, whatever runs again.
  struct OfStage;
  using TiedInOrder = Calibrated::EachOrder<LeastTied>;
  [[nodiscard]] OfStage& of_stage(const Strategy& strategy);
  [[nodiscard]] const Calibrated::SharedInEachOrder& shared(const Strategy& strategy,
                                                            std::size_t placement);
  [[nodiscard]] const Calibrated::InEachOrder& reductions(OfStage& of, const Strategy& strategy,
                                                          std::size_t placement);
  /// What a placement waits for under a setting besides micro-batches and sends, at least.
  [[nodiscard]] const TiedInOrder& least_tied(const Strategy& common, std::size_t placement);
  /// The same of all ZeRO stages that are asked for, but those of which an earlier one is never
  /// more.
  using TiedInAnyStage = Calibrated::EachOrder<std::vector<LeastTied>>;
  [[nodiscard]] const TiedInAnyStage& least_tied_in_any_stage(const Strategy& common,
                                                              std::size_t placement);
  /// The same in the order of a strategy.
  [[nodiscard]] std::vector<LeastTied> least_tied_in_any_stage(
      Strategy at, const SharedParameters& shared) const;
  /// Seconds by which all iterations are longer than a bound, at least; not positive: one may reach
  /// it. In a placement, by what that and sends are at least in any stage.
  /// @param enough  seconds from which on no better answer is worth any work
  [[nodiscard]] double excess_of_gradients(const Strategy& strategy, Mode mode,
                                           std::size_t placement, double bound, double enough);
  /// Likewise with micro-batches up to that size, of one placement, or of all as if one had the
  /// fastest exchange of each axis.
  [[nodiscard]] double excess_of_placement(const Strategy& common, Mode mode, std::size_t placement,
                                           std::size_t divisor, double bound);
  [[nodiscard]] double excess_of_fastest_axes(const Strategy& common, Mode mode,
                                              std::size_t divisor, double bound);
  /// Of pairs of one size in a placement.
  /// @param left_with  seconds of the bound that are left in either order, with such micro-batches
  template <class LeftWith>
  [[nodiscard]] double excess_of_size(const Strategy& strategy, Mode mode, std::size_t placement,
                                      std::size_t size, const LeftWith& left_with);
  [[nodiscard]] double excess_of_size(const Strategy& strategy, Mode mode, std::size_t placement,
                                      std::size_t size, const Left& left);
  /// Of all of them.
  template <class LeftWith>
  [[nodiscard]] double excess_synchronised(const Strategy& strategy, Mode mode,
                                           std::size_t placement, const LeftWith& left_with);
  /// Seconds that no iteration of a size can beat in a placement, with its sends in either order.
  [[nodiscard]] double with_sends(const Strategy& strategy, std::size_t placement, std::size_t size,
                                  double per_sample);
  /// What is left of a bound beside it.
  [[nodiscard]] Left left_by_tied(const Strategy& common, std::size_t placement, double bound);
  /// With the stage that leaves the most.
  [[nodiscard]] InOrder left_in_any_stage(const TiedInAnyStage& tied, const Micros& micros,
                                          double bound) const;
  /// Samples whose passes through the other stages a pair waits for, at least.
  [[nodiscard]] double bubble(const InnerPair& pair) const {
    return (1 - 1 / p_) * real(pair.micro_batch) / real(pair.interleave);
  }
  /// Of a size of which a sample takes at least so long.
  [[nodiscard]] Micros micros_of(std::size_t size, double per_sample, double hides) const;
  /// The orders that may be the fastest of a placement under a setting.
  [[nodiscard]] const Calibrated::Orders& tied(const Strategy& strategy, std::size_t placement);
  /// Seconds per sample that no micro-batch beats which is at most as large as a divisor of the
  /// global batch.
  [[nodiscard]] double least_per_sample(const Strategy& common, std::size_t mode,
                                        std::size_t placement, std::size_t divisor) {
    const std::vector<double>& by_divisor = placed_[placement]->least[mode];
    const bool known = !by_divisor.empty() && !std::isnan(by_divisor[divisor]);
    return known ? by_divisor[divisor]
                 : work_out_least_per_sample(common, mode, placement, divisor);
  }
  double work_out_least_per_sample(const Strategy& common, std::size_t mode, std::size_t placement,
                                   std::size_t divisor);
  /// Seconds that no iteration can beat with such micro-batches whose bubble is that or more: the
  /// slowest of p stages takes at least the p-th part of all work, and an iteration at least what
  /// its micro-batches take there, what it waits for the other stages, of a pipeline of v chunks a
  /// stage the v-th part of a micro-batch, and straggling; the factor leaves room for rounding.
  [[nodiscard]] double iteration(const Strategy& common, double per_sample, double bubble) const {
    const bool waits = common.without_interleaving == Schedule::one_f_one_b;
    return kSafely * straggling_ * (samples_ / p_ + (waits ? bubble : 0)) * per_sample;
  }
  /// Seconds that no iteration can beat with such micro-batches, whatever its bubble: of one
  /// placement, and of all, as if one had the fastest exchange of each axis.
  [[nodiscard]] double least_time(const Strategy& common, std::size_t mode, std::size_t placement,
                                  std::size_t divisor);
  [[nodiscard]] double least_time(const Strategy& common, std::size_t mode, std::size_t divisor);
  [[nodiscard]] Untied& untied(const Strategy& strategy, std::size_t mode, std::size_t placement,
                               std::size_t size);
  /// What stages send each other in a placement, and nothing else.
  [[nodiscard]] const Calibrated::InEachOrder& sends(const Strategy& strategy,
                                                     std::size_t placement);
  /// Seconds that no pair of one size can beat in a placement, whatever the ZeRO stage: an
  /// iteration whose gradients are not synchronised. Fills the size's untied_times_.
  [[nodiscard]] const InOrder& least_untied(const Strategy& strategy, std::size_t mode,
                                            std::size_t placement, std::size_t size);
  /// Whether no placement from the first that may on reaches `bound` synchronised, under a mode.
  [[nodiscard]] bool none_synchronised_within(const Strategy& common, Mode mode, double bound,
                                              const std::atomic<bool>* stop);
  /// Whether it is known that none that fits reaches `bound` in a placement, in the mode at hand.
  [[nodiscard]] bool ruled_out(std::size_t placement, const Left& left);
  /// Keeps that none does: none takes less than that.
  void rule_out(std::size_t placement, const Left& left, double least);
  /// Seconds beyond a bound from which on no more need be known: what is told of a column is the
  /// least of all, so that where one of them is known to be less, more of others tells nothing.
  [[nodiscard]] double enough(double bound) const {
    const double told = told_up_to_ * bound;
    return least_ > told ? told - bound : 0;
  }
  /// Keeps that no strategies of some kind take less, of the setting at hand or of a mode.
  void keep_least(double seconds, double& of_kind) {
    least_ = std::min(least_, seconds);
    of_kind = std::min(of_kind, seconds);
  }
  void keep_least(double seconds) { keep_least(seconds, least_of_setting_); }

  Calibrated model_;
  LeastGradients gradients_;
  std::vector<std::int64_t> batch_divisors_;

  // Of the family at hand.
  Family family_{};
  std::map<Layout, Kept> layouts_;
  std::map<Layout, Exchange> all_reduces_, rings_, all_to_alls_;  ///< 0: of any ranks of an axis
  std::array<std::vector<std::optional<Calibrated::Work>>, 2> work_;  ///< sequence parallel or not

  // Of the column at hand.
  Column column_;
  std::span<const InnerPair> pairs_;
  std::span<const Strategy> placements_;
  std::span<const Sharding> stages_;
  std::vector<Kept*> placed_;  ///< of each placement
  PipelineGrid grid_;          ///< of the pairs; the same under every setting
  bool grid_filled_ = false;
  std::vector<Size> sizes_;  ///< ascending
  /// What a mode takes of memory, and what ZeRO stages have of the model: a plan has one of either.
  struct OfMode {
    Calibrated::LayerMemory layer;
    Calibrated::Activations activations;
  };
  std::array<std::optional<OfMode>, kModes> memory_of_mode_;
  struct OfZero {
    int zero = 0;
    std::int64_t shard_ranks = 0;
    bool deferring = false;  ///< which stages may be the fullest
    Calibrated::States states;
  };
  std::vector<OfZero> memory_of_zero_;
  std::array<std::vector<double>, kModes> least_times_;  ///< of all placements, or NaN
  std::array<std::vector<Untied>, kModes> untied_;       ///< of each placement's sizes
  /// Likewise, of each placement's pairs, in either order; without the second where none is open.
  std::array<std::vector<double>, kModes> untied_times_, second_times_;
  /// Of each placement, sequence parallel or not.
  std::array<std::vector<std::optional<Calibrated::InEachOrder>>, 2> sends_;
  /// Of each placement, whatever the ZeRO stage.
  std::vector<std::optional<Calibrated::SharedInEachOrder>> shared_;
  std::vector<std::optional<TiedInAnyStage>> tied_in_any_stage_;             ///< likewise
  std::optional<LeastGradients::OfColumn> gradients_of_column_;              ///< once asked for
  std::vector<std::optional<LeastGradients::OfIteration>> least_gradients_;  ///< likewise
  /// The first so many sizes, of which none reached a bound: none takes less than that.
  struct RuledOut {
    std::size_t sizes = 0;
    Left left{};
    double least = kInfinity;
  };
  std::array<std::vector<RuledOut>, kModes> ruled_out_;  ///< of each placement
  struct OfStage {
    int zero = 0;
    std::int64_t shard_ranks = 0;
    std::vector<std::optional<Calibrated::InEachOrder>> reductions{};  ///< of each placement
    std::vector<std::optional<TiedInOrder>> least_tied{};              ///< of each placement
    std::array<FirstWithin, kModes> first_within{};                    ///< likewise, synchronised
    /// Of each placement, sequence parallel or not.
    std::array<std::vector<std::optional<Calibrated::Orders>>, 2> tied{};

    /// Nothing is known.
    void start(const Strategy& strategy, std::size_t placements);
  };
  /// By ZeRO stage and its ranks, as they came; referred to. Room of other columns behind them.
  std::deque<OfStage> of_stage_;
  std::size_t stages_known_ = 0;
  std::size_t last_stage_ = 0;  ///< that was asked for
  std::array<FirstWithin, kModes> first_within_{};
  double samples_ = 1, p_ = 1;
  double bubble_ = 0;                    ///< the least of all sizes
  double hides_ = 0;                     ///< the most of them
  double least_ = kInfinity;             ///< see least()
  double least_of_setting_ = kInfinity;  ///< but for what is known of its mode
  double told_up_to_ = 1;                ///< see tell_up_to()
  bool shares_cards_;
  /// Of mixtures on networks that nothing slows, what ZeRO stages add differs too little.
  bool asks_each_stage_;
  double straggling_;                          ///< 1, and what it adds
  std::vector<Recomputation> recomputations_;  ///< as they came, see mode_of()
  /// The last answers of mode_of().
  struct Known {
    Recomputation again{};
    Mode mode{};
  };
  std::array<std::optional<Known>, 2> known_;  ///< sequence parallel or not
  std::size_t fitting_ = 0;  ///< sizes of the last memories() up to the last that fits
  Mode mode_{};              ///< of the last memories()
};

}  // namespace planner::search
