#include "planner/search/custom_objective.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "planner/perf/metrics.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/parallel.hpp"

namespace planner::inline search {

namespace {

/// A scored plan and its place in canonical order.
struct Candidate {
  ScoredPlan scored;
  std::size_t column = 0, in_column = 0;

  [[nodiscard]] bool before(const Candidate& other) const {
    return std::tuple{scored.score, column, in_column} <
           std::tuple{other.scored.score, other.column, other.in_column};
  }
};

/// What all threads look at.
struct Job {
  const Workload& workload;
  const SearchSpace& space;
  const PlanObjective& objective;
  std::size_t top;
  Enumeration enumeration;
};

/// One thread's columns and the best of their plans.
class Worker {
 public:
  explicit Worker(const Job& job) : job_(job) {}

  void search(const Column& column, std::size_t index) {
    column_ = index;
    in_column_ = 0;
    const std::vector<InnerPair> pairs = job_.enumeration.inner_pairs(column);
    const std::vector<Strategy> splits = job_.enumeration.placements(column);
    for (const Strategy& setting : job_.enumeration.settings(column)) {
      for (const Strategy& split : splits) {
        Strategy strategy = placed_as(split, setting);
        for (const auto& [micro_batch, interleave] : pairs) {
          strategy.micro_batch = micro_batch;
          strategy.interleave = interleave;
          consider(strategy);
        }
      }
    }
  }

  void absorb(const Worker& other) {
    for (const Candidate& candidate : other.best_) keep(candidate);
  }

  [[nodiscard]] std::vector<ScoredPlan> result() const {
    std::vector<ScoredPlan> plans;
    for (const Candidate& candidate : best_) plans.push_back(candidate.scored);
    return plans;
  }

 private:
  void consider(const Strategy& strategy) {
    const std::size_t place = in_column_++;
    const Plan plan = make_plan(job_.workload, in_best_order(job_.workload, strategy));
    if (!plan.fits()) return;
    const double score = job_.objective(plan);
    if (!std::isfinite(score)) return;
    keep({.scored = {.plan = plan, .score = score}, .column = column_, .in_column = place});
  }

  void keep(const Candidate& candidate) {
    const auto behind =
        std::upper_bound(best_.begin(), best_.end(), candidate,
                         [](const Candidate& a, const Candidate& b) { return a.before(b); });
    best_.insert(behind, candidate);
    if (best_.size() > job_.top) best_.pop_back();
  }

  const Job& job_;
  std::vector<Candidate> best_;
  std::size_t column_ = 0, in_column_ = 0;
};

}  // namespace

std::vector<ScoredPlan> search_by(const Workload& workload, const SearchSpace& space,
                                  const PlanObjective& objective, std::size_t top, int threads) {
  const Job job{.workload = workload,
                .space = space,
                .objective = objective,
                .top = top,
                .enumeration = Enumeration(workload, space)};
  const std::vector<Column> columns = job.enumeration.columns();
  Worker all(job);
  parallel_for_each_index(
      columns.size(), static_cast<std::size_t>(threads), [&job] { return Worker(job); },
      [&columns](Worker& worker, std::size_t i) { worker.search(columns[i], i); },
      [&all](const Worker& worker) { all.absorb(worker); });
  return all.result();
}

}  // namespace planner::search
