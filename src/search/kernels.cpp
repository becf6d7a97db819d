#include "planner/search/kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLanes = 8;     // as ScheduleGrid pads
constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding

bool runs_again(const Strategy& strategy) {
  return strategy.recompute != Recompute::none;
}
/// What neither of two orders of ranks can beat in any part.
Calibrated::Synchronisation least_of(const Calibrated::Orders& orders) {
  using S = Calibrated::Synchronisation;
  S least = orders.first.sync;
  if (!orders.second) return least;
  for (Seconds S::*part :
       {&S::gradients, &S::gathers, &S::growth, &S::replicas, &S::per_micro, &S::send_per_sample,
        &S::sends_of_node_per_sample, &S::sends_beside_per_sample}) {
    least.*part = std::min(least.*part, orders.second->sync.*part);
  }
  return least;
}
Strategy running_once(Strategy strategy) {
  strategy.recompute = Recompute::none;
  strategy.recompute_modules = {};
  return strategy;
}

}  // namespace

CalibratedKernel::CalibratedKernel(const Workload& workload)
    : model_(workload), batch_divisors_(divisors(workload.run.global_batch)) {}

void CalibratedKernel::start(const Column& column, std::span<const InnerPair> pairs,
                             std::span<const Strategy> placements, std::int64_t samples) {
  if (family(column) != family_) {
    family_ = family(column);
    layouts_.clear();
    for (auto& by_divisor : work_) by_divisor.assign(batch_divisors_.size(), std::nullopt);
  }
  pairs_ = pairs;
  placements_ = placements;
  padded_ = (pairs.size() + kLanes - 1) / kLanes * kLanes;
  samples_ = real(samples);
  p_ = real(column.pp);
  placed_.clear();
  for (const Strategy& at : placements) {
    placed_.push_back(&layouts_[Layout{at.tp.hb, at.cp.hb, at.ep.hb}]);
  }
  sizes_.clear();
  pipelines_.clear();
  for (std::size_t i = 0, divisor = 0; i < pairs.size(); ++i) {
    while (batch_divisors_[divisor] != pairs[i].micro_batch) ++divisor;
    if (sizes_.empty() || sizes_.back().divisor != divisor) {
      sizes_.push_back({.begin = i, .end = i, .divisor = divisor});
    }
    ++sizes_.back().end;
  }
  for (auto& by_divisor : least_) by_divisor.assign(batch_divisors_.size(), kNone);
  for (auto& by_size : unsynchronised_) by_size.clear();
  first_within_ = {};
}

std::size_t CalibratedKernel::mode_of(const Strategy& strategy) {
  const Recomputation again{strategy.recompute, strategy.recompute_modules};
  std::size_t place = 0;
  while (place < recomputations_.size() && recomputations_[place] != again) ++place;
  if (place == recomputations_.size()) recomputations_.push_back(again);
  assert(place < kRecomputations);
  return 2 * place + (strategy.sequence_parallel ? 1 : 0);
}

void CalibratedKernel::fill_pipelines(const Strategy& setting) {
  if (!pipelines_.empty()) return;
  Strategy common = setting;
  for (const auto& [micro_batch, interleave] : pairs_) {
    common.micro_batch = micro_batch;
    common.interleave = interleave;
    pipelines_.push_back(model_.pipeline(common));
  }
}

void CalibratedKernel::memories(const Strategy& common, double capacity, std::span<double> bytes) {
  fill_pipelines(common);
  const Calibrated::MemoryTerms terms = model_.memory_terms(common);
  std::fill(bytes.begin(), bytes.end(), kNone);
  fitting_ = 0;
  for (const Size& size : sizes_) {
    bool fits = false;
    for (std::size_t i = size.begin; i < size.end; ++i) {
      bytes[i] = model_.total_memory(terms, pipelines_[i]).si();
      fits = fits || bytes[i] <= capacity;
    }
    if (!fits) {
      const auto larger = bytes.subspan(size.end, pairs_.size() - size.end);
      std::fill(larger.begin(), larger.end(), kInfinity);
      return;
    }
    ++fitting_;
  }
}

const Calibrated::Work& CalibratedKernel::work(const Strategy& strategy, std::size_t divisor) {
  std::optional<Calibrated::Work>& work = work_[strategy.sequence_parallel ? 1 : 0][divisor];
  if (!work) work = model_.work(strategy);
  return *work;
}

const Calibrated::Communication& CalibratedKernel::communication(Kept& kept,
                                                                 const Strategy& strategy,
                                                                 std::size_t divisor) {
  if (kept.communication.empty()) kept.communication.resize(batch_divisors_.size());
  std::optional<Calibrated::Communication>& communication = kept.communication[divisor];
  if (!communication) communication = model_.communication(strategy);
  return *communication;
}

const Calibrated::MicroBatch& CalibratedKernel::micro_batch(Kept& kept, const Strategy& strategy,
                                                            std::size_t divisor) {
  auto& by_divisor = kept.time[mode_of(strategy)];
  if (by_divisor.empty()) by_divisor.resize(batch_divisors_.size());
  std::optional<Calibrated::MicroBatch>& time = by_divisor[divisor];
  if (!time) {
    time = model_.micro_batch(work(strategy, divisor), communication(kept, strategy, divisor),
                              strategy);
  }
  return *time;
}

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there; the factor leaves room for rounding.
double CalibratedKernel::least_time(const Strategy& common, std::size_t placement,
                                    std::size_t divisor) {
  Kept& kept = *placed_[placement];
  auto& by_divisor = kept.least[mode_of(common)];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kNone);
  double& least = by_divisor[divisor];
  if (std::isnan(least)) {
    Strategy at = placed_as(placements_[placement], common);
    at.micro_batch = batch_divisors_[divisor];
    least =
        model_.least_time_per_sample(work(at, divisor), communication(kept, at, divisor), at).si();
  }
  return kSafely * samples_ / p_ * least;
}

double CalibratedKernel::least_time(const Strategy& common, std::size_t divisor) {
  double& least = least_[mode_of(common)][divisor];
  if (std::isnan(least)) {
    least = kInfinity;
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      least = std::min(least, least_time(common, i, divisor));
    }
  }
  return least;
}

// No part of an iteration is shorter for what is synchronised; the factor leaves room for rounding.
double CalibratedKernel::unsynchronised(const Strategy& strategy, std::size_t placement,
                                        std::size_t size) {
  auto& by_size = unsynchronised_[mode_of(strategy)];
  if (by_size.empty()) by_size.assign(placements_.size() * sizes_.size(), kNone);
  double& least = by_size[placement * sizes_.size() + size];
  if (!std::isnan(least)) return least;
  fill_pipelines(strategy);
  const auto [begin, end, divisor] = sizes_[size];
  Strategy at = strategy;
  at.micro_batch = batch_divisors_[divisor];
  const Calibrated::MicroBatch& micro = micro_batch(*placed_[placement], at, divisor);
  const Calibrated::Stage stage = model_.stage(p_, micro);
  least = kInfinity;
  for (std::size_t i = begin; i < end; ++i) {
    least = std::min(least, model_.time(micro, stage, {}, pipelines_[i]).total().si());
  }
  return least *= kSafely;
}

bool CalibratedKernel::beyond(const Strategy& common, std::size_t placement, std::size_t divisor,
                              double bound) {
  if (least_time(running_once(common), placement, divisor) > bound) return true;
  return runs_again(common) && least_time(common, placement, divisor) > bound;
}

bool CalibratedKernel::beyond(const Strategy& common, std::size_t divisor, double bound) {
  if (least_time(running_once(common), divisor) > bound) return true;
  return runs_again(common) && least_time(common, divisor) > bound;
}

bool CalibratedKernel::beyond_unsynchronised(const Strategy& strategy, std::size_t placement,
                                             std::size_t size, double bound) {
  if (unsynchronised(running_once(strategy), placement, size) > bound) return true;
  return runs_again(strategy) && unsynchronised(strategy, placement, size) > bound;
}

bool CalibratedKernel::any_within(const Strategy& strategy, std::size_t placement, double bound) {
  if (beyond(strategy, placement, sizes_.back().divisor, bound)) return false;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    if (!beyond_unsynchronised(strategy, placement, size, bound)) return true;
  }
  return false;
}

bool CalibratedKernel::none_within(const Strategy& common, double bound,
                                   const std::atomic<bool>* stop) {
  if (!(bound < kInfinity)) return false;
  if (beyond(common, batch_divisors_.size() - 1, bound)) return true;
  std::size_t& first = first_within_[mode_of(common)];
  for (; first < placements_.size() && !is_set(stop); ++first) {
    if (any_within(placed_as(placements_[first], common), first, bound)) return false;
  }
  return true;
}

bool CalibratedKernel::none_fitting_within(const Strategy& common, double bound) {
  if (fitting_ == 0) return true;
  return bound < kInfinity && beyond(common, sizes_[fitting_ - 1].divisor, bound);
}

bool CalibratedKernel::times(const Strategy& strategy, std::size_t placement, double bound,
                             std::span<const double> bytes, double capacity,
                             std::span<double> seconds) {
  if (fitting_ == 0) return false;
  const bool bounded = bound < kInfinity;
  const std::size_t largest = sizes_[fitting_ - 1].divisor;
  if (bounded && beyond(strategy, placement, largest, bound)) return false;
  Strategy at = strategy;
  std::optional<Calibrated::Orders> orders;
  Calibrated::Synchronisation least;
  for (std::size_t k = 0; k < fitting_; ++k) {
    if (bounded && beyond_unsynchronised(strategy, placement, k, bound)) continue;
    if (!orders) {
      orders = model_.orders(strategy);
      if (bounded) least = least_of(*orders);
      std::fill(seconds.begin(), seconds.end(), kNone);
    }
    const Size& size = sizes_[k];
    at.micro_batch = pairs_[size.begin].micro_batch;
    const Calibrated::MicroBatch& micro = micro_batch(*placed_[placement], at, size.divisor);
    const Calibrated::Stage stage = model_.stage(p_, micro);
    for (std::size_t i = size.begin; i < size.end; ++i) {
      if (!(bytes[i] <= capacity)) continue;
      const auto time = [&](const Calibrated::Synchronisation& sync) {
        return model_.time(micro, stage, sync, pipelines_[i]).total().si();
      };
      if (orders->second && bounded && kSafely * time(least) > bound) continue;
      seconds[i] = time(orders->first.sync);
      if (orders->second) seconds[i] = std::min(seconds[i], time(orders->second->sync));
    }
  }
  return orders.has_value();
}

}  // namespace planner::search
