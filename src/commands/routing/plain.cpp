#include <fmt/format.h>

#include <numeric>

#include "planner/commands/routing/routing.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/network/routing/unequal.hpp"

namespace planner::commands {

namespace {

/// The stages of plain numbers.
std::vector<LinkStage> plain_stages(const RoutingRequest& asked, const Routing& routing) {
  if (asked.plain.links && asked.plain.uplinks)
    usage_error("--links and --uplinks are the same: give one");
  if (asked.plain.load && asked.plain.downlinks)
    usage_error("--downlinks and --load both set the load");
  const auto links = asked.plain.links ? asked.plain.links : asked.plain.uplinks;
  std::optional<std::int64_t> flows = asked.plain.flows ? asked.plain.flows : asked.plain.downlinks;
  const auto sizes = static_cast<std::int64_t>(asked.plain.flow_sizes.size());
  if (!flows && sizes > 0) flows = sizes;
  if (!links || !flows) {
    usage_error("a cluster file, or --flows and --links",
                "planner routing --scheme ecmp --flows 1000 --links 16");
  }
  double rho = asked.plain.load.value_or(1);
  if (asked.plain.downlinks)
    rho = static_cast<double>(*asked.plain.downlinks) / static_cast<double>(*links);
  if (routing.scheme == RoutingScheme::dual_plane && *links < 2) {
    usage_error("dual-plane takes two links or more");
  }
  const Fault fault = asked.routing.how.fail.value_or(Fault{.count = 0});
  if (fault.kind != FaultKind::uplink || asked.routing.how.channels) {
    usage_error("--fail takes uplink:K here: plain numbers have links and nothing else",
                "a cluster file has cards, planes and a core");
  }
  if (asked.routing.how.uplinks) usage_error("--uplink-use goes with a cluster file");
  const std::int64_t failed = fault.count;
  // A plane has half of the links.
  job::check_failures(fault, routing.scheme == RoutingScheme::dual_plane ? *links / 2 : *links);
  LinkStage first{.name = "links",
                  .flows = *flows,
                  .links = *links,
                  .rho = rho,
                  .groups = asked.plain.switches.value_or(1),
                  .failed = failed,
                  .sizes = asked.plain.flow_sizes};
  std::vector<LinkStage> stages{first};
  if (asked.plain.upper_links) {
    LinkStage upper = first;
    upper.name = "upper links";
    upper.links = *links * *asked.plain.upper_links;
    upper.failed = 0;
    upper.polarization = asked.routing.how.same_hash.value_or(false)
                             ? std::gcd(*links, *asked.plain.upper_links)
                             : 1;
    stages.push_back(std::move(upper));
  } else if (asked.routing.how.same_hash) {
    usage_error("--same-hash takes a second stage", "--upper-links N");
  }
  const std::int64_t ports = asked.plain.nic_ports.value_or(1);
  if (ports > 1) {
    stages.push_back({.name = "receive port",
                      .flows = ports,
                      .links = ports,
                      .groups = asked.plain.receivers.value_or(*flows),
                      .receive_port = true});
  } else if (asked.plain.receivers) {
    usage_error("--receivers goes with --nic-ports 2 or more");
  }
  return stages;
}

/// The closed form of unequal flows takes many of them; few are enumerated.
void warn_of_few_flows(const job::RoutingResult& result, std::vector<std::string>& warnings) {
  constexpr double kManyPerLink = 4;  // the form is within 1 % from here on
  for (const job::RoutedStage& one : result.stages) {
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

}  // namespace

job::RoutingResult route_plain(const RoutingRequest& asked, std::vector<std::string>& warnings) {
  job::RoutingResult result{.routing = job::resolved(asked.routing.how)};
  if (asked.gpus) usage_error("--gpus goes with a cluster file");
  if (asked.routing.how.peers) usage_error("--peers goes with a cluster file");
  if (asked.routing.how.free_gpus) usage_error("--free-gpus goes with a cluster file");
  if (asked.routing.how.placement && asked.routing.how.placement != Placement::partial) {
    usage_error(fmt::format("--placement {} goes with a cluster file",
                            name_of(*asked.routing.how.placement)));
  }
  if (!asked.plain.flow_sizes.empty() && !hashes(result.routing.scheme)) {
    usage_error("--flow-sizes: only hashed flows of different sizes are modelled");
  }
  if (!asked.plain.flow_sizes.empty() && result.routing.striping == Striping::adaptive) {
    usage_error("--striping adaptive: only flows of one size are modelled",
                "leave --flow-sizes out, or take --striping static");
  }
  result.placement = asked.routing.how.placement.value_or(Placement::whole);
  result.traffic = "the flows given";
  if (asked.network_bandwidth_GBps) {
    result.nominal = *asked.network_bandwidth_GBps * units::GBps;
  }
  job::fill_stages(plain_stages(asked, result.routing), result);
  warn_of_few_flows(result, warnings);
  job::state_routing(asked.routing.how, result);
  return result;
}

}  // namespace planner::commands
