#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/times.hpp"
#include "planner/job/forecast.hpp"
#include "planner/job/reliability.hpp"
#include "planner/reliability/outcome_law.hpp"

// What failures make of a design's run: as the forecast of its cluster file says.
namespace planner::design {

/// How a timing model's interval spreads a time.
struct Lateness {
  double factor = 1;  ///< excess() of the time at the question's confidence
  double middle = 1;  ///< TimeInterval::middle, of the predicted time
  LogSpread model{};  ///< about the middle
};
Lateness lateness(const Workload& job, double confidence);

/// Swap units that stand by: of those to choose from as many as the domains hold that the run does
/// not stand on, but no more than it stands on. What is bought already makes no figure worse.
/// Nothing: it holds none of them.
std::optional<std::int64_t> spares_of(const Space& space, const DesignId& id,
                                      const job::GpuUse& use);

/// The parts of a design that its run uses, its spares, and how it recovers. There are failures.
std::optional<ReliabilitySettings> recovery_of(const Space& space, const DesignId& id,
                                               const Bought& cluster, const job::GpuUse& use);

/// That runs can recover as the space says, on the smallest cluster of a system: what contradicts
/// itself or is not known does so on all. There are failures.
/// @throws UsageError
void check_recovery(const Space& space, std::uint32_t system);

/// GPUs that a run does not use and that take the place of those that fail: of whole domains, and
/// of spare trays in the domains that it stands on. Where nothing fails, all of whole domains.
std::int64_t gpus_standing_by(const Space& space, const DesignId& id, const Bought& cluster,
                              const job::GpuUse& use);

/// How long a run takes.
struct RunTimes {
  Seconds expected{};   ///< mean, failures included
  Seconds confident{};  ///< that it stays within in a share of all cases; not below `expected`
};
/// @param share  of all cases, 0.5 ≤ share < 1: by the run's failures, by rates and recovery times
/// that are another cluster's, and by the timing model's error. It is never taken for less than
/// Lateness::factor times the run without failures.
/// Nothing: it has too few spares, or hardly advances.
std::optional<RunTimes> run_times(const Space& space, const DesignId& id, const Bought& cluster,
                                  const BestTime& best, const Lateness& late, double share);

/// What is confident of a job's run: a quantile of its law, by its failures alone.
/// @param ideal  that it takes without failures
Seconds confident_time(const job::JobOutlook& outlook, Seconds ideal, const Lateness& late,
                       double share);

/// run_times() of one share, kept: neither prices nor limits change them. May be asked from several
/// threads, each of systems of its own.
class KnownRuns {
 public:
  KnownRuns(const Space& space, double share)
      : space_(space), share_(share), known_(space.systems.size()) {}

  /// @param most  a run whose mean is longer does not matter: its confident time may be too short,
  /// but not below its mean
  std::optional<RunTimes> of(const DesignId& id, const Bought& cluster, const BestTime& best,
                             const Lateness& late, Seconds most);

 private:
  struct Known {
    std::optional<Seconds> mean{};  ///< nothing: it hardly advances
    std::optional<RunTimes> all{};
  };
  const Space& space_;
  double share_;
  /// Of each system, by batch and GPUs that are used.
  std::vector<std::map<std::tuple<DesignId, std::size_t, std::int64_t>, Known>> known_;
};

/// What 80 of 100 such runs take, about the expected: by the timing model's interval and by
/// failures, where there are any.
Estimate<Seconds> run_range(const Space& space, const DesignId& id, const Bought& cluster,
                            const BestTime& best);

/// What `cost` says of the cluster's run, for people. There are failures or a routing, and
/// run_times().
std::optional<job::Forecast> forecast_of(const Space& space, const DesignId& id,
                                         const Bought& cluster, const BestTime& best,
                                         std::vector<std::string>& warnings);

/// The run of a design: its GPUs, its network, and what of the HB domains it uses as one.
Workload job_of(const Space& space, const DesignId& id, const Bought& cluster,
                const BestTime& best);

}  // namespace planner::design
