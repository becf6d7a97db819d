#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/model/degree_rules.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// Times of an iteration that no strategy with some degrees can beat, wherever its ranks lie and
/// whatever else it chooses: all its micro-batches through the pipeline, without synchronisation.
/// What one micro-batch takes is the same on every count of GPUs in HB domains of one size, in
/// every global batch, and is kept. One per thread.
class LeastTimes {
 public:
  /// What a micro-batch is taken to wait for.
  enum class Counting {
    work,      ///< what a GPU does by itself: the same in HB domains of any size
    messages,  ///< what it exchanges with others too, in the best place for its ranks; the
               ///< calibrated model's
  };

  /// @param workload  its GPUs only say what is used of each HB domain; both are referred to
  LeastTimes(const Workload& workload, const SearchSpace& space, Counting counting);

  /// Another one than the workload's, from now on.
  void set_global_batch(std::int64_t global_batch);

  /// Of the strategies of a column.
  [[nodiscard]] Seconds of(const Column& column);
  /// The columns of so many GPUs of which that is no more than a bound, in canonical order. The
  /// calibrated model's.
  [[nodiscard]] std::vector<Column> within(std::int64_t gpus, Seconds bound);
  /// Whether there are any.
  [[nodiscard]] bool any_within(std::int64_t gpus, Seconds bound);

 private:
  /// Seconds per sample of micro-batches up to a size, by those sizes that were asked for,
  /// ascending.
  using PerSample = std::vector<std::pair<std::int64_t, double>>;
  using Degrees = std::array<std::int64_t, 4>;  ///< tp, cp, ep, expert tp
  struct HashOfDegrees {
    std::size_t operator()(const Degrees& degrees) const;
  };
  /// In seconds per sample.
  struct OfDegrees {
    PerSample per_sample{};
    std::int64_t largest = 0;  ///< micro-batches of any size up to it take at least
    double of_largest = 0;     ///< so long; NaN: not known yet
  };
  /// Degrees, and the GPU-seconds that a sample takes of them by the work alone.
  struct ByWork {
    double least = 0;
    Column degrees;

    friend bool operator<(const ByWork& a, const ByWork& b) { return a.least < b.least; }
  };

  [[nodiscard]] double per_sample(const Column& column, std::int64_t micro_batch) const;
  [[nodiscard]] double calibrated(const Column& column, std::int64_t micro_batch,
                                  Counting counting) const;
  [[nodiscard]] OfDegrees& kept_of(const Column& column);
  [[nodiscard]] double of_largest(const Column& column, OfDegrees& kept) const;
  [[nodiscard]] Seconds of(const Column& column, OfDegrees& kept);
  /// 1, and what straggling adds to everything that micro-batches wait for.
  [[nodiscard]] double with_straggling(std::int64_t gpus) const;
  /// Degrees that the space allows, by ascending work.
  const std::vector<ByWork>& by_work();
  template <class Visit>
  void for_each_within(std::int64_t gpus, Seconds bound, const Visit& visit);
  /// Chunks that a stage of a pipeline is cut into, at most: they shorten its bubble. Nothing where
  /// the schedule has no bubble.
  [[nodiscard]] std::optional<double> chunks(std::int64_t p);

  const Workload& workload_;
  const SearchSpace& space_;
  Counting counting_;
  DegreeRules rules_;
  std::optional<Calibrated> calibrated_;
  std::optional<ClosedForm> closed_form_;
  std::int64_t global_batch_ = 0, largest_ = 1;  ///< and a micro-batch that none is larger than
  std::vector<std::int64_t> batch_divisors_;
  std::vector<std::int64_t> domain_divisors_;  ///< of what is used of an HB domain
  std::unordered_map<Degrees, OfDegrees, HashOfDegrees> kept_;
  std::map<std::int64_t, std::optional<double>> chunks_;
  std::vector<ByWork> by_work_;
  std::int64_t by_work_of_ = 0;  ///< the largest micro-batch
};

}  // namespace planner::search
