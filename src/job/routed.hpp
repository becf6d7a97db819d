#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "planner/domain/routing.hpp"
#include "planner/job/routing.hpp"

namespace planner::job {

/// What timing models take of a routing; see RoutingResult.
struct RoutedNetwork {
  RoutingFactors factors{};
  std::optional<RoutingFactors> card_down{}, whole{};
  std::optional<BrokenPairs> broken{};
  std::optional<std::int64_t> stage_limit{};
  std::int64_t rails_apart = 1;
};
/// Those of many networks under one routing, as a search needs them. What two of them have in
/// common is worked out once. From one thread at a time.
class RoutedNetworks {
 public:
  explicit RoutedNetworks(RoutingSettings asked) : asked_(std::move(asked)) {}

  /// That of route_job() and nothing else.
  /// @throws as route_job()
  RoutedNetwork of(const JobOnNetwork& on);

 private:
  RoutingSettings asked_;
  std::shared_ptr<StageSlowdowns> known_;  ///< null: none was asked for
};

}  // namespace planner::job
