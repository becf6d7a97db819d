#pragma once

#include "planner/core/quantity.hpp"
#include "planner/domain/flows.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/collectives/time.hpp"

namespace planner::inline perf {

/// Ranks of a collective, and what each has of the links.
struct RanksOnLinks {
  CollectiveGroup group;
  Seconds latency{};
  Links links;
};

/// Reduce-scatter or all-gather of D bytes.
inline Seconds collective(double D, const RanksOnLinks& over) {
  if (D == 0) return Seconds{};  // no experts
  return logarithmic_all_gather(Bytes{D}, over.group, over.links, over.latency);
}

/// A GPU's parameters and the ranks that share them, dense ones and experts', in one order of
/// ranks: what synchronisation is the same of in every ZeRO stage.
struct SharedParameters {
  /// Groups of HB domains, and what their ranks have of the links.
  struct Way {
    GroupFlows across;
    Links links;
  };
  /// Of all ranks that share a parameter.
  struct Among {
    double parameters = 0;  ///< of a GPU
    Way way;
    Seconds reduction{};  ///< of their gradients, or a gather of sums
    Seconds gather{};     ///< of 16-bit weights
  };

  Replicas replicas;
  Among dense, experts;
};

/// What an iteration waits for besides micro-batches and sends, at least: with one micro-batch, and
/// how much more with each further one.
struct LeastTied {
  Seconds with_one{}, each{};
};

}  // namespace planner::perf
