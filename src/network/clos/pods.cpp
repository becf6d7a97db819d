#include "planner/network/clos/pods.hpp"

#include <algorithm>
#include <optional>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"

namespace planner::inline network {
namespace {

/// Unit by unit: full ones, and one partly filled, which has all its switches and uplinks.
void add_edge(Draft& draft, const FabricDesign& design, const Pods& net, std::size_t host,
              std::size_t backup, std::size_t uplink) {
  const std::size_t tier = draft.tier(net.names.edge, net.edge_radix);
  const auto add_units = [&](Whole units, Whole gpus) {
    for (DraftGroup& group : deal(net.edges_per_unit, {{host, gpus * net.ports_per_gpu}})) {
      group.count = group.count * units;
      group.ports.emplace_back(backup, net.backup_ports);
      group.ports.emplace_back(uplink, net.uplinks);
      draft.add(tier, {group});
    }
  };
  const Whole full = net.gpus / net.unit_gpus;
  add_units(full, net.unit_gpus);
  add_units(net.units() - full, net.gpus % net.unit_gpus);
  draft.oversubscription(tier, net.unit_gpus * net.ports_per_gpu * net.host_gbps,
                         net.edges_per_unit * net.uplinks * design.port_gbps);
}

Whole middle_down(const Pods& net, Whole units) {
  return units * (net.edges_per_unit / net.planes) * (net.uplinks / net.middles);
}

void add_middle(Draft& draft, const Pods& net, std::size_t down, std::size_t up) {
  const std::size_t tier = draft.tier(net.names.middle, net.middle_radix);
  const Whole ports_up = net.core ? net.middle_up : Whole{0};
  const Whole per_pod = net.planes * net.middles;
  const Whole last_units = net.units() - (net.pods() - 1) * net.units_per_pod;
  draft.add(tier, {{(net.pods() - 1) * per_pod,
                    {{down, middle_down(net, net.units_per_pod)}, {up, ports_up}}},
                   {per_pod, {{down, middle_down(net, last_units)}, {up, ports_up}}}});
  draft.oversubscription(tier, middle_down(net, net.units_per_pod), ports_up);
}

/// The fewest switches per plane that every middle switch reaches evenly; nothing if there is no
/// such number.
std::optional<Whole> core_per_plane(const Pods& net) {
  if (net.middle_up == Whole{0}) return std::nullopt;
  const Whole links = net.pods() * net.middles * net.middle_up;
  const auto groups =
      fewest_parallel_groups(net.middles, net.middle_up, ceil_div(links, net.core_radix));
  if (!groups) return std::nullopt;
  return groups->switches();
}

/// Gb/s that units filled in turn, each with its uplinks, carry upwards.
Whole carried_by_units(const FabricDesign& design, const Pods& net, Whole gpus) {
  const Whole gpu_gbps = net.ports_per_gpu * net.host_gbps;
  const Whole up = net.edges_per_unit * net.uplinks * design.port_gbps;
  return gpus / net.unit_gpus * std::min(net.unit_gpus * gpu_gbps, up) +
         std::min(gpus % net.unit_gpus * gpu_gbps, up);
}

/// Half of what goes up to the highest tier that the network needs.
Whole bisection_of(const FabricDesign& design, const Pods& net) {
  if (net.pods() == Whole{1}) return carried_by_units(design, net, net.gpus) / 2;
  const Whole pod_gpus = net.unit_gpus * net.units_per_pod;
  const Whole pod_up = net.planes * net.middles * net.middle_up * design.port_gbps;
  const auto carried = [&](Whole gpus) {
    return std::min(carried_by_units(design, net, gpus), pod_up);
  };
  return (net.gpus / pod_gpus * carried(pod_gpus) + carried(net.gpus % pod_gpus)) / 2;
}

void add_failures(Draft& draft, const Pods& net, Whole core_switches) {
  const Whole ports = net.ports_per_gpu;
  const bool single = ports == Whole{1};
  const Whole on_edge = ceil_div(std::min(net.gpus, net.unit_gpus) * ports, net.edges_per_unit);
  const auto on_plane = [&](Whole gpus) {
    return std::min(gpus, ceil_div(gpus * ports, net.planes));
  };
  const Whole in_pod = on_plane(std::min(net.gpus, net.unit_gpus * net.units_per_pod));
  const Whole planes = std::min(ports, net.planes);  // that one GPU is on
  const Whole all_uplinks = net.units() * net.edges_per_unit * net.uplinks;
  draft.failure(net.names.edge, single ? on_edge : Whole{0}, single ? Whole{0} : on_edge,
                single ? net.uplinks : Whole{1}, single ? all_uplinks : ports);
  draft.failure(net.names.middle, 0, in_pod, 1, net.middles * planes);
  if (net.core) draft.failure(net.names.core, 0, on_plane(net.gpus), 1, core_switches * planes);
  draft.failure("host link", single ? 1 : 0, single ? 0 : 1, 1, ports);
  draft.failure(net.names.edge_middle + " link", 0, on_edge, 1, net.uplinks * ports);
  if (net.core) {
    draft.failure(net.names.middle_core + " link", 0, in_pod, 1,
                  net.middles * net.middle_up * planes);
  }
}

}  // namespace

CountResult count_pods(Draft draft, const FabricDesign& design, const Pods& net) {
  const std::size_t host = draft.host_layer("host", net.host_gbps);
  const std::size_t backup =
      net.backup_ports > Whole{0} ? draft.host_layer("host_backup", net.host_gbps) : host;
  const std::size_t edge_middle = draft.switch_layer(net.names.edge_middle, design.cabling.first);
  const std::size_t middle_core = draft.switch_layer(net.names.middle_core, design.cabling.upper);
  add_edge(draft, design, net, host, backup, edge_middle);
  add_middle(draft, net, edge_middle, middle_core);
  Whole core_switches = 0;
  if (net.core) {
    const auto per_plane = core_per_plane(net);
    if (!per_plane) {
      return too_many_ports(net.names.core, net.pods(), net.core_radix,
                            "every pod needs a port on every core switch, and ports for the core");
    }
    core_switches = *per_plane;
    const Whole ports = net.pods() * net.middles * net.middle_up / core_switches;
    draft.add(draft.tier(net.names.core, net.core_radix),
              {{net.planes * core_switches, {{middle_core, ports}}}});
  }
  draft.bisection(bisection_of(design, net));
  draft.endpoints(net.gpus, net.most);
  add_failures(draft, net, core_switches);
  FabricCount& count = draft.count();
  count.tiers = net.core ? 3 : 2;
  count.planes = net.planes.value();
  count.max_hops = net.pods() > Whole{1} ? 5 : 3;
  return draft.finish();
}

}  // namespace planner::network
