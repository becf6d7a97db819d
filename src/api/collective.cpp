#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

using Algorithm = CollectiveAlgorithm;

bool can_reduce_in_switch(CollectiveKind kind) {
  const auto known = algorithms_of(kind);
  return std::find(known.begin(), known.end(), Algorithm::in_switch) != known.end();
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
  const auto known = algorithms_of(*asked.kind);
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
         result.per_domain > 1 && result.domains > 1;
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
  const bool reached = (result.in_switch.hb && result.per_domain > 1) ||
                       (result.in_switch.network && result.domains > 1);
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
  warn_about_idle_gpus(result.gpus, system.hb_domain, result.per_domain, warnings);
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
  return all_gather_bound(size, result.per_domain, result.domains, links, result.reach);
}

/// The library's algorithms, and the one that was asked for where it is not among them.
CollectiveSize timed(const CollectiveResult& result, Bytes size) {
  CollectiveSize timed{.size = size, .bound = bound(result, size)};
  if (result.gpus == 1) return timed;
  const BytesPerSecond hb = result.system.hb_bandwidth, net = result.system.network_bandwidth;
  timed.algorithms = timed_algorithms(result.kind, size, result.group(), result.library, hb, net,
                                      result.in_switch);
  std::erase_if(timed.algorithms, [&](const TimedAlgorithm& one) {
    return is_out_of_reach(result, one.method.algorithm);
  });
  if (!result.asked) return timed;
  const auto found = std::find_if(
      timed.algorithms.begin(), timed.algorithms.end(),
      [&](const TimedAlgorithm& one) { return one.method.algorithm == *result.asked; });
  timed.chosen = static_cast<std::size_t>(found - timed.algorithms.begin());
  if (found == timed.algorithms.end()) {
    timed.algorithms.push_back(timed_algorithm(result.kind, *result.asked, size, result.group(),
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
  result.per_domain = usable_hb_domain(result.system.hb_domain, result.gpus);
  result.domains = result.gpus / result.per_domain;
  check_machine(result);
  warn_about_machine(request, catalog, result, response.warnings);
  for (const Bytes size : asked.sizes) result.sizes.push_back(timed(result, size));
  const CollectiveSize& first = result.sizes.front();
  if (first.algorithms.empty() && result.gpus > 1) {
    usage_error(fmt::format("library {} has no algorithm for {}", result.library.name,
                            name_of(result.kind)),
                "--algorithm names one");
  }
  if (request.explain) {
    for (const TimedAlgorithm& one : first.algorithms) {
      result.formulas.push_back(
          collective_formula(result.kind, one.method.algorithm, result.group(), result.in_switch));
    }
  }
  response.result = std::move(result);
  return response;
}

}  // namespace planner
