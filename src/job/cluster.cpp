#include "planner/job/cluster.hpp"

#include <fmt/format.h>

#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/job/reliability.hpp"
#include "planner/job/strategy.hpp"

namespace planner::job {

std::optional<ClusterTraining> train(Workload workload, const SearchOptions& options,
                                     std::vector<std::string>& warnings) {
  ClusterTraining training{.workload = std::move(workload), .plan = {}};
  Workload& on = training.workload;
  const SearchResult found = search_domains(on, search_space({}, on), options);
  if (found.best.empty()) {
    warnings.push_back(fmt::format("no training time: none of {} strategies of {} fits {} GPUs",
                                   found.strategies, on.model.name, on.gpus));
    return std::nullopt;
  }
  training.strategies = found.strategies;
  training.feasible = found.feasible;
  training.plan = make_plan(on, found.best.front().strategy);
  warn_about_measured_range(on, training.plan, warnings);
  if (on.run.tokens) training.totals = training_totals(on, training.plan, *on.run.tokens);
  return training;
}

ClusterUse use_of(const ClusterReport& report) {
  ClusterUse use{.gpus = report.cluster.gpus,
                 .accelerator = report.system.accelerator.name,
                 .racks = report.cluster.racks,
                 .economics = report.economics};
  if (report.training && report.training->totals) {
    use.run = RunLength{.gpus = report.cluster.gpus,
                        .duration = report.training->totals->time,
                        .tokens = report.training->workload.run.tokens};
  }
  return use;
}

std::optional<Forecast> forecast_of(const ClusterReport& report, ClusterBehaviour behaviour,
                                    std::vector<std::string>& warnings) {
  const std::int64_t gpus = report.cluster.gpus;
  ForecastInputs from{.routing = std::move(behaviour.routing),
                      .rates = std::move(behaviour.rates),
                      .recovery = counted_parts(behaviour.recovery, report.node, report.fabric),
                      .gpus = gpus};
  if (report.training) {
    const ClusterTraining& training = *report.training;
    from.sharing = training.sharing;
    from.workload = &training.workload;
    from.plan = &training.plan;
    if (training.totals) from.iterations = training.totals->iterations;
  }
  if (report.cost.per_gpu_hour) {
    from.price = each([gpus](Usd hour) { return real(gpus) * hour / units::hour; },
                      *report.cost.per_gpu_hour);
    from.price_at_least = report.cost.at_least();
  }
  return forecast_of(std::move(from), warnings);
}

std::optional<std::string> oversubscription(const ClusterReport& cluster) {
  if (!cluster.training || cluster.training->workload.network_tiers.empty()) return std::nullopt;
  const NetworkTier& tightest = cluster.training->workload.network_tiers.back();
  return fmt::format(
      "groups of more than {} GPUs get {:.0f} % of the network cards' bandwidth in the training "
      "time, as if all GPUs sent there at once; --routing charges what the job's traffic meets",
      tightest.gpus, 100 * tightest.bandwidth_share);
}

}  // namespace planner::job
