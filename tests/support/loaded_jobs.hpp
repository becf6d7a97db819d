// Random jobs on random networks, of the trees that flows find their way through.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "planner/core/real.hpp"
#include "planner/job/routing.hpp"
#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"
#include "support/fire_flyer.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"

namespace planner::testing {

inline constexpr double kRoundedUp = 1 + 1e-9;

template <class T>
T one_of(std::initializer_list<T> values) {
  return values.begin()[any(0, static_cast<std::int64_t>(values.size()) - 1)];
}

inline Ratio any_ratio() {
  return any(0, 1) == 0 ? Ratio{} : Ratio{any(1, 4), any(1, 2)};
}

/// A topology that is a tree, for nodes of eight.
inline TopologyOptions any_topology(int index) {
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

inline constexpr int kTrees = 9;

/// Eight GPUs with a NIC each, or in NVLink pairs with one for all: Fire-Flyer 2.
inline System any_system() {
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
inline Strategy any_strategy(std::int64_t domain, std::int64_t nodes,
                             const TransformerSpec& model) {
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

inline std::optional<LoadedJob> any_job(int topology) {
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

}  // namespace planner::testing
