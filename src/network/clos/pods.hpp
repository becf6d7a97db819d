#pragma once

#include <string>

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

/// Names of the three tiers and of the two layers between them.
struct PodNames {
  std::string edge, middle, core, edge_middle, middle_core;
};

/// A three-tier network in pods, filled unit by unit (a segment, a rack) and pod by pod. Every edge
/// switch spreads its uplinks evenly over the middle switches of its pod and plane; the core joins
/// the pods, plane by plane. HPN, DCN+ and Meta's AI Zone are of this kind.
struct Pods {
  PodNames names;
  Whole gpus;
  Whole most;
  Whole unit_gpus;
  Whole units_per_pod;
  Whole edges_per_unit;
  Whole ports_per_gpu;  ///< on as many edge switches
  Whole backup_ports;   ///< per edge switch, to hosts in reserve
  Whole edge_radix;     ///< ports of an edge switch, at the design's speed
  std::int64_t host_gbps = 0;
  Whole uplinks;     ///< of an edge switch; a multiple of `middles`
  Whole planes = 1;  ///< divide the edge switches of a unit
  Whole middles;     ///< per pod and plane
  Whole middle_radix;
  Whole middle_up;  ///< ports of a middle switch to the core
  Whole core_radix;
  bool core = false;  ///< the core is built: there are several pods, or it is asked for

  [[nodiscard]] Whole units() const { return ceil_div(gpus, unit_gpus); }
  [[nodiscard]] Whole pods() const { return ceil_div(units(), units_per_pod); }
};

CountResult count_pods(Draft draft, const FabricDesign& design, const Pods& net);

}  // namespace planner::network
