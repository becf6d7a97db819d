// What a kernel keeps of parts of an iteration: seconds that none of many strategies beats.
#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"

namespace planner::inline search {

double CalibratedKernel::work_out_least_per_sample(const Strategy& common, std::size_t mode,
                                                   std::size_t placement, std::size_t divisor) {
  Kept& kept = *placed_[placement];
  auto& by_divisor = kept.least[mode];
  if (by_divisor.empty()) by_divisor.assign(batch_divisors_.size(), kUnknown);
  Strategy at = placed_as(placements_[placement], in_mode(common, mode));
  at.micro_batch = batch_divisors_[divisor];
  double& least = by_divisor[divisor];
  least =
      model_.least_time_per_sample(work(at, divisor), communication(kept, at, divisor), at).si();
  return least;
}

double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t placement,
                                    std::size_t divisor) {
  return iteration(common, least_per_sample(common, mode, placement, divisor), bubble_);
}

// No exchange is faster than the fastest of its axis, and what it shows only grows with it; most of
// tensor parallelism is hidden where all its ranks share a domain.
double CalibratedKernel::least_time(const Strategy& common, std::size_t mode, std::size_t divisor) {
  auto& by_divisor = least_times_[mode];
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

}  // namespace planner::search
