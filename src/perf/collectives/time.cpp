#include "planner/perf/collectives/time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/double_tree.hpp"

namespace planner::inline perf {

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr std::array kGathering{Algorithm::ring, Algorithm::hierarchical, Algorithm::recursive,
                                Algorithm::in_switch};
constexpr std::array kReducing{Algorithm::ring, Algorithm::tree, Algorithm::hierarchical,
                               Algorithm::recursive, Algorithm::in_switch};
constexpr std::array kAllToAll{Algorithm::direct, Algorithm::hierarchical};
constexpr std::array kBroadcast{Algorithm::ring, Algorithm::tree};
constexpr std::array kPointToPoint{Algorithm::direct};

/// An all-reduce is a reduce-scatter and an all-gather.
double phases(Kind kind) {
  return kind == Kind::all_reduce ? 2 : 1;
}

/// Times that would be charged for links that the group does not have.
CollectiveTime without_absent_links(CollectiveTime time, const CollectiveGroup& group) {
  if (group.hb <= 1) time.hb_latency = time.hb_transfer = Seconds{};
  if (group.net <= 1) time.net_latency = time.net_transfer = Seconds{};
  return time;
}

/// What a ring's hops add to the L shards that its slowest link carries, one after the other. The
/// last shard to arrive has waited, at every step, for the link that it was on or for the one
/// before: the time is the longest walk of L steps along the ring that stays on a link (t_F or t_S)
/// or advances (t + a). Against staying on the slowest link, an advance gains g_F or g_S; a link
/// between domains comes every x hops (on average, where domains are not equally full), so the
/// longest walk is one of those below.
void add_ring_hops(double L, double x, Seconds g_F, Seconds g_S, CollectiveTime& time) {
  struct Walk {
    double net_hops, hb_hops;
  };
  const double most = std::ceil(L / x), fewest = std::floor(L / x), turns = std::floor((L + 1) / x);
  const std::array walks{Walk{1, 0},
                         Walk{0, x - 1},
                         Walk{most, L - most},
                         Walk{fewest, L - fewest},
                         Walk{most, (most - 1) * (x - 1)},
                         Walk{turns - 1, turns * (x - 1)}};
  const auto gain = [&](const Walk& walk) { return walk.net_hops * g_S + walk.hb_hops * g_F; };
  const Walk& longest = *std::max_element(
      walks.begin(), walks.end(), [&](const auto& a, const auto& b) { return gain(a) < gain(b); });
  // Hops of the faster links may fill time that the slowest one needs anyway.
  (g_F < Seconds{} ? time.net_latency : time.hb_latency) += longest.hb_hops * g_F;
  (g_S < Seconds{} ? time.hb_latency : time.net_latency) += longest.net_hops * g_S;
}

/// A ring through all GPUs, domain by domain, that leaves each domain at the GPU of one rail; as
/// many such rings as the emptiest domain has rails, each with its share of the data, so that a
/// domain is left at x·C_S. The slowest link carries n-1 shards of D/n. Patarasuk & Yuan 2009
/// (doi 10.1016/j.jpdc.2008.09.002); NCCL's rings.
CollectiveTime ring(Kind kind, Bytes D, const CollectiveGroup& group,
                    const CollectiveLinks& links) {
  const double n = group.ranks(), L = phases(kind) * (n - 1);
  const Seconds t_F = D / n / links.hb, t_S = D / n / (group.emptiest().hb * links.net);
  CollectiveTime time{
      .launch = links.launch, .hb_transfer = L * t_F, .net_transfer = L * t_S, .overlapped = true};
  if (group.hb > 1 && group.net > 1) {
    const Seconds t = std::max(t_F, t_S);
    add_ring_hops(L, group.hb, links.hb_hop + t_F - t, links.net_hop + t_S - t, time);
  } else {
    time.hb_latency = L * links.hb_hop;
    time.net_latency = L * links.net_hop;
  }
  return time;
}

/// The chain of a pipelined broadcast, on x rails: the data passes every link once.
CollectiveTime ring_broadcast(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  const double y = group.net;
  return {.launch = links.launch,
          .hb_latency = (group.ranks() - y) * links.hb_hop,
          .net_latency = (y - 1) * links.net_hop,
          .hb_transfer = D / links.hb,
          .net_transfer = D / (group.emptiest().hb * links.net),
          .overlapped = true};
}

/// Double binary tree between the domains of each rail, which share the data, D/x each; a chain
/// inside each domain, from another GPU for every rail, so that a GPU sends 2(x-1)/x of D up and
/// down the x chains. Sanders, Speck & Träff 2009 (doi 10.1016/j.parco.2009.09.001); NCCL's
/// src/graph/trees.cc, and its src/graph/tuning.cc for the latency.
CollectiveTime tree_all_reduce(Bytes D, const CollectiveGroup& group,
                               const CollectiveLinks& links) {
  const double x = group.fullest().hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = 2 * (x - 1) * links.hb_hop,
          .net_latency = 2 * real(tree_depth(y)) * links.net_hop,
          .hb_transfer = 2 * (x - 1) / x * D / links.hb,
          .net_transfer = busiest_in_double_tree(y).sent * D / (group.emptiest().hb * links.net),
          .overlapped = true};
}

/// The root feeds both trees, whose other GPUs pass half of the data to two children. Sanders,
/// Speck & Träff 2009.
CollectiveTime tree_broadcast(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  return {.launch = links.launch,
          .hb_latency = (group.fullest().hb - 1) * links.hb_hop,
          .net_latency = real(tree_depth(group.net)) * links.net_hop,
          .hb_transfer = D / links.hb,
          .net_transfer = D / (group.emptiest().hb * links.net),
          .overlapped = true};
}

/// Rail-only paper (arXiv 2307.12169), Eq. 1: rails first, then the domains. Each phase a ring, of
/// which every step pays a latency; the paper charges one per phase.
CollectiveTime hierarchical(Kind kind, Bytes D, const CollectiveGroup& group,
                            const CollectiveLinks& links) {
  const CollectiveGroup full = group.fullest(), empty = group.emptiest();
  const auto phases_of = [&](const CollectiveGroup& seen) {
    return all_gather_phases(D, seen.hb, seen.net, links.hb, links.net);
  };
  return {.launch = links.launch,
          .hb_latency = phases(kind) * (full.hb - 1) * links.hb_hop,
          .net_latency = phases(kind) * (group.net - 1) * links.net_hop,
          .hb_transfer = phases(kind) * phases_of(full).inside_domain,
          .net_transfer = phases(kind) * phases_of(empty).along_rails};
}

/// The bytes of Eq. 1 in ⌈log2⌉ steps per phase: Bruck et al. 1997 (doi 10.1109/71.642949), for any
/// number of GPUs; NCCL's PAT.
CollectiveTime recursive(Kind kind, Bytes D, const CollectiveGroup& group,
                         const CollectiveLinks& links) {
  CollectiveTime time = hierarchical(kind, D, group, links);
  time.hb_latency = phases(kind) * real(tree_depth(group.hb)) * links.hb_hop;
  time.net_latency = phases(kind) * real(tree_depth(group.net)) * links.net_hop;
  return time;
}

/// Switches add what passes them and copy what many want, while it streams through. NVLink SHARP:
/// in an all-reduce every GPU sends its D once and the sum of its share, D/x, once more: (x+1)/x;
/// all-gather and reduce-scatter pass D. SHARP: the rail's D/x once, whatever the collective. Where
/// switches of one kind do not reduce, the GPUs do, by recursive doubling or, between domains, the
/// double binary tree (NCCL's NVLSTree).
CollectiveTime in_switch(Kind kind, Bytes D, const CollectiveGroup& group,
                         const CollectiveLinks& links, InSwitchReduction can) {
  const double x = group.fullest().hb;
  const bool reduces = kind == Kind::all_reduce;
  CollectiveTime time = recursive(kind, D, group, links);
  time.launch = Seconds{};
  time.overlapped = true;
  if (can.network) {
    time.net_latency = links.net_in_switch_latency;
    time.net_transfer = D / (group.emptiest().hb * links.net);
  } else if (reduces) {
    const CollectiveTime tree = tree_all_reduce(D, group, links);
    time.net_latency = tree.net_latency;
    time.net_transfer = tree.net_transfer;
  }
  if (can.hb) {
    time.hb_latency = links.hb_in_switch_latency;
    time.hb_transfer = (reduces ? (x + 1) / x : 1) * D / links.hb_in_switch;
  }
  return time;
}

/// All messages are posted at once, to GPUs inside the domain and outside it: rail-only paper
/// (arXiv 2307.12169), Appendix D, Eq. 20. That their latencies pass together, one hop of each
/// kind, is an assumption of ours; NCCL sends the messages of a group side by side
/// (src/enqueue.cc).
CollectiveTime direct_all_to_all(Bytes D, const CollectiveGroup& group,
                                 const CollectiveLinks& links) {
  const auto phases_of = [&](const CollectiveGroup& seen) {
    return full_bisection_phases(D / group.ranks(), seen.hb, seen.net, links.hb, links.net);
  };
  return {.launch = links.launch,
          .hb_latency = links.hb_hop,
          .net_latency = links.net_hop,
          .hb_transfer = phases_of(group.fullest()).inside_domain,
          .net_transfer = phases_of(group.emptiest()).between_domains,
          .overlapped = true};
}

/// Rail-only paper, Appendix D, Eq. 21: forwarded inside the domain, then sent along the rail, the
/// messages of each phase side by side as above.
CollectiveTime hierarchical_all_to_all(Bytes D, const CollectiveGroup& group,
                                       const CollectiveLinks& links) {
  const auto phases_of = [&](const CollectiveGroup& seen) {
    return rail_only_phases(D / group.ranks(), seen.hb, seen.net, links.hb, links.net);
  };
  return {.launch = links.launch,
          .hb_latency = links.hb_hop,
          .net_latency = links.net_hop,
          .hb_transfer = phases_of(group.fullest()).inside_domain,
          .net_transfer = phases_of(group.emptiest()).between_domains};
}

/// Between two GPUs of one rail, in different domains where the group has several.
CollectiveTime message(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  if (group.net > 1) {
    return {.launch = links.launch, .net_latency = links.net_hop, .net_transfer = D / links.net};
  }
  return {.launch = links.launch, .hb_latency = links.hb_hop, .hb_transfer = D / links.hb};
}

bool does(const CollectiveMethod& method, Kind kind, Algorithm algorithm,
          const CollectiveGroup& group) {
  return method.algorithm == algorithm && (!method.one_gpu_per_domain || group.hb <= 1) &&
         std::find(method.kinds.begin(), method.kinds.end(), kind) != method.kinds.end();
}

}  // namespace

bool reaches_switch(const CollectiveGroup& group, InSwitchReduction can) {
  return (can.hb && group.hb > 1) || (can.network && group.net > 1);
}

CollectiveGroup CollectiveGroup::fullest() const {
  const double x = std::ceil(hb);
  return {.hb = x, .net = hb == x ? net : ranks() / x};
}

CollectiveGroup CollectiveGroup::emptiest() const {
  const double x = std::floor(hb);
  return {.hb = x, .net = hb == x ? net : ranks() / x};
}

CollectiveGroup group_over(std::int64_t gpus, std::int64_t hb_domain) {
  const double domains = std::ceil(real(gpus) / real(hb_domain));
  return {.hb = real(gpus) / domains, .net = domains};
}

Seconds CollectiveTime::transfer() const {
  return pipeline_transfer +
         (overlapped ? std::max(hb_transfer, net_transfer) : hb_transfer + net_transfer);
}

std::span<const CollectiveAlgorithm> algorithms_of(CollectiveKind kind) {
  switch (kind) {
    case Kind::all_gather:
    case Kind::reduce_scatter:
      return kGathering;
    case Kind::all_reduce:
      return kReducing;
    case Kind::all_to_all:
      return kAllToAll;
    case Kind::broadcast:
      return kBroadcast;
    case Kind::point_to_point:
      return kPointToPoint;
  }
  return {};
}

std::optional<CollectiveTime> collective_time(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                              Bytes size, const CollectiveGroup& group,
                                              const CollectiveLinks& links, InSwitchReduction can) {
  const auto known = algorithms_of(kind);
  if (std::find(known.begin(), known.end(), algorithm) == known.end()) return std::nullopt;
  if (group.ranks() <= 1) return CollectiveTime{};
  if (algorithm == Algorithm::in_switch && !reaches_switch(group, can)) return std::nullopt;
  const auto time = [&] {
    switch (algorithm) {
      case Algorithm::direct:
        return kind == Kind::all_to_all ? direct_all_to_all(size, group, links)
                                        : message(size, group, links);
      case Algorithm::ring:
        return kind == Kind::broadcast ? ring_broadcast(size, group, links)
                                       : ring(kind, size, group, links);
      case Algorithm::tree:
        return kind == Kind::broadcast ? tree_broadcast(size, group, links)
                                       : tree_all_reduce(size, group, links);
      case Algorithm::hierarchical:
        return kind == Kind::all_to_all ? hierarchical_all_to_all(size, group, links)
                                        : hierarchical(kind, size, group, links);
      case Algorithm::recursive:
        return recursive(kind, size, group, links);
      case Algorithm::in_switch:
        return in_switch(kind, size, group, links, can);
      case Algorithm::hfreduce:
        break;
    }
    return CollectiveTime{};
  };
  return without_absent_links(time(), group);
}

BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time) {
  return size / time;
}

BytesPerSecond bus_bandwidth(CollectiveKind kind, Bytes size, double ranks, Seconds time) {
  const bool spread = kind != Kind::broadcast && kind != Kind::point_to_point;
  const double factor = spread ? phases(kind) * (ranks - 1) / ranks : 1;
  return factor * algorithm_bandwidth(size, time);
}

CollectiveLinks links_of(const CollectiveLibrary& library, const CollectiveMethod& method,
                         BytesPerSecond hb, BytesPerSecond net, const CollectiveGroup& group) {
  CollectiveLinks links{
      .hb = method.bandwidth_share * library.hb_efficiency * hb,
      .net = method.bandwidth_share * library.network_efficiency * net,
      .hb_in_switch = method.bandwidth_share * library.hb_in_switch_efficiency * hb,
      .launch = method.launch,
      .hb_hop = method.hb_hop,
      .net_hop = method.net_hop,
      .hb_in_switch_latency = library.hb_in_switch,
      .net_in_switch_latency = library.network_in_switch};
  if (method.most.empty()) return links;
  const double kinds_of_limit =
      real(std::ssize(method.most));  // the last one for all larger groups
  const double domains = std::clamp(std::ceil(group.net), 1.0, kinds_of_limit);
  const BytesPerSecond most = method.most[static_cast<std::size_t>(domains) - 1];
  links.hb = std::min(links.hb, most);
  links.net = std::min(links.net, most / group.emptiest().hb);
  return links;
}

std::optional<TimedAlgorithm> timed_algorithm(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                              Bytes size, const CollectiveGroup& group,
                                              const CollectiveLibrary& library, BytesPerSecond hb,
                                              BytesPerSecond net, InSwitchReduction can) {
  const auto& methods = library.methods;
  const bool of_library = std::any_of(methods.begin(), methods.end(), [&](const auto& method) {
    return does(method, kind, algorithm, group);
  });
  std::optional<TimedAlgorithm> best;
  for (const CollectiveMethod& method : methods) {
    const bool fits =
        of_library ? does(method, kind, algorithm, group) : method.algorithm == Algorithm::ring;
    if (!fits) continue;
    const CollectiveLinks links = links_of(library, method, hb, net, group);
    const auto time = collective_time(kind, algorithm, size, group, links, can);
    if (!time) return std::nullopt;
    if (best && best->time.total() <= time->total()) continue;
    best = TimedAlgorithm{.method = method, .of_library = of_library, .time = *time};
    best->method.algorithm = algorithm;
  }
  return best;
}

std::vector<TimedAlgorithm> timed_algorithms(CollectiveKind kind, Bytes size,
                                             const CollectiveGroup& group,
                                             const CollectiveLibrary& library, BytesPerSecond hb,
                                             BytesPerSecond net, InSwitchReduction can) {
  std::vector<TimedAlgorithm> algorithms;
  for (const Algorithm algorithm : algorithms_of(kind)) {
    auto timed = timed_algorithm(kind, algorithm, size, group, library, hb, net, can);
    if (timed && timed->of_library) algorithms.push_back(*std::move(timed));
  }
  std::stable_sort(algorithms.begin(), algorithms.end(),
                   [](const TimedAlgorithm& a, const TimedAlgorithm& b) {
                     return a.time.total() < b.time.total();
                   });
  return algorithms;
}

}  // namespace planner::perf
