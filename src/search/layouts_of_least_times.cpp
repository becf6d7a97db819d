// What LeastTimes knows of the layouts of ranks in HB domains.
#include <algorithm>
#include <limits>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/search/least_times.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding

/// A degree with so many of its ranks in an HB domain.
Split split(std::int64_t degree, std::int64_t inside) {
  return {.hb = inside, .net = degree / inside};
}

}  // namespace

template <class Visit>
void LeastTimes::for_each_sharing(const Column& column, std::int64_t micro_batch,
                                  const Visit& visit) const {
  Strategy at{.expert_tp = column.expert_tp, .micro_batch = micro_batch};
  at.recompute = Recompute::none;  // what runs again only adds to the time
  for (const bool sequence_parallel : sequence_parallelism(space_, workload_, rules_, column.tp)) {
    at.sequence_parallel = sequence_parallel;
    at.tp = split(column.tp, 1);
    at.cp = split(column.cp, 1);
    at.ep = split(column.ep, 1);
    const Calibrated::Work work = calibrated_->work(at);
    visit(at, work, own_ * work.head.si() / real(micro_batch));
  }
}

Seconds LeastTimes::least_all_to_all(const Column& column, Strategy at) const {
  const std::int64_t domain = domain_divisors_.back();
  Seconds least{kInfinity};
  for (const std::int64_t ep : domain_divisors_) {
    if (column.ep % ep != 0 || domain % (ep * column.expert_tp) != 0) continue;
    at.ep = split(column.ep, ep);
    least = std::min(least, calibrated_->all_to_all(at));
  }
  return least;
}

// Where experts and context parallelism lie leaves all else as it is, and what shows of an exchange
// only grows with it.
LeastTimes::ByInside LeastTimes::by_tp(const Column& column, std::int64_t micro_batch) const {
  ByInside least;
  const std::int64_t domain = domain_divisors_.back();
  for (const std::int64_t tp : domain_divisors_) {
    if (column.tp % tp == 0) least.push_back({tp, {kInfinity, kInfinity}});
  }
  for_each_sharing(
      column, micro_batch, [&](Strategy at, const Calibrated::Work& work, double head) {
        const Seconds all_to_all = least_all_to_all(column, at);
        for (auto& [tp, of] : least) {
          of.head = std::min(of.head, head);
          at.tp = split(column.tp, tp);
          at.cp = split(column.cp, 1);
          const Seconds all_reduce = calibrated_->all_reduce(at);
          Seconds ring{kInfinity};
          for (const std::int64_t cp : domain_divisors_) {
            if (column.cp % cp != 0 || domain / tp % cp != 0) continue;
            at.cp = split(column.cp, cp);
            ring = std::min(ring, calibrated_->ring(at));
          }
          const double all =
              calibrated_->least_time_per_sample(work, {all_reduce, ring, all_to_all}, at).si();
          of.layers = std::min(of.layers, all - head);
        }
      });
  return least;
}

// As if tensor- and context-parallel ranks lay best, for each by itself; most of what tensor
// parallelism exchanges is hidden where all its ranks share a domain.
LeastTimes::ByInside LeastTimes::by_ep(const Column& column, std::int64_t micro_batch) const {
  ByInside least;
  const std::int64_t domain = domain_divisors_.back();
  for (const std::int64_t ep : domain_divisors_) {
    if (column.ep % ep != 0 || domain % (ep * column.expert_tp) != 0) continue;
    least.push_back({ep, {kInfinity, kInfinity}});
  }
  for_each_sharing(
      column, micro_batch, [&](Strategy at, const Calibrated::Work& work, double head) {
        Seconds all_reduce{kInfinity}, ring{kInfinity};
        std::int64_t most = 1;
        for (const std::int64_t tp : domain_divisors_) {
          if (column.tp % tp != 0) continue;
          at.tp = split(column.tp, most = tp);
          all_reduce = std::min(all_reduce, calibrated_->all_reduce(at));
          for (const std::int64_t cp : domain_divisors_) {
            if (column.cp % cp != 0 || domain / tp % cp != 0) continue;
            at.cp = split(column.cp, cp);
            ring = std::min(ring, calibrated_->ring(at));
          }
        }
        at.tp = split(column.tp, most);
        for (auto& [ep, of] : least) {
          at.ep = split(column.ep, ep);
          const double all =
              calibrated_
                  ->least_time_per_sample(work, {all_reduce, ring, calibrated_->all_to_all(at)}, at)
                  .si();
          of.head = std::min(of.head, head);
          of.layers = std::min(of.layers, all - head);
        }
      });
  return least;
}

LeastTimes::PerSample LeastTimes::by_work(const Column& column, std::int64_t micro_batch) const {
  PerSample least{kInfinity, kInfinity};
  for_each_sharing(column, micro_batch,
                   [&](const Strategy& at, const Calibrated::Work& work, double head) {
                     const double all = calibrated_->least_time_per_sample(work, {}, at).si();
                     least = least.or_less({all - head, head});
                   });
  return least;
}

// The more a micro-batch takes, the longer is an iteration, though it hides more: see LeastTied. Of
// tensor parallelism and experts either may be in the layout that suits it best.
double LeastTimes::synchronised(const Column& column, OfDegrees& kept, double straggling,
                                double bound) {
  using Traffic = LeastGradients::Traffic;
  const std::int64_t samples = global_batch_ / column.dp;
  const Pipeline& pipeline = this->pipeline(column.pp);
  OfSize& of_largest = this->of_largest(column, kept);
  const double by_work = kSafely * straggling * pipeline.time(of_largest.least, real(samples), 1);
  if (by_work > bound) return by_work;
  if (of_largest.by_ep.empty()) of_largest.by_ep = by_ep(column, of_largest.size);
  Traffic least_dense = LeastGradients::kNever, least_experts = LeastGradients::kNever;
  std::vector<Traffic> dense, experts;
  const LeastGradients::OfColumn gradients_here = gradients_->of(column);
  for (const auto& [tp, of] : of_largest.by_tp) {
    least_dense = least_dense.or_less(dense.emplace_back(gradients_here.dense(tp)));
  }
  for (const auto& [ep, of] : of_largest.by_ep) {
    least_experts = least_experts.or_less(experts.emplace_back(gradients_here.experts(ep)));
  }
  const auto lower = [&](double& least, const LeastGradients::OfIteration& gradients,
                         const PerSample& at_largest, const auto& of_layout) {
    const auto time = [&](const PerSample& of, std::int64_t b) {
      const double work = kSafely * straggling * pipeline.time(of, real(samples), real(b));
      if (work >= least) return work;
      const double micros = real(samples / b);
      const double stage = straggling * real(b) * pipeline.slowest(of);
      const double hides = pipeline.turns(micros) ? pipeline.hides : kHidingShare;
      return work + kSafely * gradients.with(micros, stage, hides);
    };
    for (const std::int64_t b : batch_divisors_) {
      if (b > samples) break;
      if (samples % b != 0) continue;
      // What the largest micro-batches take is known from other columns.
      const double at_least = time(at_largest, b);
      if (at_least >= least) continue;
      least = at_least > bound ? at_least : std::min(least, time(of_layout(b), b));
    }
  };
  double by_tp = kInfinity, by_ep = kInfinity;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    lower(by_tp, gradients_here.iteration(dense[i], least_experts), of_largest.by_tp[i].second,
          [&](std::int64_t b) { return of_size(column, kept, b).by_tp[i].second; });
  }
  if (by_tp > bound || of_largest.by_ep.size() == 1) return by_tp;
  for (std::size_t i = 0; i < experts.size(); ++i) {
    lower(by_ep, gradients_here.iteration(least_dense, experts[i]), of_largest.by_ep[i].second,
          [&](std::int64_t b) {
            OfSize& of = of_size(column, kept, b);
            if (of.by_ep.empty()) of.by_ep = this->by_ep(column, b);
            return of.by_ep[i].second;
          });
  }
  return std::max(by_tp, by_ep);
}

}  // namespace planner::search
