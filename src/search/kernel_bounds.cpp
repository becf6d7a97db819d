// What the search skips: seconds that no strategy of some kind can beat.
#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"

namespace planner::inline search {

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there, what it waits for the other stages, of a pipeline of v chunks a
// stage the v-th part of a micro-batch, and straggling; the factor leaves room for rounding.
double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t placement,
                                    std::size_t divisor) {
  Kept& kept = *placed_[placement];
  auto& by_divisor = kept.least[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kUnknown);
  double& least = by_divisor[divisor];
  if (std::isnan(least)) {
    Strategy at = placed_as(placements_[placement], in_mode(common, mode));
    at.micro_batch = batch_divisors_[divisor];
    least =
        model_.least_time_per_sample(work(at, divisor), communication(kept, at, divisor), at).si();
  }
  const bool waits = common.without_interleaving == Schedule::one_f_one_b;
  return kSafely * straggling_ * (samples_ / p_ + (waits ? bubble_ : 0)) * least;
}

double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t divisor) {
  auto& by_divisor = least_[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kUnknown);
  double& least = by_divisor[divisor];
  if (std::isnan(least)) {
    least = kInfinity;
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      least = std::min(least, least_time(common, mode, i, divisor));
    }
  }
  return least;
}

CalibratedKernel::Untied& CalibratedKernel::untied(const Strategy& strategy, std::size_t mode,
                                                   std::size_t placement, std::size_t size) {
  auto& by_size = untied_[mode];
  if (by_size.empty()) by_size.resize(placements_.size() * sizes_.size());
  Untied& of = by_size[placement * sizes_.size() + size];
  if (of.micro != nullptr) return of;
  const std::size_t divisor = sizes_[size].divisor;
  Strategy at = in_mode(strategy, mode);
  at.micro_batch = batch_divisors_[divisor];
  of.micro = &micro_batch(*placed_[placement], mode, at, divisor);
  of.stage = model_.stage(p_, *of.micro);
  return of;
}

// No part of an iteration is shorter for what else is synchronised, and either order of ranks has
// sends of its own.
const CalibratedKernel::InOrder& CalibratedKernel::least_untied(const Strategy& strategy,
                                                                std::size_t mode,
                                                                std::size_t placement,
                                                                std::size_t size) {
  if (!untied_[mode].empty()) {
    const Untied& known = untied_[mode][placement * sizes_.size() + size];
    if (!std::isnan(known.least.first)) return known.least;
  }
  Untied& of = untied(strategy, mode, placement, size);
  const auto& [first, second] = sends(strategy, placement);
  const std::size_t begin = placement * pairs_.size();
  auto &times = untied_times_[mode], &second_times = second_times_[mode];
  if (times.empty()) times.resize(placements_.size() * pairs_.size());
  if (second && second_times.empty()) second_times.resize(times.size());
  fill_pipelines(strategy);
  of.least = {kInfinity, kInfinity};
  for (std::size_t i = sizes_[size].begin; i < sizes_[size].end; ++i) {
    const Calibrated::Pipeline& on = grid_.pipelines()[i];
    const Seconds time = model_.untied_time(of.stage, on);
    const auto with = [&](const Calibrated::Synchronisation& sends) {
      const bool any = on.p > 1;
      return kSafely * (any ? time + model_.sends_time(sends, of.stage.slowest, on) : time).si();
    };
    times[begin + i] = with(first);
    of.least.first = std::min(of.least.first, times[begin + i]);
    if (!second) continue;
    second_times[begin + i] = with(*second);
    of.least.second = std::min(of.least.second, second_times[begin + i]);
  }
  return of.least;
}

const CalibratedKernel::InOrder& CalibratedKernel::least_tied(const Strategy& common,
                                                              std::size_t placement) {
  OfStage& of = of_stage(common);
  InOrder& least = of.least_tied[placement];
  if (!std::isnan(least.first)) return least;
  const double micros = samples_ / real(batch_divisors_[sizes_.back().divisor]);
  const auto& [first, second] =
      reductions(of, placed_as(placements_[placement], common), placement);
  const auto seconds = [&](const Calibrated::Synchronisation& sync) {
    return kSafely * model_.least_tied_time(sync, micros).si();
  };
  least = {seconds(first), second ? seconds(*second) : kInfinity};
  return least;
}

CalibratedKernel::InOrder CalibratedKernel::left_by_tied(const Strategy& common,
                                                         std::size_t placement, double bound) {
  if (!routed_ || !(bound < kInfinity)) return {bound, bound};
  const InOrder& tied = least_tied(common, placement);
  return {bound - tied.first, bound - tied.second};
}

bool CalibratedKernel::beyond(const Strategy& common, Mode mode, std::size_t placement,
                              std::size_t divisor, double bound) {
  if (least_time(common, mode.once, placement, divisor) > bound) return true;
  return mode.own != mode.once && least_time(common, mode.own, placement, divisor) > bound;
}

bool CalibratedKernel::beyond(const Strategy& common, Mode mode, std::size_t divisor,
                              double bound) {
  if (least_time(common, mode.once, divisor) > bound) return true;
  return mode.own != mode.once && least_time(common, mode.own, divisor) > bound;
}

bool CalibratedKernel::beyond_untied(const Strategy& strategy, Mode mode, std::size_t placement,
                                     std::size_t size, const InOrder& bound) {
  const auto beyond = [&](const InOrder& least) {
    return least.first > bound.first && least.second > bound.second;
  };
  if (beyond(least_untied(strategy, mode.once, placement, size))) return true;
  return mode.own != mode.once && beyond(least_untied(strategy, mode.own, placement, size));
}

bool CalibratedKernel::any_within(const Strategy& strategy, Mode mode, std::size_t placement,
                                  const InOrder& bound) {
  const double later = std::max(bound.first, bound.second);
  if (beyond(strategy, mode, placement, sizes_.back().divisor, later)) return false;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (!beyond_untied(strategy, mode, placement, size, bound)) return true;
  }
  return false;
}

bool CalibratedKernel::none_within(const Strategy& common, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  std::size_t& first = first_within_[mode.own];
  first = std::max(first, first_within_[mode.once]);
  if (first == placements_.size()) return true;
  if (beyond(common, mode, batch_divisors_.size() - 1, bound)) {
    first = placements_.size();
    return true;
  }
  for (; first < placements_.size() && !is_set(stop); ++first) {
    if (any_within(placed_as(placements_[first], common), mode, first, {bound, bound})) {
      return false;
    }
  }
  return true;
}

bool CalibratedKernel::none_synchronised_within(const Strategy& common, double bound,
                                                const std::atomic<bool>* stop) {
  if (!routed_ || !(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  if (none_synchronised_within(common, {mode.once, mode.once}, bound, stop)) return true;
  return mode.own != mode.once && none_synchronised_within(common, mode, bound, stop);
}

bool CalibratedKernel::none_synchronised_within(const Strategy& common, Mode mode, double bound,
                                                const std::atomic<bool>* stop) {
  auto& first_within = of_stage(common).first_within;
  std::size_t& first = first_within[mode.own];
  first = std::max({first, first_within[mode.once], first_within_[mode.own]});
  for (; first < placements_.size() && !is_set(stop); ++first) {
    const Strategy at = placed_as(placements_[first], common);
    if (beyond(at, mode, first, sizes_.back().divisor, bound)) continue;
    if (any_within(at, mode, first, left_by_tied(at, first, bound))) return false;
  }
  return true;
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, double bound) {
  if (fitting_ == 0) return true;
  return bound < kInfinity && beyond(common, mode_, sizes_[fitting_ - 1].divisor, bound);
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, std::size_t placement,
                                           double bound) {
  if (fitting_ == 0) return true;
  if (!(bound < kInfinity)) return false;
  const std::size_t largest = sizes_[fitting_ - 1].divisor;
  if (beyond(common, mode_, placement, largest, bound)) return true;
  if (!routed_) return false;
  const InOrder left = left_by_tied(common, placement, bound);
  return beyond(common, mode_, placement, largest, std::max(left.first, left.second));
}

}  // namespace planner::search
