#include "planner/search/least_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/partition.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/search/allowed.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSafely = 1 - 1e-9;  // leaves a bound room for rounding

/// What columns of as many GPUs are in canonical order of.
auto canonical_place(const Column& column) {
  return std::tie(column.tp, column.pp, column.cp, column.ep, column.expert_tp);
}

/// On as many GPUs as every pipeline needs.
Workload on_enough_gpus(Workload workload) {
  workload.gpus = std::max(workload.gpus, workload.model.layers);
  return workload;
}

}  // namespace

LeastTimes::LeastTimes(const Workload& workload, const SearchSpace& space, Counting counting)
    : workload_(workload),
      space_(space),
      counting_(counting),
      rules_(on_enough_gpus(workload)),
      domain_divisors_(divisors(usable_hb_domain(workload.system.hb_domain, workload.gpus))) {
  if (workload.timing.calibrated()) {
    calibrated_.emplace(workload);
    own_ = own_factor(workload);
    if (counting == Counting::messages) gradients_.emplace(workload, space.zero);
    if (gradients_ && !gradients_->known()) gradients_.reset();
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

void LeastTimes::compare_with(LeastTimes& slower, double times_as_long) {
  slower_ = &slower;
  times_as_long_ = times_as_long;
}

void LeastTimes::leave_out(const std::vector<SearchedColumn>* searched, double times_as_long,
                           Bytes limit, Bytes limit_there) {
  searched_ = {searched, times_as_long, limit, limit_there};
}

const SearchedColumn* LeastTimes::searched(const Column& column) const {
  if (searched_.columns == nullptr) return nullptr;
  const std::vector<SearchedColumn>& all = *searched_.columns;
  const auto at = std::lower_bound(all.begin(), all.end(), column,
                                   [](const SearchedColumn& known, const Column& asked) {
                                     return canonical_place(known.column) < canonical_place(asked);
                                   });
  return at != all.end() && at->column == column ? &*at : nullptr;
}

bool LeastTimes::left_out(const SearchedColumn& known, Seconds bound) const {
  if (searched_.limit <= searched_.limit_there && !known.any_fits) return true;
  return searched_.limit < known.up_to && left_out(known.least, bound);
}

LeastTimes::OfSize LeastTimes::of_size(const Column& column, std::int64_t micro_batch) const {
  OfSize of{.size = micro_batch};
  if (!calibrated_) {
    Strategy at{.recompute = Recompute::none};
    at.tp.net = column.tp;
    at.pp.net = column.pp;
    at.dp.net = column.dp;
    // Of one stage; selective recomputation runs no product again.
    of.least.layers = real(column.pp) * closed_form_->time_terms(at).compute_per_sample.si();
  } else if (counting_ == Counting::work) {
    of.least = by_work(column, micro_batch);
  } else {
    of.by_tp = by_tp(column, micro_batch);
    of.least = {kInfinity, kInfinity};
    for (const auto& [tp, one] : of.by_tp) of.least = of.least.or_less(one);
  }
  return of;
}

const LeastTimes::Pipeline& LeastTimes::pipeline(std::int64_t p) {
  const auto [at, is_new] = pipelines_.try_emplace(p);
  Pipeline& pipeline = at->second;
  if (!is_new) return pipeline;
  const Schedule plain = space_.without_interleaving;
  const bool bubble = plain != Schedule::zero_bubble_1p && plain != Schedule::zero_bubble_2p;
  const double chunks = real(rules_.interleaves(p).back());
  if (bubble) pipeline.chunks = chunks;
  if (calibrated_) pipeline.least_turns = real(p);
  pipeline.hides = kHidingShare * kPasses(real(p), chunks);
  pipeline.full = pipeline.last = 1 / real(p);
  if (calibrated_) {
    const CalibratedShape shape(workload_.model, workload_);
    const Partition layers(shape, real(p));
    const double all = shape.L + shape.mtp;
    pipeline.last = (layers(real(p) - 1).all + shape.mtp) / all;
    pipeline.full = p > 1 ? layers.most / all : pipeline.last;
  }
  return pipeline;
}

double LeastTimes::Pipeline::slowest(const PerSample& of) const {
  return std::max(full * of.layers, last * of.layers + of.head);
}

// The slowest stage works through all micro-batches, and of what the others take of one, a pipeline
// of v chunks a stage waits for the v-th part (Narayanan et al. 2021, arXiv 2104.04473, §2.2).
double LeastTimes::Pipeline::time(const PerSample& of, double samples, double b) const {
  const double stage = slowest(of);
  if (!chunks) return samples * stage;
  return samples * stage + b * (of.all() - stage) / (turns(samples / b) ? *chunks : 1);
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
    kept.of_largest.reset();
    kept.columns.clear();
  }
  return kept;
}

LeastTimes::OfSize& LeastTimes::of_largest(const Column& column, OfDegrees& kept) const {
  if (!kept.of_largest) kept.of_largest = of_size(column, kept.largest);
  return *kept.of_largest;
}

LeastTimes::OfSize& LeastTimes::of_size(const Column& column, OfDegrees& kept,
                                        std::int64_t size) const {
  auto known = std::find_if(kept.by_size.begin(), kept.by_size.end(),
                            [size](const OfSize& one) { return one.size >= size; });
  if (known == kept.by_size.end() || known->size != size) {
    known = kept.by_size.insert(known, of_size(column, size));
  }
  return *known;
}

double LeastTimes::with_straggling(std::int64_t gpus) const {
  if (!calibrated_) return 1;
  return 1 + kStragglingShare(workload_.timing.constants()[Constant::straggling], real(gpus));
}

Seconds LeastTimes::of(const Column& column) {
  if (slower_ != nullptr) return slower_->of(column) / times_as_long_;
  const double straggling = with_straggling(column.tp * column.pp * column.dp * column.cp);
  return Seconds{tied(column, kept_of(column), straggling, kInfinity)};
}

// Per sample, layers and loss take only less as micro-batches grow, and what is waited for only
// grows: so none behind one that is beaten at what the largest take is any better.
double LeastTimes::untied(const Column& column, OfDegrees& kept, double straggling, double bound) {
  const std::int64_t samples = global_batch_ / column.dp;
  const Pipeline& pipeline = this->pipeline(column.pp);
  const auto time = [&](const PerSample& of, std::int64_t b) {
    return kSafely * straggling * pipeline.time(of, real(samples), real(b));
  };
  const PerSample of_largest = this->of_largest(column, kept).least;
  double least = kInfinity;
  for (const std::int64_t b : batch_divisors_) {
    if (b > samples) break;
    if (samples % b != 0) continue;
    const double at_least = time(of_largest, b);
    if (at_least > bound) return std::min(least, at_least);
    if (at_least >= least) break;
    least = std::min(least, time(of_size(column, kept, b).least, b));
  }
  return least;
}

LeastTimes::OfColumn& LeastTimes::of_column(const Column& column, OfDegrees& kept) const {
  for (OfColumn& one : kept.columns) {
    const bool same =
        one.pp == column.pp && one.dp == column.dp && one.global_batch == global_batch_;
    if (same) return one;
  }
  return kept.columns.emplace_back(
      OfColumn{.pp = column.pp, .dp = column.dp, .global_batch = global_batch_});
}

double LeastTimes::tied(const Column& column, OfDegrees& kept, double straggling, double bound) {
  const std::int64_t gpus = column.tp * column.pp * column.dp * column.cp;
  if (!gradients_ || gpus != workload_.gpus) return untied(column, kept, straggling, bound);
  OfColumn& known = of_column(column, kept);
  if (known.all || known.least > bound) return known.least;
  known.least = std::max(known.least, synchronised(column, kept, straggling, bound));
  known.all = !(known.least > bound);
  return known.least;
}

const std::vector<LeastTimes::ByWork>& LeastTimes::by_work() {
  if (by_work_of_ == largest_) return by_work_;
  by_work_of_ = largest_;
  by_work_.clear();
  const Pins& pins = space_.pins;
  for (const std::int64_t t : rules_.tp()) {
    if (t > pins.max_tp || !allowed(pins.tp, t)) continue;
    for (const std::int64_t cp : rules_.cp()) {
      if (!allowed(pins.cp, cp) || !rules_.share_sequence(t, cp)) continue;
      for (const std::int64_t ep : rules_.ep()) {
        if (!allowed(pins.ep, ep)) continue;
        for (const std::int64_t etp : rules_.expert_tp(t)) {
          if (!allowed(pins.expert_tp, etp)) continue;
          const Column degrees{.tp = t, .cp = cp, .ep = ep, .expert_tp = etp};
          by_work_.push_back({real(t * cp) * by_work(degrees, largest_).all(), degrees});
        }
      }
    }
  }
  std::sort(by_work_.begin(), by_work_.end());
  return by_work_;
}

// A column's t·cp ranks of each of p stages take of d replicas' samples what p·d = N/(t·cp) share:
// t·cp/N of all, however many stages there are. Messages and what a pipeline waits for only add to
// that, and per sample it only falls as micro-batches grow.
template <class Visit>
void LeastTimes::for_each_within(std::int64_t gpus, Seconds bound, const Visit& visit) {
  if (searched_.columns != nullptr) {
    for_each_searched(gpus, bound, visit);
    return;
  }
  if (slower_ != nullptr) {
    for (const Column& column : slower_->within(gpus, times_as_long_ * bound)) {
      if (is_within(column, gpus, bound) && !visit(column)) return;
    }
    return;
  }
  const double straggling = with_straggling(gpus);
  const double share = kSafely * straggling * real(global_batch_) / real(gpus);
  for (const auto& [work, degrees] : by_work()) {
    if (share * work > bound.si()) return;
    const std::int64_t ranks = degrees.tp * degrees.cp;
    if (gpus % ranks != 0) continue;
    OfDegrees& kept = kept_of(degrees);
    if (share * real(ranks) * of_largest(degrees, kept).least.all() > bound.si()) continue;
    Column column = degrees;
    for (const std::int64_t p : rules_.pp()) {
      if (gpus / ranks % p != 0 || !allowed(space_.pins.pp, p)) continue;
      column.pp = p;
      column.dp = gpus / ranks / p;
      if (global_batch_ % column.dp != 0 || !allowed(space_.pins.dp, column.dp)) continue;
      if (gpus / p % (column.ep * column.expert_tp) != 0) continue;
      const double least = tied(column, kept, straggling, bound.si());
      if (least <= bound.si() && !visit(column)) return;
    }
  }
}

template <class Visit>
void LeastTimes::for_each_searched(std::int64_t gpus, Seconds bound, const Visit& visit) {
  for (const SearchedColumn& known : *searched_.columns) {
    if (left_out(known, bound)) continue;
    if (slower_ != nullptr && !slower_->is_within(known.column, gpus, times_as_long_ * bound)) {
      continue;
    }
    if (is_within(known.column, gpus, bound) && !visit(known.column)) return;
  }
}

// What is within it even where all is slower need not be worked out.
bool LeastTimes::is_within(const Column& column, std::int64_t gpus, Seconds bound) {
  if (slower_ != nullptr && slower_->of(column) <= bound) return true;
  return tied(column, kept_of(column), with_straggling(gpus), bound.si()) <= bound.si();
}

std::vector<Column> LeastTimes::within(std::int64_t gpus, Seconds bound) {
  std::vector<Column> found;
  for_each_within(gpus, bound, [&](const Column& column) {
    found.push_back(column);
    return true;
  });
  std::sort(found.begin(), found.end(), [](const Column& a, const Column& b) {
    return canonical_place(a) < canonical_place(b);
  });
  return found;
}

bool LeastTimes::any_within(std::int64_t gpus, Seconds bound) {
  bool any = false;
  for_each_within(gpus, bound, [&](const Column&) {
    any = true;
    return false;
  });
  return any;
}

}  // namespace planner::search
