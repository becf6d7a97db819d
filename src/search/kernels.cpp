#include "planner/search/kernels.hpp"

#include <algorithm>
#include <cassert>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/straggling.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

CalibratedKernel::CalibratedKernel(const Workload& workload)
    : model_(workload),
      batch_divisors_(divisors(workload.run.global_batch)),
      straggling_(1 + kStragglingShare(workload.timing.constants()[Constant::straggling],
                                       real(workload.gpus))) {}

void CalibratedKernel::start(const Column& column, std::span<const InnerPair> pairs,
                             std::span<const Strategy> placements, std::int64_t samples) {
  if (family(column) != family_) {
    family_ = family(column);
    layouts_.clear();
    for (auto& by_divisor : work_) by_divisor.assign(batch_divisors_.size(), std::nullopt);
  }
  pairs_ = pairs;
  placements_ = placements;
  samples_ = real(samples);
  p_ = real(column.pp);
  placed_.clear();
  for (const Strategy& at : placements) {
    placed_.push_back(&layouts_[Layout{at.tp.hb, at.cp.hb, at.ep.hb}]);
  }
  sizes_.clear();
  grid_.reset(pairs.size());
  grid_filled_ = false;
  for (std::size_t i = 0, divisor = 0; i < pairs.size(); ++i) {
    while (batch_divisors_[divisor] != pairs[i].micro_batch) ++divisor;
    if (sizes_.empty() || sizes_.back().divisor != divisor) {
      sizes_.push_back({.begin = i, .end = i, .divisor = divisor});
    }
    ++sizes_.back().end;
  }
  for (auto& by_divisor : least_) by_divisor.clear();
  for (auto& by_size : untied_) by_size.clear();
  for (auto& times : untied_times_) times.clear();
  for (auto& by_placement : sends_) by_placement.clear();
  of_zero_.clear();
  memory_of_mode_ = {};
  memory_of_zero_.clear();
  first_within_ = 0;
}

std::size_t CalibratedKernel::place_of(const Recomputation& again) {
  std::size_t place = 0;
  while (place < recomputations_.size() && recomputations_[place] != again) ++place;
  if (place == recomputations_.size()) recomputations_.push_back(again);
  assert(place < kRecomputations);
  return place;
}

const CalibratedKernel::Mode& CalibratedKernel::mode_of(const Strategy& strategy) {
  const Recomputation again{strategy.recompute, strategy.recompute_modules};
  const bool shared = strategy.sequence_parallel;
  if (!known_ || known_->again != again || known_->sequence_parallel != shared) {
    const std::size_t own = 2 * place_of(again) + (shared ? 1 : 0);
    const std::size_t once = 2 * place_of({Recompute::none}) + (shared ? 1 : 0);
    known_ = {.again = again, .sequence_parallel = shared, .mode = {.own = own, .once = once}};
  }
  return known_->mode;
}

Strategy CalibratedKernel::in_mode(Strategy strategy, std::size_t mode) const {
  const Recomputation& again = recomputations_[mode / 2];
  strategy.recompute = again.mode;
  strategy.recompute_modules = again.modules;
  return strategy;
}

void CalibratedKernel::fill_pipelines(const Strategy& setting) {
  if (grid_filled_) return;
  Strategy common = setting;
  for (const auto& [micro_batch, interleave] : pairs_) {
    common.micro_batch = micro_batch;
    common.interleave = interleave;
    grid_.add(model_.pipeline(common));
  }
  grid_filled_ = true;
}

Calibrated::MemoryTerms CalibratedKernel::memory_terms(const Strategy& common) {
  std::optional<OfMode>& mode = memory_of_mode_[mode_.own];
  if (!mode) {
    const Calibrated::LayerMemory layer = model_.layer_memory(common);
    mode = OfMode{layer, model_.activations(layer)};
  }
  const Calibrated::LayerMemory& layer = mode->layer;
  auto zero =
      std::find_if(memory_of_zero_.begin(), memory_of_zero_.end(), [&](const StatesOfZero& of) {
        return of.zero == common.zero && of.shard_ranks == common.shard_ranks &&
               of.deferring == layer.deferring;
      });
  if (zero == memory_of_zero_.end()) {
    zero = memory_of_zero_.insert(
        zero, {common.zero, common.shard_ranks, layer.deferring, model_.states(layer, common)});
  }
  return Calibrated::memory_terms(layer.fullest, zero->states, mode->activations);
}

void CalibratedKernel::memories(const Strategy& common, double capacity, std::span<double> bytes) {
  fill_pipelines(common);
  mode_ = mode_of(common);
  grid_.total_memories(memory_terms(common), model_.reserve(), bytes);
  fitting_ = 0;
  for (const Size& size : sizes_) {
    const auto fits = [capacity](double needed) { return needed <= capacity; };
    const auto begin = bytes.begin();
    const auto at = [begin](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    if (std::none_of(at(size.begin), at(size.end), fits)) {
      std::fill(at(size.end), at(pairs_.size()), kInfinity);
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

const Calibrated::MicroBatch& CalibratedKernel::micro_batch(Kept& kept, std::size_t mode,
                                                            const Strategy& strategy,
                                                            std::size_t divisor) {
  auto& by_divisor = kept.time[mode];
  if (by_divisor.empty()) by_divisor.resize(batch_divisors_.size());
  std::optional<Calibrated::MicroBatch>& time = by_divisor[divisor];
  if (!time) {
    time = model_.micro_batch(work(strategy, divisor), communication(kept, strategy, divisor),
                              strategy);
  }
  return *time;
}

bool CalibratedKernel::times(const Strategy& strategy, std::size_t placement, double bound,
                             std::span<const double> bytes, double capacity,
                             std::span<double> seconds) {
  const bool bounded = bound < kInfinity;
  const Mode mode = mode_;
  const EitherOrder* ties = nullptr;
  bool any = false;
  for (std::size_t k = 0; k < fitting_; ++k) {
    if (bounded && beyond_untied(strategy, mode, placement, k, bound)) continue;
    if (ties == nullptr) ties = &this->ties(strategy, placement);
    const Untied& of = untied(strategy, mode.own, placement, k);
    const double* const least =
        bounded ? &untied_times_[mode.own][placement * pairs_.size()] : nullptr;
    for (std::size_t i = sizes_[k].begin; i < sizes_[k].end; ++i) {
      if (!(bytes[i] <= capacity)) continue;
      if (bounded && beyond_tied(least[i], of.stage.slowest, i, *ties, bound)) continue;
      if (!any) std::fill(seconds.begin(), seconds.end(), kNone);
      any = true;
      const auto time = [&](const Calibrated::Ordered& order) {
        return model_.time(*of.micro, of.stage, order.sync, grid_.pipelines()[i]).total().si();
      };
      seconds[i] = time(ties->orders.first);
      if (ties->orders.second) seconds[i] = std::min(seconds[i], time(*ties->orders.second));
    }
  }
  return any;
}

}  // namespace planner::search
