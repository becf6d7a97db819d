#pragma once

#include <cstdint>

namespace planner::inline perf {

/// Ranks of groups that send at the same time, all groups alike: `ranks` GPUs of each lie `stride`
/// GPUs apart in the order of placement, and groups fill the GPUs one after the other.
struct Flows {
  enum class Kind {
    ring,        ///< each to the next of its group, the last to the first
    all_to_all,  ///< each to all others of its group, as much to each
  };
  Kind kind = Kind::ring;
  std::int64_t stride = 1, ranks = 1;

  bool operator==(const Flows&) const = default;
};

/// What leaves the GPUs first … last - 1, in units of what one rank sends: of a ring the groups
/// that are only partly inside, for a ring leaves a run of its ranks once; of an all-to-all m(n -
/// m) of the n(n - 1) pairs of a group with m ranks inside.
double flows_out(const Flows& flows, std::int64_t first, std::int64_t last);

/// The same of the busiest of the units of so many consecutive GPUs that all GPUs fall into. 0: no
/// group reaches beyond a unit.
double busiest_flows_out(const Flows& flows, std::int64_t unit);

}  // namespace planner::perf
