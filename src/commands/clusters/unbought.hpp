#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/commands/parts/cluster_network.hpp"
#include "planner/site/racks.hpp"

// What a cluster is taken to have and no bill has, and what a bill has that nobody asked for.
namespace planner::commands {

/// Of spares that a network of its kind has no room for.
void warn_about_ports(std::int64_t missing, std::vector<std::string>& warnings);

/// A building has cables for what works and for hosts in reserve.
void warn_about_cold_spares(const site::Hardware& hardware, std::vector<std::string>& warnings);

/// Optical switches that are taken to be there, and that nobody pays for.
void warn_about_optics(const ReliabilitySettings& recovery, bool rented,
                       std::vector<std::string>& warnings);

/// Hosts that nobody asked for stand in the bill: which they are.
void warn_about_reserve(const ClusterNetwork& at, std::vector<std::string>& warnings);

}  // namespace planner::commands
