#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "planner/api/commands.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/network/count.hpp"
#include "planner/network/routing/occupancy.hpp"

namespace planner {

namespace {

constexpr std::size_t kLoadBins = 16;

Routing asked_routing(const RoutingRequest& asked) {
  Routing routing;
  routing.scheme = asked.scheme.value_or(RoutingScheme::ecmp);
  routing.qps = asked.qps.value_or(1);
  routing.entropy = asked.entropy;
  routing.efficiency = asked.efficiency.value_or(1);
  routing.quantile = asked.quantile.value_or(0.99);
  const bool partial = asked.placement == Placement::partial;
  if (asked.rack_share && !partial) usage_error("--rack-share goes with --placement partial");
  const bool pins = routing.scheme == RoutingScheme::pin;
  if (partial && pins) routing.slices = asked.rack_share.value_or(0.5);
  const bool planned =
      routing.scheme == RoutingScheme::c4p || routing.scheme == RoutingScheme::spray;
  if (asked.efficiency && !planned) {
    usage_error("--path-efficiency has no meaning for " + std::string{to_string(routing.scheme)},
                "it is the goodput of c4p and spray");
  }
  return routing;
}

void check_failures(std::int64_t failed, std::int64_t links) {
  if (failed < links) return;
  usage_error(fmt::format("--fail-uplinks: {} cannot fail and leave a path, there {} {}", failed,
                          links == 1 ? "is" : "are", links),
              fmt::format("at most {}", links - 1));
}

std::optional<SharingImpact> asked_sharing(const RoutingRequest& asked,
                                           const std::optional<BytesPerSecond>& card) {
  const bool any = asked.storage_writes_GB || asked.storage_interval_s ||
                   asked.storage_reads_GBps || asked.storage_limit_GBps || asked.traffic_class ||
                   asked.storage_flows;
  if (!any) return std::nullopt;
  if (!card) usage_error("the storage options need a card's bandwidth", "--network-bandwidth GB/s");
  if (asked.storage_writes_GB.has_value() != asked.storage_interval_s.has_value()) {
    usage_error("--storage-writes and --storage-interval go together");
  }
  SharedNetwork shared{.card = *card, .training_class = asked.traffic_class};
  shared.writes = asked.storage_writes_GB.value_or(0) * units::GB;
  shared.interval = asked.storage_interval_s.value_or(0) * units::second;
  shared.reads = asked.storage_reads_GBps.value_or(0) * units::GBps;
  if (asked.storage_limit_GBps) shared.storage_limit = *asked.storage_limit_GBps * units::GBps;
  shared.storage_flows = asked.storage_flows.value_or(1);
  return sharing_impact(shared);
}

void fill_stages(const std::vector<LinkStage>& stages, RoutingResult& result) {
  for (const LinkStage& stage : stages) {
    const LoadDistribution ratio = stage_max_mean_ratio(stage, result.routing);
    const double alone = stage_slowdown(stage, result.routing).at_least(1).mean();
    result.stages.push_back({.stage = stage,
                             .mmr_mean = ratio.mean(),
                             .mmr_quantile = ratio.quantile(result.routing.quantile),
                             .slowdown_mean = alone});
    if (stage.receive_port) result.receive_port_slowdown = alone;
  }
  result.slowdown = slowdown(stages, result.routing);
  const std::size_t binding = result.slowdown.binding.value_or(0);
  if (result.slowdown.binding) result.binding = stages[binding].name;
  // The picture is that of links; the two ports of a card make none.
  const std::size_t shown = !stages.empty() && stages[binding].receive_port ? 0 : binding;
  if (stages.empty() || stages[shown].receive_port) return;
  result.link_load_stage = stages[shown].name;
  result.link_load = link_load(stages[shown], result.routing, kLoadBins);
}

void assume_routing(const RoutingRequest& asked, RoutingResult& result) {
  const Routing& routing = result.routing;
  if (!asked.scheme) result.assumptions.push_back("scheme ecmp, not given");
  if (!asked.qps) result.assumptions.push_back("1 queue pair per pair of ports, not given");
  if (!asked.entropy && routing.qps > 1) {
    const bool all = routing.distinct_paths() > 1;
    result.assumptions.push_back(all ? "the hash tells all queue pairs of a pair apart"
                                     : "the hash does not read the queue pair: all of a pair "
                                       "share one path");
  }
  const bool hashed = routing.scheme == RoutingScheme::ecmp ||
                      routing.scheme == RoutingScheme::ecmp_qp ||
                      routing.scheme == RoutingScheme::dual_plane;
  const auto beyond = [&](const RoutedStage& one) {
    const double flows = static_cast<double>(one.stage.flows) * routing.distinct_paths();
    return flows > static_cast<double>(kMostExactLoad * one.stage.links);
  };
  if (hashed) {
    const bool form = std::any_of(result.stages.begin(), result.stages.end(), beyond);
    result.assumptions.push_back(form ? "largest load by the closed form, within 0.1 %"
                                      : "largest load exact");
    result.assumptions.push_back(asked.same_hash ? "all tiers hash alike"
                                                 : "tiers hash independently of each other");
  }
}

/// The stages of plain numbers.
std::vector<LinkStage> plain_stages(const RoutingRequest& asked, const Routing& routing) {
  if (asked.links && asked.uplinks) usage_error("--links and --uplinks are the same: give one");
  if (asked.load && asked.downlinks) usage_error("--downlinks and --load both set the load");
  const auto links = asked.links ? asked.links : asked.uplinks;
  std::optional<std::int64_t> flows = asked.flows ? asked.flows : asked.downlinks;
  const auto sizes = static_cast<std::int64_t>(asked.flow_sizes.size());
  if (!flows && sizes > 0) flows = sizes;
  if (!links || !flows) {
    usage_error("a cluster file, or --flows and --links",
                "planner routing --scheme ecmp --flows 1000 --links 16");
  }
  double rho = asked.load.value_or(1);
  if (asked.downlinks) rho = static_cast<double>(*asked.downlinks) / static_cast<double>(*links);
  if (routing.scheme == RoutingScheme::dual_plane && *links < 2) {
    usage_error("dual-plane takes two links or more");
  }
  const std::int64_t failed = asked.fail_uplinks.value_or(0);
  // A plane has half of the links.
  check_failures(failed, routing.scheme == RoutingScheme::dual_plane ? *links / 2 : *links);
  LinkStage first{.name = "links",
                  .flows = *flows,
                  .links = *links,
                  .rho = rho,
                  .groups = asked.switches.value_or(1),
                  .failed = failed,
                  .sizes = asked.flow_sizes};
  std::vector<LinkStage> stages{first};
  if (asked.upper_links) {
    LinkStage upper = first;
    upper.name = "upper links";
    upper.links = *links * *asked.upper_links;
    upper.failed = 0;
    upper.polarization = asked.same_hash ? std::gcd(*links, *asked.upper_links) : 1;
    stages.push_back(std::move(upper));
  } else if (asked.same_hash) {
    usage_error("--same-hash takes a second stage", "--upper-links N");
  }
  const std::int64_t ports = asked.nic_ports.value_or(1);
  if (ports > 1) {
    stages.push_back({.name = "receive port",
                      .flows = ports,
                      .links = ports,
                      .groups = asked.receivers.value_or(*flows),
                      .receive_port = true});
  } else if (asked.receivers) {
    usage_error("--receivers goes with --nic-ports 2 or more");
  }
  return stages;
}

RoutingResult route_plain(const Request& request) {
  const RoutingRequest& asked = request.routing;
  RoutingResult result{.routing = asked_routing(asked)};
  if (request.gpus || asked.peers) {
    usage_error(request.gpus ? "--gpus goes with a cluster file"
                             : "--peers goes with a cluster file");
  }
  if (asked.placement && asked.placement != Placement::partial) {
    usage_error(
        fmt::format("--placement {} goes with a cluster file", to_string(*asked.placement)));
  }
  const bool hashed = result.routing.scheme == RoutingScheme::ecmp ||
                      result.routing.scheme == RoutingScheme::ecmp_qp ||
                      result.routing.scheme == RoutingScheme::dual_plane;
  if (!asked.flow_sizes.empty() && !hashed) {
    usage_error("--flow-sizes: only hashed flows of different sizes are modelled");
  }
  result.placement = asked.placement.value_or(Placement::whole);
  result.traffic = "the flows given";
  if (request.network_bandwidth_GBps)
    result.nominal = *request.network_bandwidth_GBps * units::GBps;
  fill_stages(plain_stages(asked, result.routing), result);
  return result;
}

FabricCount counted(const Cluster& cluster, const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = fabric_error(*problem);
    error.message = fmt::format("{}: fabric: {}", cluster.name, error.message);
    if (problem->bad_value()) throw InputError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

void refuse_plain_numbers(const RoutingRequest& asked) {
  const std::array<std::pair<const char*, bool>, 10> plain{{
      {"flows", asked.flows.has_value()},
      {"links", asked.links.has_value()},
      {"load", asked.load.has_value()},
      {"downlinks", asked.downlinks.has_value()},
      {"uplinks", asked.uplinks.has_value()},
      {"switches", asked.switches.has_value()},
      {"upper-links", asked.upper_links.has_value()},
      {"flow-sizes", !asked.flow_sizes.empty()},
      {"nic-ports", asked.nic_ports.has_value()},
      {"receivers", asked.receivers.has_value()},
  }};
  for (const auto& [name, given] : plain) {
    if (given) usage_error(fmt::format("--{} follows from the cluster file: leave it out", name));
  }
}

void assume_cluster(const RoutingRequest& asked, const FabricDesign& design,
                    RoutingResult& result) {
  result.assumptions.push_back(
      "all of the job's groups send at once, and the slowest sets the pace");
  if (!asked.peers) result.assumptions.push_back("an all-to-all sends to 1 remote rank at a time");
  if (result.placement == Placement::partial) {
    result.assumptions.push_back("the rest of every rack belongs to other jobs, as busy");
  }
  if (result.placement == Placement::pp_across_pods) {
    result.assumptions.push_back("only pipeline transfers cross the core (HPN paper, § 7)");
  }
  const auto* zones = std::get_if<TwoZoneFatTree>(&design.topology);
  if (zones == nullptr) return;
  result.assumptions.push_back(
      zones->inter_zone_links == 0
          ? "links between zones not known (the paper gives no number): left out"
          : "one pair of nodes talks between zones unless --placement says otherwise");
}

RoutingResult route_cluster(const Request& request, const io::Catalog& catalog) {
  const RoutingRequest& asked = request.routing;
  refuse_plain_numbers(asked);
  const Cluster cluster = catalog.load_cluster(request.arguments.front());
  const System system = catalog.load_system(cluster.system);
  const std::optional<std::string> node_name = cluster.node ? cluster.node : system.node;
  std::optional<Node> node;
  if (node_name) node = catalog.load_node(*node_name);
  FabricDesign design = cluster.fabric;
  design.gpus = endpoints_of(cluster, node);
  const FabricCount count = counted(cluster, design);
  const std::int64_t node_gpus = node ? node->accelerators : system.hb_domain;
  const auto fabric = routed_fabric(design, count, cluster.gpus, node_gpus);
  if (!fabric) {
    throw InputError(Diagnostic{.code = "no-routing",
                                .message = fmt::format("{}: routing on a {} is not modelled",
                                                       cluster.name, to_string(count.topology)),
                                .hint = "the model is one of equal uplinks: trees of any kind"});
  }
  const bool zoned = std::holds_alternative<TwoZoneFatTree>(design.topology);
  RoutedJob job{
      .gpus = request.gpus.value_or(cluster.gpus),
      .placement = asked.placement.value_or(zoned ? Placement::zone_pair : Placement::whole),
      .peers = asked.peers.value_or(1),
      .failed_uplinks = asked.fail_uplinks.value_or(0),
      .same_hash = asked.same_hash};
  if (job.gpus > cluster.gpus) {
    usage_error(fmt::format("--gpus: the cluster has {}, not {}", cluster.gpus, job.gpus));
  }
  if (job.placement == Placement::zone_pair && !zoned) {
    usage_error("--placement zone-pair is that of a two-zone-fat-tree");
  }
  if (job.failed_uplinks > 0) {
    check_failures(job.failed_uplinks, fabric->tiers.empty() ? 0 : fabric->tiers.front().links);
  }
  RoutingResult result{.cluster = cluster.name, .routing = asked_routing(asked)};
  Routing routing = result.routing;
  if (routing.scheme == RoutingScheme::dual_plane) {
    if (count.planes < 2) {
      usage_error("--scheme dual-plane: the cluster's network has one plane");
    }
    // The tiers are those of one plane already.
    routing.scheme = RoutingScheme::ecmp_qp;
  }
  result.routing = routing;
  result.placement = job.placement;
  result.nominal = request.network_bandwidth_GBps ? *request.network_bandwidth_GBps * units::GBps
                                                  : system.network_bandwidth;
  result.collectives = route(*fabric, job, routing);
  const RoutedCollective& widest = result.collectives.back();
  const auto tiers = static_cast<std::size_t>(widest.scope);
  const bool only_p2p = job.placement == Placement::pp_across_pods && tiers > 1;
  const TrafficPattern pattern = only_p2p ? TrafficPattern::p2p : TrafficPattern::all_rings;
  result.traffic = fmt::format("{}, {}", to_string(pattern), to_string(widest.scope));
  const std::vector<LinkStage> stages = stages_of(*fabric, job, pattern, tiers);
  fill_stages(stages, result);
  if (only_p2p) result.slowdown = p2p_slowdown(stages, routing);
  result.routing.scheme = asked.scheme.value_or(RoutingScheme::ecmp);
  assume_cluster(asked, design, result);
  return result;
}

}  // namespace

Response routing(const Request& request, const io::Catalog& catalog) {
  if (request.arguments.size() > 1) usage_error("routing takes one cluster file or none");
  RoutingResult result =
      request.arguments.empty() ? route_plain(request) : route_cluster(request, catalog);
  assume_routing(request.routing, result);
  result.sharing = asked_sharing(request.routing, result.nominal);
  Response response{.command = Command::routing};
  if (result.sharing && result.sharing->writing_share >= 1) {
    response.warnings.push_back("a checkpoint takes longer to write than the time between two");
  }
  response.result = std::move(result);
  return response;
}

}  // namespace planner
