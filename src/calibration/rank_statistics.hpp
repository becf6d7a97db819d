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
  double claim = 0;        ///< the best time predicted over the best time measured, minus 1
  double slower = 0;      ///< of the strategy predicted best: measured over predicted time, minus 1
  double all_slower = 0;  ///< the same, mean over the group
};

/// Nothing for fewer than two strategies.
std::optional<RankAgreement> rank_agreement(const std::vector<RankedTime>& strategies);

/// The optimizer's curse (Smith and Winkler 2006): the best of many predictions is too good. It
/// shows where what is predicted best is slower than predicted by more than strategies are.
struct Curse {
  double mean_claim = 0, median_claim = 0;    ///< see RankAgreement
  double mean_slower = 0, median_slower = 0;  ///< of strategies predicted best
  double all_mean_slower = 0, all_median_slower = 0;

  bool operator==(const Curse&) const = default;
};

/// Over all groups of at least `kSmallestRankGroup` distinct strategies.
struct RankStatistics {
  std::int64_t groups = 0;
  double mean_regret = 0;
  double within_5_pct = 0;       ///< share of groups with a regret of at most 5 %
  double kendall_tau = 0;        ///< mean
  std::optional<Curse> curse{};  ///< none: no groups

  bool operator==(const RankStatistics&) const = default;
};
inline constexpr std::size_t kSmallestRankGroup = 3;

/// @param groups  each strategy once; smaller groups are left out
RankStatistics rank_statistics(const std::vector<std::vector<RankedTime>>& groups);

}  // namespace planner::calibration
