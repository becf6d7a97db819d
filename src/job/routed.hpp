#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/routing.hpp"
#include "planner/job/routing.hpp"

namespace planner::job {

/// What timing models take of a routing; see RoutingResult.
struct RoutedNetwork {
  RoutingFactors factors{};
  std::optional<RoutingFactors> card_down{};
  std::optional<std::int64_t> stage_limit{};
  std::int64_t rails_apart = 1;
};
/// That of route_job() and nothing else: as the search of many networks needs it.
/// @throws as route_job()
RoutedNetwork routed_network(const RoutingSettings& asked, const JobOnNetwork& on);

}  // namespace planner::job
