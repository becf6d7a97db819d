#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "planner/core/real.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/double_tree.hpp"
#include "planner/perf/collectives/time.hpp"
#include "planner/perf/derivation/text.hpp"

// The terms of every algorithm, each formula once: collective_time() computes them of numbers and
// quantities, collective_formula() spells them.
namespace planner::inline perf::algorithms {

using Kind = CollectiveKind;

/// What the formulas are of.
template <class Number, class Data, class Rate, class Duration>
struct Inputs {
  using Time = Duration;

  Data D;
  Number n, x, y;
  /// Of the fullest and the emptiest domain, and as many such domains as hold n GPUs.
  Number x_full, y_full, x_empty, y_empty;
  Number H;  ///< links across a torus
  Rate C_F, C_S, C_FS;
  Time launch, a_F, a_S, a_FS, a_SS;

  /// D over the cards of a domain.
  [[nodiscard]] Time through_cards() const { return D / (x_empty * C_S); }
};

/// Of a CollectiveTime.
template <class Time>
struct Terms {
  Time launch{0.0};
  Time hb_latency{0.0}, net_latency{0.0};
  Time hb_transfer{0.0}, net_transfer{0.0};
  bool overlapped = false;
  std::string_view source{};
  std::string_view source_between_domains{};  ///< where it is another
  std::string_view source_of_hops{};          ///< where they are those of a torus
};
template <class Of>
using TermsOf = Terms<typename Of::Time>;

/// Times that links add to a ring, along a walk on it.
template <class Time>
struct Walk {
  Time net{0.0}, hb{0.0};
};

/// An all-reduce is a reduce-scatter and an all-gather.
template <class Value>
Value in_phases(Kind kind, const Value& one) {
  return kind == Kind::all_reduce ? 2 * one : one;
}

inline double depth(double ranks) {
  return real(tree_depth(ranks));
}
inline Text depth(const Text& ranks) {
  return ceil(call("log2", {ranks}));
}

/// What a ring's hops add to the L shards that its slowest link carries, one after the other. The
/// last shard to arrive has waited, at every step, for the link that it was on or for the one
/// before: the time is the longest walk of L steps along the ring that stays on a link (t_F or t_S)
/// or advances (t + a). Against staying on the slowest link, an advance gains g_F or g_S; a link
/// between domains comes every x hops (on average, where domains are not equally full), so the
/// longest walk is one of these.
template <class Of, class Number>
auto ring_walks(Of& of, const Number& L, const typename Of::Time& g_F,
                const typename Of::Time& g_S) {
  using std::ceil, std::floor;
  const Number& x = of.x;
  const Number u = of.define("u", ceil(L / x)), d = of.define("d", floor(L / x));
  const Number q = of.define("q", floor((L + 1) / x));
  return std::array<Walk<typename Of::Time>, 6>{{{.net = g_S},
                                                 {.hb = (x - 1) * g_F},
                                                 {.net = u * g_S, .hb = (L - u) * g_F},
                                                 {.net = d * g_S, .hb = (L - d) * g_F},
                                                 {.net = u * g_S, .hb = (u - 1) * (x - 1) * g_F},
                                                 {.net = (q - 1) * g_S, .hb = q * (x - 1) * g_F}}};
}

/// A ring through all GPUs, domain by domain, that leaves each domain at the GPU of one rail; as
/// many such rings as the emptiest domain has rails, each with its share of the data, so that a
/// domain is left at x·C_S. The slowest link carries n-1 shards of D/n. Patarasuk & Yuan 2009
/// (doi 10.1016/j.jpdc.2008.09.002); NCCL's rings.
template <class Of>
TermsOf<Of> ring(Kind kind, const CollectiveGroup& group, Of& of) {
  const auto L = of.define("L", in_phases(kind, of.n - 1));
  auto t_F = of.D / of.n / of.C_F, t_S = of.D / of.n / (of.x_empty * of.C_S);
  if (group.hb > 1) t_F = of.define("t_F", t_F);
  if (group.net > 1) t_S = of.define("t_S", t_S);
  TermsOf<Of> terms{.launch = of.launch,
                    .hb_transfer = L * t_F,
                    .net_transfer = L * t_S,
                    .overlapped = true,
                    .source = "Patarasuk & Yuan 2009; NCCL's rings"};
  if (group.hb > 1 && group.net > 1) {
    const auto slowest = greater(t_F, t_S);
    const auto g_F = of.define("g_F", of.a_F + t_F - slowest);
    const auto g_S = of.define("g_S", of.a_S + t_S - slowest);
    of.add_longest(ring_walks(of, L, g_F, g_S), g_F, g_S, terms);
  } else {
    terms.hb_latency = L * of.a_F;
    terms.net_latency = L * of.a_S;
  }
  return terms;
}

/// The chain of a pipelined broadcast, on x rails: the data passes every link once.
template <class Of>
TermsOf<Of> ring_broadcast(const Of& of) {
  return {.launch = of.launch,
          .hb_latency = (of.n - of.y) * of.a_F,
          .net_latency = (of.y - 1) * of.a_S,
          .hb_transfer = of.D / of.C_F,
          .net_transfer = of.through_cards(),
          .overlapped = true,
          .source = "Patarasuk & Yuan 2009; NCCL's rings"};
}

/// Units that the busiest of several ranks in a double tree sends: see busiest_in_double_tree().
inline constexpr auto kBusiestSends = [](auto ranks) { return lesser(2.0, ranks / 2); };

inline constexpr std::string_view kDoubleTree =
    "Sanders, Speck & Träff 2009; NCCL's double binary tree";

/// Double binary tree between the domains of each rail, which share the data, D/x each; a chain
/// inside each domain, from another GPU for every rail, so that a GPU sends 2(x-1)/x of D up and
/// down the x chains. Sanders, Speck & Träff 2009 (doi 10.1016/j.parco.2009.09.001); NCCL's
/// src/graph/trees.cc, and its src/graph/tuning.cc for the latency.
template <class Of>
TermsOf<Of> tree_all_reduce(const Of& of) {
  return {.launch = of.launch,
          .hb_latency = 2 * (of.x_full - 1) * of.a_F,
          .net_latency = 2 * depth(of.y) * of.a_S,
          .hb_transfer = 2 * (of.x_full - 1) / of.x_full * of.D / of.C_F,
          .net_transfer = kBusiestSends(of.y) * of.D / (of.x_empty * of.C_S),
          .overlapped = true,
          .source = kDoubleTree};
}

/// The root feeds both trees, whose other GPUs pass half of the data to two children. Sanders,
/// Speck & Träff 2009.
template <class Of>
TermsOf<Of> tree_broadcast(const Of& of) {
  return {.launch = of.launch,
          .hb_latency = (of.x_full - 1) * of.a_F,
          .net_latency = depth(of.y) * of.a_S,
          .hb_transfer = of.D / of.C_F,
          .net_transfer = of.through_cards(),
          .overlapped = true,
          .source = kDoubleTree};
}

/// Rail-only paper (arXiv 2307.12169), Eq. 1: rails first, then the domains. Each phase a ring, of
/// which every step pays a latency; the paper charges one per phase.
template <class Of>
TermsOf<Of> hierarchical(Kind kind, const Of& of) {
  return {
      .launch = of.launch,
      .hb_latency = in_phases(kind, of.x_full - 1) * of.a_F,
      .net_latency = in_phases(kind, of.y - 1) * of.a_S,
      .hb_transfer = in_phases(kind, kInsideDomain(of.D, of.x_full, of.C_F)),
      .net_transfer = in_phases(kind, kAlongRails(of.D, of.x_empty, of.y_empty, of.C_S)),
      .source = kind == Kind::all_reduce ? "rail-only paper (arXiv 2307.12169), Eq. 1, twice"
                                         : "rail-only paper (arXiv 2307.12169), Eq. 1",
  };
}

/// The bytes of Eq. 1 in ⌈log2⌉ steps per phase: Bruck et al. 1997 (doi 10.1109/71.642949), for any
/// number of GPUs; NCCL's PAT.
template <class Of>
TermsOf<Of> recursive(Kind kind, const Of& of) {
  TermsOf<Of> terms = hierarchical(kind, of);
  terms.hb_latency = in_phases(kind, depth(of.x)) * of.a_F;
  terms.net_latency = in_phases(kind, depth(of.y)) * of.a_S;
  terms.source = "Bruck et al. 1997; NCCL's PAT; bytes of Eq. 1";
  return terms;
}

/// Switches add what passes them and copy what many want, while it streams through. NVLink SHARP:
/// in an all-reduce every GPU sends its D once and the sum of its share, D/x, once more: (x+1)/x;
/// all-gather and reduce-scatter pass D. SHARP: the rail's D/x once, whatever the collective. Where
/// switches of one kind do not reduce, the GPUs do, by recursive doubling or, between domains, the
/// double binary tree (NCCL's NVLSTree).
template <class Of>
TermsOf<Of> in_switch(Kind kind, const Of& of, InSwitchReduction can) {
  const bool reduces = kind == Kind::all_reduce;
  TermsOf<Of> terms = recursive(kind, of);
  terms.launch = typename Of::Time{0.0};
  terms.overlapped = true;
  terms.source = "NVLink SHARP (n+1)/n, SHARP 1: nccl-tests, doc/PERFORMANCE.md";
  if (can.network) {
    terms.net_latency = of.a_SS;
    terms.net_transfer = of.through_cards();
  } else if (reduces) {
    const TermsOf<Of> tree = tree_all_reduce(of);
    terms.net_latency = tree.net_latency;
    terms.net_transfer = tree.net_transfer;
    terms.source_between_domains = tree.source;
  }
  if (can.hb) {
    terms.hb_latency = of.a_FS;
    terms.hb_transfer = reduces ? (of.x_full + 1) / of.x_full * of.D / of.C_FS : of.D / of.C_FS;
  }
  return terms;
}

/// All messages are posted at once, to GPUs inside the domain and outside it: rail-only paper
/// (arXiv 2307.12169), Appendix D, Eq. 20. That their latencies pass together, one hop of each
/// kind, is an assumption of ours; NCCL sends the messages of a group side by side
/// (src/enqueue.cc).
template <class Of>
TermsOf<Of> direct_all_to_all(const Of& of) {
  return {.launch = of.launch,
          .hb_latency = of.a_F,
          .net_latency = of.a_S,
          .hb_transfer = kSentInside(of.D / of.n, of.x_full, of.C_F),
          .net_transfer = kSentBetween(of.D / of.n, of.x_empty, of.y_empty, of.C_S),
          .overlapped = true,
          .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 20"};
}

/// Rail-only paper, Appendix D, Eq. 21: forwarded inside the domain, then sent along the rail, the
/// messages of each phase side by side as above.
template <class Of>
TermsOf<Of> hierarchical_all_to_all(const Of& of) {
  return {.launch = of.launch,
          .hb_latency = of.a_F,
          .net_latency = of.a_S,
          .hb_transfer = kSentToRails(of.D / of.n, of.x_full, of.y_full, of.C_F),
          .net_transfer = kSentBetween(of.D / of.n, of.x_empty, of.y_empty, of.C_S),
          .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 21"};
}

/// Between two GPUs of one rail, in different domains where the group has several.
template <class Of>
TermsOf<Of> message(const CollectiveGroup& group, const Of& of) {
  TermsOf<Of> terms{.launch = of.launch, .source = "one message"};
  (group.net > 1 ? terms.net_latency : terms.hb_latency) = group.net > 1 ? of.a_S : of.a_F;
  (group.net > 1 ? terms.net_transfer : terms.hb_transfer) =
      of.D / (group.net > 1 ? of.C_S : of.C_F);
  return terms;
}

template <class Of>
TermsOf<Of> terms_by(Kind kind, CollectiveAlgorithm algorithm, const CollectiveGroup& group,
                     InSwitchReduction can, Of& of) {
  using Algorithm = CollectiveAlgorithm;
  switch (algorithm) {
    case Algorithm::direct:
      return kind == Kind::all_to_all ? direct_all_to_all(of) : message(group, of);
    case Algorithm::ring:
      return kind == Kind::broadcast ? ring_broadcast(of) : ring(kind, group, of);
    case Algorithm::tree:
      return kind == Kind::broadcast ? tree_broadcast(of) : tree_all_reduce(of);
    case Algorithm::hierarchical:
      return kind == Kind::all_to_all ? hierarchical_all_to_all(of) : hierarchical(kind, of);
    case Algorithm::recursive:
      return recursive(kind, of);
    case Algorithm::in_switch:
      return in_switch(kind, of, can);
    case Algorithm::hfreduce:  // of the CPUs
      break;
  }
  return {};
}

/// Domains that are tori: what goes to all chips or comes from them passes dimension after
/// dimension there, both ways round, on H hops, whatever the algorithm, and a message to the
/// farthest chip as many; a neighbour has its own link. No ring leads through several domains: a
/// collective is made inside each, by rings along the dimensions, and along the rails between them
/// (Chan et al. 2007, doi 10.1002/cpe.1206, §7.2; jax-ml/scaling-book, sharding.md: Σ|X_i|/2 hops).
template <class Of>
TermsOf<Of> on_torus(Kind kind, CollectiveAlgorithm algorithm, const CollectiveGroup& group,
                     InSwitchReduction can, Of& of) {
  using Algorithm = CollectiveAlgorithm;
  const bool rings = algorithm == Algorithm::ring && kind != Kind::broadcast;
  TermsOf<Of> terms = rings ? hierarchical(kind, of) : terms_by(kind, algorithm, group, can, of);
  if (rings) terms.source = "rings along each dimension: Chan et al. 2007, §7.2";
  const bool switched = algorithm == Algorithm::in_switch && can.hb;
  if (kind == Kind::point_to_point || switched) return terms;
  terms.hb_latency = in_phases(kind, of.H) * of.a_F;
  terms.source_of_hops = "jax-ml/scaling-book, sharding.md";
  return terms;
}

/// Without times of links that the group does not have. Of hfreduce nothing.
template <class Of>
TermsOf<Of> terms_of(Kind kind, CollectiveAlgorithm algorithm, const CollectiveGroup& group,
                     InSwitchReduction can, Of& of) {
  using Time = typename Of::Time;
  TermsOf<Of> terms = group.hops ? on_torus(kind, algorithm, group, can, of)
                                 : terms_by(kind, algorithm, group, can, of);
  if (group.hb <= 1) terms.hb_latency = terms.hb_transfer = Time{0.0};
  if (group.net <= 1) terms.net_latency = terms.net_transfer = Time{0.0};
  return terms;
}

}  // namespace planner::perf::algorithms
