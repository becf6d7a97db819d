#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/estimate.hpp"
#include "planner/domain/lost_time.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/reliability.hpp"
#include "planner/job/routing.hpp"

namespace planner::job {

/// One iteration of a plan on its network.
struct IterationTimes {
  Seconds ideal{};                      ///< perfectly balanced links, no storage on them
  Seconds routed{};                     ///< links as they are, no storage on them
  Seconds expected{};                   ///< links as they are, shared with storage
  Seconds unlucky{};                    ///< the same, 19 of 20 draws of hashed paths better
  std::optional<Seconds> guaranteed{};  ///< the same, storage sending all that its class lets it
};

/// How long a run takes: ideal, and as it is to be expected.
struct ExpectedRun {
  Seconds ideal{};   ///< the plan's steps on perfectly balanced links, without a failure
  Seconds routed{};  ///< on the network as it behaves, without a failure
  Seconds mean{}, p50{}, p95{};
  std::optional<Seconds> guaranteed{};  ///< mean, whatever storage sends within its traffic class
  bool failures_vary = false, paths_vary = false;  ///< what p95 is the 95th of 100 of
  std::vector<LostTime> lost;                      ///< adds up to mean - ideal
};

/// Dollars of a run by its time on all that is paid for, spare nodes included, also of the ideal
/// one: what it costs less than another is what that one loses.
struct ExpectedCost {
  Estimate<Usd> ideal, mean, p95;
  std::optional<Estimate<Usd>> guaranteed{};
  bool at_least = false;  ///< some of the price is not known
};

/// What a plan comes to on its network as it behaves and its cluster as it breaks.
struct Forecast {
  std::optional<RoutingResult> routing{};
  std::optional<SharingImpact> sharing{};
  std::optional<ReliabilityResult> reliability{};
  std::optional<IterationTimes> iteration{};
  LinkLoad links = LinkLoad::balanced;  ///< in the times: ideal ones are of no other load
  std::optional<ExpectedRun> run{};     ///< nothing without a number of tokens
  std::optional<ExpectedCost> cost{};
  /// GPUs that spares are, beyond those that stand by: to be bought, or paid for by the run.
  std::int64_t spares_beside = 0;
};

/// What a forecast is made from. Without routing, sharing and rates there is none to make.
struct ForecastInputs {
  std::optional<RoutingResult> routing{};
  std::optional<SharingImpact> sharing{};
  std::optional<FailureRates> rates{};
  ReliabilitySettings recovery{};
  std::int64_t gpus = 0;
  const Workload* workload = nullptr;  ///< with its plan; nothing: there is none
  const Plan* plan = nullptr;
  std::optional<double> iterations{};             ///< of the run; nothing: no number of tokens
  std::optional<Estimate<UsdPerSecond>> price{};  ///< of all that are paid for, without spares
  std::optional<std::int64_t> paid_gpus{};        ///< those that stand idle too; nothing: the job's
  std::int64_t standing_by = 0;  ///< of these, GPUs that spares can be: they are paid already
};

/// @param warnings  gets what is not known
/// @throws UsageError for settings that contradict each other
std::optional<Forecast> forecast_of(ForecastInputs inputs, std::vector<std::string>& warnings);

/// Speed of a plan, of its own, while one of the two ports of a card is down: T(1)/T(S) of the
/// whole model, where S of all that crosses the network is at least 2, as the other port of the
/// card carries its bytes (HPN, SIGCOMM'24, §9.3).
double speed_with_port_down(const Workload& workload, const Plan& plan,
                            const std::optional<RoutingResult>& routing);

/// A plan's iteration, by the timing model of its workload.
IterationTimes iteration_times(const Workload& workload, const Plan& plan,
                               const std::optional<RoutingResult>& routing,
                               const std::optional<SharingImpact>& sharing);

/// What 5 of 100 draws of hashed paths add to a run of that length, at least. Paths are drawn anew
/// with each restart's connections, so that n failures leave 1/√(n + 1) of what one draw spreads.
double longer_by_paths(const IterationTimes& iteration, double failures, double length = 1);

/// p95 takes failures and the luck of hashed paths for independent.
/// @param iterations  of the run
ExpectedRun expected_run(const IterationTimes& iteration, double iterations,
                         const std::optional<ReliabilityResult>& reliability);

/// @param rate  of all that the run pays for, its spares included
ExpectedCost expected_cost(const ExpectedRun& run, const Estimate<UsdPerSecond>& rate);

}  // namespace planner::job
