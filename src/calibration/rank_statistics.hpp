#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace planner::inline calibration {

/// One strategy of a group that differs in strategy only.
struct RankedTime {
  double measured = 0, predicted = 0;
};

/// How well predictions order the strategies of one group.
struct RankAgreement {
  double regret = 0;  ///< time of the strategy predicted best over the best time measured, minus 1
  double kendall_tau = 0;  ///< agreeing minus disagreeing pairs over all pairs; ties count as none
};

/// Nothing for fewer than two strategies.
std::optional<RankAgreement> rank_agreement(const std::vector<RankedTime>& strategies);

/// Over all groups of at least `kSmallestRankGroup` distinct strategies.
struct RankStatistics {
  std::int64_t groups = 0;
  double mean_regret = 0;
  double within_5_pct = 0;  ///< share of groups with a regret of at most 5 %
  double kendall_tau = 0;   ///< mean

  bool operator==(const RankStatistics&) const = default;
};
inline constexpr std::size_t kSmallestRankGroup = 3;

/// @param groups  each strategy once; smaller groups are left out
RankStatistics rank_statistics(const std::vector<std::vector<RankedTime>>& groups);

}  // namespace planner::calibration
