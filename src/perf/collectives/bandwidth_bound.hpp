#pragma once

#include <array>
#include <string_view>

#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/time.hpp"

namespace planner::inline perf {

/// Which GPUs of different HB domains the network joins.
enum class NetworkReach {
  any_to_any,  ///< rail-optimized: any two GPUs
  rail_only,   ///< GPUs of the same rank in their domains
};

inline constexpr std::array kNetworkReaches{NetworkReach::any_to_any, NetworkReach::rail_only};

/// As on the command line and in JSON: "rail-only".
constexpr std::string_view name_of(NetworkReach reach) {
  return reach == NetworkReach::rail_only ? "rail-only" : "any-to-any";
}

/// The least time in which any algorithm can all-gather `size` over an x × y grid, latency left
/// out: Eq. 8 is max((y-1)/C_S, (xy-1)/(C_F+C_S)) per byte that a GPU contributes, Eq. 9 the larger
/// of that and (x-1)/C_F. The paper's own (y-1)/C_S holds only where C_F/C_S ≥ y(x-1)/(y-1). In a
/// single domain the network joins nobody: (x-1)/C_F. Source: rail-only paper (arXiv 2307.12169),
/// Appendix A, Eqs. 8 and 9.
/// Where domains are not equally full, that of the emptiest one: it receives the most over the
/// fewest cards.
/// @param size  bytes each GPU holds at the end
Seconds all_gather_bound(Bytes size, const CollectiveGroup& group, const Links& links,
                         NetworkReach reach);

}  // namespace planner::perf
