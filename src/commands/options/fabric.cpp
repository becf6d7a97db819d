#include "planner/commands/options/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace planner::commands {

namespace {

constexpr const char* kFabric = "The network";

std::vector<Topology> topologies() {
  std::vector<Topology> all;
  for (std::size_t i = 0; i < std::variant_size_v<TopologyOptions>; ++i) {
    all.push_back(static_cast<Topology>(i));
  }
  return all;
}

/// "7:1": down and up.
OptionOf<job::FabricChoice> oversubscription() {
  return {{"oversubscription", "D:U", "bandwidth of a leaf down and up", kFabric},
          [](std::string_view text, job::FabricChoice& choice) -> std::optional<std::string> {
            const std::size_t colon = std::min(text.find(':'), text.size());
            const auto down = parse_integer(text.substr(0, colon), 1, kMostSequences);
            const auto up =
                parse_integer(text.substr(std::min(colon + 1, text.size())), 1, kMostSequences);
            if (!down.value || !up.value) {
              return fmt::format("must be two whole numbers like 7:1, not \"{}\"", text);
            }
            choice.oversubscription = Ratio{.down = *down.value, .up = *up.value};
            return std::nullopt;
          }};
}

}  // namespace

std::vector<OptionOf<job::FabricChoice>> fabric_options() {
  using F = job::FabricChoice;
  return {
      choice({"topology", "NAME", "fat-tree, rail-optimized, superpod, rail-only, …", kFabric},
             &F::topology, topologies()),
      integer({"radix", "K", "ports of a switch at the port speed", kFabric}, &F::radix, 2,
              kMostSequences),
      integer({"port-gbps", "GBPS", "speed of a port, Gb/s per direction", kFabric}, &F::port_gbps,
              1, kMostSequences),
      integer({"rails", "R", "GPUs of an HB domain that have a rail of their own", kFabric},
              &F::rails, 1, kMostGpus),
      integer({"planes", "P", "disjoint networks, a port of each GPU on every one", kFabric},
              &F::planes, 1, kMostSequences),
      oversubscription(),
      integer({"inter-zone-links", "N", "of each zone of a two-zone tree", kFabric},
              &F::inter_zone_links, 0, kMostSequences),
  };
}

std::vector<OptionOf<job::FabricChoice>> fabric_count_options() {
  using F = job::FabricChoice;
  return {
      turn_on({"pod-aligned", "", "whole pods, every leaf spread evenly", kFabric},
              &F::pod_aligned),
      integer({"scalable-units", "N", "of a superpod (default: as many as needed)", kFabric},
              &F::scalable_units, 1, kMostSequences),
      integer({"fabric-manager-ports", "N", "leaf ports of a superpod's fabric manager", kFabric},
              &F::fabric_manager_ports, 0, kMostSequences),
      integer({"zone-switches", "N", "switches between zones of a two-zone tree", kFabric},
              &F::zone_switches, 0, kMostSequences),
      integer({"storage-ports", "N", "for storage in each zone of a two-zone tree", kFabric},
              &F::storage_ports, 0, kMostSequences),
  };
}

}  // namespace planner::commands
