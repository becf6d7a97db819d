// Times that no strategy of a column, a setting or a placement can beat under the calibrated model.
#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding

/// What neither of two orders of ranks can beat in any part.
Calibrated::Synchronisation least_of(const Calibrated::Orders& orders) {
  using S = Calibrated::Synchronisation;
  S least = orders.first.sync;
  if (!orders.second) return least;
  for (Seconds S::*part :
       {&S::gradients, &S::gathers, &S::growth, &S::replicas, &S::per_micro, &S::send_per_sample,
        &S::send_at_once_per_sample, &S::sends_of_node_per_sample, &S::around_per_sample,
        &S::around_at_once_per_sample, &S::around_of_node_per_sample}) {
    least.*part = std::min(least.*part, orders.second->sync.*part);
  }
  const std::optional<Seconds>& other = orders.second->sync.by_hfreduce;
  if (other) least.by_hfreduce = std::min(least.by_hfreduce.value_or(*other), *other);
  return least;
}

/// The first settings, which run the same again: every ZeRO stage with its ranks.
std::span<const Strategy> of_one_recomputation(std::span<const Strategy> settings) {
  const auto other = std::find_if(settings.begin(), settings.end(), [&](const Strategy& one) {
    return one.recompute != settings.front().recompute ||
           one.recompute_modules != settings.front().recompute_modules;
  });
  return {settings.begin(), other};
}

/// Whether stages wait for cards that they share: a send then takes the less the longer a stage
/// does, so that what runs longer may end sooner.
bool waits_for_cards(const Calibrated::Orders& orders) {
  const auto waits = [](const Calibrated::Synchronisation& sync) {
    return sync.sends_of_node_per_sample > Seconds{} || sync.around_of_node_per_sample > Seconds{};
  };
  return waits(orders.first.sync) || (orders.second && waits(orders.second->sync));
}

}  // namespace

CalibratedKernel::OfZero& CalibratedKernel::of_zero(const Strategy& setting) {
  const auto known = std::find_if(of_zero_.begin(), of_zero_.end(), [&](const OfZero& of) {
    return of.zero == setting.zero && of.shard_ranks == setting.shard_ranks;
  });
  if (known != of_zero_.end()) return *known;
  OfZero& fresh =
      of_zero_.emplace_back(OfZero{.zero = setting.zero, .shard_ranks = setting.shard_ranks});
  fresh.reductions.resize(placements_.size());
  for (auto& by_placement : fresh.ties) by_placement.resize(placements_.size());
  return fresh;
}

const CalibratedKernel::EitherOrder& CalibratedKernel::sends(const Strategy& strategy,
                                                             std::size_t placement) {
  auto& by_placement = sends_[strategy.sequence_parallel ? 1 : 0];
  if (by_placement.empty()) by_placement.resize(placements_.size());
  std::optional<EitherOrder>& sends = by_placement[placement];
  if (!sends) {
    const Calibrated::Orders orders = model_.orders_of_sends(strategy);
    sends = EitherOrder{orders, least_of(orders)};
  }
  return *sends;
}

const CalibratedKernel::EitherOrder& CalibratedKernel::ties(const Strategy& strategy,
                                                            std::size_t placement) {
  OfZero& of = of_zero(strategy);
  std::optional<EitherOrder>& ties = of.ties[strategy.sequence_parallel ? 1 : 0][placement];
  if (ties) return *ties;
  std::optional<Calibrated::Orders>& reductions = of.reductions[placement];
  if (!reductions) reductions = model_.orders_of_reductions(strategy);
  const Calibrated::Orders orders =
      Calibrated::orders(strategy, *reductions, sends(strategy, placement).orders);
  ties = EitherOrder{orders, least_of(orders)};
  return *ties;
}

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there, and straggling; the factor leaves room for rounding.
double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t placement,
                                    std::size_t divisor) {
  Kept& kept = *placed_[placement];
  auto& by_divisor = kept.least[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kNone);
  double& least = by_divisor[divisor];
  if (std::isnan(least)) {
    Strategy at = placed_as(placements_[placement], in_mode(common, mode));
    at.micro_batch = batch_divisors_[divisor];
    least =
        model_.least_time_per_sample(work(at, divisor), communication(kept, at, divisor), at).si();
  }
  return kSafely * straggling_ * samples_ / p_ * least;
}

double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t divisor) {
  auto& by_divisor = least_[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kNone);
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

// No part of an iteration is shorter for what else is synchronised; the factor leaves room for
// rounding.
double CalibratedKernel::least_untied(const Strategy& strategy, std::size_t mode,
                                      std::size_t placement, std::size_t size) {
  Untied& of = untied(strategy, mode, placement, size);
  if (!std::isnan(of.least)) return of.least;
  auto& times = untied_times_[mode];
  if (times.empty()) times.resize(placements_.size() * pairs_.size());
  fill_pipelines(strategy);
  const Calibrated::Synchronisation& sends = this->sends(strategy, placement).least;
  of.least = kInfinity;
  for (std::size_t i = sizes_[size].begin; i < sizes_[size].end; ++i) {
    double& least = times[placement * pairs_.size() + i];
    least = kSafely * model_.time(*of.micro, of.stage, sends, grid_.pipelines()[i]).total().si();
    of.least = std::min(of.least, least);
  }
  return of.least;
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
                                     std::size_t size, double bound) {
  const bool grows = !waits_for_cards(sends(strategy, placement).orders);
  if (grows && least_untied(strategy, mode.once, placement, size) > bound) return true;
  return (mode.own != mode.once || !grows) &&
         least_untied(strategy, mode.own, placement, size) > bound;
}

// An iteration is one without synchronisation and what that adds: of either order of ranks at least
// what of the lesser of each part shows, and the less the longer stages take, behind which it
// hides. The factor leaves room for rounding.
bool CalibratedKernel::beyond_tied(double untied, Seconds stage, std::size_t pair,
                                   const EitherOrder& ties, double bound) const {
  if (untied > bound) return true;
  const Seconds tied = model_.tied_time(ties.least, stage, grid_.pipelines()[pair]);
  return untied + kSafely * tied.si() > bound;
}

bool CalibratedKernel::any_within(const Strategy& strategy, Mode mode, std::size_t placement,
                                  double bound) {
  if (beyond(strategy, mode, placement, sizes_.back().divisor, bound)) return false;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (beyond_untied(strategy, mode, placement, size, bound)) continue;
    const EitherOrder& ties = this->ties(strategy, placement);
    const Seconds stage = untied(strategy, mode.own, placement, size).stage.slowest;
    const double* const least = &untied_times_[mode.own][placement * pairs_.size()];
    for (std::size_t i = sizes_[size].begin; i < sizes_[size].end; ++i) {
      if (!beyond_tied(least[i], stage, i, ties, bound)) return true;
    }
  }
  return false;
}

Seconds CalibratedKernel::longest_stage(std::span<const Strategy> settings,
                                        const Strategy& strategy, std::size_t placement,
                                        std::size_t size) {
  Seconds longest{};
  for (const Strategy& setting : settings) {
    const bool once = setting.zero == settings.front().zero &&
                      setting.shard_ranks == settings.front().shard_ranks;
    if (!once || setting.sequence_parallel != strategy.sequence_parallel) continue;
    const std::size_t mode = mode_of(setting).own;
    longest = std::max(longest, untied(strategy, mode, placement, size).stage.slowest);
  }
  return longest;
}

bool CalibratedKernel::any_within(std::span<const Strategy> settings, bool sequence_parallel,
                                  std::size_t placement, double bound) {
  Strategy at = placed_as(placements_[placement], settings.front());
  at.recompute = Recompute::none;
  at.recompute_modules = {};
  at.sequence_parallel = sequence_parallel;
  if (waits_for_cards(sends(at, placement).orders)) return true;
  const std::size_t mode = mode_of(at).once;
  if (least_time(at, mode, placement, sizes_.back().divisor) > bound) return false;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (least_untied(at, mode, placement, size) > bound) continue;
    const Seconds stage = longest_stage(settings, at, placement, size);
    const double* const least = &untied_times_[mode][placement * pairs_.size()];
    for (const Strategy& setting : of_one_recomputation(settings)) {
      if (setting.sequence_parallel != sequence_parallel) continue;
      const EitherOrder& ties = this->ties(placed_as(placements_[placement], setting), placement);
      for (std::size_t i = sizes_[size].begin; i < sizes_[size].end; ++i) {
        if (!beyond_tied(least[i], stage, i, ties, bound)) return true;
      }
    }
  }
  return false;
}

bool CalibratedKernel::none_within(std::span<const Strategy> settings, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  std::size_t first = 0;
  for (; first < placements_.size() && !is_set(stop); ++first) {
    for (const bool sequence_parallel : {true, false}) {
      const bool asked = std::any_of(settings.begin(), settings.end(), [&](const Strategy& one) {
        return one.sequence_parallel == sequence_parallel;
      });
      if (!asked || !any_within(settings, sequence_parallel, first, bound)) continue;
      first_within_ = first;
      return false;
    }
  }
  return true;
}

bool CalibratedKernel::none_within(const Strategy& common, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  const Mode mode = mode_of(common);
  if (beyond(common, mode, batch_divisors_.size() - 1, bound)) return true;
  for (std::size_t i = first_within_; i < placements_.size() && !is_set(stop); ++i) {
    if (any_within(placed_as(placements_[i], common), mode, i, bound)) return false;
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
  return bound < kInfinity && beyond(common, mode_, placement, sizes_[fitting_ - 1].divisor, bound);
}

}  // namespace planner::search
