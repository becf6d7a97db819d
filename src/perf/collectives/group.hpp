#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "planner/core/quantity.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/time.hpp"
#include "planner/perf/derivation/text.hpp"

// Collectives of a training step as a fitted timing model counts them: sums of bandwidth terms, and
// one latency per doubling of the ranks. Efficiencies are in the links. The fit's few constants
// stand for a library's choice of algorithm and protocol by size, so collective_time(), which
// models that choice, would count it twice.
namespace planner::inline perf {

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

inline Text doublings(const Text& ranks) {
  return call("log2", {ranks});
}

// Formulas, for numbers and for Text.

/// Latency of a collective over so many ranks: α·log2(n).
inline constexpr auto kDoublingLatency = [](auto ranks, auto per_doubling) {
  return per_doubling * doublings(ranks);
};

inline Seconds doubling_latency(const CollectiveGroup& group, Seconds per_doubling) {
  return kDoublingLatency(group.ranks(), per_doubling);
}

/// Hierarchical all-gather or reduce-scatter of `data`: Eq. 1 of the rail-only paper
/// (arXiv 2307.12169), and the latency above.
inline constexpr Row kLogarithmicAllGather{
    "AG", "all-gather", "arXiv 2307.12169, Eq. 1",
    [](auto data, auto x, auto y, auto hb, auto net, auto latency) {
      return kAllGatherTransfer(data, x, y, hb, net) + latency;
    }};
/// @param latency  doubling_latency() of the group
inline Seconds logarithmic_all_gather(Bytes data, const CollectiveGroup& group, const Links& links,
                                      Seconds latency) {
  return kLogarithmicAllGather(data, group.hb, group.net, links.hb, links.net, latency);
}

/// Tensor-parallel all-reduce: reduce-scatter and all-gather, each with the bytes of Eq. 1, and the
/// latency once.
inline constexpr Row kTensorParallelAllReduce{
    "t_all_reduce", "tensor-parallel all-reduce", "Thakur et al. 2005",
    [](auto transfer, auto latency) { return 2 * transfer + latency; }};
inline Seconds tensor_parallel_all_reduce(Bytes data, const CollectiveGroup& group,
                                          const Links& links, Seconds per_doubling) {
  return kTensorParallelAllReduce(logarithmic_all_gather(data, group, links, {}),
                                  doubling_latency(group, per_doubling));
}

/// That none of k different ones among `all` is among `some` of them: C(all - some, k)/C(all, k).
constexpr double none_among(double all, double some, std::int64_t k) {
  double without = 1, any = 1;
  for (std::int64_t i = 0; i < k; ++i) {
    without *= std::max(0.0, all - some - real(i));
    any *= all - real(i);
  }
  return without / any;
}
inline Text none_among(const Text& all, const Text& some, const Text& k) {
  return call("choose", {all - some, k}) / call("choose", {all, k});
}

/// Of `peers` destinations with so many experts each, those that hold one of the k different
/// experts of a token on average, any being as likely: n·(1 - C(E - E/n, k)/C(E, k)) of E experts.
inline constexpr auto kDistinctDestinations = [](auto peers, auto experts, auto top_k) {
  return peers * (1 - none_among(peers * experts, experts, top_k));
};

// Copies of a token in an expert-parallel dispatch: inside HB domains and beyond its own one, of x
// places of different experts in each of y domains and `parts` ranks that share an expert. With one
// copy per expert that is an all-to-all, then an all-gather between the parts (Megatron-Core,
// token_dispatcher.py); with one per domain and GPU that needs it, of the `reached` domains, both
// fabrics work at once (DeepEP).
inline constexpr Row kCopiesInside{
    "copies_inside", "of a token in the HB domain", "docs/calibrated.md",
    [](auto k, auto x, auto y, auto parts) { return k / y * (x - 1) / x + k * (parts - 1); }, ""};
inline constexpr Row kCopiesBeyond{"copies_beyond", "of a token to other HB domains",
                                   "docs/calibrated.md",
                                   [](auto k, auto y) { return k * ((y - 1) / y); }, ""};
/// Where the network is several that share no path, copies for ranks of other domains on another
/// one are first moved to the GPUs on it: of r of them y·x·(r - 1)/r·D/C_F of an all-to-all of D
/// bytes for each rank; with a rail each, y·(x - 1)·D/C_F.
inline constexpr Row kForwardedInside{
    "copies_inside", "of a token in the HB domain, to rails too", "arXiv 2307.12169, App. D",
    [](auto inside, auto beyond, auto r) { return inside + beyond * ((r - 1) / r); }, ""};
inline constexpr Row kDispatch{"t_all_to_all", "all-to-all of the tokens", "docs/calibrated.md",
                               [](auto inside, auto beyond, auto tokens, auto hb, auto net) {
                                 return inside * tokens / hb + beyond * tokens / net;
                               }};
inline constexpr Row kOneCopyInside{
    "copies_inside", "of a token in HB domains", "DeepEP",
    [](auto k, auto x, auto parts, auto ranks, auto reached, auto experts) {
      return parts * kDistinctDestinations(reached * x, experts, k) * (ranks - 1) / ranks;
    },
    ""};
inline constexpr Row kOneCopyBeyond{"copies_beyond", "of a token to other HB domains", "DeepEP",
                                    [](auto k, auto y, auto reached, auto experts) {
                                      return kDistinctDestinations(reached, experts, k) *
                                             ((y - 1) / y);
                                    },
                                    ""};
inline constexpr Row kOneCopyDispatch{"t_all_to_all", "all-to-all of the tokens", "DeepEP",
                                      [](auto inside, auto beyond, auto tokens, auto hb, auto net) {
                                        return greater(inside * tokens / hb, beyond * tokens / net);
                                      }};

/// How an expert-parallel dispatch sends tokens.
struct ExpertRouting {
  std::int64_t top_k = 1;
  double experts = static_cast<double>(top_k);  ///< of a layer; no fewer than top_k
  /// Once per domain and GPU that needs it, over both fabrics at once (DeepEP); otherwise once per
  /// expert, the domain after the network (Megatron-Core).
  bool one_copy = true;
  double parts = 1;  ///< ranks of a domain that hold a part of every expert each
  double most_domains = std::numeric_limits<double>::infinity();  ///< that a token is sent to
  std::int64_t rails_apart = 1;                                   ///< see Workload
};

/// Networks that share no path, which so many places of different experts in a domain are on.
double networks_of(double places, const ExpertRouting& routing);

/// Time of an expert-parallel dispatch (or combine): bytes on the wire over the bandwidths. Every
/// part of an expert needs all of its tokens.
/// @param tokens  bytes of the tokens of one GPU, one copy each
/// @param group   the ranks of all experts' parts; those of one expert share a domain
/// @throws std::invalid_argument  for fewer experts than a token has
Seconds expert_all_to_all(Bytes tokens, const ExpertRouting& routing, const CollectiveGroup& group,
                          const Links& links);

}  // namespace planner::perf
