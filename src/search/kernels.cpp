#include "planner/search/kernels.hpp"

#include <algorithm>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"

namespace planner {

namespace {

constexpr double kPadding = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLanes = 8;  // as ScheduleGrid pads

}  // namespace

CalibratedKernel::CalibratedKernel(const Workload& workload)
    : model_(workload), batch_divisors_(divisors(workload.run.global_batch)) {}

void CalibratedKernel::start(const Column& column, std::span<const InnerPair> pairs,
                             std::int64_t samples) {
  pairs_ = pairs;
  padded_ = (pairs.size() + kLanes - 1) / kLanes * kLanes;
  samples_ = real(samples);
  p_ = real(column.pp);
}

void CalibratedKernel::memories(const Strategy& common, std::span<double> bytes) const {
  const Calibrated::MemoryTerms terms = model_.memory_terms(common);
  Strategy strategy = common;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    strategy.micro_batch = pairs_[i].micro_batch;
    strategy.interleave = pairs_[i].interleave;
    bytes[i] = model_.memory(terms, model_.pipeline(strategy)).total().si();
  }
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(pairs_.size()), bytes.end(), kPadding);
}

CalibratedKernel::Kept& CalibratedKernel::kept(const Strategy& strategy) {
  const Layout layout{strategy.tp.hb,
                      strategy.tp.net,
                      strategy.cp.hb,
                      strategy.cp.net,
                      strategy.ep.hb,
                      strategy.ep.net,
                      strategy.expert_tp,
                      static_cast<std::int64_t>(strategy.recompute),
                      strategy.sequence_parallel};
  const auto [found, inserted] = layouts_.try_emplace(layout);
  if (inserted) {
    found->second.by_b.resize(batch_divisors_.size());
    found->second.known.resize(batch_divisors_.size());
    found->second.least_per_sample = model_.least_time_per_sample(strategy, batch_divisors_.back());
  }
  return found->second;
}

void CalibratedKernel::place(const Strategy& strategy) {
  strategy_ = strategy;
  layout_ = &kept(strategy);
}

// The slowest of p stages takes at least the p-th part of all work; the last factor leaves room for
// rounding.
double CalibratedKernel::lower_bound() const {
  return (1 - 1e-9) * samples_ / p_ * layout_->least_per_sample.si();
}

const Calibrated::MicroBatch& CalibratedKernel::micro_batch(std::int64_t b) {
  const auto index =
      static_cast<std::size_t>(std::lower_bound(batch_divisors_.begin(), batch_divisors_.end(), b) -
                               batch_divisors_.begin());
  if (!layout_->known[index]) {
    strategy_.micro_batch = b;
    layout_->by_b[index] = model_.micro_batch(strategy_);
    layout_->known[index] = true;
  }
  return layout_->by_b[index];
}

void CalibratedKernel::times(std::span<double> seconds) {
  const Calibrated::Synchronisation sync = model_.synchronisation(strategy_);
  const Calibrated::MicroBatch* micro = nullptr;
  Calibrated::Stage stage;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [b, v] = pairs_[i];
    if (i == 0 || b != pairs_[i - 1].micro_batch) {
      micro = &micro_batch(b);
      stage = model_.stage(p_, *micro);
    }
    strategy_.micro_batch = b;
    strategy_.interleave = v;
    seconds[i] = model_.time(*micro, stage, sync, model_.pipeline(strategy_)).total().si();
  }
  std::fill(seconds.begin() + static_cast<std::ptrdiff_t>(pairs_.size()), seconds.end(), kPadding);
}

}  // namespace planner
