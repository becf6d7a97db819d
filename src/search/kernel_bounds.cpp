// What the search skips: seconds that no strategy of some kind can beat.
#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"

namespace planner::inline search {

namespace {

constexpr Seconds kHidesAll{1e30};

}  // namespace

double CalibratedKernel::least_per_sample(const Strategy& common, std::size_t mode,
                                          std::size_t placement, std::size_t divisor) {
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
  return least;
}

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there, what it waits for the other stages, of a pipeline of v chunks a
// stage the v-th part of a micro-batch, and straggling; the factor leaves room for rounding.
double CalibratedKernel::iteration(const Strategy& common, double per_sample, double bubble) const {
  const bool waits = common.without_interleaving == Schedule::one_f_one_b;
  return kSafely * straggling_ * (samples_ / p_ + (waits ? bubble : 0)) * per_sample;
}

double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t placement,
                                    std::size_t divisor) {
  return iteration(common, least_per_sample(common, mode, placement, divisor), bubble_);
}

// No exchange is faster than the fastest of its axis, and what it shows only grows with it; most of
// tensor parallelism is hidden where all its ranks share a domain.
double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t divisor) {
  auto& by_divisor = least_[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kUnknown);
  double& least = by_divisor[divisor];
  if (std::isnan(least)) {
    Strategy at = placed_as(placements_.front(), in_mode(common, mode));
    at.micro_batch = batch_divisors_[divisor];
    constexpr Seconds kNever{kInfinity};
    Calibrated::Communication fastest{kNever, kNever, kNever};
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      const auto [all_reduce, ring, all_to_all] =
          communication(*placed_[i], placed_as(placements_[i], at), divisor);
      fastest = {std::min(fastest.all_reduce, all_reduce), std::min(fastest.ring, ring),
                 std::min(fastest.all_to_all, all_to_all)};
      if (placements_[i].tp.net == 1) at.tp = placements_[i].tp;
    }
    least = iteration(common, model_.least_time_per_sample(work(at, divisor), fastest, at).si(),
                      bubble_);
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

const CalibratedKernel::TiedInOrder& CalibratedKernel::least_tied(const Strategy& common,
                                                                  std::size_t placement) {
  std::optional<TiedInOrder>& least = of_stage(common).least_tied[placement];
  if (!least) {
    const Strategy at = placed_as(placements_[placement], common);
    least = model_.least_tied(at, shared(at, placement));
  }
  return *least;
}

std::vector<LeastTied> CalibratedKernel::least_tied_in_any_stage(
    Strategy at, const SharedParameters& shared) const {
  std::vector<LeastTied> least;
  least.reserve(stages_.size());
  for (const auto& [zero, shard_ranks] : stages_) {
    at.zero = zero;
    at.shard_ranks = shard_ranks;
    const LeastTied one = model_.least_tied(at, shared);
    const auto never_more = [&](const LeastTied& other) { return other.never_more_than(one); };
    if (std::none_of(least.begin(), least.end(), never_more)) least.push_back(one);
  }
  return least;
}

const CalibratedKernel::TiedInAnyStage& CalibratedKernel::least_tied_in_any_stage(
    const Strategy& common, std::size_t placement) {
  std::optional<TiedInAnyStage>& least = tied_in_any_stage_[placement];
  if (least) return *least;
  Strategy at = placed_as(placements_[placement], common);
  at.outermost.reset();
  const auto& [first, second] = shared(at, placement);
  if (second) at.outermost = Outermost::pipeline;
  least = TiedInAnyStage{.first = least_tied_in_any_stage(at, first)};
  if (!second) return *least;
  at.outermost = Outermost::data;
  least->second = least_tied_in_any_stage(at, *second);
  return *least;
}

bool CalibratedKernel::beyond_gradients(const Strategy& strategy, Mode mode, std::size_t placement,
                                        double bound) {
  if (!gradients_.known()) return false;
  auto& gradients = least_gradients_[placement];
  if (!gradients) {
    if (!gradients_of_column_) gradients_of_column_ = gradients_.of(column_);
    gradients = gradients_of_column_->iteration(strategy);
  }
  const auto left = [&](std::size_t size, double per_sample) {
    const auto [count, stage, hides] = micros_of(size, per_sample, sizes_[size].hides);
    return bound - kSafely * gradients->with(count, stage, hides);
  };
  const auto beyond = [&](std::size_t size, double per_sample) {
    return iteration(strategy, per_sample, sizes_[size].bubble) > left(size, per_sample);
  };
  const double of_largest =
      least_per_sample(strategy, mode.own, placement, batch_divisors_.size() - 1);
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (beyond(size, of_largest)) continue;
    const double per_sample = least_per_sample(strategy, mode.own, placement, sizes_[size].divisor);
    if (beyond(size, per_sample)) continue;
    if (p_ == 1 || !(with_sends(strategy, placement, size, per_sample) > left(size, per_sample))) {
      return false;
    }
  }
  return true;
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
      least = std::min(least, one.si(micros.count, micros.stage, micros.hides));
    }
    return bound - kSafely * least;
  };
  return {left(tied.first), tied.second ? left(*tied.second) : -kInfinity};
}

double CalibratedKernel::micros_of(std::size_t size) const {
  return samples_ / real(batch_divisors_[sizes_[size].divisor]);
}

// The slowest stage may take more than the p-th part: of one micro-batch that all stages pass that
// is no longer for it and hides more, and so may be what collectives run beside.
CalibratedKernel::Micros CalibratedKernel::micros_of(std::size_t size, double per_sample,
                                                     double hides) const {
  const double count = micros_of(size);
  const double stage = straggling_ * samples_ / (p_ * count) * per_sample;
  const bool any = count > 1 || p_ == 1;
  return {
      .count = count, .stage = kHidesAll.si(), .hides = any ? hides * stage / kHidesAll.si() : 1};
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

template <class LeftWith>
bool CalibratedKernel::beyond_untied(const Strategy& strategy, Mode mode, std::size_t placement,
                                     std::size_t size, const LeftWith& left_with) {
  // What is known of a layout is asked before what is worked out pair by pair.
  const auto beyond = [&](std::size_t of) {
    const auto& at = sizes_[size];
    const double per_sample = least_per_sample(strategy, of, placement, at.divisor);
    const InOrder left = left_with(micros_of(size, per_sample, sizes_[size].hides));
    if (iteration(strategy, per_sample, at.bubble) > std::max(left.first, left.second)) return true;
    const InOrder& least = least_untied(strategy, of, placement, size);
    // A longer stage hides sends and gradients both: where chunks take turns only of its own are
    // both known.
    const bool one_chunk = pairs_[at.end - 1].interleave == 1;
    const bool known = of == mode.own && (mode.own != mode.once || shares_cards_ || one_chunk);
    const Seconds stage =
        known ? model_.waited_for(untied(strategy, of, placement, size).stage.slowest) : kHidesAll;
    const InOrder beside =
        left_with(Micros{.count = micros_of(size), .stage = stage.si(), .hides = at.hides});
    return least.first > beside.first && least.second > beside.second;
  };
  return beyond(mode.once) || (mode.own != mode.once && beyond(mode.own));
}

bool CalibratedKernel::beyond_left(const Strategy& strategy, Mode mode, std::size_t placement,
                                   std::size_t size, const Left& left) {
  return beyond_untied(strategy, mode, placement, size,
                       [&](const Micros& micros) { return left.with(micros); });
}

template <class LeftWith>
bool CalibratedKernel::any_within(const Strategy& strategy, Mode mode, std::size_t placement,
                                  const LeftWith& left_with) {
  // What the largest micro-batches of any column take per sample is known from other columns.
  const double per_sample =
      least_per_sample(strategy, mode.own, placement, batch_divisors_.size() - 1);
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    const InOrder left = left_with(micros_of(size, per_sample, sizes_[size].hides));
    const double later = std::max(left.first, left.second);
    if (iteration(strategy, per_sample, sizes_[size].bubble) > later) continue;
    if (!beyond_untied(strategy, mode, placement, size, left_with)) return true;
  }
  return false;
}

bool CalibratedKernel::none_within(const Strategy& common, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  auto& [first, within] = first_within_[mode.own];
  const std::size_t once = first_within_[mode.once].placement;
  if (once <= first && within <= bound) return false;
  within = kInfinity;
  first = std::max(first, once);
  if (first == placements_.size()) return true;
  if (beyond(common, mode, batch_divisors_.size() - 1, bound)) {
    first = placements_.size();
    return true;
  }
  for (; first < placements_.size() && !is_set(stop); ++first) {
    const Strategy at = placed_as(placements_[first], common);
    if (beyond(at, mode, first, batch_divisors_.size() - 1, bound)) continue;
    if (beyond_gradients(at, mode, first, bound)) continue;
    const TiedInAnyStage& tied = least_tied_in_any_stage(at, first);
    const auto left = [&](const Micros& micros) { return left_in_any_stage(tied, micros, bound); };
    if (any_within(at, mode, first, left)) {
      within = bound;
      return false;
    }
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
  auto& [first, within] = first_within[mode.own];
  const std::size_t other =
      std::max(first_within[mode.once].placement, first_within_[mode.own].placement);
  if (other <= first && within <= bound) return false;
  within = kInfinity;
  first = std::max(first, other);
  for (; first < placements_.size() && !is_set(stop); ++first) {
    const Strategy at = placed_as(placements_[first], common);
    if (beyond(at, mode, first, batch_divisors_.size() - 1, bound)) continue;
    const Left left = left_by_tied(at, first, bound);
    if (any_within(at, mode, first, [&](const Micros& micros) { return left.with(micros); })) {
      within = bound;
      return false;
    }
  }
  return true;
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, double bound) {
  if (fitting_ == 0) return true;
  return bound < kInfinity && beyond(common, mode_, sizes_[fitting_ - 1].divisor, bound);
}

bool CalibratedKernel::ruled_out(std::size_t placement, const Left& left) const {
  const auto& known = ruled_out_[mode_.own];
  return !known.empty() && fitting_ <= known[placement].sizes &&
         left.never_more_than(known[placement].left);
}

void CalibratedKernel::rule_out(std::size_t placement, const Left& left) {
  auto& known = ruled_out_[mode_.own];
  if (known.empty()) known.resize(placements_.size());
  known[placement] = {fitting_, left};
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, std::size_t placement,
                                           double bound) {
  if (fitting_ == 0) return true;
  if (!(bound < kInfinity)) return false;
  const std::size_t largest = sizes_[fitting_ - 1].divisor;
  const auto none_within = [&](const Left& left) {
    if (ruled_out(placement, left)) return true;
    const auto beyond = [&](std::size_t mode) {
      const double per_sample = least_per_sample(common, mode, placement, largest);
      const auto [first, second] = left.with(micros_of(fitting_ - 1, per_sample, hides_));
      return least_time(common, mode, placement, largest) > std::max(first, second);
    };
    if (!beyond(mode_.once) && (mode_.own == mode_.once || !beyond(mode_.own))) return false;
    rule_out(placement, left);
    return true;
  };
  return none_within({.bound = bound, .second = LeastTied{}}) ||
         none_within(left_by_tied(common, placement, bound));
}

}  // namespace planner::search
