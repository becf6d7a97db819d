#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/cut.hpp"
#include "planner/domain/senders.hpp"
#include "planner/domain/system.hpp"
#include "planner/perf/derivation/text.hpp"

// A cluster is a tree of links. Where every GPU has a NIC it has two tiers: links of the HB domain,
// and of the network. Where the GPUs of a node share NICs and an HB domain is only a part of the
// node, what leaves the domain passes more of them: a port of its own, the PCIe of the domain's
// GPUs, the host bridge of those behind one, and, from node to node, the NICs. Each unit of the
// tree is loaded with the flows that leave it, and the tightest sets the rate.
namespace planner::inline perf {

/// Links and resources between the HB domains of a node and the network. Its figures are what
/// reaches data, but for the NICs': their line rate.
struct HostTier {
  std::int64_t domain = 1;  ///< GPUs of an HB domain that are used
  std::int64_t node = 1;    ///< GPUs of a node
  BytesPerSecond port{};    ///< of one GPU, peer to peer: to a NIC, or to GPUs outside its domain
  BytesPerSecond pcie{};    ///< of one GPU and the CPU, per direction
  std::optional<BytesPerSecond> bridge{};  ///< of a host bridge, both directions together
  std::int64_t bridge_gpus = 1;            ///< GPUs behind the busiest host bridge
  bool nics_before_bridge = false;  ///< what goes to NICs turns off at a PCIe switch before it
  std::int64_t nics = 1;            ///< of a node
  BytesPerSecond nic_bandwidth{};   ///< of all NICs of a node, per direction

  /// What ranks send at once meets.
  struct Load {
    /// Side by side, each with a NIC and a share of the data; they share the port of a rank, as
    /// each has hops between GPUs too.
    double rings = 1;
    double pcie = 0;    ///< flows out of an HB domain
    double bridge = 0;  ///< flows in and out of a host bridge; 0: none, or it does not bind
    double nics = 0;    ///< flows out of a node

    /// Whether any flow leaves an HB domain.
    [[nodiscard]] bool any() const { return pcie > 0; }
  };
  [[nodiscard]] Load load(const GroupFlows& flows) const;
  /// Of one ring through all ranks of each group.
  [[nodiscard]] Load load(const NestedRanks& ranks) const;

  /// What a rank's flow gets beyond its domain.
  /// @param nic_share   of the NICs' line rate that is left
  /// @param efficiency  of what is left, reached where flows share it
  [[nodiscard]] BytesPerSecond rate(const Load& load, double nic_share,
                                    double efficiency = 1) const;

  /// A transfer of a pipeline, per byte that each rank of the stage sends.
  struct Send {
    BytesPerSecond alone{};  ///< while only the ranks of one replica send
    double senders = 0;      ///< ranks of a node that send to another; 0: all stages are in nodes
    /// The same where the last stage sends to the first too, of the node that most leaves.
    double senders_around = 0;
  };
  /// @param stage   consecutive GPUs of one stage
  /// @param stages  that lie one after the other
  /// @param in_step  ranks that always send together: those of one replica
  /// @param nic_share  of the NICs' line rate that is left
  [[nodiscard]] Send send(std::int64_t stage, std::int64_t stages, std::int64_t in_step,
                          double nic_share) const;
};

/// What lies between the HB domains of a system and its NICs; nothing where a NIC of its own, or a
/// domain that fills its node, leaves two tiers.
/// @param domain  GPUs of an HB domain that are used
std::optional<HostTier> host_tier(const System& system, std::int64_t domain);

// Formulas, for numbers and for Text.

/// Of the links that a flow of each rank meets beyond its domain, the tightest.
inline constexpr auto kTightest = [](auto first, auto... others) {
  ((first = lesser(first, others)), ...);
  return first;
};
/// What one flow gets of links that so many share.
inline constexpr auto kShared = [](auto bandwidth, auto flows) { return bandwidth / flows; };

/// A send that waits for those of the other replicas on the NICs, as far as the 2v sends of each
/// outlast the stage's work: no longer than where all send at once.
inline constexpr auto kStaggeredSend = [](auto alone, auto at_once, auto together, auto v,
                                          auto stage) {
  return lesser(at_once, alone + positive(2 * v * together - stage) / (2 * v));
};

}  // namespace planner::perf
