#include "planner/search/least_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding

/// A degree with so many of its ranks in an HB domain.
Split split(std::int64_t degree, std::int64_t inside) {
  return {.hb = inside, .net = degree / inside};
}

}  // namespace

LeastTimes::LeastTimes(const Workload& workload, const SearchSpace& space, Counting counting)
    : workload_(workload),
      space_(space),
      counting_(counting),
      rules_(workload),
      domain_divisors_(divisors(usable_hb_domain(workload.system.hb_domain, workload.gpus))) {
  if (workload.timing.calibrated()) {
    calibrated_.emplace(workload);
  } else {
    closed_form_.emplace(workload);
  }
  set_global_batch(workload.run.global_batch);
}

// Up to a power of two, so that many batches share what is kept of the largest micro-batch.
void LeastTimes::set_global_batch(std::int64_t global_batch) {
  if (global_batch == global_batch_) return;
  global_batch_ = global_batch;
  batch_divisors_ = divisors(global_batch);
  while (largest_ < global_batch) largest_ *= 2;
}

double LeastTimes::calibrated(const Column& column, std::int64_t micro_batch,
                              Counting counting) const {
  Strategy at{.expert_tp = column.expert_tp, .micro_batch = micro_batch};
  at.recompute = Recompute::none;  // what runs again only adds to the time
  double least = kInfinity;
  for (const bool sequence_parallel : space_.sequence_parallel) {
    if (!sequence_parallel && rules_.needs_sequence_parallelism(column.tp)) continue;
    at.sequence_parallel = sequence_parallel;
    at.tp = split(column.tp, 1);
    at.cp = split(column.cp, 1);
    at.ep = split(column.ep, 1);
    const Calibrated::Work work = calibrated_->work(at);
    const auto look_at = [&](const Calibrated::Communication& messages) {
      least = std::min(least, calibrated_->least_time_per_sample(work, messages, at).si());
    };
    if (counting == Counting::work) {
      look_at({});
      continue;
    }
    const std::int64_t domain = domain_divisors_.back();
    for (const std::int64_t tp : domain_divisors_) {
      if (column.tp % tp != 0) continue;
      at.tp = split(column.tp, tp);
      for (const std::int64_t cp : domain_divisors_) {
        if (column.cp % cp != 0 || domain / tp % cp != 0) continue;
        at.cp = split(column.cp, cp);
        for (const std::int64_t ep : domain_divisors_) {
          if (column.ep % ep != 0 || domain % (ep * column.expert_tp) != 0) continue;
          at.ep = split(column.ep, ep);
          look_at(calibrated_->communication(at));
        }
      }
    }
  }
  return least;
}

double LeastTimes::per_sample(const Column& column, std::int64_t micro_batch) const {
  if (calibrated_) return calibrated(column, micro_batch, counting_);
  Strategy at{.recompute = Recompute::none};
  at.tp.net = column.tp;
  at.pp.net = column.pp;
  at.dp.net = column.dp;
  // Of one stage; selective recomputation runs no product again.
  return real(column.pp) * closed_form_->time_terms(at).compute_per_sample.si();
}

std::optional<double> LeastTimes::chunks(std::int64_t p) {
  const auto [at, fresh] = chunks_.try_emplace(p);
  if (!fresh) return at->second;
  const Schedule plain = space_.without_interleaving;
  const bool bubble = plain != Schedule::zero_bubble_1p && plain != Schedule::zero_bubble_2p;
  if (bubble) at->second = real(rules_.interleaves(p).back());
  return at->second;
}

std::size_t LeastTimes::HashOfDegrees::operator()(const Degrees& degrees) const {
  constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  std::size_t hash = 0;
  for (const std::int64_t degree : degrees) {
    hash = (hash ^ static_cast<std::size_t>(degree)) * kOdd;
    hash ^= hash >> 32;
  }
  return hash;
}

LeastTimes::OfDegrees& LeastTimes::kept_of(const Column& column) {
  OfDegrees& kept = kept_[Degrees{column.tp, column.cp, column.ep, column.expert_tp}];
  if (kept.largest < largest_) {
    kept.largest = largest_;
    kept.work = kept.messages = kNotKnown;
  }
  return kept;
}

double LeastTimes::of_largest(const Column& column, OfDegrees& kept) const {
  if (std::isnan(kept.messages)) kept.messages = per_sample(column, kept.largest);
  return kept.messages;
}

Seconds LeastTimes::of(const Column& column) {
  return of(column, kept_of(column));
}

// The slowest of p stages takes at least the p-th part of all work on a micro-batch, t, and the
// others the rest, of which a pipeline of v chunks a stage waits for the v-th part: m·t_slowest +
// (t - t_slowest)/v (Narayanan et al. 2021, arXiv 2104.04473, §2.2) is least where all are alike.
// Per sample, t only falls as micro-batches grow, and what is waited for only grows: so none behind
// one that is beaten at the t of the largest is any better.
Seconds LeastTimes::of(const Column& column, OfDegrees& kept) {
  const std::int64_t samples = global_batch_ / column.dp;
  const double p = real(column.pp);
  const std::optional<double> v = chunks(column.pp);
  const double least_per_sample = of_largest(column, kept);
  double least = kInfinity;
  auto known = kept.per_sample.begin();
  for (const std::int64_t b : batch_divisors_) {
    if (b > samples) break;
    if (samples % b != 0) continue;
    const double waited = v ? real(b) * (p - 1) / (p * *v) : 0;
    const double share = real(samples) / p + waited;
    if (least_per_sample * share >= least) break;
    known =
        std::find_if(known, kept.per_sample.end(), [b](const auto& one) { return one.first >= b; });
    if (known == kept.per_sample.end() || known->first != b) {
      known = kept.per_sample.emplace(known, b, per_sample(column, b));
    }
    least = std::min(least, known->second * share);
  }
  return Seconds{kSafely * least};
}

// Messages only add to the work, and per sample both only fall as micro-batches grow.
bool LeastTimes::beyond(const Column& column, Seconds bound) {
  OfDegrees& kept = kept_of(column);
  if (calibrated_) {
    const double samples = real(global_batch_ / column.dp);
    const auto more = [&](double per_sample) {
      return kSafely * per_sample * samples / real(column.pp) > bound.si();
    };
    if (counting_ == Counting::messages) {
      if (std::isnan(kept.work)) kept.work = calibrated(column, kept.largest, Counting::work);
      if (more(kept.work)) return true;
    }
    if (more(of_largest(column, kept))) return true;
  }
  return of(column, kept) > bound;
}

}  // namespace planner::search
