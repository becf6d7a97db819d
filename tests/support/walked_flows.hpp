// The flows of groups of ranks, one by one: what closed forms are held against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/domain/flows.hpp"
#include "planner/domain/traffic.hpp"

namespace planner::testing {

struct Flow {
  std::int64_t from = 0, to = 0;
  double amount = 0;
};

/// All flows of the groups, by walking every GPU's group.
inline std::vector<Flow> flows_of(const GroupFlows& groups, std::int64_t gpus) {
  std::vector<Flow> flows;
  const auto [kind, stride, n, one_in] = groups;
  for (std::int64_t first = 0; first < gpus; ++first) {
    if (first / stride % n != 0 || n < 2) continue;  // the first rank of its group
    std::vector<std::int64_t> ranks;
    for (std::int64_t i = 0; i < n; ++i) ranks.push_back(first + i * stride);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t self = ranks[static_cast<std::size_t>(i)];
      const auto at = [&](std::int64_t j) { return ranks[static_cast<std::size_t>(j)]; };
      switch (kind) {
        case FlowKind::ring:
          flows.push_back({self, at((i + 1) % n), 1});
          break;
        case FlowKind::line:
          if (i + 1 < n) flows.push_back({self, at(i + 1), 1});
          if (i > 0) flows.push_back({self, at(i - 1), 1});
          break;
        case FlowKind::wrap:
          if (i == 0) flows.push_back({self, at(n - 1), 1});
          if (i == n - 1) flows.push_back({self, at(0), 1});
          break;
        case FlowKind::all_to_all:
          for (std::int64_t j = 0; j < n; ++j) {
            if (j != i) flows.push_back({self, at(j), 1.0 / static_cast<double>(n - 1)});
          }
          break;
      }
    }
  }
  return flows;
}

/// Those of a phase: of the ranks that send, where it says which.
inline std::vector<Flow> flows_of(const TrafficPhase& phase, std::int64_t gpus) {
  if (phase.sends.empty()) return flows_of(phase.groups, gpus);
  std::vector<Flow> flows;
  for (const auto& [offset, who] : phase.sends) {
    for (std::int64_t from = 0; from < gpus; ++from) {
      std::int64_t place = from;
      const bool sends = std::all_of(who.begin(), who.end(), [&](const RankPlace& one) {
        place %= one.period;
        return one.low <= place && place < one.high;
      });
      if (sends) flows.push_back({from, from + offset, 1});
    }
  }
  return flows;
}

}  // namespace planner::testing
