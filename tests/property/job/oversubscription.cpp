// Times of random jobs on leaves that are oversubscribed more and more.
#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "planner/network/topologies/topologies.hpp"
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

// Where inputs count uplinks, leaves of one size have fewer of them, and as much less reaches what
// is above.
TEST_CASE("fewer uplinks to fewer aggregation switches are never faster") {
  int slower = 0, tried = 0;
  for (int trial = 0; trial < 800; ++trial) {
    const int index = 5 + trial % 2;
    std::optional<LoadedJob> job = any_job(index);
    if (!job) continue;
    job->at.placement = Placement::whole;
    FabricDesign design = job->on.design;
    design.radix = 128;
    if (trial % 2 == 0) {
      design.topology = Hpn{.tor_host_ports = 16 * any(1, 4), .tor_backup_ports = 0};
      if (any(0, 1) == 0) std::get<Hpn>(design.topology).planes = 1;
    } else {
      design.topology = DcnPlus{};
    }
    std::optional<Seconds> before;
    for (const std::int64_t down : {1, 2, 4, 8}) {
      CAPTURE(down);
      set_option(design, "oversubscription", Ratio{down, 1});
      const CountResult result = count_fabric(design);
      const auto* const count = std::get_if<FabricCount>(&result);
      if (count == nullptr) continue;
      const auto fabric = routed_fabric(design, *count, job->on.cluster_gpus, 8);
      if (!fabric) continue;
      job->on.design = design;
      job->on.count = *count;
      job->fabric = *fabric;
      CAPTURE(job->text());
      const Seconds now = job->time();
      if (before) {
        CHECK(kRoundedUp * now >= *before);
        slower += now > kRoundedUp * *before ? 1 : 0;
        ++tried;
      }
      before = now;
    }
  }
  CHECK(tried > 300);
  CHECK(slower > 60);
}
