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

/// A micro-batch size and an interleaving.
struct InnerPair {
  std::int64_t micro_batch = 1, interleave = 1;
};

/// Lists the strategies of a space, piece by piece. Keeps references to its arguments.
class Enumeration {
 public:
  Enumeration(const Workload& workload, const SearchSpace& space);

  /// The columns that Eqs. 11 and 18 allow, t ascending, then p. Placement or micro-batch lists of
  /// the space may still leave a column without strategies.
  [[nodiscard]] std::vector<Column> columns() const;

  /// Eqs. 13 and 18: the pairs of a column, micro-batch ascending, then interleave.
  [[nodiscard]] std::vector<InnerPair> inner_pairs(const Column& column) const;

  /// Eqs. 12 and 14-16: every way to fill an HB domain, t_h ascending, then p_h. The strategies
  /// have their three splits set and all else at its default.
  [[nodiscard]] std::vector<Strategy> placements(const Column& column) const;

 private:
  const Workload& workload_;
  const SearchSpace& space_;
  std::vector<std::int64_t> batch_divisors_, layer_divisors_, tp_degrees_;
  /// Eq. 12: d_h·t_h·p_h = K.
  struct DomainFilling {
    std::int64_t tp, pp, dp;
  };
  std::vector<DomainFilling> domain_fillings_;  ///< t_h ascending, then p_h
};

/// The GPU counts closest to N that have a strategy in this space, N itself left out: one below and
/// one above; 0 stands for none.
struct NearestCounts {
  std::int64_t below = 0, above = 0;
};
NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space);

}  // namespace planner
