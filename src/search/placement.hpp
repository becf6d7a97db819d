#pragma once

#include <optional>

#include "planner/search/space.hpp"

namespace planner::inline search {

/// The column that a strategy is in.
constexpr Column column_of(const Strategy& strategy) {
  return {.tp = strategy.tp.total(),
          .pp = strategy.pp.total(),
          .dp = strategy.dp.total(),
          .cp = strategy.cp.total(),
          .ep = strategy.ep.total(),
          .expert_tp = strategy.expert_tp};
}

/// Of the placements that the space allows for a strategy's degrees the fastest, whether or not it
/// fits the memory; the first of equals. Nothing if there is none.
std::optional<Strategy> fastest_placement(const Workload& workload, const SearchSpace& space,
                                          const Strategy& strategy);

}  // namespace planner::search
