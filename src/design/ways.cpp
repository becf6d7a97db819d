#include "planner/design/ways.hpp"

#include <algorithm>
#include <iterator>

#include "planner/perf/model/constraints.hpp"

namespace planner::design {

BestOfWay told(const Ranked& best, const FitRule& rule) {
  return {best.value(rule), best.time, best.strategy};
}

BestOfWay InJob::operator()(const Strategy& any_order) const {
  const Strategy strategy = predictor_.in_best_order(any_order);
  const Prediction prediction = predictor_.evaluate(strategy);
  const Seconds time = prediction.time.total();
  return {rule_.risk(prediction.memory.total()) * time, time, strategy};
}

bool holds(const Workload& job, const BestOfWay& said) {
  if (!violations(job, said.strategy).empty()) return false;
  const Prediction prediction = evaluate(job, said.strategy);
  const Seconds time = prediction.time.total();
  return time == said.time && fit_rule(job).risk(prediction.memory.total()) * time == said.value;
}

SearchSpace columns_of(const std::vector<Strategy>& some, SearchSpace space) {
  const auto hold = [&](std::vector<std::int64_t>& axis, const auto& value_of) {
    axis.clear();
    for (const Strategy& one : some) axis.push_back(value_of(one));
  };
  Pins& pins = space.pins;
  hold(pins.tp, [](const Strategy& one) { return one.tp.total(); });
  hold(pins.pp, [](const Strategy& one) { return one.pp.total(); });
  hold(pins.dp, [](const Strategy& one) { return one.dp.total(); });
  hold(pins.cp, [](const Strategy& one) { return one.cp.total(); });
  hold(pins.ep, [](const Strategy& one) { return one.ep.total(); });
  hold(pins.expert_tp, [](const Strategy& one) { return one.expert_tp; });
  return space;
}

std::unique_ptr<LeastOfWays::Kept> LeastOfWays::take(const Way& way) {
  std::unique_ptr<Kept> kept;
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(idle_.rbegin(), idle_.rend(),
                                    [key = key_of(way)](auto& one) { return one.first == key; });
    if (known != idle_.rend()) {
      kept = std::move(known->second);
      idle_.erase(std::next(known).base());
    }
  }
  if (!kept) {
    Workload job = job_of(space_, way.system, way.batch, way.used);
    job.system.hb_domain = way.as_one;
    kept = std::make_unique<Kept>(std::move(job), run_on(space_, way.system, way.batch).strategies);
  }
  kept->times.set_global_batch(space_.batches[way.batch].size);
  return kept;
}

void LeastOfWays::put_back(const Way& way, std::unique_ptr<Kept> kept) {
  constexpr std::size_t kMost = 96;  // those of systems that are done are of no use
  const std::lock_guard lock(mutex_);
  if (idle_.size() == kMost) idle_.erase(idle_.begin());
  idle_.emplace_back(key_of(way), std::move(kept));
}

// A search that is given a value finds the first of all that are within it, and keeps some beyond.
// Where there are as many as it was asked for, others may be as good as the last; and where it was
// to go so far from the best only, there may be others beyond that.
FirstOfWays::First FirstOfWays::listed(const std::vector<BestOfWay>& found, const Length& length,
                                       bool by_time, Seconds most) {
  First first{.all = {}, .by_time = by_time, .up_to = most.si()};
  for (const BestOfWay& one : found) {
    if (first.place_of(one) > most) break;
    first.all.push_back(one);
  }
  if (first.all.empty()) return first;
  const auto cut_at = [&first](Seconds value) {
    first.up_to = std::min(first.up_to, std::nextafter(value.si(), 0));
    first.whole = true;
  };
  const Seconds far = length.within * first.place_of(first.all.front());
  if (far <= most) cut_at(far);
  if (first.all.size() == length.most) cut_at(first.place_of(first.all.back()));
  return first;
}

std::shared_ptr<const FirstOfWays::First> FirstOfWays::of(const Way& way, Seconds most) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(way);
  if (known == known_.end()) return nullptr;
  const First& first = *known->second;
  return first.whole || first.up_to >= most.si() ? known->second : nullptr;
}

void FirstOfWays::keep(const Way& way, std::shared_ptr<const First> first) {
  constexpr std::size_t kMost = 200'000;  // strategies: those of ways that are done are of no use
  const std::lock_guard lock(mutex_);
  if (size_ > kMost) {
    known_.clear();
    size_ = 0;
  }
  std::shared_ptr<const First>& known = known_[way];
  if (known) size_ -= known->all.size();
  size_ += first->all.size();
  known = std::move(first);
}

}  // namespace planner::design
