#include "planner/perf/collective_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/collectives.hpp"
#include "planner/perf/double_tree.hpp"

namespace planner {

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

/// Steps in which recursive doubling reaches n ranks.
double doublings(double n) {
  return std::ceil(std::log2(n));
}

/// Times that would be charged for links that the group does not have.
CollectiveTime without_absent_links(CollectiveTime time, const CollectiveGroup& group) {
  if (group.hb <= 1) time.hb_latency = time.hb_transfer = Seconds{};
  if (group.net <= 1) time.net_latency = time.net_transfer = Seconds{};
  return time;
}

/// A ring through all GPUs, domain by domain, that leaves each domain at the GPU of one rail; x
/// such rings, each over another rail and with 1/x of the data, so that a domain is left at x·C_S.
/// A shard travels n-1 hops, y of them between domains (n-1 where x = 1), and the slowest link
/// carries n-1 shards of D/n. Where both kinds of link take part, the sum is an upper bound: faster
/// links wait for the slowest one anyway, and some hops pass in that time. Patarasuk & Yuan 2009
/// (doi 10.1016/j.jpdc.2008.09.002); NCCL's rings.
CollectiveTime ring(Kind kind, Bytes D, const CollectiveGroup& group,
                    const CollectiveLinks& links) {
  const double x = group.hb, y = group.net, n = group.ranks();
  const double net_hops = y > 1 ? std::min(y, n - 1) : 0;
  const Bytes carried = (n - 1) / n * D;
  return {.launch = links.launch,
          .hb_latency = phases(kind) * (n - 1 - net_hops) * links.hb_hop,
          .net_latency = phases(kind) * net_hops * links.net_hop,
          .hb_transfer = phases(kind) * carried / links.hb,
          .net_transfer = phases(kind) * carried / (x * links.net),
          .overlapped = true};
}

/// The chain of a pipelined broadcast, on x rails: the data passes every link once.
CollectiveTime ring_broadcast(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = y * (x - 1) * links.hb_hop,
          .net_latency = (y - 1) * links.net_hop,
          .hb_transfer = D / links.hb,
          .net_transfer = D / (x * links.net),
          .overlapped = true};
}

/// Double binary tree between the domains of each rail, which share the data, D/x each; a chain
/// inside each domain, from another GPU for every rail, so that a GPU sends 2(x-1)/x of D up and
/// down the x chains. Sanders, Speck & Träff 2009 (doi 10.1016/j.parco.2009.09.001); NCCL's
/// src/graph/trees.cc, and its src/graph/tuning.cc for the latency.
CollectiveTime tree_all_reduce(Bytes D, const CollectiveGroup& group,
                               const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = 2 * (x - 1) * links.hb_hop,
          .net_latency = 2 * real(tree_depth(y)) * links.net_hop,
          .hb_transfer = 2 * (x - 1) / x * D / links.hb,
          .net_transfer = busiest_in_double_tree(y).sent * D / (x * links.net),
          .overlapped = true};
}

/// The root feeds both trees, whose other GPUs pass half of the data to two children. Sanders,
/// Speck & Träff 2009.
CollectiveTime tree_broadcast(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = (x - 1) * links.hb_hop,
          .net_latency = real(tree_depth(y)) * links.net_hop,
          .hb_transfer = D / links.hb,
          .net_transfer = D / (x * links.net),
          .overlapped = true};
}

/// Rail-only paper (arXiv 2307.12169), Eq. 1: rails first, then the domains. Each phase a ring, of
/// which every step pays a latency; the paper charges one per phase.
CollectiveTime hierarchical(Kind kind, Bytes D, const CollectiveGroup& group,
                            const CollectiveLinks& links) {
  const auto [along_rails, inside_domain] =
      all_gather_phases(D, group.hb, group.net, links.hb, links.net);
  return {.launch = links.launch,
          .hb_latency = phases(kind) * (group.hb - 1) * links.hb_hop,
          .net_latency = phases(kind) * (group.net - 1) * links.net_hop,
          .hb_transfer = phases(kind) * inside_domain,
          .net_transfer = phases(kind) * along_rails};
}

/// The bytes of Eq. 1 in ⌈log2⌉ steps per phase: Bruck et al. 1997 (doi 10.1109/71.642949), for any
/// number of GPUs; NCCL's PAT.
CollectiveTime recursive(Kind kind, Bytes D, const CollectiveGroup& group,
                         const CollectiveLinks& links) {
  CollectiveTime time = hierarchical(kind, D, group, links);
  time.hb_latency = phases(kind) * doublings(group.hb) * links.hb_hop;
  time.net_latency = phases(kind) * doublings(group.net) * links.net_hop;
  return time;
}

/// Whether the group has links whose switches reduce.
bool reaches_switch(const CollectiveGroup& group, InSwitchReduction can) {
  return (can.hb && group.hb > 1) || (can.network && group.net > 1);
}

/// Switches add what passes them and copy what many want, while it streams through. NVLink SHARP:
/// in an all-reduce every GPU sends its D once and the sum of its share, D/x, once more: (x+1)/x;
/// all-gather and reduce-scatter pass D. SHARP: the rail's D/x once, whatever the collective. Where
/// switches of one kind do not reduce, the GPUs do, by recursive doubling or, between domains, the
/// double binary tree (NCCL's NVLSTree).
CollectiveTime in_switch(Kind kind, Bytes D, const CollectiveGroup& group,
                         const CollectiveLinks& links, InSwitchReduction can) {
  const double x = group.hb;
  const bool reduces = kind == Kind::all_reduce;
  CollectiveTime time = recursive(kind, D, group, links);
  time.launch = Seconds{};
  time.overlapped = true;
  if (can.network) {
    time.net_latency = links.net_in_switch_latency;
    time.net_transfer = D / (x * links.net);
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
  const auto [inside, between] =
      full_bisection_phases(D / group.ranks(), group.hb, group.net, links.hb, links.net);
  return {.launch = links.launch,
          .hb_latency = links.hb_hop,
          .net_latency = links.net_hop,
          .hb_transfer = inside,
          .net_transfer = between,
          .overlapped = true};
}

/// Rail-only paper, Appendix D, Eq. 21: forwarded inside the domain, then sent along the rail, the
/// messages of each phase side by side as above.
CollectiveTime hierarchical_all_to_all(Bytes D, const CollectiveGroup& group,
                                       const CollectiveLinks& links) {
  const auto [inside, between] =
      rail_only_phases(D / group.ranks(), group.hb, group.net, links.hb, links.net);
  return {.launch = links.launch,
          .hb_latency = links.hb_hop,
          .net_latency = links.net_hop,
          .hb_transfer = inside,
          .net_transfer = between};
}

/// Between two GPUs as far apart as those of the group.
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

Seconds CollectiveTime::transfer() const {
  return overlapped ? std::max(hb_transfer, net_transfer) : hb_transfer + net_transfer;
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
  const auto domains = static_cast<std::size_t>(std::clamp(std::ceil(group.net), 1.0, 3.0));
  const BytesPerSecond most = method.most[std::min(domains, method.most.size()) - 1];
  links.hb = std::min(links.hb, most);
  links.net = std::min(links.net, most / group.hb);
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

}  // namespace planner
