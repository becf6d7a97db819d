#include "planner/job/network_left.hpp"

#include <fmt/format.h>

#include <utility>

#include "planner/job/fabric.hpp"

namespace planner::job {

NetworkLeft left_by(const std::optional<RoutingResult>& routing,
                    const std::optional<SharingImpact>& sharing, const FabricDesign* network) {
  NetworkLeft left;
  if (routing) {
    left.routing = routing->factors;
    left.stage_limit = routing->stage_limit;
  }
  if (network != nullptr) left.rails_apart = rails_apart(*network);
  if (sharing) left.storage_traffic = sharing->traffic;
  return left;
}

Workload on_network(Workload workload, NetworkLeft left) {
  workload.network_tiers = std::move(left.tiers);
  workload.routing = std::move(left.routing);
  workload.stage_limit = left.stage_limit;
  workload.rails_apart = left.rails_apart;
  workload.storage_traffic = left.storage_traffic;
  return workload;
}

std::string oversubscription(const NetworkTier& tightest) {
  return fmt::format(
      "groups of more than {} GPUs get {:.0f} % of the network cards' bandwidth in the training "
      "time, as if all GPUs sent there at once; --routing charges what the job's traffic meets",
      tightest.gpus, 100 * tightest.bandwidth_share);
}

std::string slow_ports(BytesPerSecond ports, BytesPerSecond cards) {
  return fmt::format("the network's ports carry {:.4g} Gb/s of the {:.4g} that a GPU's cards send",
                     ports.in(units::Gbps), cards.in(units::Gbps));
}

}  // namespace planner::job
