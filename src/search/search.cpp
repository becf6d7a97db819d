#include "planner/search/search.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "planner/perf/closed_form_batch.hpp"

namespace planner {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What decides between two strategies, smaller first; equal keys keep the canonical order.
struct Key {
  double first = kInfinity, second = kInfinity;

  auto operator<=>(const Key&) const = default;
};

Key key_of(Objective objective, double time, double memory) {
  return objective == Objective::time ? Key{time, memory} : Key{memory, time};
}

Key key_of(Objective objective, const Ranked& ranked) {
  return key_of(objective, ranked.time.si(), ranked.memory.si());
}

/// The best few strategies in order; a newcomer goes behind its equals.
class Leaders {
 public:
  Leaders(Objective objective, std::size_t capacity) : objective_(objective), capacity_(capacity) {}

  void offer(const Ranked& ranked) {
    const Key key = key_of(objective_, ranked);
    const auto behind = std::upper_bound(
        best_.begin(), best_.end(), key,
        [this](const Key& k, const Ranked& other) { return k < key_of(objective_, other); });
    best_.insert(behind, ranked);
    if (best_.size() > capacity_) best_.pop_back();
  }
  /// A newcomer must have a smaller key than this to be kept.
  [[nodiscard]] Key threshold() const {
    return best_.size() < capacity_ ? Key{} : key_of(objective_, best_.back());
  }
  [[nodiscard]] const std::vector<Ranked>& best() const { return best_; }

 private:
  Objective objective_;
  std::size_t capacity_;
  std::vector<Ranked> best_;
};

/// The worst time that is still among the best so far, over all threads. Only used to skip what
/// cannot matter, so its timing changes the work but never the result.
class SharedBound {
 public:
  [[nodiscard]] double value() const { return bound_.load(std::memory_order_relaxed); }
  void lower(double time) {
    double seen = value();
    while (time < seen && !bound_.compare_exchange_weak(seen, time, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<double> bound_{kInfinity};
};

/// Searches one column into its own result.
class ColumnSearch {
 public:
  ColumnSearch(const Workload& workload, const ClosedForm& model, const SearchSpace& space,
               const SearchOptions& options, SharedBound& bound)
      : workload_(workload), model_(model), space_(space), options_(options), bound_(bound),
        leaders_(options.objective, options.top) {}

  SearchResult run(const Column& column) {
    pairs_ = inner_pairs(workload_, column, space_);
    grid_.clear();
    samples_ = workload_.run.global_batch / column.dp;
    for (const auto& [b, v] : pairs_) grid_.add(samples_, b, v);
    times_.resize(pairs_.size());
    memories_.resize(pairs_.size());
    const std::vector<Strategy> splits = placements(workload_, column, space_);
    for (const Recompute recompute : space_.recompute) {
      for (const int zero : space_.zero) {
        for (const bool sequence_parallel : space_.sequence_parallel) {
          for (Strategy strategy : splits) {
            if (options_.stop && options_.stop->load(std::memory_order_relaxed)) {
              result_.interrupted = true;
              return finished();
            }
            strategy.recompute = recompute;
            strategy.zero = zero;
            strategy.sequence_parallel = sequence_parallel;
            block(strategy);
          }
        }
      }
    }
    return finished();
  }

 private:
  SearchResult finished() {
    result_.best = leaders_.best();
    return std::move(result_);
  }

  /// All micro-batches and interleavings of one placement.
  void block(const Strategy& strategy) {
    const ClosedForm::Terms terms = model_.terms(strategy);
    result_.strategies += static_cast<std::int64_t>(pairs_.size());
    const bool hopeless =
        options_.prune && options_.objective == Objective::time &&
        model_.lower_bound(terms, static_cast<double>(samples_)).si() > bound_.value();
    if (hopeless) {
      evaluate_grid_memory(terms, grid_, memories_);
    } else {
      evaluate_grid(terms, grid_, times_, memories_);
    }
    const double capacity = workload_.system.accelerator.memory.si();
    std::int64_t feasible = 0;
    for (const double memory : memories_) feasible += memory <= capacity ? 1 : 0;
    result_.feasible += feasible;
    if (feasible == 0 && result_.feasible == 0) {
      consider_miss(strategy);
    } else if (feasible > 0 && !hopeless) {
      keep_leaders(strategy, capacity);
    }
  }

  void keep_leaders(const Strategy& strategy, double capacity) {
    Key threshold = leaders_.threshold();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (memories_[i] > capacity) continue;
      if (!(key_of(options_.objective, times_[i], memories_[i]) < threshold)) continue;
      leaders_.offer(ranked(strategy, i, times_[i]));
      threshold = leaders_.threshold();
    }
    if (options_.objective == Objective::time) bound_.lower(threshold.first);
  }

  /// Nothing has fitted so far: remember what came closest.
  void consider_miss(const Strategy& strategy) {
    const auto least = std::min_element(memories_.begin(), memories_.end());
    if (least == memories_.end()) return;
    if (result_.closest_miss && !(Bytes{*least} < result_.closest_miss->memory)) return;
    const auto i = static_cast<std::size_t>(least - memories_.begin());
    Ranked miss = ranked(strategy, i, 0);
    miss.time = model_.evaluate(miss.strategy).time.total();
    result_.closest_miss = miss;
  }

  [[nodiscard]] Ranked ranked(Strategy strategy, std::size_t i, double time) const {
    strategy.micro_batch = pairs_[i].micro_batch;
    strategy.interleave = pairs_[i].interleave;
    return {.strategy = strategy, .time = Seconds{time}, .memory = Bytes{memories_[i]}};
  }

  const Workload& workload_;
  const ClosedForm& model_;
  const SearchSpace& space_;
  const SearchOptions& options_;
  SharedBound& bound_;
  Leaders leaders_;
  SearchResult result_;
  std::vector<InnerPair> pairs_;
  std::int64_t samples_ = 1;  ///< B/d
  InnerGrid grid_;
  std::vector<double> times_, memories_;
};

/// Joins the columns in canonical order.
SearchResult merge(const std::vector<SearchResult>& parts, const SearchOptions& options) {
  SearchResult all;
  Leaders leaders(options.objective, options.top);
  for (const SearchResult& part : parts) {
    all.strategies += part.strategies;
    all.feasible += part.feasible;
    all.interrupted = all.interrupted || part.interrupted;
    for (const Ranked& ranked : part.best) leaders.offer(ranked);
    if (part.closest_miss &&
        (!all.closest_miss || part.closest_miss->memory < all.closest_miss->memory)) {
      all.closest_miss = part.closest_miss;
    }
  }
  if (all.feasible > 0) all.closest_miss.reset();
  all.best = leaders.best();
  return all;
}

}  // namespace

SearchResult search(const Workload& workload, const SearchSpace& space,
                    const SearchOptions& options) {
  const ClosedForm model(workload);
  const std::vector<Column> work = columns(workload, space);
  std::vector<SearchResult> parts(work.size());
  SharedBound bound;
  std::mutex progress_mutex;
  SearchProgress progress{.done = 0, .total = static_cast<std::int64_t>(work.size())};

  const auto search_column = [&](std::size_t i) {
    parts[i] = ColumnSearch(workload, model, space, options, bound).run(work[i]);
    if (!options.progress) return;
    const std::lock_guard lock(progress_mutex);
    ++progress.done;
    options.progress(progress);
  };
  if (options.threads == 1) {
    for (std::size_t i = 0; i < work.size(); ++i) search_column(i);
  } else {
    const auto threads = options.threads > 0
                             ? static_cast<std::size_t>(options.threads)
                             : tbb::global_control::active_value(
                                   tbb::global_control::max_allowed_parallelism);
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::parallel_for(std::size_t{0}, work.size(), search_column);
  }
  return merge(parts, options);
}

}  // namespace planner
