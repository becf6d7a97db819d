#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/design/known.hpp"
#include "planner/design/space.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/search.hpp"

// What searches of one way to use GPUs learn that serves those of others.
namespace planner::design {

/// A strategy that a search has found.
BestOfWay told(const Ranked& best, const FitRule& rule);
/// Strategies in the order of ranks that is best for a job.
class InJob {
 public:
  explicit InJob(const Workload& job) : predictor_(job), rule_(fit_rule(job)) {}

  [[nodiscard]] BestOfWay operator()(const Strategy& any_order) const;

 private:
  Predictor predictor_;
  FitRule rule_;
};
/// Whether a strategy is one of the job's, and takes and is ranked by what is said.
bool holds(const Workload& job, const BestOfWay& said);

/// The columns of some strategies of a space, and others of their degrees.
SearchSpace columns_of(const std::vector<Strategy>& some, SearchSpace space);

/// Least times of columns for the searches of a space: by system, run and what is used as one of an
/// HB domain, whatever the batch, and one for each search that runs at the same time.
class LeastOfWays {
 public:
  struct Kept {
    Workload job;
    LeastTimes times;

    Kept(Workload of, const SearchSpace& strategies)
        : job(std::move(of)), times(job, strategies, LeastTimes::Counting::messages) {}
  };

  explicit LeastOfWays(const Space& space) : space_(space) {}

  /// On a network of full bandwidth, and so on none faster. May be called from several threads.
  std::unique_ptr<Kept> take(const Way& way);
  void put_back(const Way& way, std::unique_ptr<Kept> kept);

 private:
  using Key = std::tuple<std::size_t, std::size_t, std::int64_t>;
  [[nodiscard]] Key key_of(const Way& way) const {
    return {way.system, space_.batches[way.batch].run, way.as_one};
  }

  const Space& space_;
  std::mutex mutex_;
  std::vector<std::pair<Key, std::unique_ptr<Kept>>> idle_;  ///< the last one used behind
};

/// The strategies that are ranked first on networks of full bandwidth, kept: where a network takes
/// longer, the best is mostly among them. May be asked from several threads.
class FirstOfWays {
 public:
  /// Of a list of the best.
  struct Length {
    std::size_t most = 1;
    double within = std::numeric_limits<double>::infinity();  ///< times what the best takes
  };
  static constexpr Length kKept{.most = 1000, .within = 1.1};  ///< of each way
  struct First {
    std::vector<BestOfWay> all;  ///< best first
    bool by_time = false;        ///< ranked by it alone
    double up_to = -1;           ///< seconds up to which there are no others
    bool whole = false;          ///< as long as any is kept

    [[nodiscard]] Seconds place_of(const BestOfWay& one) const {
      return by_time ? one.time : one.value;
    }
  };

  /// What a search has found, best first, and what that says.
  /// @param length  of the list that was asked for
  /// @param most    seconds that the search was given to find all within
  static First listed(const std::vector<BestOfWay>& found, const Length& length, bool by_time,
                      Seconds most);

  /// Null: they are not known up to so many seconds, nor all that are kept.
  std::shared_ptr<const First> of(const Way& way, Seconds most);
  void keep(const Way& way, std::shared_ptr<const First> first);

 private:
  std::mutex mutex_;
  std::map<Way, std::shared_ptr<const First>> known_;
  std::size_t size_ = 0;  ///< strategies
};

}  // namespace planner::design
