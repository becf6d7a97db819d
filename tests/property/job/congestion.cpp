// Times of random jobs on random networks against what the links of each carry: no link is used for
// more than the iteration, a harsher assumption is never faster, more failures are never better,
// nor is standing in more units of which others keep the rest as busy.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "planner/core/real.hpp"
#include "planner/job/traffic.hpp"
#include "planner/network/count.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"
#include "support/fire_flyer.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kRoundedUp = 1 + 1e-9;

template <class T>
T one_of(std::initializer_list<T> values) {
  return values.begin()[any(0, static_cast<std::int64_t>(values.size()) - 1)];
}

Ratio any_ratio() {
  return any(0, 1) == 0 ? Ratio{} : Ratio{any(1, 4), any(1, 2)};
}

/// A topology that is a tree, for nodes of eight.
TopologyOptions any_topology(int index) {
  switch (index) {
    case 0:
      return FatTree{.oversubscription = any_ratio(), .pod_aligned = any(0, 1) == 1};
    case 1:
      return RailOptimized{.rails = 8, .planes = any(1, 2), .oversubscription = any_ratio()};
    case 2:
      return SuperPod{.nodes_per_unit = any(2, 16), .planes = any(1, 2)};
    case 3:
      return RailOnly{.rails = 8, .oversubscription = any_ratio()};
    case 4:
      return MultiPlane{
          .planes = one_of({2L, 4L, 8L}), .oversubscription = any_ratio(), .max_tiers = 3};
    case 5:
      return Hpn{.rails = 8,
                 .tor_host_ports = any(2, 8),
                 .tor_uplinks = one_of({4L, 6L, 8L}),
                 .agg_core_ports = any(1, 4),
                 .max_pods = any(1, 3)};
    case 6:
      return DcnPlus{.gpus_per_segment = 8 * any(2, 8),
                     .segments_per_pod = any(2, 4),
                     .max_pods = 16,
                     .tor_uplinks = 8,
                     .aggs_per_pod = one_of({4L, 8L}),
                     .agg_core_ports = 8};
    case 7:
      return MetaAiZone{.gpus_per_rack = 8 * any(1, 4), .racks_per_zone = any(4, 24)};
    default:
      return TwoZoneFatTree{
          .zones = any(1, 3), .zone_switches = 0, .inter_zone_links = 2 * any(1, 8)};
  }
}

constexpr int kTrees = 9;

/// Eight GPUs with a NIC each, or in NVLink pairs with one for all: Fire-Flyer 2.
System any_system() {
  System system = a100_cluster();
  system.accelerator.memory_bandwidth = 2000 * units::GBps;
  if (any(0, 1) == 0) {
    system.network_bandwidth = one_of({0.25, 2.5, 25.0}) * units::GBps;
    return system;
  }
  system.hb_domain = 2;
  system.host = fire_flyer_node();
  system.node = "fire-flyer-2";
  system.network_bandwidth = one_of({0.003125, 0.3125, 3.125}) * units::GBps;
  return system;
}

/// One that divides the model's layers, and any placement of it.
Strategy any_strategy(std::int64_t domain, std::int64_t nodes, const TransformerSpec& model) {
  Strategy strategy;
  const std::int64_t domains = 8 / domain * nodes;
  const std::int64_t t = one_of({1L, 2L}), p_in = domain > t && any(0, 2) == 0 ? 2 : 1;
  strategy.tp = {t, 1};
  strategy.dp.hb = domain / (t * p_in);
  strategy.pp = {p_in, 1};
  for (const std::int64_t p : {6L, 4L, 3L, 2L}) {
    if (domains % p == 0 && model.layers % (p * p_in) == 0 && any(0, 2) > 0) {
      strategy.pp.net = p;
      break;
    }
  }
  strategy.dp.net = domains / strategy.pp.net;
  const std::int64_t p = strategy.pp.total();
  const std::int64_t v = any(1, 4);
  if (p > 1 && model.layers % (p * v) == 0) strategy.interleave = v;
  if (model.moe) {
    strategy.ep.hb = strategy.dp.hb * t >= 2 ? 2 : 1;
    if (strategy.dp.net % 2 == 0 && any(0, 1) == 0) strategy.ep.net = 2;
  }
  strategy.zero = static_cast<int>(any(0, 3));
  return strategy;
}

/// A job that fills a network, or a part of it.
struct LoadedJob {
  Workload workload;
  Strategy strategy;
  job::JobOnNetwork on;
  RoutedFabric fabric;
  RoutedJob at;
  Routing routing;

  [[nodiscard]] std::shared_ptr<const JobSlowdowns> slowdowns() const {
    return std::make_shared<const JobSlowdowns>(fabric, at, routing);
  }
  [[nodiscard]] Workload routed(const std::shared_ptr<const JobSlowdowns>& slowdowns) const {
    Workload on_links = workload;
    on_links.routing = routing_factors(slowdowns);
    return on_links;
  }
  [[nodiscard]] Seconds time() const {
    const Workload on_links = routed(slowdowns());
    return evaluate(on_links, in_best_order(on_links, strategy)).time.total();
  }
  [[nodiscard]] std::string text() const {
    const Strategy& s = strategy;
    return fmt::format(
        "{} on {} of {} GPUs, domain {}, {:g} GB/s, tp {} pp {}x{} dp {}x{} ep {}x{} v {} zero {} "
        "batch {} {}, {}{}{}",
        name_of(on.count.topology), workload.gpus, fabric.gpus, workload.system.hb_domain,
        workload.system.network_bandwidth.in(units::GBps), s.tp.hb, s.pp.hb, s.pp.net, s.dp.hb,
        s.dp.net, s.ep.hb, s.ep.net, s.interleave, s.zero, workload.run.global_batch,
        name_of(routing.scheme), name_of(at.placement), at.fault ? ", " + text_of(*at.fault) : "",
        workload.timing.calibrated() ? "" : ", closed form");
  }
};

std::optional<LoadedJob> any_job(int topology) {
  const std::int64_t nodes = 12 * any(1, 16);
  const std::int64_t cluster = any(0, 1) == 0 ? nodes : nodes + any(1, 200);
  const bool mixture = any(0, 2) == 0;
  Workload workload{.model = mixture ? mixtral_8x7b() : gpt_22b(),
                    .system = any_system(),
                    .run = {.sequence = 2048},
                    .gpus = 8 * nodes,
                    .timing = prior_calibration()};
  workload.software.pipeline_sends =
      any(0, 1) == 0 ? PipelineSends::staggered : PipelineSends::at_once;
  workload.software.gradient_sync =
      one_of({GradientSync::nccl, GradientSync::hfreduce, GradientSync::automatic});
  const std::int64_t domain = workload.system.hb_domain;
  Strategy strategy = any_strategy(domain, nodes, workload.model);
  // The paper's model knows no experts, nodes that share cards, ZeRO beyond the optimizer's states
  // or way around a pipeline.
  if (!mixture && !workload.system.host && any(0, 2) == 0) {
    workload.timing = {};
    strategy.zero = std::min(strategy.zero, 1);
    strategy.interleave = 1;
  }
  const std::int64_t m = strategy.pp.total() * any(1, 6);
  workload.run.global_batch = strategy.dp.total() * m;
  const std::int64_t per_card = workload.system.host ? 8 : 1;
  FabricDesign design{.gpus = 8 * cluster / per_card,
                      .radix = 2 * any(8, 32),
                      .port_gbps = 200,
                      .topology = any_topology(topology)};
  const CountResult result = count_fabric(design);
  const auto* const count = std::get_if<FabricCount>(&result);
  if (count == nullptr) return std::nullopt;
  const auto fabric = routed_fabric(design, *count, 8 * cluster, 8);
  if (!fabric) return std::nullopt;
  LoadedJob job{.workload = workload,
                .strategy = strategy,
                .on = {.name = "tree",
                       .design = design,
                       .count = *count,
                       .cluster_gpus = 8 * cluster,
                       .node_gpus = 8,
                       .job_gpus = 8 * nodes,
                       .nominal = workload.system.network_bandwidth},
                .fabric = *fabric,
                .at = {.gpus = 8 * nodes},
                .routing = {.scheme = one_of({RoutingScheme::ecmp, RoutingScheme::ecmp_qp,
                                              RoutingScheme::te, RoutingScheme::spray}),
                            .qps = 4}};
  if (fabric->zones) {
    job.at.placement = Placement::zone_pair;
  } else if (any(0, 5) == 0) {
    job.at.placement = one_of({Placement::random, Placement::partial});
  }
  if (any(0, 3) == 0) job.at.uplinks = UplinkUse::alone;
  return job;
}

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
