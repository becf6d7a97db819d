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

void CalibratedKernel::memories(const Strategy& common, std::span<double> bytes) const {
  const Calibrated::MemoryTerms terms = model_.memory_terms(common);
  Strategy strategy = common;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    strategy.micro_batch = pairs_[i].micro_batch;
    strategy.interleave = pairs_[i].interleave;
    bytes[i] = model_.memory(terms, model_.pipeline(strategy)).total().si();
  }
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(pairs_.size()), bytes.end(), kNone);
}

const Calibrated::MicroBatch& CalibratedKernel::micro_batch(Kept& kept, const Strategy& strategy,
                                                            std::int64_t b) {
  const auto index =
      static_cast<std::size_t>(std::lower_bound(batch_divisors_.begin(), batch_divisors_.end(), b) -
                               batch_divisors_.begin());
  std::optional<Calibrated::MicroBatch>& micro = kept.by_b[index];
  if (!micro) {
    Strategy with_b = strategy;
    with_b.micro_batch = b;
    micro = model_.micro_batch(with_b);
  }
  return *micro;
}

// The slowest of p stages takes at least the p-th part of all work, and an iteration at least what
// its micro-batches take there; the factors leave room for rounding.
bool CalibratedKernel::times(const Strategy& strategy, std::size_t placement, double bound,
                             std::span<const double> bytes, double capacity,
                             std::span<double> seconds) {
  constexpr double kSafely = 1 - 1e-9;
  const auto mode =
      2 * static_cast<std::size_t>(strategy.recompute) + (strategy.sequence_parallel ? 1 : 0);
  Kept& kept = (*placed_[placement])[mode];
  if (kept.by_b.empty()) {
    kept.by_b.resize(batch_divisors_.size());
    kept.least_per_sample = model_.least_time_per_sample(strategy, batch_divisors_.back());
  }
  if (kSafely * samples_ / p_ * kept.least_per_sample.si() > bound) return false;
  if (kept.column != column_) {
    kept.column = column_;
    kept.steady.assign(groups_.size() - 1, kNone);
  }

  std::fill(seconds.begin(), seconds.end(), kNone);
  std::optional<Calibrated::Synchronisation> sync;
  Strategy at = strategy;
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    const std::size_t begin = groups_[g], end = groups_[g + 1];
    double& steady = kept.steady[g];
    if (kSafely * steady > bound) continue;
    if (std::none_of(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                     bytes.begin() + static_cast<std::ptrdiff_t>(end),
                     [=](double size) { return size <= capacity; })) {
      continue;
    }
    const std::int64_t b = pairs_[begin].micro_batch;
    const Calibrated::MicroBatch& micro = micro_batch(kept, strategy, b);
    const Calibrated::Stage stage = model_.stage(p_, micro);
    steady = samples_ / real(b) * stage.slowest.si();
    if (kSafely * steady > bound) continue;
    if (!sync) sync = model_.synchronisation(strategy);
    at.micro_batch = b;
    for (std::size_t i = begin; i < end; ++i) {
      at.interleave = pairs_[i].interleave;
      seconds[i] = model_.time(micro, stage, *sync, model_.pipeline(at)).total().si();
    }
  }
  return sync.has_value();
}

}  // namespace planner
