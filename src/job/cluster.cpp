#include "planner/job/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/reliability.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/job/strategy.hpp"

namespace planner::job {

GpuSupply supply_of(const Cluster& cluster, const System& system, const std::optional<Node>& node) {
  GpuSupply supply{.bought = node ? nodes_of(cluster, *node) * node->accelerators : cluster.gpus,
                   .hb_domain = system.hb_domain,
                   .most = cluster.gpus};
  if (!cluster.run) return supply;
  supply.most = cluster.run->gpus.value_or(cluster.gpus);
  supply.exact = cluster.run->gpus_exact;
  return supply;
}

namespace {

/// Why no strategy is found, and which counts have one.
std::string nothing_fits(const Workload& workload, const GpuSupply& supply,
                         const SearchSpace& space, const SearchOptions& options) {
  if (!supply.exact) {
    return fmt::format("no training time: no strategy of {} fits up to {} GPUs",
                       workload.model.name, supply.most);
  }
  std::string text = fmt::format("no training time: no strategy of {} fits exactly {} GPUs",
                                 workload.model.name, supply.most);
  Workload on = workload;
  on.gpus = supply.most;
  const auto [below, above] = nearest_gpu_counts(on, space, options.stop);
  const bool enough = above > 0 && above <= supply.bought;
  if (below > 0 && enough) return text + fmt::format("; closest: {} and {}", below, above);
  if (below > 0 || enough) return text + fmt::format("; closest: {}", below > 0 ? below : above);
  return text;
}

}  // namespace

std::optional<ClusterTraining> train(const Workload& workload, const GpuSupply& supply,
                                     const SearchOptions& options,
                                     std::vector<std::string>& warnings) {
  const SearchSpace space = search_space({}, workload);
  std::optional<BestUse> best = best_use(workload, supply, space, options);
  if (!best) {
    warnings.push_back(nothing_fits(workload, supply, space, options));
    return std::nullopt;
  }
  ClusterTraining training{.workload = std::move(best->workload),
                           .plan = {},
                           .use = best->use,
                           .strategies = best->found.strategies,
                           .feasible = best->found.feasible};
  const Workload& on = training.workload;
  training.plan = make_plan(on, best->found.best.front().strategy);
  warn_about_measured_range(on, training.plan, warnings);
  if (on.run.tokens) training.totals = training_totals(on, training.plan, *on.run.tokens);
  return training;
}

ReliabilitySettings parts_in_use(ReliabilitySettings counted, const GpuSupply& supply,
                                 const std::optional<GpuUse>& use) {
  if (!use || use->gpus == supply.bought) {
    return in_domains(std::move(counted), supply.hb_domain, supply.gpus_per_tray);
  }
  const std::int64_t size = std::min(supply.hb_domain, supply.bought);
  const auto keep = [&](std::optional<std::int64_t>& all, std::int64_t gpus) {
    const double share = std::min(1.0, real(gpus) / real(supply.bought));
    if (all) *all = static_cast<std::int64_t>(std::ceil(share * real(*all)));
  };
  keep(counted.nics, use->gpus);  // a card whose GPUs stand idle stops nothing
  keep(counted.switches, use->domains * size);
  keep(counted.feeds, use->domains * size);
  // Nodes as far as the job fills them: a domain of 72 of which it uses 64 is one of 64.
  if (counted.gpus_per_node && *counted.gpus_per_node >= size) {
    counted.gpus_per_node = use->per_domain;
  }
  counted =
      with_idle_trays(std::move(counted), size, use->per_domain, supply.gpus_per_tray, use->gpus);
  return in_domains(std::move(counted), use->per_domain, supply.gpus_per_tray);
}

std::int64_t idle_in_domains(const GpuSupply& supply, const GpuUse& use) {
  const std::int64_t size = std::min(supply.hb_domain, supply.bought);
  return std::max<std::int64_t>(0, supply.bought - use.domains * size);
}

std::int64_t standing_by(const ReliabilitySettings& recovery, const GpuSupply& supply,
                         const GpuUse& use) {
  const std::int64_t idle = idle_in_domains(supply, use);
  if (!recovery.spares) return idle;
  const std::int64_t left = std::min(supply.hb_domain, supply.bought) - use.per_domain;
  const std::int64_t unit =
      recovery.swap_unit.value_or(recovery.gpus_per_node.value_or(kGpusPerNode));
  const std::int64_t trays = swaps_trays(recovery)
                                 ? left / unit * unit
                                 : recovery.tray.value_or(0) * recovery.spare_trays.value_or(0);
  return idle + use.domains * std::min(left, trays);
}

std::int64_t rented_gpus(const ClusterReport& report) {
  return report.rent ? gpus_paid_for(report.cluster, report.node)
                     : supply_of(report.cluster, report.system, report.node).bought;
}

ClusterUse use_of(const ClusterReport& report) {
  ClusterUse use{.gpus = report.cluster.gpus,
                 .accelerator = report.system.accelerator.name,
                 .racks = report.cluster.racks,
                 .rent = report.rent,
                 .rented = rented_gpus(report),
                 .economics = report.economics};
  if (report.training && report.training->totals) {
    use.run = RunLength{.gpus = report.cluster.gpus,
                        .duration = report.training->totals->time,
                        .tokens = report.training->workload.run.tokens};
  }
  return use;
}

StandingSpares standing_spares(const Cluster& cluster, const System& system,
                               const std::optional<Node>& node) {
  const GpuSupply supply = supply_of(cluster, system, node);
  return {.gpus = spare_gpus_of(cluster, node),
          .node_gpus = node ? node->accelerators : kGpusPerNode,
          .hb_domain = std::min(supply.hb_domain, supply.bought),
          .gpus_per_tray = node ? node->gpus_per_tray : std::nullopt};
}

std::optional<Forecast> forecast_of(const ClusterReport& report, ClusterBehaviour behaviour,
                                    std::vector<std::string>& warnings) {
  const std::int64_t bought = report.cluster.gpus;
  GpuSupply supply = supply_of(report.cluster, report.system, report.node);
  if (report.node) supply.gpus_per_tray = report.node->gpus_per_tray;
  const auto use = report.training ? std::optional(report.training->use) : std::nullopt;
  const std::int64_t gpus = use ? use->gpus : bought;
  if (behaviour.rates) {
    behaviour.recovery =
        with_standing_spares(std::move(behaviour.recovery), *behaviour.rates,
                             standing_spares(report.cluster, report.system, report.node), gpus);
  }
  ForecastInputs from{
      .routing = std::move(behaviour.routing),
      .rates = std::move(behaviour.rates),
      .recovery = parts_in_use(
          counted_parts(std::move(behaviour.recovery), report.node, report.fabric), supply, use),
      .gpus = gpus,
      .standing_by = spare_gpus_of(report.cluster, report.node)};
  if (use) from.standing_by += standing_by(from.recovery, supply, *use);
  if (report.training) {
    const ClusterTraining& training = *report.training;
    from.sharing = training.sharing;
    from.workload = &training.workload;
    from.plan = &training.plan;
    if (training.totals) from.iterations = training.totals->iterations;
  }
  return forecast_of(std::move(from), warnings);
}

namespace {

/// What is taken for granted of spares that nobody counts.
const char* always_at_hand(const ClusterReport& report) {
  if (spare_gpus_of(report.cluster, report.node) > 0) {
    return "a spare is taken to be always at hand, however many are bought: --spares N and "
           "--repair HOURS count the waiting";
  }
  if (report.rent) {
    return "who rents the GPUs out is taken to replace at once what fails: --spares N rents N "
           "spares beside them and counts the waiting";
  }
  return "a spare is taken to be always at hand, and is in no bill: --spares N buys them and "
         "counts the waiting";
}

}  // namespace

void pay_for_spares(ClusterReport& report, std::vector<std::string>& warnings) {
  if (!report.forecast || !report.forecast->reliability) return;
  const JobReliability& job = report.forecast->reliability->job;
  if (!job.spares && !job.shrink) warnings.emplace_back(always_at_hand(report));
  std::int64_t& beside = report.forecast->spares_beside;
  if (!report.node) {
    report.cluster.spare_gpus += std::exchange(beside, 0);
    return;
  }
  const std::int64_t more = ceil_div(std::exchange(beside, 0), report.node->accelerators);
  if (more == 0) return;
  const std::int64_t spares = report.cluster.spare_nodes.value_or(0);
  // They stand as densely as what is there.
  if (auto& racks = report.cluster.racks) {
    *racks += ceil_div(more * *racks, nodes_of(report.cluster, *report.node) + spares);
  }
  report.cluster.spare_nodes = spares + more;
}

namespace {

/// The run, with its failures where they count, if it takes longer than the cluster is looked at.
std::optional<Seconds> beyond_horizon(const ClusterReport& report) {
  if (!report.economics || !report.training || !report.training->totals) return std::nullopt;
  Seconds run = report.training->totals->time;
  if (report.forecast && report.forecast->run) run = std::max(run, report.forecast->run->mean);
  return run > report.economics->horizon_years * units::year ? std::optional(run) : std::nullopt;
}

}  // namespace

void add_expected_cost(ClusterReport& report) {
  if (const auto run = beyond_horizon(report); run && report.cost.per_gpu_hour) {
    constexpr double kMostYears = 1e9;
    const double years = run->in(units::year);
    report.warnings.push_back(
        fmt::format("the run takes {} years and has no cost: an hour's price is that of {:g} years",
                    years < kMostYears ? fmt::format("{:.3g}", years) : "more than 10⁹",
                    report.economics->horizon_years));
    return;
  }
  if (!report.forecast || !report.forecast->run || !report.cost.per_gpu_hour) return;
  Forecast& forecast = *report.forecast;
  const double bought = real(report.cluster.gpus);
  const Estimate<UsdPerSecond> price =
      each([bought](Usd hour) { return bought * hour / units::hour; }, *report.cost.per_gpu_hour);
  forecast.cost = expected_cost(*forecast.run, price);
  forecast.cost->at_least = report.cost.at_least();
}

Outlook outlook_of(const ClusterReport& report, double confidence) {
  const CostBreakdown& cost = report.cost;
  OutlookInputs from{.confidence = confidence};
  from.cluster.causes =
      cost_causes(cost, report.economics.value_or(Economics{}), report.cluster.gpus);
  const bool buys = cost.capex.amount.expected > Money{};
  if (cost.capex.known() && buys) from.cluster.capex = in_dollars(cost.capex.amount.expected);
  if (!cost.opex.empty()) {
    from.cluster.opex_per_year = in_dollars(cost.opex_per_year.amount.expected);
  }
  if (cost.ownership) from.cluster.tco = in_dollars(cost.ownership->total.expected);
  if (cost.financed) from.cluster.present = in_dollars(cost.financed->present_cost.expected);
  if (cost.per_gpu_hour) from.cluster.gpu_hour = cost.per_gpu_hour->expected;
  if (!report.training || !report.training->totals) return outlook_of(from);
  from.plan = &report.training->plan;
  from.ideal = report.training->totals->time;
  if (report.forecast) from.forecast = &*report.forecast;
  if (cost.per_gpu_hour && cost.run && cost.run->cost && !beyond_horizon(report)) {
    const auto& forecast = report.forecast;
    const Usd ideal = in_dollars(cost.run->cost->expected);
    from.run =
        PricedRun{.causes = from.cluster.causes,
                  .gpu_hour = cost.per_gpu_hour->expected,
                  .ideal = ideal,
                  .expected = forecast && forecast->cost ? forecast->cost->mean.expected : ideal};
  }
  return outlook_of(from);
}

std::optional<NetworkTier> tightest_tier(const ClusterTraining& training) {
  const Workload& on = training.workload;
  return link_load(on) == LinkLoad::all_at_once ? std::optional(on.network_tiers.back())
                                                : std::nullopt;
}

}  // namespace planner::job
