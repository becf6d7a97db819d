#pragma once

#include <cstdint>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner::inline perf {

/// The rules that a strategy must obey. Source: rail-only paper (arXiv 2307.12169), Appendix C,
/// Eqs. 11-18; `degrees` is Eq. 17. The calibrated model has more axes and rules of its own, see
/// DegreeRules.
enum class Constraint {
  gpu_count,     ///< Eq. 11: p·t·d = N
  hb_domain,     ///< Eq. 12: d_h·t_h·p_h = K
  microbatches,  ///< Eq. 13: m·b = B/d
  degrees,       ///< Eq. 17: every degree is a positive integer
  layers,        ///< Eq. 18: p·v divides l
  sequence,      ///< Eq. 18: t divides s
  hidden,        ///< Eq. 18: t divides h
  batch,         ///< Eq. 18: d divides B
  pods,          ///< all but the pipeline of a stage lies within Workload::stage_limit GPUs

  // Of the calibrated model.
  tensor,            ///< t divides the heads, the hidden size and the dense MLP
  stages,            ///< p stages, all but one full, have l layers
  chunks,            ///< v divides the layers of the fullest stage; 1 without a pipeline
  flushes,           ///< a pipeline is fed as many micro-batches every time
  turns,             ///< where v > 1, at least p of them
  context,           ///< 2·cp divides s
  experts,           ///< ep divides the experts; 1 in a dense model
  expert_tensor,     ///< experts are whole or split t ways
  expert_ranks,      ///< ep · expert tp divides t·cp·d
  expert_placement,  ///< and so inside an HB domain, and across domains
  expert_sequence,   ///< where t > 1, sequence parallelism splits the tokens of experts
  shards,            ///< ZeRO 3 shards over a divisor of d·cp that leaves experts as many replicas
};

/// A rule broken. For the divisibility rules `need` must divide `have`; for the equalities `need`
/// must equal `have`; of `pods` it is the limit, of `turns` the least.
struct Violation {
  Constraint constraint;
  std::int64_t need = 0;
  std::int64_t have = 0;

  bool operator==(const Violation&) const = default;
};

/// GPUs, in the order of placement, that the groups of a pipeline stage span.
/// @param hb_domain  usable GPUs per HB domain
std::int64_t stage_reach(const Strategy& strategy, std::int64_t hb_domain);

/// Every rule that the strategy breaks, in the order of the enumeration. Empty: it is legal.
std::vector<Violation> violations(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
