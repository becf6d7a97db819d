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

auto same_input(const std::string& name) {
  return [name](const job::FabricChoice& a, const job::FabricChoice& b) {
    const auto in_a = a.inputs.find(name), in_b = b.inputs.find(name);
    if (in_a == a.inputs.end() || in_b == b.inputs.end()) {
      return in_a == a.inputs.end() && in_b == b.inputs.end();
    }
    return in_a->second == in_b->second;
  };
}

/// A whole number that only some topologies take.
OptionOf<job::FabricChoice> topology_count(OptionInfo info, std::int64_t least, std::int64_t most) {
  const std::string name = info.name;
  info.least = static_cast<double>(least);
  info.most = static_cast<double>(most);
  return {std::move(info),
          [=](std::string_view text, job::FabricChoice& choice) -> std::optional<std::string> {
            Parsed<std::int64_t> count = parse_integer(text, least, most);
            if (!count.value) return std::move(count.error);
            choice.inputs[name] = *count.value;
            return std::nullopt;
          },
          same_input(name)};
}

OptionOf<job::FabricChoice> topology_switch(OptionInfo info) {
  const std::string name = info.name;
  return {std::move(info),
          [=](std::string_view, job::FabricChoice& choice) -> std::optional<std::string> {
            choice.inputs[name] = true;
            return std::nullopt;
          },
          same_input(name)};
}

/// "7:1": down and up.
OptionOf<job::FabricChoice> topology_ratio(OptionInfo info) {
  const std::string name = info.name;
  return {std::move(info),
          [=](std::string_view text, job::FabricChoice& choice) -> std::optional<std::string> {
            const std::size_t colon = std::min(text.find(':'), text.size());
            const auto down = parse_integer(text.substr(0, colon), 1, kMostSequences);
            const auto up =
                parse_integer(text.substr(std::min(colon + 1, text.size())), 1, kMostSequences);
            if (!down.value || !up.value) {
              return fmt::format("must be two whole numbers like 7:1, not \"{}\"", text);
            }
            choice.inputs[name] = Ratio{.down = *down.value, .up = *up.value};
            return std::nullopt;
          },
          same_input(name)};
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
      topology_count({"rails", "R", "GPUs of an HB domain that have a rail of their own", kFabric},
                     1, kMostGpus),
      topology_count(
          {"planes", "P", "disjoint networks, GPUs on all; multi-plane: on one", kFabric}, 1,
          kMostSequences),
      topology_ratio({"oversubscription", "D:U", "of a leaf switch, down to up: 2:1", kFabric}),
      topology_count({"inter-zone-links", "N", "of each zone of a two-zone tree", kFabric}, 0,
                     kMostSequences),
      topology_count({"storage-ports", "N", "for storage in each zone of a two-zone tree", kFabric},
                     0, kMostSequences),
      topology_count({"max-pods", "N", "pods of hpn and dcn-plus at most", kFabric}, 1,
                     kMostSequences),
      topology_count(
          {"agg-core-ports", "N", "of an aggregation switch of hpn and dcn-plus", kFabric}, 0,
          kMostSequences),
      topology_switch(
          {"rail-only-tier2", "", "hpn: each rail in planes of its own above its ToRs", kFabric}),
  };
}

std::vector<OptionOf<job::FabricChoice>> fabric_count_options() {
  return {
      topology_switch({"pod-aligned", "", "whole pods, every leaf spread evenly", kFabric}),
      topology_count({"scalable-units", "N", "of a superpod (default: as many as needed)", kFabric},
                     1, kMostSequences),
      topology_count(
          {"fabric-manager-ports", "N", "leaf ports of a superpod's fabric manager", kFabric}, 0,
          kMostSequences),
      topology_count({"zone-switches", "N", "switches between zones of a two-zone tree", kFabric},
                     0, kMostSequences),
  };
}

}  // namespace planner::commands
