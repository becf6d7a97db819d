#include "planner/search/kernels.hpp"

#include <algorithm>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"

namespace planner {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLanes = 8;  // as ScheduleGrid pads

}  // namespace

CalibratedKernel::CalibratedKernel(const Workload& workload)
    : model_(workload), batch_divisors_(divisors(workload.run.global_batch)) {}

void CalibratedKernel::start(const Column& column, std::span<const InnerPair> pairs,
                             std::span<const Strategy> placements, std::int64_t samples) {
  pairs_ = pairs;
  padded_ = (pairs.size() + kLanes - 1) / kLanes * kLanes;
  samples_ = real(samples);
  p_ = real(column.pp);
  ++column_;
  groups_.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].micro_batch != pairs[i - 1].micro_batch) groups_.push_back(i);
  }
  groups_.push_back(pairs.size());
  placed_.clear();
  for (const Strategy& at : placements) {
    placed_.push_back(&layouts_[Layout{at.tp.hb, at.tp.net, at.cp.hb, at.cp.net, at.ep.hb,
                                       at.ep.net, at.expert_tp}]);
  }
}

void CalibratedKernel::memories(const Strategy& common, double capacity, std::span<double> bytes) {
  std::fill(bytes.begin(), bytes.end(), kNone);
  largest_fitting_ = 0;
  const Calibrated::MemoryTerms terms = model_.memory_terms(common);
  Strategy strategy = common;
  bool fits = true;
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    if (!fits) {
      const auto rest = bytes.subspan(groups_[g], pairs_.size() - groups_[g]);
      std::fill(rest.begin(), rest.end(), std::numeric_limits<double>::infinity());
      return;
    }
    fits = false;
    for (std::size_t i = groups_[g]; i < groups_[g + 1]; ++i) {
      strategy.micro_batch = pairs_[i].micro_batch;
      strategy.interleave = pairs_[i].interleave;
      bytes[i] = model_.memory(terms, model_.pipeline(strategy)).total().si();
      if (!(bytes[i] <= capacity)) continue;
      fits = true;
      largest_fitting_ = strategy.micro_batch;
    }
  }
}

std::size_t CalibratedKernel::index_of(std::int64_t b) const {
  return static_cast<std::size_t>(
      std::lower_bound(batch_divisors_.begin(), batch_divisors_.end(), b) -
      batch_divisors_.begin());
}

const Calibrated::MicroBatch& CalibratedKernel::micro_batch(Kept& kept, const Strategy& strategy) {
  std::optional<Calibrated::MicroBatch>& micro = kept.by_b[index_of(strategy.micro_batch)];
  if (!micro) micro = model_.micro_batch(strategy);
  return *micro;
}

Seconds CalibratedKernel::least_per_sample(Kept& kept, const Strategy& strategy) {
  std::optional<Seconds>& least = kept.least[index_of(strategy.micro_batch)];
  if (!least) least = model_.least_time_per_sample(strategy);
  return *least;
}

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there; the factor leaves room for rounding.
bool CalibratedKernel::times(const Strategy& strategy, std::size_t placement, double bound,
                             std::span<const double> bytes, double capacity,
                             std::span<double> seconds) {
  constexpr double kSafely = 1 - 1e-9;
  Strategy at = strategy;
  at.micro_batch = largest_fitting_;
  if (at.micro_batch == 0) return false;
  const auto mode =
      2 * static_cast<std::size_t>(strategy.recompute) + (strategy.sequence_parallel ? 1 : 0);
  Kept& kept = (*placed_[placement])[mode];
  if (kept.by_b.empty()) {
    kept.by_b.resize(batch_divisors_.size());
    kept.least.resize(batch_divisors_.size());
  }
  if (kSafely * samples_ / p_ * least_per_sample(kept, at).si() > bound) return false;
  if (kept.column != column_) {
    kept.column = column_;
    kept.steady.assign(groups_.size() - 1, kNone);
  }

  std::fill(seconds.begin(), seconds.end(), kNone);
  std::optional<Calibrated::Synchronisation> sync;
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    const std::size_t begin = groups_[g], end = groups_[g + 1];
    double& steady = kept.steady[g];
    if (kSafely * steady > bound) continue;
    if (std::none_of(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                     bytes.begin() + static_cast<std::ptrdiff_t>(end),
                     [=](double size) { return size <= capacity; })) {
      continue;
    }
    at.micro_batch = pairs_[begin].micro_batch;
    const Calibrated::MicroBatch& micro = micro_batch(kept, at);
    const Calibrated::Stage stage = model_.stage(p_, micro);
    steady = samples_ / real(at.micro_batch) * stage.slowest.si();
    if (kSafely * steady > bound) continue;
    if (!sync) sync = model_.synchronisation(strategy);
    for (std::size_t i = begin; i < end; ++i) {
      at.interleave = pairs_[i].interleave;
      seconds[i] = model_.time(micro, stage, *sync, model_.pipeline(at)).total().si();
    }
  }
  return sync.has_value();
}

}  // namespace planner
