#include "planner/search/kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/perf/model/placement.hpp"

namespace planner::inline search {

CalibratedKernel::CalibratedKernel(const Workload& workload)
    : model_(workload),
      gradients_(workload, {0, 1, 2, 3}),
      batch_divisors_(divisors(workload.run.global_batch)),
      shares_cards_(workload.system.host.has_value()),
      asks_each_stage_(workload.routing || !workload.model.moe),
      straggling_(1 + kStragglingShare(workload.timing.constants()[Constant::straggling],
                                       real(workload.gpus))) {}

void CalibratedKernel::start(const Column& column, std::span<const InnerPair> pairs,
                             std::span<const Strategy> placements, std::int64_t samples,
                             std::span<const Sharding> stages) {
  if (family(column) != family_) {
    family_ = family(column);
    layouts_.clear();
    for (auto* exchanges : {&all_reduces_, &rings_, &all_to_alls_}) exchanges->clear();
    for (auto& by_divisor : work_) by_divisor.assign(batch_divisors_.size(), std::nullopt);
  }
  column_ = column;
  pairs_ = pairs;
  placements_ = placements;
  stages_ = stages;
  samples_ = real(samples);
  p_ = real(column.pp);
  placed_.clear();
  for (const Strategy& at : placements) {
    placed_.push_back(&kept_of({at.tp.hb, at.cp.hb, at.ep.hb}));
  }
  sizes_.clear();
  grid_.reset(pairs.size());
  grid_filled_ = false;
  for (std::size_t i = 0, divisor = 0; i < pairs.size(); ++i) {
    while (batch_divisors_[divisor] != pairs[i].micro_batch) ++divisor;
    if (sizes_.empty() || sizes_.back().divisor != divisor) {
      const double micros = samples_ / real(pairs[i].micro_batch);
      sizes_.push_back({.begin = i, .end = i, .divisor = divisor, .micros = micros});
    }
    Size& size = sizes_.back();
    ++size.end;
    // The last pair has the most chunks.
    const double chunks = real(pairs[i].interleave);
    size.bubble = bubble(pairs[i]);
    size.hides = kHidingShare * kPasses(p_, chunks);
  }
  bubble_ = kInfinity;
  hides_ = 0;
  least_ = kInfinity;
  for (const Size& size : sizes_) {
    bubble_ = std::min(bubble_, size.bubble);
    hides_ = std::max(hides_, size.hides);
  }
  for (auto& by_divisor : least_times_) by_divisor.clear();
  for (auto& by_size : untied_) by_size.clear();
  for (auto& times : untied_times_) times.clear();
  for (auto& times : second_times_) times.clear();
  for (auto& by_placement : sends_) by_placement.clear();
  for (auto& by_placement : ruled_out_) by_placement.clear();
  shared_.assign(placements.size(), std::nullopt);
  tied_in_any_stage_.assign(placements.size(), std::nullopt);
  gradients_of_column_.reset();
  least_gradients_.assign(placements.size(), std::nullopt);
  stages_known_ = 0;
  memory_of_mode_ = {};
  memory_of_zero_.clear();
  first_within_ = {};
}

// Activations only add to it, and so do further stages of the pipeline.
std::vector<Sharding> CalibratedKernel::may_fit(const Strategy& common,
                                                std::vector<Sharding> stages,
                                                double capacity) const {
  const Calibrated::LayerMemory layer = model_.layer_memory(common);
  Strategy at = common;
  std::erase_if(stages, [&](const Sharding& stage) {
    at.zero = stage.zero;
    at.shard_ranks = stage.shard_ranks;
    const Calibrated::MemoryTerms terms =
        Calibrated::memory_terms(layer.fullest, model_.states(layer, at), {});
    return model_.memory(terms, {}).total().si() > capacity;
  });
  return stages;
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
  std::optional<Known>& known = known_[shared ? 1 : 0];
  if (!known || known->again != again) {
    const std::size_t own = 2 * place_of(again) + (shared ? 1 : 0);
    const std::size_t once =
        shares_cards_ ? own : 2 * place_of({Recompute::none}) + (shared ? 1 : 0);
    known = {.again = again, .mode = {.own = own, .once = once}};
  }
  return known->mode;
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
  auto zero = std::find_if(memory_of_zero_.begin(), memory_of_zero_.end(), [&](const OfZero& of) {
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
  // A larger micro-batch may need less: zero bubbles hold back fewer passes where they are few.
  const auto none_fits = [&](const Size& size) {
    const auto begin = bytes.begin();
    return std::none_of(begin + static_cast<std::ptrdiff_t>(size.begin),
                        begin + static_cast<std::ptrdiff_t>(size.end),
                        [capacity](double needed) { return needed <= capacity; });
  };
  fitting_ = sizes_.size();
  while (fitting_ > 0 && none_fits(sizes_[fitting_ - 1])) --fitting_;
}

const Calibrated::Work& CalibratedKernel::work(const Strategy& strategy, std::size_t divisor) {
  std::optional<Calibrated::Work>& work = work_[strategy.sequence_parallel ? 1 : 0][divisor];
  if (!work) work = model_.work(strategy);
  return *work;
}

CalibratedKernel::Kept& CalibratedKernel::kept_of(const Layout& layout) {
  const auto [at, is_new] = layouts_.try_emplace(layout);
  Kept& kept = at->second;
  if (!is_new) return kept;
  const auto [tp, cp, ep] = layout;
  const auto exchange = [&](std::map<Layout, Exchange>& known, const Layout& of) {
    return &known.try_emplace(of, batch_divisors_.size()).first->second;
  };
  kept.all_reduce = exchange(all_reduces_, {tp, 0, 0});
  kept.ring = exchange(rings_, {tp, cp, 0});
  kept.all_to_all = exchange(all_to_alls_, {0, 0, ep});
  return kept;
}

Calibrated::Communication CalibratedKernel::communication(const Kept& kept,
                                                          const Strategy& strategy,
                                                          std::size_t divisor) const {
  const auto of = [&](Exchange& exchange, Seconds (Calibrated::*time)(const Strategy&) const) {
    std::optional<Seconds>& known = exchange[divisor];
    if (!known) known = (model_.*time)(strategy);
    return *known;
  };
  return {.all_reduce = of(*kept.all_reduce, &Calibrated::all_reduce),
          .ring = of(*kept.ring, &Calibrated::ring),
          .all_to_all = of(*kept.all_to_all, &Calibrated::all_to_all)};
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

CalibratedKernel::OfStage& CalibratedKernel::of_stage(const Strategy& strategy) {
  const auto is = [&](const OfStage& of) {
    return of.zero == strategy.zero && of.shard_ranks == strategy.shard_ranks;
  };
  if (last_stage_ < stages_known_ && is(of_stage_[last_stage_])) return of_stage_[last_stage_];
  for (last_stage_ = 0; last_stage_ < stages_known_; ++last_stage_) {
    if (is(of_stage_[last_stage_])) return of_stage_[last_stage_];
  }
  if (stages_known_ == of_stage_.size()) of_stage_.emplace_back();
  OfStage& of = of_stage_[stages_known_++];
  of.start(strategy, placements_.size());
  return of;
}

void CalibratedKernel::OfStage::start(const Strategy& strategy, std::size_t placements) {
  zero = strategy.zero;
  shard_ranks = strategy.shard_ranks;
  reductions.clear();
  reductions.resize(placements);
  least_tied.clear();
  least_tied.resize(placements);
  first_within = {};
  for (auto& by_placement : tied) by_placement.clear();
}

const Calibrated::InEachOrder& CalibratedKernel::reductions(OfStage& of, const Strategy& strategy,
                                                            std::size_t placement) {
  auto& reductions = of.reductions[placement];
  if (!reductions) {
    reductions = model_.reductions_in_each_order(strategy, shared(strategy, placement));
  }
  return *reductions;
}

const Calibrated::SharedInEachOrder& CalibratedKernel::shared(const Strategy& strategy,
                                                              std::size_t placement) {
  auto& shared = shared_[placement];
  if (!shared) shared = model_.shared_in_each_order(strategy);
  return *shared;
}

const Calibrated::Orders& CalibratedKernel::tied(const Strategy& strategy, std::size_t placement) {
  OfStage& of = of_stage(strategy);
  auto& by_placement = of.tied[strategy.sequence_parallel ? 1 : 0];
  if (by_placement.empty()) by_placement.resize(placements_.size());
  auto& tied = by_placement[placement];
  if (!tied) {
    tied = model_.orders(strategy, reductions(of, strategy, placement), sends(strategy, placement));
  }
  return *tied;
}

const Calibrated::InEachOrder& CalibratedKernel::sends(const Strategy& strategy,
                                                       std::size_t placement) {
  auto& by_placement = sends_[strategy.sequence_parallel ? 1 : 0];
  if (by_placement.empty()) by_placement.resize(placements_.size());
  auto& sends = by_placement[placement];
  if (!sends) sends = model_.sends_in_each_order(strategy);
  return *sends;
}

bool CalibratedKernel::times(const Strategy& strategy, std::size_t placement, double bound,
                             std::span<const double> bytes, double capacity,
                             std::span<double> seconds) {
  if (fitting_ == 0) return false;
  const bool bounded = bound < kInfinity;
  const Mode mode = mode_;
  const Left left = left_by_tied(strategy, placement, bound);
  const Calibrated::Orders* tied = nullptr;
  double least_skipped = kInfinity;
  for (std::size_t k = 0; k < fitting_; ++k) {
    if (bounded) {
      const double beyond = excess_of_size(strategy, mode, placement, k, left);
      if (beyond > 0) {
        keep_least(bound + beyond, least_skipped);
        continue;
      }
    }
    if (tied == nullptr) {
      tied = &this->tied(strategy, placement);
      std::fill(seconds.begin(), seconds.end(), kUnknown);
    }
    const Untied& of = untied(strategy, mode.own, placement, k);
    const std::size_t begin = placement * pairs_.size();
    for (std::size_t i = sizes_[k].begin; i < sizes_[k].end; ++i) {
      if (!(bytes[i] <= capacity)) continue;
      const Calibrated::Pipeline& on = grid_.pipelines()[i];
      const auto look_at = [&](const Calibrated::Ordered& order) {
        if (bounded) {
          const bool second = order.strategy.outermost == Outermost::data;
          const double untied = (second ? second_times_ : untied_times_)[mode.own][begin + i];
          const Seconds tied_time = model_.tied_time(order.sync, of.stage.slowest, on);
          const double least = untied + kSafely * tied_time.si();
          if (least > bound) {
            keep_least(least);
            return;
          }
        }
        const double time = model_.time(*of.micro, of.stage, order.sync, on).total().si();
        if (!(seconds[i] <= time)) seconds[i] = time;
        keep_least(time);
      };
      look_at(tied->first);
      if (tied->second) look_at(*tied->second);
    }
  }
  keep_least(least_skipped);
  if (bounded && tied == nullptr) rule_out(placement, left, least_skipped);
  return tied != nullptr;
}

}  // namespace planner::search
