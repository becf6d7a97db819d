// What the search skips: seconds that no strategy of some kind can beat.
#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"

namespace planner::inline search {

namespace {

constexpr Seconds kHidesAll{1e30};

}  // namespace

double CalibratedKernel::excess_of_gradients(const Strategy& strategy, Mode mode,
                                             std::size_t placement, double bound, double enough) {
  if (!gradients_.known()) return 0;
  auto& gradients = least_gradients_[placement];
  if (!gradients) {
    if (!gradients_of_column_) gradients_of_column_ = gradients_.of(column_);
    gradients = gradients_of_column_->iteration(strategy);
  }
  const auto left = [&](std::size_t size, double per_sample) {
    const auto [count, stage, hides] = micros_of(size, per_sample, sizes_[size].hides);
    return bound - kSafely * gradients->with(count, stage, hides);
  };
  const auto excess_at = [&](std::size_t size, double per_sample) {
    return iteration(strategy, per_sample, sizes_[size].bubble) - left(size, per_sample);
  };
  const double of_largest =
      least_per_sample(strategy, mode.own, placement, batch_divisors_.size() - 1);
  double least = kInfinity;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    enough = std::min(enough, std::max(least, 0.0));
    double of_size = excess_at(size, of_largest);
    if (!(of_size > enough)) {
      const double per_sample =
          least_per_sample(strategy, mode.own, placement, sizes_[size].divisor);
      of_size = excess_at(size, per_sample);
      if (!(of_size > enough) && p_ > 1) {
        of_size = with_sends(strategy, placement, size, per_sample) - left(size, per_sample);
      }
    }
    least = std::min(least, of_size);
    if (!(least > 0)) return least;
  }
  return least;
}

// A longer stage hides more of the sends, but never what cannot overlap.
double CalibratedKernel::with_sends(const Strategy& strategy, std::size_t placement,
                                    std::size_t size, double per_sample) {
  const auto& [first, second] = sends(strategy, placement);
  fill_pipelines(strategy);
  double least = kInfinity;
  for (std::size_t i = sizes_[size].begin; i < sizes_[size].end; ++i) {
    const Calibrated::Pipeline& on = grid_.pipelines()[i];
    Seconds sends = model_.sends_time(first, kHidesAll, on);
    if (second) sends = std::min(sends, model_.sends_time(*second, kHidesAll, on));
    const double passes = iteration(strategy, per_sample, bubble(pairs_[i]));
    least = std::min(least, passes + kSafely * sends.si());
  }
  return least;
}

CalibratedKernel::Left CalibratedKernel::left_by_tied(const Strategy& common, std::size_t placement,
                                                      double bound) {
  if (!(bound < kInfinity)) return {.bound = bound, .second = LeastTied{}};
  const auto& [first, second] = least_tied(common, placement);
  return {.bound = bound, .first = first, .second = second};
}

CalibratedKernel::InOrder CalibratedKernel::left_in_any_stage(const TiedInAnyStage& tied,
                                                              const Micros& micros,
                                                              double bound) const {
  if (stages_.empty()) return {bound, bound};
  const auto left = [&](const std::vector<LeastTied>& stages) {
    double least = kInfinity;
    for (const LeastTied& one : stages) {
      const double shown_anyway = one.with_one.si() + (micros.count - 1) * one.each.si();
      if (shown_anyway >= least) continue;
      least = std::min(least, one.si(micros.count, micros.stage, micros.hides));
    }
    return bound - kSafely * least;
  };
  return {left(tied.first), tied.second ? left(*tied.second) : -kInfinity};
}

// The slowest stage may take more than the p-th part: of one micro-batch that all stages pass that
// is no longer for it and hides more, and so may be what collectives run beside.
CalibratedKernel::Micros CalibratedKernel::micros_of(std::size_t size, double per_sample,
                                                     double hides) const {
  const double count = sizes_[size].micros;
  const double stage = straggling_ * samples_ / (p_ * count) * per_sample;
  const bool any = count > 1 || p_ == 1;
  return {
      .count = count, .stage = kHidesAll.si(), .hides = any ? hides * stage / kHidesAll.si() : 1};
}

double CalibratedKernel::excess_of_placement(const Strategy& common, Mode mode,
                                             std::size_t placement, std::size_t divisor,
                                             double bound) {
  const double once = least_time(common, mode.once, placement, divisor) - bound;
  if (once > 0 || mode.own == mode.once) return once;
  return least_time(common, mode.own, placement, divisor) - bound;
}

double CalibratedKernel::excess_of_fastest_axes(const Strategy& common, Mode mode,
                                                std::size_t divisor, double bound) {
  const double once = least_time(common, mode.once, divisor) - bound;
  if (once > 0 || mode.own == mode.once) return once;
  return least_time(common, mode.own, divisor) - bound;
}

template <class LeftWith>
double CalibratedKernel::excess_of_size(const Strategy& strategy, Mode mode, std::size_t placement,
                                        std::size_t size, const LeftWith& left_with) {
  // What is known of a layout is asked before what is worked out pair by pair.
  const auto excess_in_mode = [&](std::size_t of) {
    const auto& at = sizes_[size];
    const double per_sample = least_per_sample(strategy, of, placement, at.divisor);
    const InOrder left = left_with(micros_of(size, per_sample, sizes_[size].hides));
    const double of_layout =
        iteration(strategy, per_sample, at.bubble) - std::max(left.first, left.second);
    if (of_layout > 0) return of_layout;
    const InOrder& least = least_untied(strategy, of, placement, size);
    // A longer stage hides sends and gradients both: where chunks take turns only of its own are
    // both known.
    const bool one_chunk = pairs_[at.end - 1].interleave == 1;
    const bool known = of == mode.own && (mode.own != mode.once || shares_cards_ || one_chunk);
    const Seconds stage =
        known ? model_.waited_for(untied(strategy, of, placement, size).stage.slowest) : kHidesAll;
    const InOrder beside =
        left_with(Micros{.count = sizes_[size].micros, .stage = stage.si(), .hides = at.hides});
    return std::min(least.first - beside.first, least.second - beside.second);
  };
  const double once = excess_in_mode(mode.once);
  return once > 0 || mode.own == mode.once ? once : excess_in_mode(mode.own);
}

double CalibratedKernel::excess_of_size(const Strategy& strategy, Mode mode, std::size_t placement,
                                        std::size_t size, const Left& left) {
  return excess_of_size(strategy, mode, placement, size,
                        [&](const Micros& micros) { return left.with(micros); });
}

template <class LeftWith>
double CalibratedKernel::excess_synchronised(const Strategy& strategy, Mode mode,
                                             std::size_t placement, const LeftWith& left_with) {
  // What the largest micro-batches of any column take per sample is known from other columns.
  const double per_sample =
      least_per_sample(strategy, mode.own, placement, batch_divisors_.size() - 1);
  double least = kInfinity;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    const InOrder left = left_with(micros_of(size, per_sample, sizes_[size].hides));
    double of_size =
        iteration(strategy, per_sample, sizes_[size].bubble) - std::max(left.first, left.second);
    if (!(of_size > 0)) of_size = excess_of_size(strategy, mode, placement, size, left_with);
    least = std::min(least, of_size);
    if (!(least > 0)) return least;
  }
  return least;
}

bool CalibratedKernel::none_within(const Strategy& common, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  auto& [first, within, least] = first_within_[mode.own];
  const std::size_t once = first_within_[mode.once].placement;
  if (once <= first && within <= bound) return false;
  within = kInfinity;
  first = std::max(first, once);
  if (first == placements_.size()) return true;
  const std::size_t largest = batch_divisors_.size() - 1;
  const double of_all = excess_of_fastest_axes(common, mode, largest, bound);
  if (of_all > enough(bound)) {
    first = placements_.size();
    keep_least(bound + of_all, least);
    return true;
  }
  for (; first < placements_.size() && !is_set(stop); ++first) {
    const Strategy at = placed_as(placements_[first], common);
    const double enough = this->enough(bound);
    double beyond = std::max(of_all, excess_of_placement(at, mode, first, largest, bound));
    if (!(beyond > enough)) {
      beyond = std::max(beyond, excess_of_gradients(at, mode, first, bound, enough));
    }
    if (!(beyond > 0)) {
      const TiedInAnyStage& tied = least_tied_in_any_stage(at, first);
      beyond = excess_synchronised(at, mode, first, [&](const Micros& micros) {
        return left_in_any_stage(tied, micros, bound);
      });
    }
    if (!(beyond > 0)) {
      within = bound;
      return false;
    }
    keep_least(bound + beyond, least);
  }
  return true;
}

bool CalibratedKernel::none_synchronised_within(const Strategy& common, double bound,
                                                const std::atomic<bool>* stop) {
  if (!asks_each_stage_ || !(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  if (none_synchronised_within(common, {mode.once, mode.once}, bound, stop)) return true;
  return mode.own != mode.once && none_synchronised_within(common, mode, bound, stop);
}

bool CalibratedKernel::none_synchronised_within(const Strategy& common, Mode mode, double bound,
                                                const std::atomic<bool>* stop) {
  auto& first_within = of_stage(common).first_within;
  auto& [first, within, least] = first_within[mode.own];
  const std::size_t other =
      std::max(first_within[mode.once].placement, first_within_[mode.own].placement);
  if (other <= first && within <= bound) return false;
  within = kInfinity;
  first = std::max(first, other);
  for (; first < placements_.size() && !is_set(stop); ++first) {
    const Strategy at = placed_as(placements_[first], common);
    double beyond = excess_of_placement(at, mode, first, batch_divisors_.size() - 1, bound);
    if (!(beyond > 0)) {
      const Left left = left_by_tied(at, first, bound);
      beyond = excess_synchronised(at, mode, first,
                                   [&](const Micros& micros) { return left.with(micros); });
    }
    if (!(beyond > 0)) {
      within = bound;
      return false;
    }
    keep_least(bound + beyond, least);
  }
  return true;
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, double bound) {
  if (fitting_ == 0) return true;
  if (!(bound < kInfinity)) return false;
  const double beyond = excess_of_fastest_axes(common, mode_, sizes_[fitting_ - 1].divisor, bound);
  if (beyond > 0) keep_least(bound + beyond);
  return beyond > 0;
}

bool CalibratedKernel::ruled_out(std::size_t placement, const Left& left) {
  const auto& known = ruled_out_[mode_.own];
  const bool out = !known.empty() && fitting_ <= known[placement].sizes &&
                   left.never_more_than(known[placement].left);
  if (out) keep_least(known[placement].least);
  return out;
}

void CalibratedKernel::rule_out(std::size_t placement, const Left& left, double least) {
  auto& known = ruled_out_[mode_.own];
  if (known.empty()) known.resize(placements_.size());
  known[placement] = {fitting_, left, least};
}

// Its stage is the last that was asked for, if it was asked for at all.
double CalibratedKernel::least_of_setting(const Strategy& common) const {
  const auto least = [this](const std::array<FirstWithin, kModes>& of) {
    return std::min(of[mode_.own].least, of[mode_.once].least);
  };
  const double of_any_stage = std::min(least_of_setting_, least(first_within_));
  if (last_stage_ >= stages_known_) return of_any_stage;
  const OfStage& of = of_stage_[last_stage_];
  const bool same = of.zero == common.zero && of.shard_ranks == common.shard_ranks;
  return same ? std::min(of_any_stage, least(of.first_within)) : of_any_stage;
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, std::size_t placement,
                                           double bound) {
  if (fitting_ == 0) return true;
  if (!(bound < kInfinity)) return false;
  const std::size_t largest = sizes_[fitting_ - 1].divisor;
  const auto none_within = [&](const Left& left, const auto& left_with) {
    if (ruled_out(placement, left)) return true;
    const auto excess_of_fitting = [&](std::size_t mode) {
      const double per_sample = least_per_sample(common, mode, placement, largest);
      return iteration(common, per_sample, bubble_) - left_with(per_sample);
    };
    double beyond = excess_of_fitting(mode_.once);
    if (!(beyond > 0) && mode_.own != mode_.once) beyond = excess_of_fitting(mode_.own);
    if (!(beyond > 0)) return false;
    keep_least(bound + beyond);
    rule_out(placement, left, bound + beyond);
    return true;
  };
  const Left untied{.bound = bound, .second = LeastTied{}};
  if (none_within(untied, [bound](double) { return bound; })) return true;
  const Left tied = left_by_tied(common, placement, bound);
  return none_within(tied, [&](double per_sample) {
    const auto [first, second] = tied.with(micros_of(fitting_ - 1, per_sample, hides_));
    return std::max(first, second);
  });
}

}  // namespace planner::search
