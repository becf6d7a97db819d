#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::inline search {

/// Values that axes of the search are held to. An empty list leaves the axis open: every value that
/// the timing model's rules allow, see DegreeRules.
struct Pins {
  std::vector<std::int64_t> tp{}, pp{}, dp{}, cp{}, ep{}, expert_tp{};
  /// Ranks inside an HB domain.
  std::vector<std::int64_t> tp_hb{}, pp_hb{}, dp_hb{}, cp_hb{}, ep_hb{};
  std::vector<std::int64_t> micro_batch{}, interleave{};
  std::vector<std::int64_t> shard_ranks{};  ///< of ZeRO 3
  std::int64_t max_tp = std::numeric_limits<std::int64_t>::max();

  /// Whether some ranks must be inside an HB domain, which may fill a part of it only.
  [[nodiscard]] bool place_ranks() const {
    return !(tp_hb.empty() && pp_hb.empty() && dp_hb.empty() && cp_hb.empty() && ep_hb.empty());
  }

  bool operator==(const Pins&) const = default;
};

/// What is run again in the backward pass.
struct Recomputation {
  Recompute mode = Recompute::none;
  RecomputeModules modules{};  ///< of selective recomputation

  bool operator==(const Recomputation&) const = default;
};

/// Which values each axis of the search may take.
struct SearchSpace {
  Pins pins{};
  std::vector<Recompute> recompute{Recompute::selective};
  /// Sets of modules, each a choice of selective recomputation; the empty one is the scores.
  std::vector<RecomputeModules> recompute_modules{RecomputeModules{}};
  double recomputed_layers = 1;  ///< see Strategy
  std::vector<int> zero{0};
  std::vector<bool> sequence_parallel{true};
  std::int64_t least_interleave = 1;
  Schedule without_interleaving = Schedule::one_f_one_b;

  bool operator==(const SearchSpace&) const = default;
};

/// Every axis of the closed-form model open: three recompute modes, ZeRO 0-2, sequence parallelism
/// on and off, besides degrees, placements, micro-batches and interleavings.
SearchSpace all_closed_form_axes();

/// Every axis of the calibrated model open: ZeRO 3 too, over all ranks or some, and of
/// Megatron-Core's recompute modules the sets of module_sets(). Recomputation of the scores alone
/// is left out where the software never keeps them: it would be the same as none.
SearchSpace all_calibrated_axes(const Workload& workload);

/// Sets of modules that are worth a try, cheapest first; none where the software cannot name them.
/// By what they free for the time they take: norms and the experts' activation function go before
/// products, and each set holds the one before.
std::vector<RecomputeModules> module_sets(const Workload& workload);
/// Whether the software can run modules again by name: Megatron-Core and what is built on it.
bool has_recompute_modules(const Software& software);

/// The degrees (t, p, d, cp, ep, expert tp): the unit of work of the search. Strategies are
/// numbered column by column and, inside a column, by recompute, its modules, ZeRO stage, ranks
/// that ZeRO 3 shards over (all, then fewer and fewer), sequence parallelism, t_h, p_h, cp_h, ep_h,
/// micro-batch, interleave, each in the order of its list: the canonical order.
struct Column {
  std::int64_t tp = 1, pp = 1, dp = 1, cp = 1, ep = 1, expert_tp = 1;

  bool operator==(const Column&) const = default;
};

/// Of one search: no model that is trained has a hundredth of it, and a search keeps them all.
inline constexpr std::size_t kMostColumns = 250'000;

/// A micro-batch size and an interleaving.
struct InnerPair {
  std::int64_t micro_batch = 1, interleave = 1;
};

/// A ZeRO stage, and what `Strategy::shard_ranks` says of it.
struct Sharding {
  int zero = 0;
  std::int64_t shard_ranks = 0;

  bool operator==(const Sharding&) const = default;
};

/// The choices of sequence parallelism that a space has of so many tensor-parallel ranks. The
/// calibrated model has one where it has nothing to act on.
std::vector<bool> sequence_parallelism(const SearchSpace& space, const Workload& workload,
                                       const DegreeRules& rules, std::int64_t t);

/// Lists the strategies of a space, piece by piece. Keeps references to its arguments.
class Enumeration {
 public:
  Enumeration(const Workload& workload, const SearchSpace& space);

  /// Calls `visit` for each column that Eqs. 11 and 18 (or the calibrated model's rules) allow, t
  /// ascending, then p, cp, ep, expert tp, until it returns false or `stop` is set. Placement or
  /// micro-batch lists of the space may still leave a column without strategies.
  void for_each_column(const std::function<bool(const Column&)>& visit,
                       const std::atomic<bool>* stop = nullptr) const;

  /// Those columns; where `stop` is set, only some.
  /// @throws UsageError "too-large" where there are more than kMostColumns
  [[nodiscard]] std::vector<Column> columns(const std::atomic<bool>* stop = nullptr) const;

  /// Eqs. 13 and 18: the pairs of a column, micro-batch ascending, then interleave.
  [[nodiscard]] std::vector<InnerPair> inner_pairs(const Column& column) const;

  /// The recompute modes of the space, selective ones once for each set of modules.
  [[nodiscard]] std::vector<Recomputation> recomputations() const;

  /// The ZeRO stages of a column, and their shards.
  [[nodiscard]] std::vector<Sharding> shardings(const Column& column) const;

  /// The choices of sequence parallelism of a column.
  [[nodiscard]] std::vector<bool> sequence_parallelism(const Column& column) const;

  /// Recompute modes, ZeRO stages, their shards and sequence parallelism, in this order. The
  /// calibrated model has one entry where a setting has nothing to act on: ZeRO on one rank,
  /// sequence parallelism on one.
  [[nodiscard]] std::vector<Strategy> settings(const Column& column) const;

  /// Eqs. 12 and 14-16: every way to fill an HB domain, t_h ascending, then p_h, cp_h, ep_h. The
  /// strategies have their splits and expert tp set and all else at its default.
  [[nodiscard]] std::vector<Strategy> placements(const Column& column) const;

 private:
  /// What `Strategy::shard_ranks` may be with ZeRO 3.
  [[nodiscard]] std::vector<std::int64_t> shards(const Column& column) const;

  const Workload& workload_;
  const SearchSpace& space_;
  DegreeRules rules_;
  std::vector<std::int64_t> batch_divisors_;
  std::vector<std::int64_t> domain_divisors_;  ///< of K, ascending
  /// Eq. 12: d_h·t_h·p_h = K, and cp_h with the calibrated model, as places in domain_divisors_.
  struct DomainFilling {
    std::size_t tp, pp, cp, dp;
  };
  std::vector<DomainFilling> domain_fillings_;  ///< t_h ascending, then p_h, cp_h
};

/// Whether a flag that ends a search is there and set.
bool is_set(const std::atomic<bool>* stop);

/// The GPU counts closest to N that have a strategy in this space, N itself left out: one below and
/// one above; 0 stands for none.
struct NearestCounts {
  std::int64_t below = 0, above = 0;
};
/// @param stop  set to give up: 0 then stands for those not found so far
NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space,
                                 const std::atomic<bool>* stop = nullptr);

/// The global batch closest to the workload's with which a strategy uses exactly its GPUs, the
/// smaller of two; 0: there is none, or it was not found.
std::int64_t nearest_batch(const Workload& workload, const SearchSpace& space,
                           const std::atomic<bool>* stop = nullptr);

/// Every GPU count up to `most` that some degrees of this space make, descending. Placements and
/// micro-batches may still leave a count without strategies.
std::vector<std::int64_t> legal_gpu_counts(const Workload& workload, const SearchSpace& space,
                                           std::int64_t most);

}  // namespace planner::search
