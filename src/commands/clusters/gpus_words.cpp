#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/core/grouped.hpp"

// What GPUs a cluster has, and what becomes of those that its run does not use.
namespace planner::commands {

namespace {

/// Of its nodes, spare ones left out.
std::int64_t gpus_of_nodes(const ClusterSummary& cluster) {
  return cluster.gpus_in_nodes.value_or(cluster.gpus);
}

/// GPUs of the cluster itself that stand by as spares.
std::int64_t spares_among(const ClusterSummary& cluster) {
  if (!cluster.expected || !cluster.expected->failures) return 0;
  const auto& spares = cluster.expected->failures->inputs.spares;
  if (!spares) return 0;
  const std::int64_t beside = cluster.bought_gpus.value_or(cluster.gpus) - gpus_of_nodes(cluster);
  return std::max<std::int64_t>(0, spares->gpus_beside(cluster.training->use.gpus) - beside);
}

}  // namespace

std::string gpus_words(const ClusterSummary& cluster) {
  if (!cluster.bought_gpus) return grouped(cluster.gpus) + " GPUs";
  return fmt::format("{} GPUs asked for, {} {}", grouped(cluster.gpus),
                     grouped(*cluster.bought_gpus), cluster.rent ? "rented" : "bought");
}

std::string idle_words(const ClusterSummary& cluster) {
  const std::int64_t all = gpus_of_nodes(cluster);
  if (!cluster.training || cluster.training->use.gpus == all) return {};
  const job::GpuUse& use = cluster.training->use;
  std::string words = fmt::format("trains on {} of {} GPUs", grouped(use.gpus), grouped(all));
  if (use.per_domain < std::min(cluster.system.hb_domain, use.gpus)) {
    words += fmt::format(", {} of {} in each HB domain", use.per_domain, cluster.system.hb_domain);
  }
  const std::int64_t idle = all - use.gpus;
  words += fmt::format("; {} stand idle and are paid for", grouped(idle));
  const std::int64_t spares = std::min(idle, spares_among(cluster));
  if (spares == 0) return words;
  return words + (spares == idle ? ", all as spares"
                                 : fmt::format(", {} of them as spares", grouped(spares)));
}

}  // namespace planner::commands
