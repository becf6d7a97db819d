#pragma once

#include <algorithm>
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
#include "planner/search/least_gradients.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// Times of an iteration that no strategy with some degrees can beat, wherever its ranks lie and
/// whatever else it chooses: all its micro-batches through the pipeline, whose stages have whole
/// layers, as much slower as the slowest of so many GPUs, and where messages count, on the
/// workload's GPUs, what LeastGradients adds in the layout that it slows least. What one
/// micro-batch takes is the same on every count of GPUs in HB domains of one size, in every global
/// batch, and is kept. One per thread.
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
  /// Those of a slower workload, from now on: of the same space, GPUs and batch, on which no
  /// strategy takes more than so many times as long. What they tell is not worked out anew: of()
  /// says no more than they do, within() works out what that leaves. Referred to.
  void compare_with(LeastTimes& slower, double times_as_long);

  /// What a search came to know of its columns, all in canonical order, counts from now on: it was
  /// on as many GPUs in the same space and batch. Referred to; null: no search.
  /// @param times_as_long  of a strategy here, that it takes there at most
  /// @param limit, limit_there  bytes that what fits needs at most, here and there
  void leave_out(const std::vector<SearchedColumn>* searched, double times_as_long, Bytes limit,
                 Bytes limit_there);
  /// What that is of a column; null: nothing. This and what follows may be asked from any thread.
  [[nodiscard]] const SearchedColumn* searched(const Column& column) const;
  /// Whether none reaches a bound that takes at least so long there.
  [[nodiscard]] bool left_out(Seconds least_there, Seconds bound) const {
    return least_there > searched_.times_as_long * bound;
  }
  /// Bytes that what fitted there needs at most.
  [[nodiscard]] Bytes searched_limit() const { return searched_.limit_there; }

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
    [[nodiscard]] PerSample or_less(const PerSample& other) const {
      return {std::min(layers, other.layers), std::min(head, other.head)};
    }
  };
  using Degrees = std::array<std::int64_t, 4>;  ///< tp, cp, ep, expert tp
  struct HashOfDegrees {
    std::size_t operator()(const Degrees& degrees) const;
  };
  /// By how many ranks of an axis an HB domain has.
  using ByInside = std::vector<std::pair<std::int64_t, PerSample>>;
  /// Micro-batches up to a size, with messages by tensor-parallel ranks inside, too, and by
  /// experts'.
  struct OfSize {
    std::int64_t size = 0;
    PerSample least{};
    ByInside by_tp{}, by_ep{};  ///< empty: not known yet
  };
  /// What no time of a column is below.
  struct OfColumn {
    std::int64_t pp = 0, dp = 0, global_batch = 0;
    double least = 0;
    bool all = false;  ///< nothing is left that would raise it
  };
  struct OfDegrees {
    std::vector<OfSize> by_size{};       ///< as far as asked for, ascending
    std::int64_t largest = 0;            ///< no micro-batch is larger
    std::optional<OfSize> of_largest{};  ///< nothing: not known yet
    std::vector<OfColumn> columns{};     ///< those of which it is known
  };
  /// A pipeline of some stages.
  struct Pipeline {
    /// Chunks that a stage is cut into, at most: they shorten the bubble. Nothing where the
    /// schedule has none.
    std::optional<double> chunks{};
    double least_turns = 1;     ///< micro-batches with which there are several
    double hides = 1;           ///< passes that hide the last reduction, with them
    double full = 1, last = 1;  ///< share of all layers on a full stage, and on that with the loss

    /// Seconds per sample of the slowest stage.
    [[nodiscard]] double slowest(const PerSample& of) const;
    /// Of so many samples in micro-batches of b.
    [[nodiscard]] double time(const PerSample& of, double samples, double b) const;
    /// Whether so many micro-batches leave each chunk a turn.
    [[nodiscard]] bool turns(double micros) const { return micros >= least_turns; }
  };
  /// Degrees, and the GPU-seconds that a sample takes of them by the work alone.
  struct ByWork {
    double least = 0;
    Column degrees;

    friend bool operator<(const ByWork& a, const ByWork& b) { return a.least < b.least; }
  };

  [[nodiscard]] OfSize of_size(const Column& column, std::int64_t micro_batch) const;
  [[nodiscard]] PerSample by_work(const Column& column, std::int64_t micro_batch) const;
  /// With messages, one after the other in every layout of tensor parallelism or of experts.
  [[nodiscard]] ByInside by_tp(const Column& column, std::int64_t micro_batch) const;
  [[nodiscard]] ByInside by_ep(const Column& column, std::int64_t micro_batch) const;
  [[nodiscard]] Seconds least_all_to_all(const Column& column, Strategy at) const;
  /// The strategy of a column without recomputation, and for either choice of the space of sequence
  /// parallelism that it can have.
  template <class Visit>
  void for_each_sharing(const Column& column, std::int64_t micro_batch, const Visit& visit) const;
  [[nodiscard]] OfDegrees& kept_of(const Column& column);
  [[nodiscard]] OfSize& of_largest(const Column& column, OfDegrees& kept) const;
  [[nodiscard]] OfSize& of_size(const Column& column, OfDegrees& kept, std::int64_t size) const;
  /// Without gradients; where that is above a bound, anything else may be that is.
  [[nodiscard]] double untied(const Column& column, OfDegrees& kept, double straggling,
                              double bound);
  /// What is kept of a column.
  [[nodiscard]] OfColumn& of_column(const Column& column, OfDegrees& kept) const;
  /// On the workload's GPUs, with what LeastGradients adds in the layout that suits that best.
  [[nodiscard]] double synchronised(const Column& column, OfDegrees& kept, double straggling,
                                    double bound);
  /// With all that is known.
  [[nodiscard]] double tied(const Column& column, OfDegrees& kept, double straggling, double bound);
  /// 1, and what straggling adds to everything that micro-batches wait for.
  [[nodiscard]] double with_straggling(std::int64_t gpus) const;
  /// Degrees that the space allows, by ascending work.
  const std::vector<ByWork>& by_work();
  template <class Visit>
  void for_each_within(std::int64_t gpus, Seconds bound, const Visit& visit);
  [[nodiscard]] bool left_out(const SearchedColumn& known, Seconds bound) const;
  /// Of the columns that were searched.
  template <class Visit>
  void for_each_searched(std::int64_t gpus, Seconds bound, const Visit& visit);
  /// Of one that reaches it, times as long, on the slower workload.
  [[nodiscard]] bool is_within(const Column& column, std::int64_t gpus, Seconds bound);
  const Pipeline& pipeline(std::int64_t p);

  const Workload& workload_;
  const SearchSpace& space_;
  Counting counting_;
  DegreeRules rules_;
  std::optional<Calibrated> calibrated_;
  std::optional<ClosedForm> closed_form_;
  std::optional<LeastGradients> gradients_;  ///< nothing: not known
  double own_ = 1;  ///< factor that one's own runs put on every part of the time
  std::int64_t global_batch_ = 0, largest_ = 1;  ///< and a micro-batch that none is larger than
  std::vector<std::int64_t> batch_divisors_;
  std::vector<std::int64_t> domain_divisors_;  ///< of what is used of an HB domain
  std::unordered_map<Degrees, OfDegrees, HashOfDegrees> kept_;
  std::map<std::int64_t, Pipeline> pipelines_;
  std::vector<ByWork> by_work_;
  std::int64_t by_work_of_ = 0;  ///< the largest micro-batch
  LeastTimes* slower_ = nullptr;
  double times_as_long_ = 1;  ///< of the slower ones, at most
  /// See leave_out().
  struct Searched {
    const std::vector<SearchedColumn>* columns = nullptr;
    double times_as_long = 1;
    Bytes limit{}, limit_there{};
  };
  Searched searched_;
};

}  // namespace planner::search
