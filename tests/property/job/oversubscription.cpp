// Times of random jobs on leaves that are oversubscribed more and more.
#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "support/loaded_jobs.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// GPUs below a unit of links of each tier.
std::vector<std::int64_t> units_of_tiers(const RoutedFabric& fabric) {
  std::vector<std::int64_t> units;
  for (const FabricTier& tier : fabric.tiers) units.push_back(tier.unit_gpus);
  return units;
}

/// Trees whose leaves can be oversubscribed.
TopologyOptions oversubscribed(int index, Ratio ratio) {
  switch (index) {
    case 0:
      return FatTree{.oversubscription = ratio};
    case 1:
      return RailOptimized{.rails = 8, .oversubscription = ratio};
    case 2:
      return RailOnly{.rails = 8, .oversubscription = ratio};
    default:
      return MultiPlane{.planes = 2, .oversubscription = ratio, .max_tiers = 3};
  }
}

/// The job on leaves of so many ports; false: there is no such tree.
bool put_on_leaves(LoadedJob& job, int index, Ratio ratio, std::int64_t radix) {
  job.on.design.topology = oversubscribed(index, ratio);
  job.on.design.radix = radix;
  const CountResult result = count_fabric(job.on.design);
  const auto* const count = std::get_if<FabricCount>(&result);
  if (count == nullptr) return false;
  const auto fabric = routed_fabric(job.on.design, *count, job.on.cluster_gpus, 8);
  if (!fabric) return false;
  job.on.count = *count;
  job.fabric = *fabric;
  return true;
}

}  // namespace

TEST_CASE(
    "oversubscribed leaves of one size are never faster, those of one switch only if larger") {
  constexpr std::int64_t kDown = 24;
  int slower = 0, alike = 0, larger_and_faster = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int index = trial % 4;
    std::optional<LoadedJob> job = any_job(0);
    if (!job) continue;
    job->at.placement = Placement::whole;
    std::optional<Seconds> same_size, same_switch;
    std::vector<std::int64_t> units, units_of_switch;
    for (const std::int64_t down : {1, 2, 3, 4}) {
      const Ratio ratio{down, 1};
      CAPTURE(down);
      if (put_on_leaves(*job, index, ratio, kDown * (down + 1) / down)) {
        CAPTURE(job->text());
        const Seconds now = job->time();
        if (same_size && units_of_tiers(job->fabric) == units) {
          CHECK(kRoundedUp * now >= *same_size);
          slower += now > kRoundedUp * *same_size ? 1 : 0;
          ++alike;
        }
        same_size = now;
        units = units_of_tiers(job->fabric);
      }
      if (put_on_leaves(*job, index, ratio, 2 * kDown)) {
        CAPTURE(job->text());
        const Seconds now = job->time();
        if (same_switch && kRoundedUp * now < *same_switch) {
          CHECK(units_of_tiers(job->fabric) > units_of_switch);
          ++larger_and_faster;
        }
        same_switch = now;
        units_of_switch = units_of_tiers(job->fabric);
      }
    }
  }
  CHECK(alike > 300);
  CHECK(slower > 100);
  CHECK(larger_and_faster > 20);
}
