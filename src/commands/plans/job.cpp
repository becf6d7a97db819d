#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "planner/commands/options/currency.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/options/slice.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/job_network.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/evidence.hpp"
#include "planner/job/free_gpus.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/sharing.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/routing/placement.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::commands {

namespace {

/// Names the first option that has no meaning without --routing, if any was given. A plan's traffic
/// is told of a network without routing too.
void refuse_without_routing(const PlanRequest& request) {
  const job::FabricChoice& choice = request.fabric;
  const bool fabric = choice.radix || choice.port_gbps || !choice.inputs.empty();
  const bool cluster = request.routing.cluster_gpus.has_value();
  RoutingSettings how = request.routing.how;
  if (request.traffic) {
    if ((fabric || cluster) && !choice.topology) {
      usage_error("the options of the network need --topology", "--topology rail-optimized");
    }
    how.free_gpus.reset();
  } else if (fabric || choice.topology) {
    usage_error("the options of the network need --routing", "--routing ecmp");
  }
  if (how != RoutingSettings{} || (cluster && !request.traffic)) {
    usage_error("the options of routing need --routing", "--routing ecmp");
  }
}

/// What --routing makes of it.
job::RoutingResult routing_of(const RoutingSettings& how, const Workload& workload,
                              const job::JobOnNetwork& on,
                              std::shared_ptr<StageSlowdowns> known = nullptr) {
  job::RoutingResult result = job::route_job(how, on, std::move(known));
  if (workload.timing.calibrated() && workload.timing.constants().routing) {
    job::relate_to_measured(workload.timing.constants(), on, result);
  }
  return result;
}

job::GpuPrice rented(const Economics& economics, const Accelerator& accelerator, RentTerm term) {
  const CloudPrice* const found = rent_of(economics, accelerator.name, term);
  if (found == nullptr) {
    usage_error(
        fmt::format("{} has no rent of a {}, {}", economics.name, accelerator.name, name_of(term)),
        "give --gpu-hour-price, or --economics with a file that has one");
  }
  return {.rate = found->rent,
          .origin = found->origin,
          .economics = economics.name,
          .shown_in = economics.shown_in,
          .term = term == RentTerm::on_demand ? std::nullopt : std::optional(term)};
}

std::optional<Node> node_of(const Workload& workload, const catalog::Catalog& catalog) {
  if (!workload.system.node) return std::nullopt;
  return catalog.load_node(*workload.system.node);
}

/// Of a rack of trays the job may leave some idle: a job within one takes no more than it fills.
ReliabilitySettings in_nodes(ReliabilitySettings how, const Node& node, const PlanJob& planned) {
  const Workload& workload = planned.workload;
  if (node.gpus_per_tray) {
    const std::int64_t as_one = std::min(domain_use(planned).as_one, node.accelerators);
    const std::int64_t used =
        workload.gpus > node.accelerators ? node.accelerators / as_one * as_one : node.accelerators;
    how = job::with_idle_trays(std::move(how), node.accelerators, used, node.gpus_per_tray,
                               workload.gpus);
    if (!how.gpus_per_node) how.gpus_per_node = used;
    if (!how.nics) how.nics = ceil_div(workload.gpus * node.nics, node.accelerators);
  }
  return job::in_nodes(std::move(how), node, workload.gpus);
}

/// What --routing, --rates and the storage options make of a plan; nothing without any of them.
std::optional<job::Forecast> forecast_of(const PlanRequest& request, const PlanJob& planned,
                                         const Plan& plan, const std::optional<job::PaidPlan>& paid,
                                         Context& context) {
  const FailureChoice& asked = request.failures;
  const Workload& workload = planned.workload;
  job::ForecastInputs from{.routing = planned.routing,
                           .sharing = planned.sharing,
                           .gpus = workload.gpus,
                           .workload = &workload,
                           .plan = &plan};
  if (asked.rates) {
    from.rates = context.catalog.load_rates(*asked.rates);
    job::check_unit_sizes(asked.how, workload.gpus);
    job::warn_of_uncounted(asked.how, *from.rates, context.warnings);
    from.recovery = asked.how;
    const auto node = node_of(workload, context.catalog);
    if (node) from.recovery = in_nodes(asked.how, *node, planned);
    from.recovery = job::in_domains(from.recovery, workload.system.hb_domain,
                                    node ? node->gpus_per_tray : std::nullopt);
    if (asked.how.optical_ports && paid) {
      context.warnings.emplace_back(
          "--optical-ports: optical switches are in no price of a GPU-hour: planner cost and "
          "planner design bill them");
    }
  } else if (asked.how != ReliabilitySettings{}) {
    usage_error("the options of failures, checkpoints and spares need --rates",
                "planner list rates");
  }
  if (workload.run.tokens) {
    from.iterations = training_totals(workload, plan, *workload.run.tokens).iterations;
  }
  if (paid && !paid->price.term) {  // whole terms are paid, however long it takes
    from.price = each([&](UsdPerSecond one) { return real(paid->gpus) * one; }, paid->price.rate);
    from.paid_gpus = paid->gpus;
    // Of what stands idle in domains the trays that are spares are paid for already.
    if (paid->gpus > workload.gpus) {
      from.standing_by =
          job::standing_by(from.recovery, {.bought = paid->gpus, .hb_domain = planned.hb_domain},
                           domain_use(planned));
    }
  }
  return job::forecast_of(std::move(from), context.warnings);
}

/// Ranges of days and dollars, beside each of them.
void add_outlook(const PlanRequest& request, const Plan& plan,
                 const std::optional<job::Forecast>& forecast, PlanExtras& extras) {
  if (!extras.training) return;
  job::OutlookInputs from{.confidence = request.confidence.value_or(job::kUsualConfidence),
                          .plan = &plan,
                          .ideal = extras.training->totals.time,
                          .forecast = forecast ? &*forecast : nullptr};
  const bool by_hours = extras.paid && !extras.paid->price.term;
  if (by_hours) {
    const Usd ideal = extras.paid->cost.per_run->expected;
    from.run = job::PricedRun{
        .causes = job::rent_causes(extras.paid->price.rate),
        .gpu_hour = extras.paid->price.rate.expected * units::hour,
        .ideal = ideal,
        .expected = forecast && forecast->cost ? forecast->cost->mean.expected : ideal};
  }
  extras.outlook = job::outlook_of(from);
  extras.training->range = extras.outlook->ideal_days->range;
  if (by_hours) extras.paid->run_range = extras.outlook->ideal_cost->range;
  if (extras.forecast) add_ranges(*extras.outlook, *extras.forecast);
}

}  // namespace

PlanJob plan_job(const PlanRequest& request, const catalog::Catalog& catalog,
                 std::vector<std::string>& warnings) {
  if (!request.model) usage_error("--model is missing", "planner list models");
  if (request.gpus.empty()) usage_error("--gpus is missing");
  if (request.gpus.size() > 1) {
    usage_error("--gpus takes one number here", "optimize --objective cost chooses from a list");
  }
  catalog::LoadedModel loaded = catalog.load_model(*request.model);
  for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
  job::WorkloadParts parts{.model = std::move(loaded.spec),
                           .system = machine_of(request.machine, catalog),
                           .gpus = request.gpus.front(),
                           .run = request.run,
                           .software = request.software};
  refuse_other_timing(request);
  if (request.timing != Timing::closed_form) {
    parts.timing = catalog.load_calibration(request.calibration.value_or(kShippedCalibration));
  }
  take_slices(fmt::format("--gpus {}", parts.gpus), parts.gpus, parts.system, warnings);
  PlanJob planned{.workload = job::workload_of(std::move(parts), warnings),
                  .assumed = assumed_inputs(request)};
  Workload& workload = planned.workload;
  planned.hb_domain = workload.system.hb_domain;
  const bool routed = request.routing.how.scheme.has_value();
  if (!routed) refuse_without_routing(request);
  if (routed || request.fabric.topology) {
    planned.network =
        network_of_job(request.fabric, request.routing.cluster_gpus, workload.system, workload.gpus,
                       usable_hb_domain(workload.system.hb_domain, workload.gpus), catalog,
                       planned.assumed, warnings);
    workload.system.network_bandwidth = planned.network->nominal;
  }
  if (routed) {
    planned.routing = routing_of(request.routing.how, workload, *planned.network);
  }
  planned.sharing = job::plan_storage(request.routing.sharing, request.failures.how, workload,
                                      planned.assumed, warnings);
  const FabricDesign* const design = planned.network ? &planned.network->design : nullptr;
  job::NetworkLeft left = job::left_by(planned.routing, planned.sharing, design);
  if (planned.network && !routed) {
    const job::JobOnNetwork& on = *planned.network;
    left.tiers = bandwidth_tiers(on.design, on.count, on.cluster_gpus);
    if (!left.tiers.empty()) warnings.push_back(job::oversubscription(left.tiers.back()));
  }
  workload = job::on_network(std::move(workload), std::move(left));
  return planned;
}

std::vector<PlanJob> placed_otherwise(const PlanRequest& request, const PlanJob& planned) {
  std::vector<PlanJob> others;
  if (!planned.routing) return others;
  const job::JobOnNetwork& on = *planned.network;
  const auto add = [&](const RoutingSettings& how) {
    PlanJob& other = others.emplace_back(planned);
    other.routing = routing_of(how, planned.workload, on, planned.routing->on_links->known());
    other.workload =
        job::on_network(planned.workload, job::left_by(other.routing, planned.sharing, &on.design));
  };
  RoutingSettings how = request.routing.how;
  const JobSlowdowns& placed = *planned.routing->on_links;
  for (const std::int64_t taken : even_leaves(placed.fabric(), placed.job())) {
    how.in_leaf = taken;
    add(how);
  }
  how.in_leaf.reset();
  if (!how.free_gpus) return others;
  const std::int64_t gpus = job::gpus_of_nodes(on);
  const auto free = job::in_whole_nodes(*how.free_gpus, on.node_gpus, gpus);
  for (auto& taken : ways_to_place(free, gpus, on.node_gpus)) {
    if (job::used_of(taken, on) == planned.routing->taken) continue;
    how.free_gpus = std::move(taken);
    add(how);
  }
  return others;
}

void warn_about_leaves(const PlanJob& planned, std::vector<std::string>& warnings) {
  if (!planned.routing) return;
  const JobSlowdowns& placed = *planned.routing->on_links;
  const std::optional<std::int64_t> taken = placed.job().in_leaf;
  if (!taken) return;
  warnings.push_back(
      fmt::format("the job has {} of the {} GPUs of a leaf: all of them would break its groups",
                  *taken, placed.fabric().tiers.front().unit_gpus));
}

PlanInputs plan_inputs(const PlanJob& planned, Objective objective) {
  const Workload& workload = planned.workload;
  PlanInputs inputs{.model = workload.model,
                    .parameters = total_parameters(workload.model, workload.run.sequence),
                    .system = workload.system,
                    .gpus = workload.gpus,
                    .hb_domain_used = usable_hb_domain(workload.system.hb_domain, workload.gpus),
                    .global_batch = workload.run.global_batch,
                    .sequence = workload.run.sequence,
                    .precision = workload.run.precision,
                    .bytes_per_parameter = workload.run.bytes_per_parameter,
                    .timing = workload.timing.kind(),
                    .objective = objective,
                    .tokens = workload.run.tokens,
                    .assumed = planned.assumed};
  if (!workload.timing.calibrated()) return inputs;
  const Calibration& constants = workload.timing.constants();
  inputs.calibration = constants.name;
  inputs.software = workload.software;
  inputs.evidence = evidence_of(workload);
  const MeasuredRange range = measured_range(workload);
  if (range.nearest == nullptr) return inputs;
  const ResidualClass& of = *range.nearest;
  inputs.measured_range = RangeOfRuns{.generation = of.generation,
                                      .mixture_of_experts = of.mixture_of_experts,
                                      .rows = of.rows,
                                      .sources = of.sources,
                                      .most_gpus = of.most_gpus,
                                      .longest_sequence = of.longest_sequence,
                                      .widened_by = range.widening()};
  return inputs;
}

job::GpuUse domain_use(const PlanJob& planned) {
  const Workload& workload = planned.workload;
  return job::use_of(workload.gpus, planned.hb_domain,
                     usable_hb_domain(workload.system.hb_domain, workload.gpus));
}

std::int64_t paid_gpus(const PlanJob& planned, const catalog::Catalog& catalog) {
  const std::optional<Node> node = node_of(planned.workload, catalog);
  return job::occupied_gpus(domain_use(planned), planned.hb_domain,
                            node ? std::optional(node->accelerators) : std::nullopt);
}

std::optional<job::GpuPrice> gpu_price(const PlanRequest& request, const System& system,
                                       const catalog::Catalog& catalog) {
  if (request.gpu_hour_price && request.economics) {
    usage_error("--gpu-hour-price and --economics exclude each other");
  }
  if (request.gpu_hour_price) {
    const UsdPerSecond rate = *request.gpu_hour_price * units::usd / units::hour;
    return job::GpuPrice{.rate = Estimate<UsdPerSecond>::exactly(rate),
                         .origin = {.source = "--gpu-hour-price"}};
  }
  if (!request.economics && request.objective != Objective::cost) return std::nullopt;
  return rented(catalog.load_economics(request.economics.value_or(kDefaultEconomics)),
                system.accelerator, request.rent_term.value_or(RentTerm::on_demand));
}

TrafficSummary plan_traffic(const PlanRequest& request, const PlanJob& planned, const Plan& plan,
                            Context& context) {
  const Workload& workload = planned.workload;
  const std::optional<Node> node = node_of(workload, context.catalog);
  std::vector<std::int64_t> zones;
  if (planned.routing) {
    zones = planned.routing->taken;
  } else if (const auto& given = request.routing.how.free_gpus) {
    const std::int64_t together = node ? node->accelerators : workload.system.hb_domain;
    const auto free = job::in_whole_nodes(*given, together, workload.gpus);
    const std::int64_t all = std::accumulate(free.begin(), free.end(), std::int64_t{0});
    const std::string whole =
        free == *given ? "" : fmt::format(" in whole nodes of {} GPUs", together);
    if (all < workload.gpus) {
      usage_error(
          fmt::format("--free-gpus: {} are free{}, the job needs {}", all, whole, workload.gpus));
    }
    if (!whole.empty()) {
      context.warnings.push_back(
          fmt::format("--free-gpus: {} are free{}: a node stands in one zone", all, whole));
    }
    zones = minimum_cut(free, workload.gpus);
  }
  const JobSlowdowns* const placed = planned.routing ? planned.routing->on_links.get() : nullptr;
  return summary_of(job::traffic_of(workload, plan, planned.network, node, placed, zones),
                    plan.time.total());
}

PlanExtras plan_extras(const PlanRequest& request, const PlanJob& planned, const Plan& plan,
                       Context& context) {
  const Workload& workload = planned.workload;
  PlanExtras extras;
  if (workload.run.tokens) {
    extras.training = {.totals = training_totals(workload, plan, *workload.run.tokens)};
  }
  if (auto price = gpu_price(request, workload.system, context.catalog)) {
    if (!price->economics.empty()) show_in(price->shown_in, context);
    extras.paid =
        job::paid_plan(workload, plan, *std::move(price), paid_gpus(planned, context.catalog),
                       node_of(workload, context.catalog));
  }
  const auto forecast = forecast_of(request, planned, plan, extras.paid, context);
  if (forecast) extras.forecast = summary_of(*forecast);
  add_outlook(request, plan, forecast, extras);
  if (request.traffic) {
    extras.traffic = plan_traffic(request, planned, plan, context);
  }
  const Seconds exposed = exposed_network_time(workload, plan.strategy);
  extras.exposed_network = {.time = exposed, .share = exposed / plan.time.total()};
  if (request.nearest) {
    extras.nearest =
        nearest_rows(context.catalog.load_shipped_measured("runs"), workload, *request.nearest);
  }
  if (request.explain) extras.explanation = explain(workload, plan.strategy);
  return extras;
}

std::optional<HandedOver> handed_over(const PlanRequest& request, const PlanJob& planned,
                                      const Plan& plan) {
  if (!request.emit) return std::nullopt;
  handover::Emitted emitted = handover::emit(*request.emit, plan, planned.workload);
  if (unmeasured(plan.evidence)) {
    emitted.remarks.push_back(job::unmeasured_words(*plan.evidence));
  }
  return HandedOver{.stack = *request.emit,
                    .file = std::move(emitted.file),
                    .text = std::move(emitted.text),
                    .remarks = std::move(emitted.remarks)};
}

std::string degrees_in_words(const Strategy& strategy) {
  std::string text = fmt::format("tp {}, pp {}, dp {}", strategy.tp.total(), strategy.pp.total(),
                                 strategy.dp.total());
  if (strategy.cp.total() > 1) text += fmt::format(", cp {}", strategy.cp.total());
  if (strategy.ep.total() > 1) text += fmt::format(", ep {}", strategy.ep.total());
  return text;
}

std::string memory_words(Bytes memory) {
  const double amount = memory.in(units::GB);
  constexpr double kFourDigits = 999.95;
  return amount < kFourDigits ? fmt::format("{:.4g} GB", amount) : fmt::format("{:.0f} GB", amount);
}

}  // namespace planner::commands
