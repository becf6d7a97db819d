// Times of random jobs on random networks against what the links of each carry: no link is used for
// more than the iteration, a harsher assumption is never faster, more failures are never better,
// nor is standing in more units of which others keep the rest as busy.
#include <doctest/doctest.h>

#include <optional>

#include "planner/job/traffic.hpp"
#include "support/loaded_jobs.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// The most that a fault of a kind can take.
std::int64_t most_failed(const RoutedFabric& fabric, FaultKind kind) {
  if (kind == FaultKind::core) {
    return fabric.tiers.size() > 1 ? fabric.tiers[1].switches_above - 1 : 0;
  }
  if (fabric.tiers.empty()) return 0;
  return (kind == FaultKind::uplink ? fabric.tiers[0].links : fabric.tiers[0].switches_above) - 1;
}

}  // namespace

TEST_CASE("no class of links is used for more than the iteration") {
  int busy = 0;
  for (int trial = 0; trial < 300 * kTrees; ++trial) {
    std::optional<LoadedJob> job = any_job(trial % kTrees);
    if (!job) continue;
    if (any(0, 2) == 0) {
      const FaultKind kind = one_of({FaultKind::uplink, FaultKind::aggregation, FaultKind::core});
      const std::int64_t most = most_failed(job->fabric, kind);
      if (most > 0) job->at.fault = Fault{kind, any(1, most)};
    }
    const auto slowdowns = job->slowdowns();
    const Workload on_links = job->routed(slowdowns);
    const Strategy best = in_best_order(on_links, job->strategy);
    const Prediction predicted = evaluate(on_links, best);
    const Plan plan{.strategy = best, .time = predicted.time, .sync_by = predicted.sync_by};
    const job::Traffic traffic =
        job::traffic_of(on_links, plan, job->on, on_links.system.host, slowdowns.get());
    CAPTURE(job->text());
    for (const job::TierTraffic& tier : traffic.tiers) {
      CAPTURE(tier.links.name);
      CAPTURE(tier.links.unit_gpus);
      CHECK(tier.utilisation <= kRoundedUp);
      busy += tier.utilisation > 0.9 ? 1 : 0;
    }
    for (const job::HostTraffic& one : traffic.host) {
      CAPTURE(one.name);
      CHECK(one.utilisation <= kRoundedUp);
    }
  }
  CHECK(busy > 20);
}

TEST_CASE("sends at once are never faster than staggered ones") {
  int faster = 0;
  for (int trial = 0; trial < 150 * kTrees; ++trial) {
    std::optional<LoadedJob> job = any_job(trial % kTrees);
    if (!job) continue;
    CAPTURE(job->text());
    job->workload.software.pipeline_sends = PipelineSends::staggered;
    const Seconds staggered = job->time();
    job->workload.software.pipeline_sends = PipelineSends::at_once;
    CHECK(staggered <= kRoundedUp * job->time());
    faster += kRoundedUp * staggered < job->time() ? 1 : 0;
  }
  CHECK(faster > 10);
}

TEST_CASE("more that is down is never better, on any tree") {
  int slower = 0;
  for (int trial = 0; trial < 50 * kTrees; ++trial) {
    std::optional<LoadedJob> job = any_job(trial % kTrees);
    if (!job) continue;
    CAPTURE(job->text());
    const Seconds whole = job->time();
    for (const FaultKind kind : {FaultKind::uplink, FaultKind::aggregation, FaultKind::core}) {
      CAPTURE(name_of(kind));
      const std::int64_t most = most_failed(job->fabric, kind);
      Seconds before = whole;
      for (const std::int64_t count : {most / 4, most / 2, most}) {
        if (count == 0) continue;
        job->at.fault = Fault{kind, count};
        const Seconds now = job->time();
        CHECK(kRoundedUp * now >= before);
        slower += now > kRoundedUp * before ? 1 : 0;
        before = now;
      }
      job->at.fault.reset();
    }
  }
  CHECK(slower > 50);
}

namespace {

/// A network of many widest units, and how many GPUs one holds; nothing where there are too few.
std::optional<LoadedJob> job_of_two_units(int topology) {
  std::optional<LoadedJob> job = any_job(topology);
  if (!job) return std::nullopt;
  FabricDesign design = job->on.design;
  if (auto* const zones = std::get_if<TwoZoneFatTree>(&design.topology)) zones->zones = 8;
  if (auto* const hpn = std::get_if<Hpn>(&design.topology)) hpn->max_pods = 12;
  design.radix = 2 * any(8, 16);
  const std::int64_t per_card = job->workload.system.host ? 8 : 1;
  for (const std::int64_t gpus : {16384, 8192, 4096, 2048, 1024, 512}) {
    design.gpus = gpus / per_card;
    const CountResult result = count_fabric(design);
    const auto* const count = std::get_if<FabricCount>(&result);
    if (count == nullptr) continue;
    const auto fabric = routed_fabric(design, *count, gpus, 8);
    if (!fabric || fabric->tiers.empty()) return std::nullopt;
    const std::int64_t unit = fabric->tiers.back().unit_gpus;
    // Of quarters that hold whole leaves: else it is by chance in which ends of stages fall.
    const bool of_leaves = unit / 4 % fabric->tiers.front().unit_gpus == 0;
    if (unit % 32 != 0 || 8 * unit > gpus || (fabric->tiers.size() > 1 && !of_leaves)) continue;
    job->fabric = *fabric;
    job->on.design = design;
    job->on.count = *count;
    job->at = {.gpus = 2 * unit,
               .placement = fabric->zones ? Placement::zone_pair : Placement::whole};
    job->workload.gpus = 2 * unit;
    job->strategy = any_strategy(job->workload.system.hb_domain, unit / 4, job->workload.model);
    job->workload.run.global_batch =
        job->strategy.dp.total() * job->strategy.pp.total() * any(1, 6);
    return job;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("two whole units of any tree are never slower than eight, in the order fastest on each") {
  int slower = 0, trees = 0;
  for (int trial = 0; trial < 60 * kTrees; ++trial) {
    std::optional<LoadedJob> job = job_of_two_units(trial % kTrees);
    if (!job) continue;
    ++trees;
    CAPTURE(job->text());
    const std::int64_t unit = job->at.gpus / 2;
    job->at.free_gpus = {unit, unit};
    const Seconds two = job->time();
    job->at.free_gpus = std::vector<std::int64_t>(8, unit / 4);
    const Seconds eight = job->time();
    CAPTURE(two / eight);
    CHECK(two <= kRoundedUp * eight);
    slower += eight > 1.000001 * two ? 1 : 0;
  }
  CHECK(trees > 100);
  CHECK(slower > 20);
}

TEST_CASE(
    "on nodes that share cards stages or replicas differ between zones, whichever is faster") {
  int by_replica = 0, by_stage = 0;
  for (int trial = 0; trial < 800; ++trial) {
    std::optional<LoadedJob> job = any_job(kTrees - 1);
    if (!job || !job->workload.system.host || job->strategy.pp.net == 1) continue;
    CAPTURE(job->text());
    const auto slowdowns = job->slowdowns();
    const Workload on_links = job->routed(slowdowns);
    const Strategy best = in_best_order(on_links, job->strategy);
    const Prediction predicted = evaluate(on_links, best);
    for (const Outermost axis : {Outermost::pipeline, Outermost::data}) {
      if (!best.outermost) break;
      Strategy other = best;
      other.outermost = axis;
      CHECK(predicted.time.total() <= evaluate(on_links, other).time.total());
    }
    const std::int64_t gpus = job->at.gpus, zone = job->fabric.tiers.back().unit_gpus;
    if (gpus <= zone) continue;
    const Plan plan{.strategy = best, .time = predicted.time, .sync_by = predicted.sync_by};
    const job::Traffic traffic =
        job::traffic_of(on_links, plan, job->on, on_links.system.host, slowdowns.get(),
                        occupied_units(job->fabric, job->at, job->fabric.tiers.size() - 1));
    CHECK((traffic.zones->axis == Outermost::data) == best.replicas_outermost());
    (best.replicas_outermost() ? by_replica : by_stage) += 1;
  }
  CHECK(by_replica > 10);
  CHECK(by_stage > 10);
}
