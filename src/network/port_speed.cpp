#include "planner/network/port_speed.hpp"

#include <variant>

#include "planner/core/real.hpp"

namespace planner::inline network {
namespace {

/// Gb/s between an endpoint and the network.
double gbps_of_endpoint(const FabricDesign& design, const FabricCount& count) {
  constexpr double kLinksOfChip = 6;  // a direction each of three axes
  if (std::holds_alternative<Torus>(design.topology)) return kLinksOfChip * real(design.port_gbps);
  double gbps = 0;
  for (const LinkLayer& layer : count.layers) {
    // Links of storage, of hosts in reserve and of the fabric manager have names of their own.
    if (layer.host && layer.name == "host") gbps += real(layer.links) * real(layer.gbps);
  }
  return gbps / real(count.endpoints);
}

}  // namespace

std::optional<BytesPerSecond> slower_ports(const FabricDesign& design, const FabricCount& count,
                                           std::int64_t gpus, BytesPerSecond cards) {
  constexpr double kEqual = 1 - 1e-9;  // speeds are round figures
  // Endpoints that are left over belong to no GPU.
  const double endpoints =
      count.endpoints >= gpus ? real(count.endpoints / gpus) : real(count.endpoints) / real(gpus);
  const BytesPerSecond ports = endpoints * gbps_of_endpoint(design, count) * units::Gbps;
  return ports < kEqual * cards ? std::optional(ports) : std::nullopt;
}

}  // namespace planner::network
