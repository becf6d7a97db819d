#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/hfreduce.hpp"

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
  if (!asked.kind) usage_error("--kind is missing", "planner collective --help lists them");
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
  const bool reached = (result.in_switch.hb && result.group.hb > 1) ||
                       (result.in_switch.network && result.group.net > 1);
  if (*result.asked == Algorithm::in_switch && !reached) {
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

/// What the user should know about the machine before trusting the times.
void warn_about_machine(const Request& request, const io::Catalog& catalog,
                        const CollectiveResult& result, std::vector<std::string>& warnings) {
  const System& system = result.system;
  const double fewest = result.group.emptiest().hb;
  if (result.group.net > 1 && fewest < real(system.hb_domain)) {
    warnings.push_back(
        fmt::format("{} GPUs do not fill {:g} HB domains of {}: with {:g} GPUs in {}, a domain is "
                    "left over {:g} "
                    "cards only",
                    result.gpus, result.group.net, system.hb_domain, fewest,
                    fewest < result.group.hb ? "the emptiest" : "each", fewest));
  }
  if (result.in_switch.hb && !system.hb_switches_reduce) {
    warnings.push_back(fmt::format(
        "whether the HB switches of {} reduce is not known; taken as so (hb_switches_reduce)",
        system.name));
  }
  if (!system.node || request.hb_domain) return;
  const Node node = catalog.load_node(*system.node);
  if (system.hb_domain >= node.accelerators) return;
  warnings.push_back(
      fmt::format("a node of {} has {} GPUs in HB domains of {}: hops between these domains are "
                  "charged to the network, at a GPU's share of the NICs; planner hfreduce bounds "
                  "NCCL and HFReduce by the node's PCIe layout",
                  system.name, node.accelerators, system.hb_domain));
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
std::optional<Node> reducing_node(const Request& request, const io::Catalog& catalog,
                                  const CollectiveResult& result) {
  if (result.kind != CollectiveKind::all_reduce || result.gpus == 1) return std::nullopt;
  std::optional<Node> node;
  if (result.system.node) node = catalog.load_node(*result.system.node);
  const std::string obstacle = obstacle_to_hfreduce(request, result, node);
  if (obstacle.empty()) return node;
  if (result.asked == Algorithm::hfreduce) {
    usage_error("--algorithm hfreduce: " + obstacle,
                "whole nodes whose file has their PCIe layout: --system fire-flyer-2; planner "
                "hfreduce changes parts of a node");
  }
  return std::nullopt;
}

/// The library's algorithms and, where the CPUs of nodes can add, HFReduce, fastest first; last the
/// one that was asked for where it is not among them.
/// @param node  whose CPUs can add
CollectiveSize timed(const CollectiveResult& result, Bytes size, const std::optional<Node>& node) {
  CollectiveSize timed{.size = size, .bound = bound(result, size)};
  if (result.gpus == 1) return timed;
  const BytesPerSecond hb = result.system.hb_bandwidth, net = result.system.network_bandwidth;
  timed.algorithms =
      timed_algorithms(result.kind, size, result.group, result.library, hb, net, result.in_switch);
  std::erase_if(timed.algorithms, [&](const TimedAlgorithm& one) {
    return is_out_of_reach(result, one.method.algorithm);
  });
  if (node) {
    const TimedAlgorithm hfreduce =
        timed_hfreduce(*node, result.gpus / node->accelerators, size, kTreeStepLatency);
    const auto slower = std::find_if(
        timed.algorithms.begin(), timed.algorithms.end(),
        [&](const TimedAlgorithm& one) { return hfreduce.time.total() < one.time.total(); });
    timed.algorithms.insert(slower, hfreduce);
  }
  if (!result.asked) return timed;
  const auto found = std::find_if(
      timed.algorithms.begin(), timed.algorithms.end(),
      [&](const TimedAlgorithm& one) { return one.method.algorithm == *result.asked; });
  timed.chosen = static_cast<std::size_t>(found - timed.algorithms.begin());
  if (found == timed.algorithms.end()) {
    timed.algorithms.push_back(timed_algorithm(result.kind, *result.asked, size, result.group,
                                               result.library, hb, net, result.in_switch)
                                   .value());
  }
  return timed;
}

}  // namespace

Response collective(const Request& request, const io::Catalog& catalog) {
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
  warn_about_machine(request, catalog, result, response.warnings);
  const std::optional<Node> node = reducing_node(request, catalog, result);
  for (const Bytes size : asked.sizes) result.sizes.push_back(timed(result, size, node));
  const CollectiveSize& first = result.sizes.front();
  if (first.algorithms.empty() && result.gpus > 1) {
    usage_error(fmt::format("library {} has no algorithm for {}", result.library.name,
                            name_of(result.kind)),
                "--algorithm names one");
  }
  if (request.explain) {
    for (const TimedAlgorithm& one : first.algorithms) {
      result.formulas.push_back(
          collective_formula(result.kind, one.method.algorithm, result.group, result.in_switch));
    }
  }
  response.result = std::move(result);
  return response;
}

}  // namespace planner
