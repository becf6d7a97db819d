#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"

namespace planner {

namespace {

using Algorithm = CollectiveAlgorithm;

bool can_reduce_in_switch(CollectiveKind kind) {
  const auto known = algorithms_of(kind);
  return std::find(known.begin(), known.end(), Algorithm::in_switch) != known.end();
}

/// All that --algorithm may name for a kind.
std::vector<Algorithm> algorithms_for(CollectiveKind kind) {
  const auto of_gpus = algorithms_of(kind);
  std::vector<Algorithm> algorithms{of_gpus.begin(), of_gpus.end()};
  if (kind == CollectiveKind::all_reduce) algorithms.push_back(Algorithm::hfreduce);
  return algorithms;
}

/// Refuses what contradicts itself whatever the machine.
void check(const Request& request) {
  const CollectiveRequest& asked = request.collective;
  if (!asked.kind) {
    usage_error("--kind is missing",
                "all-gather, reduce-scatter, all-reduce, all-to-all, broadcast or point-to-point");
  }
  if (asked.sizes.empty()) usage_error("--bytes is missing", "like --bytes 1GiB");
  if (!request.gpus) usage_error("--gpus is missing");
  const std::string_view kind = name_of(*asked.kind);
  if (asked.in_switch != InSwitchReduction{} && !can_reduce_in_switch(*asked.kind)) {
    usage_error(fmt::format("--in-switch-reduction has no meaning for {}", kind));
  }
  if (!asked.algorithm) return;
  const std::vector<Algorithm> known = algorithms_for(*asked.kind);
  if (std::find(known.begin(), known.end(), *asked.algorithm) == known.end()) {
    std::string names;
    for (const Algorithm algorithm : known) {
      (names += names.empty() ? "" : ", ") += name_of(algorithm);
    }
    usage_error(fmt::format("--algorithm {} does no {}", name_of(*asked.algorithm), kind),
                "those that do: " + names);
  }
}

/// A direct all-to-all joins GPUs of different rails.
bool needs_any_to_any(const CollectiveResult& result, Algorithm algorithm) {
  return result.kind == CollectiveKind::all_to_all && algorithm == Algorithm::direct &&
         result.group.hb > 1 && result.group.net > 1;
}

bool is_out_of_reach(const CollectiveResult& result, Algorithm algorithm) {
  return result.reach == NetworkReach::rail_only && needs_any_to_any(result, algorithm);
}

/// Where switches reduce: as asked, or, for an in-switch algorithm, wherever they may.
InSwitchReduction switches_of(const CollectiveRequest& asked, const System& system) {
  if (asked.algorithm != Algorithm::in_switch || asked.in_switch != InSwitchReduction{}) {
    return asked.in_switch;
  }
  return {.hb = system.hb_switches_reduce.value_or(true), .network = true};
}

/// Refuses what the machine cannot do.
void check_machine(const CollectiveResult& result) {
  if (result.in_switch.hb && result.system.hb_switches_reduce == false) {
    usage_error(
        fmt::format("--in-switch-reduction {}: the HB domains of {} have no switches that "
                    "reduce (hb_switches_reduce)",
                    name_of(result.in_switch), result.system.name));
  }
  if (!result.asked || result.gpus == 1) return;
  if (*result.asked == Algorithm::in_switch && !reaches_switch(result.group, result.in_switch)) {
    usage_error("no link of these GPUs has a switch that may reduce",
                "--in-switch-reduction both, or more GPUs");
  }
  if (is_out_of_reach(result, *result.asked)) {
    usage_error(fmt::format("--algorithm {} needs a network that joins any two GPUs",
                            name_of(*result.asked)),
                "--algorithm hierarchical forwards inside the HB domain, or leave --network-reach "
                "rail-only out");
  }
}

/// Whether a node has several HB domains.
bool is_split(const std::optional<Node>& node, const System& system) {
  return node && system.hb_domain < node->accelerators;
}

/// What the user should know about the machine before trusting the times.
void warn_about_machine(const Request& request, const std::optional<Node>& node,
                        const CollectiveResult& result, std::vector<std::string>& warnings) {
  const System& system = result.system;
  const double fewest = result.group.emptiest().hb;
  if (result.group.net > 1 && fewest < real(system.hb_domain)) {
    warnings.push_back(fmt::format(
        "{} GPUs do not fill {:g} HB domains of {}: {} has {:g} GPUs, and traffic leaves it over "
        "as many cards",
        result.gpus, result.group.net, system.hb_domain,
        fewest < result.group.hb ? "the emptiest" : "each", fewest));
  }
  if (result.in_switch.hb && !system.hb_switches_reduce) {
    warnings.push_back(fmt::format(
        "whether the HB switches of {} reduce is not known; taken as so (hb_switches_reduce)",
        system.name));
  }
  if (result.kind == CollectiveKind::point_to_point && result.group.hb > 1 &&
      result.group.net > 1) {
    warnings.emplace_back("the two GPUs are taken to be of one rail, in different HB domains");
  }
  if (request.hb_domain || !is_split(node, system)) return;
  warnings.push_back(
      fmt::format("a node of {} has {} GPUs in HB domains of {}: hops between these domains are "
                  "charged to the network, at a GPU's share of the NICs; planner hfreduce bounds "
                  "NCCL and HFReduce by the node's PCIe layout",
                  system.name, node->accelerators, system.hb_domain));
}

std::vector<std::string> assumed_options(const Request& request) {
  const CollectiveRequest& asked = request.collective;
  std::vector<std::string> assumed;
  if (!request.system) assumed.emplace_back("system");
  if (!asked.library) assumed.emplace_back("library");
  if (asked.algorithm == Algorithm::in_switch && asked.in_switch == InSwitchReduction{}) {
    assumed.emplace_back("in-switch-reduction");
  }
  return assumed;
}

/// Appendix A speaks of an all-gather; a reduce-scatter is one backwards.
std::optional<Seconds> bound(const CollectiveResult& result, Bytes size) {
  if (result.kind != CollectiveKind::all_gather && result.kind != CollectiveKind::reduce_scatter) {
    return std::nullopt;
  }
  const Links links{.hb = result.system.hb_bandwidth, .net = result.system.network_bandwidth};
  return all_gather_bound(size, result.group, links, result.reach);
}

/// Why the CPUs of the system's nodes cannot do this all-reduce; empty where they can.
std::string obstacle_to_hfreduce(const Request& request, const CollectiveResult& result,
                                 const std::optional<Node>& node) {
  if (!node) return fmt::format("system {} names no node", result.system.name);
  const std::string missing = missing_reduce_figures(*node);
  if (!missing.empty()) return fmt::format("node {} does not say {}", node->name, missing);
  if (request.hb_domain || request.hb_bandwidth_GBps || request.network_bandwidth_GBps) {
    return fmt::format("the options change links that node {} describes", node->name);
  }
  if (result.gpus % node->accelerators != 0) {
    return fmt::format("{} GPUs do not fill nodes of {}", result.gpus, node->accelerators);
  }
  if (node->nics == 0 && result.gpus > node->accelerators) {
    return fmt::format("node {} has no NICs", node->name);
  }
  return {};
}

/// The node whose CPUs can do the all-reduce, if they can.
std::optional<Node> reducing_node(const Request& request, const std::optional<Node>& node,
                                  const CollectiveResult& result) {
  if (result.kind != CollectiveKind::all_reduce || result.gpus == 1) return std::nullopt;
  const std::string obstacle = obstacle_to_hfreduce(request, result, node);
  if (obstacle.empty()) return node;
  if (result.asked == Algorithm::hfreduce) {
    usage_error("--algorithm hfreduce: " + obstacle,
                "whole nodes whose file has their PCIe layout: --system fire-flyer-2; planner "
                "hfreduce changes parts of a node");
  }
  return std::nullopt;
}

/// What a step of HFReduce's double binary tree waits: as a hop of the library's own tree, at the
/// protocol for large messages.
Seconds tree_step(const CollectiveLibrary& library) {
  const CollectiveMethod* tree = nullptr;
  for (const CollectiveMethod& method : library.methods) {
    if (method.algorithm != Algorithm::tree) continue;
    if (tree == nullptr || method.bandwidth_share > tree->bandwidth_share) tree = &method;
  }
  return tree != nullptr ? tree->net_hop : kTreeStepLatency;
}

/// HFReduce over the links that the library's algorithms have: pairs where HB domains are bridges.
TimedAlgorithm hfreduce_of(const CollectiveResult& result, const Node& node, Bytes size) {
  const bool pairs = node.nvlink_bridges && node.nvlink_bridges->gpus == result.system.hb_domain;
  return timed_hfreduce(node, {.nvlink_pairs = pairs}, result.gpus / node.accelerators, size,
                        tree_step(result.library));
}

/// The library's algorithms and, where the CPUs of nodes can add, HFReduce, fastest first; last the
/// one that was asked for where it is not among them.
/// @param node  whose CPUs can add
CollectiveSize timed(const CollectiveResult& result, Bytes size, const std::optional<Node>& node) {
  CollectiveSize at{.size = size, .bound = bound(result, size)};
  if (result.gpus == 1) return at;
  const BytesPerSecond hb = result.system.hb_bandwidth, net = result.system.network_bandwidth;
  at.algorithms =
      timed_algorithms(result.kind, size, result.group, result.library, hb, net, result.in_switch);
  std::erase_if(at.algorithms, [&](const TimedAlgorithm& one) {
    return is_out_of_reach(result, one.method.algorithm);
  });
  if (node) {
    const TimedAlgorithm hfreduce = hfreduce_of(result, *node, size);
    const auto slower = std::find_if(
        at.algorithms.begin(), at.algorithms.end(),
        [&](const TimedAlgorithm& one) { return hfreduce.time.total() < one.time.total(); });
    at.algorithms.insert(slower, hfreduce);
  }
  if (!result.asked) return at;
  auto found = std::find_if(
      at.algorithms.begin(), at.algorithms.end(),
      [&](const TimedAlgorithm& one) { return one.method.algorithm == *result.asked; });
  if (found == at.algorithms.end()) {
    found =
        at.algorithms.insert(found, timed_algorithm(result.kind, *result.asked, size, result.group,
                                                    result.library, hb, net, result.in_switch)
                                        .value());
  }
  at.chosen = static_cast<std::size_t>(found - at.algorithms.begin());
  return at;
}

/// The numbers that go into the formula of a time: of its symbols all but its definitions.
std::vector<Symbol> values_of(const CollectiveResult& result, const TimedAlgorithm& one) {
  std::vector<Symbol> values{{"D", result.sizes.front().size.si()},
                             {"x", result.group.hb},
                             {"y", result.group.net},
                             {"n", real(result.gpus)}};
  const auto add = [&](std::initializer_list<Symbol> more) { values.insert(values.end(), more); };
  if (one.pipeline) {
    add({{"B", one.pipeline->step_rate.si()},
         {"a", one.pipeline->step_latency.si()},
         {"s", real(one.pipeline->steps)},
         {"k", real(one.pipeline->chunks)}});
    return values;
  }
  const CollectiveLinks links = links_of(result.library, one.method, result.system.hb_bandwidth,
                                         result.system.network_bandwidth, result.group);
  add({{"C_F", links.hb.si()},
       {"C_S", links.net.si()},
       {"launch", links.launch.si()},
       {"a_F", links.hb_hop.si()},
       {"a_S", links.net_hop.si()}});
  if (one.method.algorithm != Algorithm::in_switch) return values;
  add({{"C_FS", links.hb_in_switch.si()},
       {"a_FS", links.hb_in_switch_latency.si()},
       {"a_SS", links.net_in_switch_latency.si()}});
  return values;
}

}  // namespace

Response collective(const Request& request, const catalog::Catalog& catalog) {
  check(request);
  const CollectiveRequest& asked = request.collective;
  Response response{.command = Command::collective};
  CollectiveResult result{
      .kind = *asked.kind,
      .system = catalog.load_system(request.system.value_or(std::string{defaults::kSystem})),
      .gpus = *request.gpus,
      .library =
          catalog.load_collectives(asked.library.value_or(std::string{defaults::kCollectives})),
      .reach = asked.reach,
      .asked = asked.algorithm,
      .assumed = assumed_options(request)};
  override_system(request, result.system);
  result.in_switch = switches_of(asked, result.system);
  result.group = group_over(result.gpus, result.system.hb_domain);
  check_machine(result);
  std::optional<Node> node;
  if (result.system.node) node = catalog.load_node(*result.system.node);
  warn_about_machine(request, node, result, response.warnings);
  node = reducing_node(request, node, result);
  for (const Bytes size : asked.sizes) result.sizes.push_back(timed(result, size, node));
  const CollectiveSize& first = result.sizes.front();
  if (first.algorithms.empty() && result.gpus > 1) {
    usage_error(fmt::format("library {} has no algorithm for {}", result.library.name,
                            name_of(result.kind)),
                "--algorithm names one");
  }
  if (request.explain) {
    for (const TimedAlgorithm& one : first.algorithms) {
      result.formulas.push_back({.formula = collective_formula(result.kind, one.method.algorithm,
                                                               result.group, result.in_switch),
                                 .values = values_of(result, one)});
    }
  }
  response.result = std::move(result);
  return response;
}

}  // namespace planner
