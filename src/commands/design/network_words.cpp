#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/commands/design/design.hpp"
#include "planner/domain/names.hpp"

// A network in a few words.
namespace planner::commands {

namespace {

/// "oversubscribed 3 : 1"; empty: it is not.
std::string oversubscribed(const Cluster& cluster) {
  const Ratio ratio = std::visit(
      [](const auto& options) {
        if constexpr (requires { options.oversubscription; }) return options.oversubscription;
        return Ratio{};
      },
      cluster.fabric.topology);
  return ratio.down > ratio.up ? fmt::format("oversubscribed {} : {}", ratio.down, ratio.up) : "";
}

std::string switches_of(const Cluster& cluster) {
  return cluster.fabric_parts.switches.value_or(
      fmt::format("switches of {} ports", cluster.fabric.radix));
}

/// What tells a network from others of its topology, the first first.
std::vector<std::string> distinctions(const Cluster& cluster) {
  return {oversubscribed(cluster), switches_of(cluster), optics_words(cluster)};
}

}  // namespace

std::string network_words(const Cluster& cluster) {
  const std::string over = oversubscribed(cluster);
  return fmt::format("{}{}{} on {}", name_of(topology_of(cluster.fabric)), over.empty() ? "" : ", ",
                     over, switches_of(cluster));
}

std::string optics_words(const Cluster& cluster) {
  const FabricParts& parts = cluster.fabric_parts;
  std::vector<std::string> names;
  for (const auto& name :
       {parts.switch_module, parts.nic_module, parts.copper, parts.active_optical, parts.fibre}) {
    if (name && std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string set_apart(const DesignSummary& design,
                      const std::vector<const DesignSummary*>& others) {
  const Cluster& cluster = design.cluster;
  const std::vector<std::string> own = distinctions(cluster);
  std::size_t enough = 0;
  for (const DesignSummary* other : others) {
    const Cluster& like = other->cluster;
    if (like.gpus != cluster.gpus || like.system != cluster.system ||
        topology_of(like.fabric) != topology_of(cluster.fabric)) {
      continue;
    }
    const std::vector<std::string> its = distinctions(like);
    const auto differs = std::mismatch(own.begin(), own.end(), its.begin()).first;
    if (differs == own.end()) continue;
    enough = std::max(enough, static_cast<std::size_t>(differs - own.begin()) + 1);
  }
  std::string words;
  for (std::size_t i = 0; i < enough; ++i) {
    if (!own[i].empty()) words += ", " + own[i];
  }
  return words;
}

}  // namespace planner::commands
