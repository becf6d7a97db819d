#include "planner/calibration/rank_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "planner/calibration/error_summary.hpp"
#include "planner/core/real.hpp"

namespace planner::inline calibration {

namespace {

std::int64_t sign(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / real(std::ssize(values));
}

}  // namespace

std::optional<RankAgreement> rank_agreement(const std::vector<RankedTime>& strategies) {
  if (strategies.size() < 2) return std::nullopt;
  const auto by = [](double RankedTime::*time) {
    return [time](const RankedTime& a, const RankedTime& b) { return a.*time < b.*time; };
  };
  const auto chosen =
      std::min_element(strategies.begin(), strategies.end(), by(&RankedTime::predicted));
  const auto best =
      std::min_element(strategies.begin(), strategies.end(), by(&RankedTime::measured));
  std::int64_t agreeing = 0, pairs = 0;
  for (auto a = strategies.begin(); a != strategies.end(); ++a) {
    for (auto b = a + 1; b != strategies.end(); ++b) {
      agreeing += sign(a->measured - b->measured) * sign(a->predicted - b->predicted);
      ++pairs;
    }
  }
  double all_slower = 0;
  for (const RankedTime& one : strategies) all_slower += one.measured / one.predicted - 1;
  return RankAgreement{.regret = chosen->measured / best->measured - 1,
                       .kendall_tau = real(agreeing) / real(pairs),
                       .claim = chosen->predicted / best->measured - 1,
                       .slower = chosen->measured / chosen->predicted - 1,
                       .all_slower = all_slower / real(std::ssize(strategies))};
}

RankStatistics rank_statistics(const std::vector<std::vector<RankedTime>>& groups) {
  RankStatistics all;
  std::int64_t close = 0;
  std::vector<double> claims, slower, all_slower;
  for (const auto& group : groups) {
    if (group.size() < kSmallestRankGroup) continue;
    const RankAgreement one = *rank_agreement(group);
    ++all.groups;
    all.mean_regret += one.regret;
    all.kendall_tau += one.kendall_tau;
    close += one.regret <= 0.05 ? 1 : 0;
    claims.push_back(one.claim);
    slower.push_back(one.slower);
    all_slower.push_back(one.all_slower);
  }
  if (all.groups == 0) return all;
  const double groups_counted = real(all.groups);
  all.mean_regret /= groups_counted;
  all.kendall_tau /= groups_counted;
  all.within_5_pct = real(close) / groups_counted;
  all.curse = Curse{.mean_claim = mean(claims),
                    .median_claim = quantile(claims, 0.5),
                    .mean_slower = mean(slower),
                    .median_slower = quantile(slower, 0.5),
                    .all_mean_slower = mean(all_slower),
                    .all_median_slower = quantile(all_slower, 0.5)};
  return all;
}

}  // namespace planner::calibration
