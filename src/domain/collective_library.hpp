#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

enum class CollectiveKind {
  all_gather,
  reduce_scatter,
  all_reduce,
  all_to_all,
  broadcast,
  point_to_point,
};

enum class CollectiveAlgorithm {
  direct,        ///< every GPU to every other one, no forwarding
  ring,          ///< one ring through all GPUs, and as many as a domain has rails
  tree,          ///< double binary tree between the domains, a chain inside each
  hierarchical,  ///< a ring along each rail, then one in each domain, one phase after the other
  recursive,     ///< phases as of `hierarchical`, by recursive doubling: few steps
  in_switch,     ///< switches add and copy
  hfreduce,      ///< the CPUs of the nodes add (hfreduce.hpp): no library of the GPUs
};

inline constexpr std::array kCollectiveKinds{
    CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_reduce,
    CollectiveKind::all_to_all, CollectiveKind::broadcast,      CollectiveKind::point_to_point};
/// Algorithms that a library of the GPUs may have.
inline constexpr std::array kLibraryAlgorithms{
    CollectiveAlgorithm::direct,    CollectiveAlgorithm::ring,
    CollectiveAlgorithm::tree,      CollectiveAlgorithm::hierarchical,
    CollectiveAlgorithm::recursive, CollectiveAlgorithm::in_switch};

/// As on the command line and in files: "all-gather".
constexpr std::string_view name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_gather:
      return "all-gather";
    case CollectiveKind::reduce_scatter:
      return "reduce-scatter";
    case CollectiveKind::all_reduce:
      return "all-reduce";
    case CollectiveKind::all_to_all:
      return "all-to-all";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::point_to_point:
      return "point-to-point";
  }
  return "";
}

/// As in files and answers: "in-switch".
constexpr std::string_view name_of(CollectiveAlgorithm algorithm) {
  switch (algorithm) {
    case CollectiveAlgorithm::direct:
      return "direct";
    case CollectiveAlgorithm::ring:
      return "ring";
    case CollectiveAlgorithm::tree:
      return "tree";
    case CollectiveAlgorithm::hierarchical:
      return "hierarchical";
    case CollectiveAlgorithm::recursive:
      return "recursive";
    case CollectiveAlgorithm::in_switch:
      return "in-switch";
    case CollectiveAlgorithm::hfreduce:
      return "hfreduce";
  }
  return "";
}

/// An algorithm of a library over one of its protocols.
struct CollectiveMethod {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  std::string protocol;               ///< "LL", "Simple": little latency or full bandwidth
  std::vector<CollectiveKind> kinds;  ///< that it does
  bool one_gpu_per_domain = false;    ///< done only where no two GPUs share an HB domain
  double bandwidth_share = 1;         ///< payload over bytes on the wire, and losses of its own
  /// Bus bandwidth that it does not exceed in one, two and more HB domains; none: no such limit.
  std::vector<BytesPerSecond> most;
  Seconds launch{};   ///< once per collective; not where switches reduce
  Seconds hb_hop{};   ///< to the next GPU of the domain, the chunk it forwards included
  Seconds net_hop{};  ///< to a GPU of another domain, that chunk included

  bool operator==(const CollectiveMethod&) const = default;
};

/// How a collective communication library uses the links of a machine.
struct CollectiveLibrary {
  std::string name;
  std::string title;
  double hb_efficiency = 1;            ///< of the HB link's datasheet bandwidth, large messages
  double network_efficiency = 1;       ///< of the network card's, large messages
  double hb_in_switch_efficiency = 1;  ///< of the HB link's, where its switches reduce
  Seconds hb_in_switch{};              ///< one such collective inside a domain, launch included
  Seconds network_in_switch{};         ///< one between domains
  std::vector<CollectiveMethod> methods;
  std::vector<SourceNote> sources;

  bool operator==(const CollectiveLibrary&) const = default;
};

}  // namespace planner
