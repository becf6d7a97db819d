#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/commands/option.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/sharing.hpp"

namespace planner::commands {

/// How a job's flows find their links, and what storage sends over them.
struct RoutingChoice {
  RoutingSettings how;
  SharingSettings sharing;
  /// Of the network that a plan's job is a part of.
  std::optional<std::int64_t> cluster_gpus;

  bool operator==(const RoutingChoice&) const = default;
};

/// Which of the group's options a command has.
enum class RoutingUse { routing, plans, clusters };

std::vector<OptionOf<RoutingChoice>> routing_options(RoutingUse use);
/// Storage on the same network.
std::vector<OptionOf<RoutingChoice>> sharing_options();

}  // namespace planner::commands
