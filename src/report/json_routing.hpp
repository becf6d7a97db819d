#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/job_names.hpp"
#include "planner/job/routing.hpp"

namespace planner {

nlohmann::ordered_json to_json(const RoutingResult& result);
nlohmann::ordered_json to_json(const SharingImpact& impact);

/// What collectives slowed down so much get of the network, less what storage takes.
double effective_GBps(const RoutingResult& result, double slowdown);

}  // namespace planner
