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
/// whatever else it chooses: all its micro-batches through the pipeline, whose stages have whole
/// layers, without synchronisation, as much slower as the slowest of so many GPUs.
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
  /// Seconds per sample that micro-batches up to a size take at least.
  struct PerSample {
    double layers = 0, head = 0;  ///< of all layers, and of the loss

    [[nodiscard]] double all() const { return layers + head; }
  };
  using Degrees = std::array<std::int64_t, 4>;  ///< tp, cp, ep, expert tp
  struct HashOfDegrees {
    std::size_t operator()(const Degrees& degrees) const;
  };
  struct OfDegrees {
    std::vector<std::pair<std::int64_t, PerSample>> by_size{};  ///< as far as asked for, ascending
    std::int64_t largest = 0;                                   ///< no micro-batch is larger
    std::optional<PerSample> of_largest{};                      ///< nothing: not known yet
  };
  /// A pipeline of some stages.
  struct Pipeline {
    /// Chunks that a stage is cut into, at most: they shorten the bubble. Nothing where the
    /// schedule has none.
    std::optional<double> chunks{};
    double full = 1, last = 1;  ///< share of all layers on a full stage, and on that with the loss

    /// Seconds per sample of the slowest stage.
    [[nodiscard]] double slowest(const PerSample& of) const;
    /// Of so many samples in micro-batches of b.
    [[nodiscard]] double time(const PerSample& of, double samples, double b) const;
  };
  /// Degrees, and the GPU-seconds that a sample takes of them by the work alone.
  struct ByWork {
    double least = 0;
    Column degrees;

    friend bool operator<(const ByWork& a, const ByWork& b) { return a.least < b.least; }
  };

  [[nodiscard]] PerSample per_sample(const Column& column, std::int64_t micro_batch) const;
  [[nodiscard]] PerSample calibrated(const Column& column, std::int64_t micro_batch,
                                     Counting counting) const;
  [[nodiscard]] OfDegrees& kept_of(const Column& column);
  [[nodiscard]] const PerSample& of_largest(const Column& column, OfDegrees& kept) const;
  [[nodiscard]] Seconds of(const Column& column, OfDegrees& kept);
  /// 1, and what straggling adds to everything that micro-batches wait for.
  [[nodiscard]] double with_straggling(std::int64_t gpus) const;
  /// Degrees that the space allows, by ascending work.
  const std::vector<ByWork>& by_work();
  template <class Visit>
  void for_each_within(std::int64_t gpus, Seconds bound, const Visit& visit);
  const Pipeline& pipeline(std::int64_t p);

  const Workload& workload_;
  const SearchSpace& space_;
  Counting counting_;
  DegreeRules rules_;
  std::optional<Calibrated> calibrated_;
  std::optional<ClosedForm> closed_form_;
  double own_ = 1;  ///< factor that one's own runs put on every part of the time
  std::int64_t global_batch_ = 0, largest_ = 1;  ///< and a micro-batch that none is larger than
  std::vector<std::int64_t> batch_divisors_;
  std::vector<std::int64_t> domain_divisors_;  ///< of what is used of an HB domain
  std::unordered_map<Degrees, OfDegrees, HashOfDegrees> kept_;
  std::map<std::int64_t, Pipeline> pipelines_;
  std::vector<ByWork> by_work_;
  std::int64_t by_work_of_ = 0;  ///< the largest micro-batch
};

}  // namespace planner::search
