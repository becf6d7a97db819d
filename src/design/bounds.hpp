#pragma once

#include <cstdint>
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

/// Lower bounds of what a system's clusters cost and draw.
class PartsFloor {
 public:
  PartsFloor(const Space& space, std::size_t system);

  /// Of a cluster of so many GPUs, whatever its network.
  [[nodiscard]] Piece of(std::int64_t gpus) const {
    return with_nodes(gpus, endpoints(gpus) * least_);
  }
  /// With one of the networks.
  [[nodiscard]] Piece of(std::int64_t gpus, std::size_t network) const {
    return with_nodes(gpus, endpoints(gpus) * per_endpoint_[network]);
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
  };

 private:
  [[nodiscard]] std::int64_t nodes_of(std::int64_t gpus) const {
    return ceil_div(gpus, gpus_per_node_);
  }
  [[nodiscard]] double endpoints(std::int64_t gpus) const {
    return real(nodes_of(gpus) * endpoints_per_node_);
  }
  [[nodiscard]] Piece with_nodes(std::int64_t gpus, const Piece& network) const;

  std::int64_t gpus_per_node_, endpoints_per_node_, owned_;
  Piece node_, kept_;
  std::vector<Piece> per_endpoint_;     ///< of each network
  std::vector<CountedPieces> counted_;  ///< the same
  Piece least_;                         ///< figure by figure, of all networks
};

}  // namespace planner::design
