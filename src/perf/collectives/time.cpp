#include "planner/perf/collectives/time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/collectives/algorithms.hpp"

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

/// The numbers and quantities themselves.
struct Values : algorithms::Inputs<double, Bytes, BytesPerSecond, Seconds> {
  template <class Value>
  Value define(std::string_view /*symbol*/, Value value) {
    return value;
  }
  void add_longest(const std::array<algorithms::Walk<Seconds>, 6>& walks, Seconds g_F, Seconds g_S,
                   algorithms::Terms<Seconds>& terms) {
    const auto& longest =
        *std::max_element(walks.begin(), walks.end(),
                          [](const auto& a, const auto& b) { return a.net + a.hb < b.net + b.hb; });
    // Hops of the faster links may fill time that the slowest one needs anyway.
    (g_F < Seconds{} ? terms.net_latency : terms.hb_latency) += longest.hb;
    (g_S < Seconds{} ? terms.hb_latency : terms.net_latency) += longest.net;
  }
};

Values values_of(Bytes size, const CollectiveGroup& group, const CollectiveLinks& links) {
  const CollectiveGroup full = group.fullest(), empty = group.emptiest();
  return {{.D = size,
           .n = group.ranks(),
           .x = group.hb,
           .y = group.net,
           .x_full = full.hb,
           .y_full = full.net,
           .x_empty = empty.hb,
           .y_empty = empty.net,
           .H = group.hops.value_or(1),
           .C_F = links.hb,
           .C_S = links.net,
           .C_FS = links.hb_in_switch,
           .launch = links.launch,
           .a_F = links.hb_hop,
           .a_S = links.net_hop,
           .a_FS = links.hb_in_switch_latency,
           .a_SS = links.net_in_switch_latency}};
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
  return {.hb = x, .net = hb == x ? net : ranks() / x, .hops = hops};
}

CollectiveGroup CollectiveGroup::emptiest() const {
  const double x = std::floor(hb);
  return {.hb = x, .net = hb == x ? net : ranks() / x, .hops = hops};
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
  Values of = values_of(size, group, links);
  const algorithms::Terms<Seconds> terms = algorithms::terms_of(kind, algorithm, group, can, of);
  return CollectiveTime{.launch = terms.launch,
                        .hb_latency = terms.hb_latency,
                        .net_latency = terms.net_latency,
                        .hb_transfer = terms.hb_transfer,
                        .net_transfer = terms.net_transfer,
                        .overlapped = terms.overlapped};
}

BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time) {
  return size / time;
}

BytesPerSecond bus_bandwidth(CollectiveKind kind, Bytes size, double ranks, Seconds time) {
  const bool spread = kind != Kind::broadcast && kind != Kind::point_to_point;
  const double factor = spread ? algorithms::in_phases(kind, ranks - 1) / ranks : 1;
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
