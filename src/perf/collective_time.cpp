#include "planner/perf/collective_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/perf/collectives.hpp"

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

/// Steps in which recursive doubling reaches n ranks, and levels of a binary tree of n.
double levels(double n) {
  return std::ceil(std::log2(n));
}

Links plain(const CollectiveLinks& links) {
  return {.hb = links.hb, .net = links.net};
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
/// carries n-1 shards of D/n. Patarasso & Yuan 2009 (doi 10.1016/j.jpdc.2008.09.002); NCCL's rings.
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

/// Double binary tree between the domains of each rail, of which each tree reduces and broadcasts
/// half of the rail's D/x; a chain inside each domain, whose inner GPUs send D up and D down. A GPU
/// that is a leaf in one tree and has two children in the other sends 2·D/x; with 3 domains nobody
/// has two, with 2 nobody is in the middle: 1.5 and 1. Sanders, Speck & Träff 2009
/// (doi 10.1016/j.parco.2009.09.001); NCCL's src/graph/trees.cc, and its src/graph/tuning.cc for
/// the latency.
CollectiveTime tree_all_reduce(Bytes D, const CollectiveGroup& group,
                               const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = 2 * (x - 1) * links.hb_hop,
          .net_latency = 2 * levels(y) * links.net_tree_hop,
          .hb_transfer = std::min(2.0, x - 1) * D / links.hb,
          .net_transfer = std::min(2.0, y / 2) * D / (x * links.net),
          .overlapped = true};
}

/// The root feeds both trees, whose other GPUs pass half of the data to two children. Sanders,
/// Speck & Träff 2009.
CollectiveTime tree_broadcast(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  return {.launch = links.launch,
          .hb_latency = (x - 1) * links.hb_hop,
          .net_latency = levels(y) * links.net_tree_hop,
          .hb_transfer = D / links.hb,
          .net_transfer = D / (x * links.net),
          .overlapped = true};
}

/// Rail-only paper (arXiv 2307.12169), Eq. 1: rails first, then the domains. Each phase a ring, of
/// which every step pays a latency; the paper charges one per phase.
CollectiveTime hierarchical(Kind kind, Bytes D, const CollectiveGroup& group,
                            const CollectiveLinks& links) {
  const auto [along_rails, inside_domain] = all_gather_phases(D, group.hb, group.net, plain(links));
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
  time.hb_latency = phases(kind) * levels(group.hb) * links.hb_hop;
  time.net_latency = phases(kind) * levels(group.net) * links.net_hop;
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
  if (reduces && !can.network) {
    time.net_latency = tree_all_reduce(D, group, links).net_latency;
    time.net_transfer = tree_all_reduce(D, group, links).net_transfer;
  }
  if (can.hb) {
    time.hb_latency = links.hb_in_switch_latency;
    time.hb_transfer = (reduces ? (x + 1) / x : 1) * D / links.hb_in_switch;
  }
  if (can.network) {
    time.net_latency = links.net_in_switch_latency;
    time.net_transfer = D / (x * links.net);
  }
  return time;
}

/// Every GPU exchanges with one other at a time, inside its domain and outside it at once: Eq. 20.
CollectiveTime direct_all_to_all(Bytes D, const CollectiveGroup& group,
                                 const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  const Bytes shard = D / group.ranks();
  return {.launch = links.launch,
          .hb_latency = (x - 1) * links.hb_hop,
          .net_latency = x * (y - 1) * links.net_hop,
          .hb_transfer = (x - 1) * shard / links.hb,
          .net_transfer = x * (y - 1) * shard / links.net,
          .overlapped = true};
}

/// Rail-only paper, Appendix D, Eq. 21: what is meant for another rail is first forwarded inside
/// the domain, y shards at a time, and then sent along the rail, x shards at a time.
CollectiveTime hierarchical_all_to_all(Bytes D, const CollectiveGroup& group,
                                       const CollectiveLinks& links) {
  const double x = group.hb, y = group.net;
  const Bytes shard = D / group.ranks();
  return {.launch = links.launch,
          .hb_latency = (x - 1) * links.hb_hop,
          .net_latency = (y - 1) * links.net_hop,
          .hb_transfer = y * (x - 1) * shard / links.hb,
          .net_transfer = x * (y - 1) * shard / links.net};
}

/// Between two GPUs as far apart as those of the group.
CollectiveTime message(Bytes D, const CollectiveGroup& group, const CollectiveLinks& links) {
  if (group.net > 1) {
    return {.launch = links.launch, .net_latency = links.net_hop, .net_transfer = D / links.net};
  }
  return {.launch = links.launch, .hb_latency = links.hb_hop, .hb_transfer = D / links.hb};
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  constexpr std::array<std::string_view, 6> kNames{
      "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast", "point-to-point"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(CollectiveAlgorithm algorithm) {
  constexpr std::array<std::string_view, 6> kNames{"direct",       "ring",      "tree",
                                                   "hierarchical", "recursive", "in-switch"};
  return kNames.at(static_cast<std::size_t>(algorithm));
}

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

CollectiveLinks links_of(const CollectiveLibrary& library, const CollectiveProtocol& protocol,
                         BytesPerSecond hb, BytesPerSecond net) {
  return {.hb = protocol.bandwidth_share * library.hb_efficiency * hb,
          .net = protocol.bandwidth_share * library.network_efficiency * net,
          .hb_in_switch = protocol.bandwidth_share * library.hb_in_switch_efficiency * hb,
          .launch = protocol.launch,
          .hb_hop = protocol.hb_hop,
          .net_hop = protocol.net_hop,
          .net_tree_hop = protocol.net_tree_hop,
          .hb_in_switch_latency = library.hb_in_switch,
          .net_in_switch_latency = library.network_in_switch};
}

std::vector<CollectiveOption> collective_options(CollectiveKind kind, Bytes size,
                                                 const CollectiveGroup& group,
                                                 const CollectiveLibrary& library,
                                                 BytesPerSecond hb, BytesPerSecond net,
                                                 InSwitchReduction can) {
  std::vector<CollectiveOption> options;
  for (const Algorithm algorithm : algorithms_of(kind)) {
    std::optional<CollectiveOption> best;
    for (const CollectiveProtocol& protocol : library.protocols) {
      const CollectiveLinks links = links_of(library, protocol, hb, net);
      const auto time = collective_time(kind, algorithm, size, group, links, can);
      if (!time) break;
      if (best && best->time.total() <= time->total()) continue;
      best = CollectiveOption{.algorithm = algorithm, .protocol = protocol.name, .time = *time};
    }
    if (best) options.push_back(*std::move(best));
  }
  std::stable_sort(options.begin(), options.end(),
                   [](const CollectiveOption& a, const CollectiveOption& b) {
                     return a.time.total() < b.time.total();
                   });
  return options;
}

}  // namespace planner
