#pragma once

#include "planner/commands/plans/plans.hpp"
#include "planner/job/what_binds.hpp"

namespace planner::commands {

/// The cheapest strategy of one number of GPUs. Nothing: none is possible, or none fits.
struct GpuCount {
  std::int64_t gpus = 0;
  std::optional<Seconds> iteration{};
  std::optional<Usd> per_iteration{}, per_run{};  ///< without failures
  std::optional<Usd> expected_per_run{};  ///< with its failures and spares, where they count

  /// By what counts are ranked: a run as it is to be expected, else an iteration.
  [[nodiscard]] const std::optional<Usd>& ranked_by() const {
    return expected_per_run ? expected_per_run : per_iteration;
  }
};

struct OptimizeResult {
  Plan best;
  std::int64_t strategies = 0, feasible = 0;
  std::vector<Plan> top{};               ///< best first
  std::optional<Plan> fastest{};         ///< whatever its memory risks; calibrated
  std::optional<Plan> fastest_surely{};  ///< that fits with kSurely; calibrated, where there is one
  std::vector<job::Sensitivity> what_binds{};  ///< largest effect first
  std::vector<GpuCount> gpu_counts{};  ///< in ascending order; empty: there was one to choose from
  std::vector<Plan> front{};           ///< time against memory, see SearchResult
  PlanExtras extras{};
};

/// Without a result where no strategy is possible or none fits.
struct OptimizeAnswer {
  PlanInputs inputs;
  std::optional<OptimizeResult> result{};
  std::optional<HandedOver> emitted{};
};

OptimizeAnswer optimize_plan(const PlanRequest& request, Context& context);
const json::FieldTable<OptimizeAnswer>& optimize_fields();
present::Document optimize_view(const OptimizeAnswer& answer);

/// Why there is no strategy, with the nearest numbers of GPUs that have one; or why none fits.
Diagnostic no_strategy(const Workload& workload, const SearchSpace& space,
                       const std::atomic<bool>* stop);
Diagnostic nothing_fits(const Workload& workload, const SearchResult& found,
                        const job::StrategyChoice& asked_axes);

/// `planner optimize`: the best strategy, exactly, out of every legal one.
Command optimize();

}  // namespace planner::commands
