#include <algorithm>
#include <string>

#include "planner/core/ceil_div.hpp"
#include "planner/network/clos/arithmetic.hpp"
#include "planner/site/wiring/wirer.hpp"

namespace planner::site {
namespace {

/// A network in pods (network/clos/pods.hpp) and how it is numbered.
struct Pods {
  std::string edge, middle, core, edge_middle, middle_core;
  std::int64_t unit = 0;  ///< GPUs under the edge switches of a unit
  std::int64_t units_per_pod = 0;
  std::int64_t edges = 1;         ///< of a unit
  std::int64_t ports = 1;         ///< of a GPU
  std::int64_t rails = 0;         ///< port p of GPU i on edge p·rails + i mod rails; 0: dealt out
  std::int64_t backup_ports = 0;  ///< of an edge switch
  std::int64_t planes = 1;
  std::int64_t middles = 1;  ///< of a pod and plane

  /// The edge switch of its unit that port p of the unit's i-th GPU is on.
  [[nodiscard]] std::int64_t edge_of(std::int64_t i, std::int64_t p) const {
    return rails > 0 ? p * rails + i % rails : (i * ports + p) % edges;
  }
  [[nodiscard]] std::int64_t plane_of(std::int64_t of_unit) const {
    return of_unit * planes / edges;
  }
  /// Edge switches that a GPU has one port each on differ in this.
  [[nodiscard]] std::int64_t port_of(std::int64_t of_unit) const {
    return rails > 0 || edges % ports != 0 ? plane_of(of_unit) : of_unit % ports;
  }
};

void wire_hosts(Wirer& wirer, const FabricCount& count, const Pods& net, std::int64_t units) {
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t edge = wirer.tier(net.edge);
  const std::size_t host = wirer.layer("host", gpu, edge);
  for (std::int64_t e = 0; e < count.endpoints; ++e) {
    for (std::int64_t p = 0; p < net.ports; ++p) {
      wirer.link(host, e, e / net.unit * net.edges + net.edge_of(e % net.unit, p));
    }
  }
  wirer.sets(units);
  wirer.set_of(gpu, [&](std::int64_t e) { return e / net.unit; });
  wirer.set_of(edge, [&](std::int64_t id) { return id / net.edges; });
  wirer.plane_of(edge, [&](std::int64_t id) { return net.port_of(id % net.edges); });
  wirer.align(edge);
  if (net.backup_ports == 0) return;
  const std::int64_t in_unit = net.backup_ports * net.edges / net.ports;
  const std::size_t spare = wirer.devices("spare", units * in_unit);
  const std::size_t backup = wirer.layer("host_backup", spare, edge);
  for (std::int64_t b = 0; b < units * in_unit; ++b) {
    for (std::int64_t p = 0; p < net.ports; ++p) {
      wirer.link(backup, b, b / in_unit * net.edges + net.edge_of(b % in_unit, p));
    }
  }
  wirer.set_of(spare, [in_unit](std::int64_t b) { return b / in_unit; });
}

void wire_pods(Wirer& wirer, const FabricCount& count, const Pods& net) {
  const std::int64_t units = ceil_div(count.endpoints, net.unit);
  wire_hosts(wirer, count, net, units);
  const std::size_t edge = wirer.tier(net.edge), middle = wirer.tier(net.middle);
  const std::int64_t up = fullest(count, net.edge, net.edge_middle);
  const std::int64_t per_pod = net.planes * net.middles;
  const std::size_t lower = wirer.layer(net.edge_middle, edge, middle);
  for (std::int64_t id = 0; id < units * net.edges; ++id) {
    const std::int64_t pod = id / net.edges / net.units_per_pod;
    const std::int64_t first = pod * per_pod + net.plane_of(id % net.edges) * net.middles;
    for (std::int64_t j = 0; j < up; ++j) wirer.link(lower, id, first + j % net.middles);
  }
  wirer.plane_of(middle, [&](std::int64_t id) { return id / net.middles % net.planes; });
  const std::int64_t cores = count.switches_named(net.core) / net.planes;  // of a plane
  if (cores == 0) return;
  const std::int64_t ports = fullest(count, net.middle, net.middle_core);
  const auto groups = fewest_parallel_groups(net.middles, ports, cores);
  const std::int64_t sets = groups->groups.value(), each = groups->per_group.value();
  wirer.align(middle);
  const std::size_t core = wirer.tier(net.core);
  const std::size_t upper = wirer.layer(net.middle_core, middle, core);
  const std::int64_t pods = ceil_div(units, net.units_per_pod);
  for (std::int64_t id = 0; id < pods * per_pod; ++id) {
    const std::int64_t plane = id / net.middles % net.planes;
    const std::int64_t first = plane * cores + id % net.middles % sets * each;
    for (std::int64_t q = 0; q < ports; ++q) wirer.link(upper, id, first + q % each);
  }
  wirer.plane_of(core, [&](std::int64_t id) { return id / cores; });
}

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const Hpn& options) {
  const std::int64_t tors = options.rails * options.tors_per_rail;
  const std::int64_t of_rail = options.planes.value_or(options.tors_per_rail);
  const std::int64_t planes = options.rail_only_tier2 ? options.rails * of_rail : of_rail;
  const std::int64_t agg_down = design.radix - options.agg_core_ports;
  const std::int64_t unit = options.tor_host_ports * options.rails;
  const std::int64_t units_per_pod = agg_down / (tors / planes);
  const std::int64_t pods = ceil_div(count.endpoints, unit * units_per_pod);
  wire_pods(wirer, count,
            {.edge = "tor",
             .middle = "agg",
             .core = "core",
             .edge_middle = "tor_agg",
             .middle_core = "agg_core",
             .unit = unit,
             .units_per_pod = units_per_pod,
             .edges = tors,
             .ports = options.tors_per_rail,
             .rails = options.rails,
             .backup_ports = options.tor_backup_ports,
             .planes = planes,
             .middles = count.switches_named("agg") / (pods * planes)});
}

void wire_parts(Wirer& wirer, const FabricDesign&, const FabricCount& count,
                const DcnPlus& options) {
  wire_pods(wirer, count,
            {.edge = "tor",
             .middle = "agg",
             .core = "core",
             .edge_middle = "tor_agg",
             .middle_core = "agg_core",
             .unit = options.gpus_per_segment,
             .units_per_pod = options.segments_per_pod,
             .edges = options.tors_per_segment,
             .ports = options.ports_per_gpu,
             .middles = options.aggs_per_pod});
}

void wire_parts(Wirer& wirer, const FabricDesign&, const FabricCount& count,
                const MetaAiZone& options) {
  const std::int64_t pods =
      ceil_div(ceil_div(count.endpoints, options.gpus_per_rack), options.racks_per_zone);
  wire_pods(wirer, count,
            {.edge = "rtsw",
             .middle = "ctsw",
             .core = "atsw",
             .edge_middle = "rtsw_ctsw",
             .middle_core = "ctsw_atsw",
             .unit = options.gpus_per_rack,
             .units_per_pod = options.racks_per_zone,
             .middles = count.switches_named("ctsw") / pods});
}

}  // namespace planner::site
