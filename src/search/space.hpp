#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner {

/// Which values each axis of the search may take. An empty list of degrees leaves the axis open:
/// every value that Eqs. 11-18 of the rail-only paper allow.
struct SearchSpace {
  std::vector<std::int64_t> tp{}, pp{}, dp{};
  std::vector<std::int64_t> tp_hb{}, pp_hb{}, dp_hb{};  ///< ranks inside an HB domain
  std::vector<std::int64_t> micro_batch{}, interleave{};
  std::vector<Recompute> recompute{Recompute::selective};
  std::vector<int> zero{0};
  std::vector<bool> sequence_parallel{true};
  std::int64_t max_tp = std::numeric_limits<std::int64_t>::max();

  bool operator==(const SearchSpace&) const = default;
};

/// Every axis of the closed-form model open: three recompute modes, ZeRO 0-2, sequence parallelism
/// on and off, besides degrees, placements, micro-batches and interleavings.
SearchSpace all_closed_form_axes();

/// One (t, p, d): the unit of work of the search. Strategies are numbered column by column and,
/// inside a column, by recompute, ZeRO stage, sequence parallelism, t_h, p_h, micro-batch,
/// interleave, each in the order of its list: the canonical order.
struct Column {
  std::int64_t tp = 1, pp = 1, dp = 1;

  bool operator==(const Column&) const = default;
};

/// The columns that Eqs. 11 and 18 allow, t ascending, then p. Placement or micro-batch lists of the
/// space may still leave a column without strategies.
std::vector<Column> columns(const Workload& workload, const SearchSpace& space);

/// A micro-batch size and an interleaving.
struct InnerPair {
  std::int64_t micro_batch = 1, interleave = 1;
};

/// Eqs. 13 and 18: the pairs of a column, micro-batch ascending, then interleave.
std::vector<InnerPair> inner_pairs(const Workload& workload, const Column& column,
                                   const SearchSpace& space);

/// Eqs. 12 and 14-16: every way to fill an HB domain, t_h ascending, then p_h. The strategies have
/// their three splits set and all else at its default.
std::vector<Strategy> placements(const Workload& workload, const Column& column,
                                 const SearchSpace& space);

/// GPU counts next to N that have a strategy in this space: one below and one above where there is
/// one, ascending; 0 stands for none.
struct NearestCounts {
  std::int64_t below = 0, above = 0;
};
NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space);

}  // namespace planner
