#include "planner/job/routing.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "planner/api/cluster_network.hpp"
#include "planner/api/commands.hpp"
#include "planner/core/real.hpp"
#include "planner/job/sharing.hpp"
#include "planner/network/routing/unequal.hpp"

namespace planner {

namespace {

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
  const std::int64_t failed = asked.how.fail_uplinks.value_or(0);
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
    upper.polarization =
        asked.how.same_hash.value_or(false) ? std::gcd(*links, *asked.upper_links) : 1;
    stages.push_back(std::move(upper));
  } else if (asked.how.same_hash) {
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

/// The closed form of unequal flows takes many of them; few are enumerated.
void warn_of_few_flows(const RoutingResult& result, std::vector<std::string>& warnings) {
  constexpr double kManyPerLink = 4;  // the form is within 1 % from here on
  for (const RoutedStage& one : result.stages) {
    const LinkStage& stage = one.stage;
    const double flows = real(stage.flows) * result.routing.distinct_paths();
    if (stage.sizes.empty() || flows <= real(kMostEnumeratedFlows)) continue;
    const double count =
        effective_flows(stage.sizes) * flows / static_cast<double>(stage.sizes.size());
    if (count >= kManyPerLink * real(stage.links)) continue;
    warnings.push_back(
        fmt::format("{}: flows of these sizes spread like {:.3g} equal ones on {}: the closed form "
                    "is for {:g} and more per link, and can be 10 % off",
                    stage.name, count, stage.links, kManyPerLink));
  }
}

RoutingResult route_plain(const Request& request, std::vector<std::string>& warnings) {
  const RoutingRequest& asked = request.routing;
  RoutingResult result{.routing = resolved(asked.how)};
  if (request.gpus) usage_error("--gpus goes with a cluster file");
  if (asked.how.peers) usage_error("--peers goes with a cluster file");
  if (asked.how.free_gpus) usage_error("--free-gpus goes with a cluster file");
  if (asked.how.placement && asked.how.placement != Placement::partial) {
    usage_error(
        fmt::format("--placement {} goes with a cluster file", name_of(*asked.how.placement)));
  }
  if (!asked.flow_sizes.empty() && !hashes(result.routing.scheme)) {
    usage_error("--flow-sizes: only hashed flows of different sizes are modelled");
  }
  if (!asked.flow_sizes.empty() && result.routing.striping == Striping::adaptive) {
    usage_error("--striping adaptive: only flows of one size are modelled",
                "leave --flow-sizes out, or take --striping static");
  }
  result.placement = asked.how.placement.value_or(Placement::whole);
  result.traffic = "the flows given";
  if (request.network_bandwidth_GBps)
    result.nominal = *request.network_bandwidth_GBps * units::GBps;
  fill_stages(plain_stages(asked, result.routing), result);
  warn_of_few_flows(result, warnings);
  state_routing(asked.how, result);
  return result;
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

RoutingResult route_cluster(const Request& request, const catalog::Catalog& catalog,
                            SharingSettings& sharing) {
  refuse_plain_numbers(request.routing);
  const ClusterNetwork at = cluster_network(request.arguments.front(), catalog);
  sharing = overlaid(at.cluster.sharing.value_or(SharingSettings{}), sharing);
  const std::int64_t job_gpus = request.gpus.value_or(at.cluster.gpus);
  if (job_gpus > at.cluster.gpus) {
    usage_error(fmt::format("--gpus: the cluster has {}, not {}", at.cluster.gpus, job_gpus));
  }
  const RoutingSettings& flags = request.routing.how;
  return route_in_cluster(at, overlaid(at.cluster.routing.value_or(RoutingSettings{}), flags),
                          flags != RoutingSettings{}, job_gpus,
                          request.network_bandwidth_GBps
                              ? *request.network_bandwidth_GBps * units::GBps
                              : at.system.network_bandwidth);
}

}  // namespace

Response routing(const Request& request, const catalog::Catalog& catalog) {
  if (request.arguments.size() > 1) usage_error("routing takes one cluster file or none");
  SharingSettings sharing = request.routing.sharing;
  Response response{.command = Command::routing};
  RoutingResult result = request.arguments.empty() ? route_plain(request, response.warnings)
                                                   : route_cluster(request, catalog, sharing);
  result.sharing = share_storage(sharing, result.nominal, response.warnings);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
