#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/clusters/unbought.hpp"
#include "planner/commands/options/currency.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/parts/cluster_bill.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/facility.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/likely_costs.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/sharing.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/network/bandwidth_tiers.hpp"
#include "planner/network/routing/routed_fabric.hpp"

namespace planner::commands {

namespace {

using catalog::CatalogFile;
using job::ClusterReport;

constexpr const char* kGivenOpticalPrice = "given by --optical-port-price";

/// The PUE of the building, where it says another, in the place of that of the economics: an option
/// goes before both.
void take_pue_of_building(const ClusterNetwork& at, const WhatIf& asked,
                          const catalog::Catalog& catalog, ClusterReport& report) {
  if (!at.cluster.build || !report.economics) return;
  Economics& economics = *report.economics;
  const std::optional<double> pue = named_at(
      at.file, "build.site", [&] { return other_pue(*at.cluster.build, economics, catalog); });
  if (!pue) return;
  std::vector<std::string>& notes = report.cluster.notes;
  if (asked.pue || (asked.economics && economics.pue)) {
    notes.push_back(fmt::format("PUE {:g}: of --{}, in the place of {:g} of the building.",
                                asked.pue ? *asked.pue : economics.pue->expected,
                                asked.pue ? "pue" : "economics", *pue));
    return;
  }
  const std::string instead = economics.pue ? fmt::format(", in the place of {:g} of the economics",
                                                          economics.pue->expected)
                                            : "";
  notes.push_back(fmt::format("PUE {:g}: of the building{}.", *pue, instead));
  economics.pue = Estimate<double>::exactly(*pue);
}

/// What the cluster's GPUs are rented at; nothing where they are bought.
/// @throws InputError  located in the file, where it is not known
std::optional<CloudPrice> rented_at(const ClusterNetwork& at,
                                    const std::optional<Economics>& economics) {
  const auto& rent = at.cluster.rent;
  if (!rent) return std::nullopt;
  const std::string& gpu = at.system.accelerator.name;
  if (rent->accelerator && *rent->accelerator != gpu) {
    throw InputError(
        catalog::located(at.file, "rent.accelerator",
                         {.code = "inconsistent",
                          .message = fmt::format("\"rent.accelerator\": the system has {}", gpu),
                          .hint = "leave it out, or name the system that is rented"}));
  }
  if (rent->rate) {
    const std::string source = rent->source.empty() ? at.file.source_name : rent->source;
    return CloudPrice{.accelerator = gpu,
                      .term = rent->term,
                      .rent = *rent->rate,
                      .origin = {.source = source, .as_of = rent->as_of}};
  }
  const CloudPrice* const known = rent_of(*economics, gpu, rent->term);
  if (known != nullptr) return *known;
  throw InputError(
      catalog::located(at.file, "rent",
                       {.code = "unknown-figure",
                        .message = fmt::format("\"rent\": {} has no rent of a {}, {}",
                                               economics->name, gpu, name_of(rent->term)),
                        .hint = "say its \"usd_per_gpu_hour\""}));
}

std::optional<job::RoutingResult> routing_of(const ClusterNetwork& at,
                                             const ClusterRequest& request) {
  const Cluster& cluster = at.cluster;
  const bool flags = request.routing.how != RoutingSettings{};
  const RoutingSettings asked =
      overlaid(cluster.routing.value_or(RoutingSettings{}), request.routing.how);
  if (asked.scheme) {
    return route_in_cluster(at, asked, flags, cluster.gpus, at.system.network_bandwidth);
  }
  if (flags) {
    usage_error(cluster.name + ": the options of routing need --routing",
                "or \"routing\" in the cluster file");
  }
  return std::nullopt;
}

/// How the cluster recovers, as its file and the options say.
ReliabilitySettings recovery_of(const Cluster& cluster, const ClusterRequest& request) {
  job::check_unit_sizes(request.failures.how, cluster.gpus);
  return overlaid(cluster.recovery.value_or(ReliabilitySettings{}), request.failures.how);
}

/// The job of the cluster's run, and what storage takes from it.
struct ClusterJob {
  Workload workload;
  std::optional<SharingImpact> sharing{};
};

/// Nothing, with a warning, for a model that the timing model does not cover.
std::optional<ClusterJob> job_of(const ClusterNetwork& at, const ClusterRequest& request,
                                 const catalog::Catalog& catalog,
                                 std::vector<std::string>& warnings) {
  const Cluster& cluster = at.cluster;
  const ClusterRun& run = *cluster.run;
  try {
    return named_at(at.file, "run", [&] {
      catalog::LoadedModel loaded = catalog.load_model(run.model);
      for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
      ClusterJob job{.workload =
                         job::workload_of({.model = std::move(loaded.spec),
                                           .system = at.system,
                                           .gpus = cluster.gpus,
                                           .run = {.global_batch = run.global_batch,
                                                   .sequence = run.sequence,
                                                   .precision = run.precision,
                                                   .tokens = run.tokens},
                                           .timing = catalog.load_calibration(kShippedCalibration)},
                                          warnings)};
      std::vector<std::string> assumed;
      job.sharing = job::plan_storage(
          overlaid(cluster.sharing.value_or(SharingSettings{}), request.routing.sharing),
          recovery_of(cluster, request), job.workload, assumed, warnings);
      return job;
    });
  } catch (const InputError& error) {
    if (error.diagnostics().front().code != "unsupported-model") throw;
    warnings.push_back("no training time: " + error.diagnostics().front().message);
    return std::nullopt;
  }
}

/// The best strategy for the cluster's run on its own fabric.
void add_training(const ClusterNetwork& at, const ClusterRequest& request,
                  const std::optional<job::RoutingResult>& routing, const Context& context,
                  ClusterReport& report) {
  if (!at.cluster.run) return;
  std::optional<ClusterJob> job = job_of(at, request, context.catalog, report.warnings);
  if (!job) return;
  job::NetworkLeft left = job::left_by(routing, job->sharing, &at.design);
  if (!routing) {
    left.tiers = bandwidth_tiers(at.design, at.count, at.cluster.gpus);
  }
  const Workload workload = job::on_network(std::move(job->workload), std::move(left));
  report.training =
      job::train(workload, job::supply_of(at.cluster, at.system, at.node),
                 {.top = 1, .progress = context.progress, .stop = context.stop}, report.warnings);
  if (!report.training) return;
  job::ClusterTraining& training = *report.training;
  training.sharing = job->sharing;
  // Of a network that is no tree only what leaves HB domains is known.
  std::optional<job::JobOnNetwork> on = job_on(at, training.use.gpus, at.system.network_bandwidth);
  if (!routed_fabric(on->design, on->count, on->cluster_gpus, on->node_gpus)) on.reset();
  // The routing of the GPUs that are there tells of the plan's where it uses all of them.
  const bool all = routing && routing->on_links->job().gpus == training.workload.gpus;
  training.traffic = job::traffic_of(training.workload, training.plan, on, at.node,
                                     all ? routing->on_links.get() : nullptr);
}

/// A cluster in its building, as `build` lays it out.
struct StandingCluster {
  Physical physical;
  site::Laid laid;
  std::int64_t racks = 0;
  site::FeedLosses feeds;
};

/// Nothing where nobody asks.
/// @throws InfeasibleError  it cannot be built, or a cable is too long for every medium
std::optional<StandingCluster> standing(const ClusterNetwork& at, const ClusterRequest& request,
                                        const Context& context) {
  if (!at.cluster.build && !request.by_length) return std::nullopt;
  std::vector<std::string> of_racks;  // `build` tells it
  StandingCluster cluster{
      .physical = physical_of(at, {.by_length = request.by_length}, context.catalog, of_racks)};
  const Physical& physical = cluster.physical;
  const auto stopped = [&] { return context.stop != nullptr && context.stop->load(); };
  const site::Build built = stand(physical, at.cluster.name, {.judged = false, .stop = stopped});
  if (built.laid.beyond.cables > 0) {
    Diagnostic error = beyond_reach(built.laid);
    error.message = at.cluster.name + ": " + error.message;
    throw InfeasibleError(std::move(error));
  }
  cluster.laid = built.laid;
  cluster.racks = static_cast<std::int64_t>(built.plan.racks.size());
  cluster.feeds =
      site::feed_losses(built.plan, physical.hardware, physical.site, built.floor, built.places);
  return cluster;
}

void add_cost(const ClusterNetwork& at, const ClusterRequest& request, const PriceBook& book,
              std::optional<StandingCluster> stands, const Context& context,
              ClusterReport& report) {
  // Spares that options ask for hang on its networks and stand in racks too.
  const bool more = report.cluster.spare_nodes != at.cluster.spare_nodes ||
                    report.cluster.spare_gpus != at.cluster.spare_gpus;
  ClusterNetwork all = more ? with_spares(at, report.cluster, context.catalog) : at;
  ClusterModels models = models_of(all, context.catalog);
  const ReliabilitySettings recovery = recovery_of(at.cluster, request);
  models.optical_ports = optical_ports(recovery);
  warn_about_optics(recovery, at.cluster.rent.has_value(), report.warnings);
  if (stands) {
    if (more) stands = standing(all, request, context);
    take_stand_ins(stands->physical, models);
    models.links = laid_parts(all, stands->physical, stands->laid, models.fabric, book);
    if (!report.cluster.racks) report.cluster.racks = stands->racks;
    warn_about_cold_spares(stands->physical.hardware, report.warnings);
  } else if (!report.rent) {
    warn_about_ports(wire_spares(all), report.warnings);
    report.fabric = all.count;
  }
  for (std::size_t i = 0; i < all.beside.size(); ++i) {
    report.beside[i].second = all.beside[i].count;
  }
  report.bill = billed(all, models, book);
  report.cost = value_or_throw<CostBreakdown>(cost_of(report.bill, job::use_of(report)), at);
}

/// Feeds count as often as there are: that one of a node fails less than two does not carry it.
void warn_of_feeds(const StandingCluster& stands, const std::optional<FailureRates>& rates,
                   std::vector<std::string>& warnings) {
  const bool counted =
      rates && std::any_of(rates->components.begin(), rates->components.end(),
                           [](const FailureRate& rate) { return rate.unit == FailureUnit::feed; });
  if (!counted) return;
  warnings.push_back("power feeds: " +
                     site::words_of_lost_feed(stands.physical.hardware.chassis, stands.feeds.each));
}

void add_forecast(const ClusterNetwork& at, const ClusterRequest& request,
                  std::optional<job::RoutingResult> routing, const catalog::Catalog& catalog,
                  const std::optional<StandingCluster>& stands, ClusterReport& report,
                  std::vector<std::string>& warnings) {
  const Cluster& cluster = at.cluster;
  const auto& rates = request.failures.rates ? request.failures.rates : cluster.rates;
  const bool flags = request.failures.how != ReliabilitySettings{};
  if (!rates && flags) {
    usage_error(cluster.name + ": the options of failures, checkpoints and spares need --rates",
                "or \"rates\" in the cluster file");
  }
  job::ClusterBehaviour behaviour{.routing = std::move(routing),
                                  .recovery = recovery_of(cluster, request)};
  if (rates) {
    behaviour.rates = catalog.load_rates(*rates);
    job::warn_of_uncounted(behaviour.recovery, *behaviour.rates, warnings);
  }
  if (stands && stands->feeds.known && !behaviour.recovery.feeds) {
    behaviour.recovery.feeds = stands->feeds.feeds;
    if (!behaviour.recovery.feed_hosts && stands->feeds.feeds > 0) {
      behaviour.recovery.feed_hosts = stands->feeds.hosts;
      warn_of_feeds(*stands, behaviour.rates, warnings);
    }
  }
  report.forecast =
      about(at.file, cluster.recovery ? "recovery" : "rates", flags || request.failures.rates,
            cluster.name, [&] { return job::forecast_of(report, std::move(behaviour), warnings); });
  job::pay_for_spares(report, warnings);
}

/// Caps slow the run by nobody knows how much: they make nothing cheaper here.
void warn_about_caps(const Site& site, std::vector<std::string>& warnings) {
  if (site.node_load >= 1) return;
  warnings.push_back(fmt::format(
      "the building is planned with nodes at {:g} % of their rated power (\"node_load\"): power "
      "and "
      "money here are those of rated power, since how much caps slow the training is not known",
      100 * site.node_load));
}

}  // namespace

std::vector<OptionOf<ClusterRequest>> cluster_options() {
  using R = ClusterRequest;
  return joined<R>(
      {in(&R::what_if, what_if_options()),
       {turn_on({"require-prices", "", "exit with 5 when a line has no price", "The network"},
                &R::require_prices),
        turn_on({"bill", "",
                 "lay every cable out as build does, and bill its length and what its reach takes",
                 "The network"},
                &R::by_length),
        confidence_option(&R::confidence)},
       in(&R::routing, routing_options(RoutingUse::clusters)),
       in(&R::routing, sharing_options()),
       in(&R::failures, failure_options())});
}

job::ClusterReport report_cluster(const std::string& ref, const ClusterRequest& request,
                                  Context& context) {
  const catalog::Catalog& catalog = context.catalog;
  std::vector<std::string> warnings;
  const ClusterNetwork at = cluster_network(
      ref, catalog, [&](Cluster& cluster) { change(cluster, request.what_if, warnings); });
  const CatalogFile& file = at.file;
  ClusterReport report{.cluster = at.cluster,
                       .system = at.system,
                       .node = at.node,
                       .fabric = at.count,
                       .warnings = std::move(warnings)};
  for (const CountedNetwork& network : at.beside) {
    report.beside.emplace_back(network.name, network.count);
  }
  PriceBook book =
      named_at(file, "prices", [&] { return load_prices(at.cluster.prices, catalog); });
  change(book, request.what_if);
  price_optical_ports(recovery_of(at.cluster, request),
                      request.failures.how.optical_port_price ? kGivenOpticalPrice
                                                              : "\"recovery\" of the cluster file",
                      book);
  report.price_book = book.title;
  report.price_book_notes = book.notes;
  report.economics = named_at(file, "economics", [&] { return economics_of(at.cluster, catalog); });
  take_pue_of_building(at, request.what_if, catalog, report);
  change(report.economics, at.cluster.name, request.what_if);
  report.rent = rented_at(at, report.economics);
  warn_about_later(book, report.economics, report.warnings);
  if (report.economics) show_in(report.economics->shown_in, context);
  job::warn_about_unknown_links(at.design, report.warnings);
  if (at.system.network_bandwidth < at.cards) {
    report.warnings.push_back(job::slow_ports(at.system.network_bandwidth, at.cards));
  }
  warn_about_reserve(at, report.warnings);
  std::optional<job::RoutingResult> routing = routing_of(at, request);
  add_training(at, request, routing, context, report);
  const std::optional<StandingCluster> stands = standing(at, request, context);
  if (stands) warn_about_caps(stands->physical.site, report.warnings);
  std::vector<std::string> of_forecast;
  add_forecast(at, request, std::move(routing), catalog, stands, report, of_forecast);
  add_cost(at, request, book, stands, context, report);
  job::add_expected_cost(report);
  if (!report.bill.lines.empty()) {
    warn_about_unused(book, at.cluster.prices, report.bill, catalog, report.warnings);
  }
  warn_about_unbought(request.what_if, report.bill, report.warnings);
  std::move(of_forecast.begin(), of_forecast.end(), std::back_inserter(report.warnings));
  job::narrow_costs(report);
  report.outlook = job::outlook_of(report, request.confidence.value_or(job::kUsualConfidence));
  return report;
}

void remark_on(const job::ClusterReport& report, bool require_prices, Context& context) {
  const std::string& name = report.cluster.name;
  for (const std::string& warning : report.warnings) {
    context.warnings.push_back(fmt::format("{}: {}", name, warning));
  }
  const std::string remark = price_remark(report.bill, report.cost.capex.known());
  if (remark.empty()) return;
  context.warnings.push_back(fmt::format("{}: {}", name, remark));
  if (require_prices) {
    context.fail(
        ExitCode::limit_exceeded,
        job::unpriced_error(fmt::format("{}: {}", name, job::unpriced(report.cost.capex.missing))));
  }
}

}  // namespace planner::commands
