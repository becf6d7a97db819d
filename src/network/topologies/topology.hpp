#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/inputs.hpp"

// What the file of a topology says. Everything else follows from it: its keys in files and their
// schema, the options of the command line that it takes, the checks of its inputs, where it is
// oversubscribed, and how flows are routed on it.
namespace planner::inline network {

/// One input of a topology.
template <class Options>
struct TopologyInput {
  std::string_view key;  ///< as in files: "pod_aligned"
  std::variant<std::int64_t Options::*, std::optional<std::int64_t> Options::*, bool Options::*,
               Ratio Options::*>
      member;
  std::string_view doc;
  std::int64_t least = 1;  ///< of a whole number
  std::int64_t most = kLargestInput;
  bool required = false;  ///< it is the machine's: a file must say it
  /// Options of the command line that it answers to, without dashes; "hb-domain" gives way.
  std::array<std::string_view, 2> options{};
};

/// Card ports of a counted tree, from which its units follow.
struct TreePorts {
  const FabricCount& count;
  std::int64_t leaf = 0;     ///< towards endpoints, of the fullest leaf
  std::int64_t uplinks = 0;  ///< of it
  std::int64_t spine = 0;    ///< towards leaves, of the fullest spine
  std::int64_t radix = 0;    ///< of the switches

  /// Spines of two tiers, of which so many trees share none; 0: there are more tiers, and a leaf
  /// has one link to each of its spines.
  [[nodiscard]] std::int64_t spines_of_two_tiers(std::int64_t trees) const {
    return count.switches.size() == 2
               ? count.switches[1].switches / std::max<std::int64_t>(1, trees)
               : 0;
  }
};

/// Trees of their own, with a few links between them.
struct SeparateZones {
  std::int64_t zones = 1;
  std::optional<std::int64_t> links{};  ///< of each zone to the others; nothing: not known
};

/// Endpoints that stand together, in the order of placement: first along an HB domain, then domain
/// by domain. The leaves of all rails (and planes) that hold the same domains are side by side.
struct FabricUnits {
  std::int64_t leaf = 0;            ///< below one leaf and those beside it: a segment, a rack
  std::int64_t pod = 0;             ///< below one set of spines, or several: a pod, a zone
  std::int64_t spines_of_leaf = 0;  ///< where it bundles its uplinks; 0: one for each of them
  std::int64_t trees = 1;           ///< that share no switch
  std::optional<SeparateZones> zones{};
  /// Nodes are dealt out evenly over the leaves; false: units of a given size, filled in order.
  bool dealt = false;
};

/// All there is to know of a topology.
template <class Options>
struct TopologyOf {
  /// The cluster of the publication, for so many endpoints where a number is asked for.
  FabricDesign (*design)(std::optional<std::int64_t> gpus);
  std::vector<TopologyInput<Options>> inputs;  ///< in the order in which files are written
  /// Rules and parts. What all topologies have in common and each input's range were checked
  /// before.
  CountResult (*count)(const FabricDesign& design, const Options& options);
  /// Nothing: taken as evenly loaded, and its paths are no choice among equal uplinks.
  FabricUnits (*units)(const TreePorts& tree, const Options& options) = nullptr;
  /// What is not known of it and so not counted, as a sentence; empty: all is known.
  std::string (*unknown)(const Options& options) = nullptr;
  /// See planner::network::rails_apart(); nothing: 1.
  std::int64_t (*rails_apart)(const Options& options) = nullptr;
  /// Gives leaves the fewest uplinks that are no more oversubscribed than down : up, where inputs
  /// count uplinks and none is that ratio.
  void (*oversubscribe)(Options& options, Ratio ratio, std::int64_t port_gbps) = nullptr;
};

/// The option of the command line that every topology with leaves answers to.
inline constexpr std::string_view kOversubscription = "oversubscription";

template <class Options>
TopologyInput<Options> oversubscription_input() {
  return {.key = kOversubscription,
          .member = &Options::oversubscription,
          .doc = "of every leaf, down : up",
          .options = {kOversubscription}};
}

/// The inputs of a tree of up to three tiers, packed or in whole pods.
template <class Options>
std::vector<TopologyInput<Options>> tree_inputs(std::vector<TopologyInput<Options>> inputs = {}) {
  inputs.push_back(oversubscription_input<Options>());
  inputs.push_back({.key = "pod_aligned",
                    .member = &Options::pod_aligned,
                    .doc = "whole pods only",
                    .options = {"pod-aligned"}});
  inputs.push_back(
      {.key = "max_tiers", .member = &Options::max_tiers, .doc = "tiers allowed", .most = 3});
  return inputs;
}

}  // namespace planner::network
