#include "planner/commands/clusters/unbought.hpp"

#include <fmt/format.h>

#include "planner/cost/cluster_parts.hpp"

namespace planner::commands {

void warn_about_ports(std::int64_t missing, std::vector<std::string>& warnings) {
  if (missing == 0) return;
  warnings.push_back(
      fmt::format("its network is full: {} ports for its spares are missing and in no bill, "
                  "though spares are taken to be cabled and to take over at once",
                  missing));
}

void warn_about_cold_spares(const site::Hardware& hardware, std::vector<std::string>& warnings) {
  const FabricCount& count = hardware.network.count;
  const std::int64_t cold = hardware.spare_nodes - hosts_in_reserve(count, hardware.nodes);
  if (cold <= 0) return;
  warnings.push_back(fmt::format(
      "its building has no cables for {} of its spare nodes: {} ports are missing and in no bill, "
      "though spares are taken to be cabled and to take over at once",
      cold, cold * ports_of_node(count, hardware.nodes)));
}

void warn_about_optics(const ReliabilitySettings& recovery, bool rented,
                       std::vector<std::string>& warnings) {
  if (!recovery.reconfigure || (recovery.optical_ports && !rented)) return;
  warnings.emplace_back(rented ? "its optical switches are in no bill: the GPUs are rented"
                               : "its optical switches are in no bill: --optical-ports N and "
                                 "--optical-port-price USD put them there");
}

void warn_about_reserve(const ClusterNetwork& at, std::vector<std::string>& warnings) {
  if (at.spare_by_ports == 0) return;
  warnings.push_back(fmt::format(
      "its network has ports for {} hosts in reserve: they are bought and powered as spare nodes "
      "(\"tor_backup_ports\" 0 in \"fabric\": none)",
      *at.cluster.spare_nodes));
}

}  // namespace planner::commands
