#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/cluster_report.hpp"
#include "planner/api/request.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/job/routing.hpp"

namespace planner {

using commands::ClusterNetwork;

/// What the cluster's routing, or that of the request, leaves of its counted network; nothing where
/// neither names a scheme.
std::optional<RoutingResult> cluster_routing(const Request& request, const ClusterNetwork& at);

/// What routing and the failures that the cluster or the request name make of its run.
/// @param report  complete but for the forecast
/// @throws InfeasibleError where the run never finishes
std::optional<Forecast> cluster_forecast(const Request& request, const ClusterReport& report,
                                         const std::optional<RoutingResult>& routing,
                                         const ClusterNetwork& at, const catalog::Catalog& catalog,
                                         std::vector<std::string>& warnings);

}  // namespace planner
