#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

/// McKay–Miller–Širáň graph. Source: Besta & Hoefler, SC'14, § II-B.
struct Graph {
  Whole q;
  Whole network_radix;  ///< k' = (3q - δ)/2, q = 4w + δ, δ ∈ {-1, 0, 1}
  Whole hosts;          ///< p = ⌈k'/2⌉

  [[nodiscard]] Whole routers() const { return q * q * 2; }
  [[nodiscard]] Whole endpoints() const { return routers() * hosts; }
  [[nodiscard]] Whole ports() const { return network_radix + hosts; }
};

std::optional<Graph> graph_of(std::int64_t q, std::optional<std::int64_t> hosts) {
  if (q % 4 == 2 || !is_prime_power(q)) return std::nullopt;
  const std::int64_t delta = q % 4 == 3 ? -1 : q % 4;
  const Whole network_radix = (3 * q - delta) / 2;
  return Graph{.q = q,
               .network_radix = network_radix,
               .hosts = hosts ? Whole{*hosts} : ceil_div(network_radix, 2)};
}

/// The largest graph whose routers have at most `radix` ports.
std::optional<Graph> largest_graph(std::int64_t radix, std::optional<std::int64_t> hosts) {
  const std::int64_t for_network = radix - hosts.value_or(radix / 3);
  for (std::int64_t q = 2 * for_network / 3 + 2; q >= 3; --q) {
    const auto graph = graph_of(q, hosts);
    if (graph && graph->ports() <= Whole{radix}) return graph;
  }
  return std::nullopt;
}

/// The smallest graph that holds the GPUs; `largest` does.
Graph smallest_graph(Whole gpus, const Graph& largest, std::optional<std::int64_t> hosts) {
  std::int64_t below = 2;  // every q up to here is too small
  std::int64_t enough = largest.q.value();
  while (enough - below > 1) {
    const std::int64_t middle = below + (enough - below) / 2;
    const Whole p = hosts ? Whole{*hosts} : Whole{(3 * middle + 5) / 4};  // at least ⌈k'/2⌉
    (Whole{middle} * middle * 2 * p < gpus ? below : enough) = middle;
  }
  for (std::int64_t q = below + 1; q < largest.q.value(); ++q) {
    const auto graph = graph_of(q, hosts);
    if (graph && graph->endpoints() >= gpus) return *graph;
  }
  return largest;
}

CountResult count_parts(const FabricDesign& design, const SlimFly& options) {
  if (auto problem = check({{"q", options.q.value_or(3), 3}, {"radix", design.radix, 3}})) {
    return *problem;
  }
  const std::optional<Graph> largest = options.q
                                           ? graph_of(*options.q, options.hosts_per_router)
                                           : largest_graph(design.radix, options.hosts_per_router);
  if (!largest && options.q) {
    return FabricProblem{.rule = FabricRule::no_such_graph,
                         .subject = "q",
                         .unit = {},
                         .need = 0,
                         .have = *options.q,
                         .max_endpoints = std::nullopt,
                         .hint = "the graph is built on the finite field of q elements"};
  }
  // q = 3: k' = 5
  if (!largest) {
    return too_many_ports("router", Whole{5} + options.hosts_per_router.value_or(3), design.radix,
                          "");
  }
  if (largest->ports() > Whole{design.radix}) {
    return too_many_ports("router", largest->ports(), design.radix,
                          "a smaller q, or fewer hosts per router");
  }
  const Whole most = largest->endpoints();
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) {
    return too_many_endpoints(gpus, most, "a larger q, or routers of a higher radix");
  }
  const Graph graph = options.q || !design.gpus
                          ? *largest
                          : smallest_graph(gpus, *largest, options.hosts_per_router);

  Draft draft(design);
  const std::size_t host = draft.host_layer("host", design.port_gbps);
  const std::size_t between = draft.switch_layer("router_router", design.cabling.first);
  const std::size_t router = draft.tier("router", design.radix);
  DraftGroups groups = deal(graph.routers(), {{host, gpus}});
  for (DraftGroup& group : groups) group.ports.emplace_back(between, graph.network_radix);
  draft.add(router, groups);
  draft.endpoints(gpus, most);

  const Whole on_router = ceil_div(gpus, graph.routers());
  draft.failure("router", on_router, std::min(gpus - on_router, on_router * graph.network_radix), 1,
                graph.network_radix);
  draft.failure("host link", 1, 0, 1, 1);
  draft.failure("router_router link", 0, on_router, 1, graph.network_radix);
  FabricCount& count = draft.count();
  count.tiers = 1;
  count.units = graph.q.value();
  count.max_hops = 3;
  return draft.finish();
}

// Blach et al., NSDI'24: 200 servers on 50 36-port switches.
FabricDesign published_slim_fly(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(200), .radix = 36, .port_gbps = 56, .topology = SlimFly{.q = 5}};
}

}  // namespace

const TopologyOf<SlimFly>& facts_of(const SlimFly&) {
  using O = SlimFly;
  static const TopologyOf<O> facts{
      .design = published_slim_fly,
      .inputs =
          {
              {.key = "q",
               .member = &O::q,
               .doc = "a prime power; left out: the smallest that fits"},
              {.key = "hosts_per_router", .member = &O::hosts_per_router, .doc = "p"},
          },
      .count = count_parts,
  };
  return facts;
}

}  // namespace planner::network
