#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "planner/network/count.hpp"

// Designs of a topology at random, sized to be counted and laid out in a moment.
namespace planner::testing {

inline std::int64_t any(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}
inline std::int64_t even(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return 2 * any(random, least / 2, most / 2);
}
inline Ratio ratio(std::mt19937_64& random) {
  if (any(random, 0, 1) == 0) return {};
  return {any(random, 1, 4), any(random, 1, 3)};
}

inline TopologyOptions options_of(std::mt19937_64& random, int topology) {
  const bool flag = any(random, 0, 1) == 1;
  switch (topology) {
    case 0:
      return FatTree{.oversubscription = ratio(random), .pod_aligned = flag};
    case 1:
      return RailOptimized{.rails = any(random, 1, 12),
                           .planes = any(random, 1, 3),
                           .oversubscription = ratio(random)};
    case 2:
      return SuperPod{.nodes_per_unit = any(random, 2, 10),
                      .gpus_per_node = any(random, 1, 8),
                      .planes = any(random, 1, 2),
                      .fabric_manager_ports = any(random, 0, 5)};
    case 3:
      return RailOnly{
          .rails = any(random, 1, 20), .oversubscription = ratio(random), .pod_aligned = flag};
    case 4: {
      const std::int64_t planes = any(random, 1, 5);
      return MultiPlane{.planes = planes,
                        .ports_per_gpu = any(random, 1, planes),
                        .oversubscription = ratio(random),
                        .pod_aligned = flag,
                        .max_tiers = any(random, 2, 3)};
    }
    case 5:
      return Hpn{.rails = any(random, 1, 6),
                 .tors_per_rail = any(random, 1, 2),
                 .tor_host_ports = any(random, 4, 30),
                 .tor_backup_ports = any(random, 0, 3),
                 .tor_uplinks = any(random, 2, 12),
                 .agg_core_ports = any(random, 1, 6),
                 .rail_only_tier2 = flag,
                 .max_pods = any(random, 1, 4)};
    case 6: {
      const std::int64_t aggs = any(random, 2, 6);
      const std::int64_t tors = any(random, 2, 8);
      return DcnPlus{.gpus_per_segment = any(random, 4, 40),
                     .segments_per_pod = any(random, 1, 4),
                     .max_pods = any(random, 1, 6),
                     .tors_per_segment = tors,
                     .ports_per_gpu = any(random, 1, 2),
                     .tor_uplinks = aggs * any(random, 1, 2),
                     .aggs_per_pod = aggs,
                     .agg_core_ports = any(random, 1, 16)};
    }
    case 7:
      return MetaAiZone{.gpus_per_rack = any(random, 1, 16),
                        .racks_per_zone = any(random, 1, 20),
                        .rtsw_oversubscription = flag ? Ratio{8, 9} : Ratio{},
                        .zone_oversubscription = {any(random, 1, 7), 1}};
    case 8: {
      const std::int64_t zones = any(random, 1, 3);
      return TwoZoneFatTree{.zones = zones,
                            .zone_switches = any(random, 0, 2),
                            .inter_zone_links = 2 * any(random, 0, 4),
                            .storage_ports_per_zone = any(random, 0, 9)};
    }
    case 9:
      if (flag) return Dragonfly{};
      return Dragonfly{.hosts_per_router = any(random, 1, 4),
                       .routers_per_group = any(random, 1, 7),
                       .global_per_router = any(random, 1, 4)};
    case 10:
      return SlimFly{};
    default:
      return Torus{.cube_edge = any(random, 1, 4), .ocs_spare_ports = 0, .ocs = flag};
  }
}

/// A design with its count; nothing where it cannot be built, or has too many links.
inline std::optional<std::pair<FabricDesign, FabricCount>> random_fabric(std::mt19937_64& random,
                                                                         int topology,
                                                                         std::int64_t most_gpus,
                                                                         std::int64_t most_links) {
  FabricDesign design{
      .radix = even(random, 4, 40), .port_gbps = 200, .topology = options_of(random, topology)};
  design.gpus = any(random, 1, any(random, 1, most_gpus));
  const CountResult result = count_fabric(design);
  const auto* const count = std::get_if<FabricCount>(&result);
  if (count == nullptr || count->total_links() > most_links) return std::nullopt;
  return std::pair{design, *count};
}

}  // namespace planner::testing
