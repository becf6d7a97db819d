#pragma once

#include <cstdint>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/space.hpp"

// Figures that no design of a kind is below, before its network is counted.
namespace planner::design {

/// Lower bounds of what a system's clusters cost and draw.
class PartsFloor {
 public:
  PartsFloor(const Space& space, std::size_t system);

  /// Of a cluster of so many GPUs, whatever its network.
  [[nodiscard]] Piece of(std::int64_t gpus) const { return scaled(gpus, least_); }
  /// With one of the networks.
  [[nodiscard]] Piece of(std::int64_t gpus, std::size_t network) const {
    return scaled(gpus, per_endpoint_[network]);
  }

 private:
  [[nodiscard]] Piece scaled(std::int64_t gpus, const Piece& per_endpoint) const;

  std::int64_t gpus_per_node_, endpoints_per_node_, owned_;
  Piece node_, kept_;
  std::vector<Piece> per_endpoint_;  ///< of each network
  Piece least_;                      ///< figure by figure, of all networks
};

}  // namespace planner::design
