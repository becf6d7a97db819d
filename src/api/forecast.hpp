#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/api/reliability.hpp"
#include "planner/api/routing_result.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

namespace planner {

struct PaidPlan;
struct Request;
struct ResolvedInputs;
namespace io {
class Catalog;
}

/// Time of a run that does not advance it, by cause.
struct LostTime {
  std::string_view cause;  ///< "routing", or a cause of waste as `planner reliability` names it
  Seconds time{};
};

/// How long a run takes: ideal, and as it is to be expected.
struct ExpectedRun {
  Seconds ideal{};   ///< the plan's steps on perfectly balanced links, without a failure
  Seconds routed{};  ///< on the network as it behaves, without a failure
  Seconds mean{}, p50{}, p95{};
  std::vector<LostTime> lost;  ///< adds up to mean - ideal
};

/// Dollars of a run by its time, spare nodes included.
struct ExpectedCost {
  Estimate<Usd> ideal, mean, p95;
};

/// What a plan comes to on its network as it behaves and its cluster as it breaks.
struct Forecast {
  std::optional<RoutingResult> routing{};
  std::optional<ReliabilityResult> reliability{};
  std::optional<Seconds> ideal_iteration{};  ///< of the plan, on perfectly balanced links
  std::optional<Seconds> iteration{};        ///< on the network as it behaves
  std::optional<ExpectedRun> run{};          ///< nothing without a number of tokens
  std::optional<ExpectedCost> cost{};
};

/// Time of a plan on perfectly balanced links, as the timing model has it.
Seconds balanced_iteration(const Workload& workload, const RoutingResult& routing,
                           const Plan& plan);

/// @param routed  time of the run's steps on the network as it behaves
ExpectedRun expected_run(Seconds ideal, Seconds routed,
                         const std::optional<ReliabilityResult>& reliability);

/// @param rate  of the GPUs that the run pays for, without its spares
ExpectedCost expected_cost(const ExpectedRun& run, const Estimate<UsdPerSecond>& rate,
                           double spare_share);

/// Spare nodes over nodes that work; 0 where spares are not modelled.
double spare_share(const std::optional<ReliabilityResult>& reliability);

/// What --routing and --rates make of a plan; nothing without either.
/// @param warnings  gets what is not known
std::optional<Forecast> plan_forecast(const Request& request, const ResolvedInputs& inputs,
                                      const Plan& plan, const std::optional<PaidPlan>& paid,
                                      const io::Catalog& catalog,
                                      std::vector<std::string>& warnings);

}  // namespace planner
