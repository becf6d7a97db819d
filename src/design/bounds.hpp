#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/design/bought.hpp"
#include "planner/design/space.hpp"

// Figures that no design of a kind is below, before its network is counted.
namespace planner::design {

/// What a counted network has at least, of parts of its design's radix and speed.
struct CountedParts {
  double lowest_switches = 0, upper_switches = 0;
  double links_at_card = 0, links_between_switches = 0;
  double copper = 0, active_optical = 0, fibre = 0;  ///< of these links
  double nic_ends = 0, switch_ends = 0;              ///< of those of fibre
};
CountedParts parts_of(const FabricDesign& fabric, const FabricCount& count);

/// What each endpoint of a network has at least, where there are more endpoints than `beyond`.
struct LeastParts {
  std::int64_t beyond = 0;
  CountedParts per_endpoint;
};
/// That of a topology's networks of one, two and three tiers; empty: nobody has written it down.
std::vector<LeastParts> least_parts(const FabricDesign& fabric);

/// Lower bounds of what a system's clusters cost and draw.
class PartsFloor {
 public:
  PartsFloor(const Space& space, std::size_t system);

  /// Of a cluster of so many GPUs, whatever its network.
  [[nodiscard]] Piece of(std::int64_t gpus) const { return of(gpus, least_); }
  /// With one of the networks.
  [[nodiscard]] Piece of(std::int64_t gpus, std::size_t network) const {
    return of(gpus, per_endpoint_[network]);
  }
  /// With one that is counted, wherever it stands.
  [[nodiscard]] Piece of(std::int64_t gpus, std::size_t network, const CountedParts& parts) const;

  /// One of each that a counted network has at least.
  struct CountedPieces {
    Piece lowest_switch{}, upper_switch{};
    bool laid = false;                          ///< clusters are laid out, and links of any medium
    Piece at_card{}, between_switches{};        ///< then: links with their transceivers
    Piece copper{}, active_optical{}, fibre{};  ///< else: cables
    Piece nic_end{}, switch_end{};              ///< and what an end of a fibre has of its module

    [[nodiscard]] Piece of(const CountedParts& parts) const;
  };

 private:
  [[nodiscard]] std::int64_t nodes_of(std::int64_t gpus) const {
    return ceil_div(gpus, gpus_per_node_);
  }
  /// What each endpoint has at least, where there are more endpoints than so many: ascending.
  using PerEndpoint = std::vector<std::pair<std::int64_t, Piece>>;
  [[nodiscard]] Piece of(std::int64_t gpus, const PerEndpoint& network) const;
  [[nodiscard]] Piece with_nodes(std::int64_t gpus, const Piece& network) const;

  std::int64_t gpus_per_node_, endpoints_per_node_, owned_;
  Piece node_, kept_;
  std::vector<PerEndpoint> per_endpoint_;  ///< of each network
  std::vector<CountedPieces> counted_;     ///< the same
  PerEndpoint least_;                      ///< figure by figure, of all networks
};

}  // namespace planner::design
