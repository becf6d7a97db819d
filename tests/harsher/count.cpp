// Counts, over random jobs, how often a harsher assumption makes a run better: those of
// tests/property/reliability/harsher.cpp, as many as are asked for. docs/goodput.md has its counts.
//   cmake --build build/release --target count_harsher
//   build/release/bin/count_harsher 50000
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "support/harsher_jobs.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kQuantile = 1e-3, kMean = 1e-9;  // by more than that one is better

/// Of one assumption, where no repair is waited for, units fail one by one, or several at once.
struct Count {
  int comparisons = 0, quantiles = 0, means = 0;
  double worst = 0;  ///< of the quantiles: how much better, as a share
};

/// Which quantile falls most, and by how much; of the mean how much.
struct Falls {
  std::size_t at = 0;
  double quantile = 0, mean = 0;
};

Falls falls_of(const Figures& now, const Figures& harsh) {
  Falls found;
  for (std::size_t i = 0; i < now.quantiles.size(); ++i) {
    const double fall = 1 - harsh.quantiles[i] / now.quantiles[i];
    if (fall > found.quantile) found = {i, fall, 0};
  }
  for (std::size_t i = 0; i < now.mean.size(); ++i) {
    found.mean = std::max(found.mean, 1 - harsh.mean[i] / now.mean[i]);
  }
  return found;
}

std::string kind_of(const JobReliability& job) {
  if (!job.spares || job.spares->visits) return "no repair";
  return loses_groups(job) ? "groups" : "one by one";
}

}  // namespace

int main(int arguments, char** values) {
  const int jobs = arguments > 1 ? std::atoi(values[1]) : 1000;
  std::map<std::string, Count> counts;
  RandomRuns random;
  for (int i = 0; i < jobs; ++i) {
    const RandomRun run = random.next_run();
    const Figures now = figures_of(run.job, run.ideal, false);
    for (const Harsher& one : harsher(run.job, run.harsher_by)) {
      const Figures harsh = figures_of(one.job, run.ideal, false);
      const Falls falls = falls_of(now, harsh);
      for (const std::string& kind : {kind_of(run.job) + ", " + one.what, std::string("all")}) {
        Count& count = counts[kind];
        ++count.comparisons;
        count.quantiles += falls.quantile > kQuantile ? 1 : 0;
        count.means += falls.mean > kMean ? 1 : 0;
        count.worst = std::max(count.worst, falls.quantile);
      }
      if (falls.quantile <= kQuantile && falls.mean <= kMean) continue;
      constexpr double kHour = 3600;
      std::printf("job %d, %s, %s: %zuth of 100 %.6g h for %.6g h, -%.2f %%; mean -%.2g\n", i,
                  kind_of(run.job).c_str(), one.what.c_str(), 5 * falls.at + 5,
                  harsh.quantiles[falls.at] / kHour, now.quantiles[falls.at] / kHour,
                  100 * falls.quantile, falls.mean);
    }
  }
  for (const auto& [kind, count] : counts) {
    std::printf("%-24s %6d comparisons, %4d quantiles better, the worst by %.1f %%; %d means\n",
                kind.c_str(), count.comparisons, count.quantiles, 100 * count.worst, count.means);
  }
}
