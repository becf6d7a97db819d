#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "planner/core/quantity.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/time.hpp"

// Collectives of a training step as a fitted timing model counts them: sums of bandwidth terms, and
// one latency per doubling of the ranks. Efficiencies are in the links. The fit's few constants
// stand for a library's choice of algorithm and protocol by size, so collective_time(), which
// models that choice, would count it twice.
namespace planner {

/// n ranks of which `per_domain` share an HB domain: ξ = per_domain, at least 1 and at most n, and
/// y = n/ξ domains, at least 1, take part.
inline CollectiveGroup group_of(double ranks, double per_domain) {
  const double sharing = std::min(std::max(per_domain, 1.0), ranks);
  return {.hb = sharing, .net = std::max(1.0, ranks / sharing)};
}

/// log2 of a number of ranks, at least 1. Most are powers of two, whose exponent it is.
inline double doublings(double ranks) {
  constexpr int kMantissa = 52, kBias = 1023;
  const auto bits = std::bit_cast<std::uint64_t>(ranks);
  if (bits << (64 - kMantissa) != 0) return std::log2(ranks);
  return static_cast<double>(static_cast<int>(bits >> kMantissa) - kBias);
}

/// Latency of a collective over a group: α·log2(ξ·y).
inline Seconds doubling_latency(const CollectiveGroup& group, Seconds per_doubling) {
  return doublings(group.ranks()) * per_doubling;
}

/// Hierarchical all-gather or reduce-scatter of `data`: (ξ-1)/ξ·D/C_F + (y-1)/y·D/(ξ·C_S) +
/// α·log2(ξ·y). The transfer is Eq. 1 of the rail-only paper (arXiv 2307.12169).
/// @param latency  doubling_latency() of the group
inline Seconds logarithmic_all_gather(Bytes data, const CollectiveGroup& group, const Links& links,
                                      Seconds latency) {
  const auto [along_rails, inside_domain] =
      all_gather_phases(data, group.hb, group.net, links.hb, links.net);
  return along_rails + inside_domain + latency;
}

/// Tensor-parallel all-reduce of `data` over a group: reduce-scatter and all-gather, each as above,
/// with α·log2(ξ·y) once.
inline Seconds tensor_parallel_all_reduce(Bytes data, const CollectiveGroup& group,
                                          const Links& links, Seconds per_doubling) {
  return 2 * logarithmic_all_gather(data, group, links, {}) + doubling_latency(group, per_doubling);
}

/// Of `peers` equally likely destinations, those that top_k independent choices hit on average:
/// g(1 - (1 - 1/g)^k).
double distinct_destinations(double peers, std::int64_t top_k);

/// How an expert-parallel dispatch sends tokens.
struct ExpertRouting {
  std::int64_t top_k = 1;
  /// Once per domain and GPU that needs it, over both fabrics at once (DeepEP); otherwise once per
  /// expert, the domain after the network (Megatron-Core).
  bool one_copy = true;
  double parts = 1;  ///< ranks of a domain that hold a part of every expert each
  double most_domains = std::numeric_limits<double>::infinity();  ///< that a token is sent to
};

/// Time of an expert-parallel dispatch (or combine): bytes on the wire over the bandwidths. Every
/// part of an expert needs all of its tokens.
/// @param tokens  bytes of the tokens of one GPU, one copy each
/// @param group   the ranks of all experts' parts; those of one expert share a domain
Seconds expert_all_to_all(Bytes tokens, const ExpertRouting& routing, const CollectiveGroup& group,
                          const Links& links);

}  // namespace planner
