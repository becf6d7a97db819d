#include "planner/job/free_gpus.hpp"

#include <fmt/format.h>

#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"

namespace planner::job {

std::vector<std::int64_t> in_whole_nodes(std::vector<std::int64_t> free_gpus, std::int64_t node,
                                         std::int64_t job_gpus) {
  if (job_gpus % node != 0) return free_gpus;
  for (std::int64_t& free : free_gpus) free -= free % node;
  return free_gpus;
}

std::vector<std::int64_t> used_of(std::vector<std::int64_t> gpus, const JobOnNetwork& on) {
  if (gpus_of_nodes(on) == on.job_gpus) return gpus;
  for (std::int64_t& one : gpus) one = one / on.node_gpus * on.used_gpus;
  return gpus;
}

void take_free_gpus(const RoutingSettings& asked, const JobOnNetwork& on, RoutedJob& job) {
  if (!asked.free_gpus) return;
  const RoutedFabric fabric = *routed_fabric(on.design, on.count, on.cluster_gpus, on.node_gpus);
  if (fabric.tiers.empty()) usage_error("--free-gpus: the network is one switch");
  if (job.placement == Placement::partial || job.placement == Placement::random) {
    usage_error(fmt::format("--free-gpus: placement {} is no choice among free units",
                            name_of(job.placement)));
  }
  const std::int64_t unit = fabric.tiers.back().unit_gpus;
  const auto units = static_cast<std::size_t>(ceil_div(fabric.gpus, unit));
  for (const std::int64_t free : *asked.free_gpus) {
    if (free > unit) {
      usage_error(fmt::format("--free-gpus: {} are free in a unit of {} GPUs", free, unit));
    }
  }
  const auto whole = in_whole_nodes(*asked.free_gpus, on.node_gpus, gpus_of_nodes(on));
  job.free_gpus = used_of(whole, on);
  const std::int64_t all =
      std::accumulate(job.free_gpus.begin(), job.free_gpus.end(), std::int64_t{0});
  if (asked.free_gpus->size() > units) {
    usage_error(fmt::format("--free-gpus: the network has {} units of {} GPUs, not {}", units, unit,
                            asked.free_gpus->size()));
  }
  if (all < job.gpus) {
    usage_error(fmt::format(
        "--free-gpus: {} are free{}, the job needs {}",
        std::accumulate(whole.begin(), whole.end(), std::int64_t{0}),
        whole == *asked.free_gpus ? "" : fmt::format(" in whole nodes of {}", on.node_gpus),
        gpus_of_nodes(on)));
  }
}

void state_whole_nodes(const RoutingSettings& asked, const JobOnNetwork& on,
                       const RoutedFabric& fabric, RoutingResult& result) {
  const std::int64_t node = fabric.gpus_per_node;
  const auto& free = asked.free_gpus;
  if (free && in_whole_nodes(*free, on.node_gpus, gpus_of_nodes(on)) != *free) {
    result.assumptions.push_back(fmt::format(
        "of the free GPUs those in whole nodes of {}: a node stands in one unit", on.node_gpus));
  }
  if (fabric.tiers.empty()) return;
  const FabricTier& leaf = fabric.tiers.front();
  const std::int64_t units = ceil_div(fabric.gpus, leaf.unit_gpus);
  const double bought = leaf.groups / leaf.groups_of_unit;
  if (leaf.unit_gpus % node != 0 || real(units) <= bought + 0.5) return;
  result.assumptions.push_back(fmt::format(
      "leaves hold whole nodes, {} GPUs each; nodes for which none of them is left stand on spare "
      "ports of several, taken as leaves of their own",
      leaf.unit_gpus));
}

}  // namespace planner::job
