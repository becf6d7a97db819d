#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/request.hpp"
#include "planner/api/routing_result.hpp"
#include "planner/catalog/catalog.hpp"

namespace planner {

/// What --routing makes of the network that --topology describes; nothing without --routing. A
/// network that nobody describes is assumed to be rail-optimized, with a port for each of the
/// system's network cards.
/// @param assumed  gets the options that nobody gave
/// @param warnings  gets what the user should know about the network
/// @throws UsageError for settings without --routing
std::optional<RoutingResult> plan_routing(const Request& request, const Workload& workload,
                                          const catalog::Catalog& catalog,
                                          std::vector<std::string>& assumed,
                                          std::vector<std::string>& warnings);

}  // namespace planner
