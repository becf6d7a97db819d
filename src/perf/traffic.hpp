#pragma once

#include "planner/core/quantity.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner {

/// What each kind of parallelism moves in one iteration. Source: rail-only paper (arXiv
/// 2307.12169) §3.2.
struct Traffic {
  Bytes tensor_per_gpu;    ///< sent by each GPU in the collectives of tensor parallelism
  Bytes data_per_gpu;      ///< sent by each GPU in the gradient synchronisation
  Bytes pipeline_per_gpu;  ///< sent by each GPU to the next stage, and as much back
  /// Of all ordered pairs of GPUs, the share that exchanges nothing when the collectives run on
  /// one-way rings: one inside the HB domain, one along the rail.
  double silent_pair_share;
};

Traffic traffic_per_iteration(const Workload& workload, const Strategy& strategy);

/// Of the volume of a hierarchical all-reduce over split.hb × split.net GPUs, the share that stays
/// inside the HB domains. Source: rail-only paper §3.2 (GH200 example: 98 % of the volume).
double share_inside_hb_domain(const Split& split);

}  // namespace planner
