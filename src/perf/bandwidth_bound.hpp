#pragma once

#include <cstdint>

#include "planner/perf/collectives.hpp"

namespace planner {

/// Which GPUs of different HB domains the network joins.
enum class NetworkReach {
  any_to_any,  ///< rail-optimized: any two GPUs
  rail_only,   ///< GPUs of the same rank in their domains
};

/// The least time in which any algorithm can all-gather one byte per GPU over an x × y grid, by the
/// cut of the grid that is hardest to feed (Zhao & Krishnamurthy 2023, Eq. 1). Exact; O(x·y·y).
/// Latency is not in it. Source: rail-only paper (arXiv 2307.12169), Appendix A, Eqs. 8 and 9.
/// @return seconds per byte that each GPU contributes
double all_gather_bound_by_cuts(std::int64_t x, std::int64_t y, const Links& links,
                                NetworkReach reach);

/// The same in closed form: Eq. 8 is max((y-1)/C_S, (xy-1)/(C_F+C_S)); Eq. 9 is the larger of that
/// and (x-1)/C_F. The paper's own (y-1)/C_S holds only where C_F/C_S ≥ y(x-1)/(y-1).
/// @return seconds per byte that each GPU contributes
double all_gather_bound(std::int64_t x, std::int64_t y, const Links& links, NetworkReach reach);

}  // namespace planner
