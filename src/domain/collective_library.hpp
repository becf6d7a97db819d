#pragma once

#include <string>
#include <vector>

#include "planner/core/quantity.hpp"
#include "planner/domain/provenance.hpp"

namespace planner {

/// One way in which a library moves a message: little latency or full bandwidth, not both.
struct CollectiveProtocol {
  std::string name;            ///< "LL", "Simple"
  double bandwidth_share = 1;  ///< payload over bytes on the wire
  Seconds launch{};            ///< once per collective
  Seconds hb_hop{};            ///< to the next GPU of the domain, the chunk it forwards included
  Seconds net_hop{};           ///< to a GPU of another domain, likewise
  Seconds net_tree_hop{};      ///< to a parent or child of another domain

  bool operator==(const CollectiveProtocol&) const = default;
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
  std::vector<CollectiveProtocol> protocols;
  std::vector<SourceNote> sources;

  bool operator==(const CollectiveLibrary&) const = default;
};

}  // namespace planner
