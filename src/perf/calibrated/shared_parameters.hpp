#pragma once

#include <algorithm>
#include <cmath>

#include "planner/core/quantity.hpp"
#include "planner/domain/flows.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/rates.hpp"
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

/// Parameters of a GPU of the first stage: dense, with the tables of the vocabulary, and experts.
struct GpuParameters {
  double dense = 0, experts = 0;
};
/// @param experts_split  ranks that experts are dealt out over: ep, and the parts of each
GpuParameters gpu_parameters(const CalibratedShape& shape, double t, double p,
                             double experts_split);

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

/// What an iteration waits for besides micro-batches and sends, at least.
struct LeastTied {
  Seconds with_one{}, each{};  ///< with one micro-batch, and how much more with each further one
  Seconds hidden{};            ///< further, what passes of the slowest stage alone may hide
  Seconds beside{};            ///< collectives that run beside a micro-batch's work there
  bool beside_first = false;   ///< that of the first too

  /// With m micro-batches for which the slowest stage is waited for so long; no less of a whole
  /// iteration where it is longer.
  /// @param hides  times that, of passes which hide the last reduction
  [[nodiscard]] double si(double micros, double stage, double hides) const {
    const double waits = beside.si(), runs = beside_first ? micros : micros - 1;
    const double longer = std::sqrt(stage * stage + waits * waits) - stage;
    const double shown = std::max(hidden.si() - hides * stage, runs * longer);
    return with_one.si() + (micros - 1) * each.si() + std::max(0.0, shown);
  }
  [[nodiscard]] bool never_more_than(const LeastTied& other) const {
    return with_one <= other.with_one && each <= other.each && hidden <= other.hidden &&
           beside <= other.beside && beside_first <= other.beside_first;
  }
};

}  // namespace planner::perf
