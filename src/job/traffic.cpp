#include "planner/job/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"
#include "planner/domain/topology.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::job {

namespace {

/// Units of links from the GPU out. HB ports come first and lead from GPU to GPU of a domain.
struct Tier {
  std::string name;
  std::int64_t unit_gpus = 1;
  LinkClass links;
};

void add_node(const System& system, const Node& node, std::vector<Tier>& tiers) {
  // Between the domains of a server without a switch: PCIe.
  if (!node.pcie || node.accelerators <= system.hb_domain) return;
  const std::int64_t domain = tiers.back().unit_gpus;
  tiers.push_back({.name = "node",
                   .unit_gpus = node.accelerators,
                   .links = {.name = "PCIe",
                             .unit_gpus = domain,
                             .capacity = real(domain) * node.pcie->gpu_bandwidth}});
}

/// What all GPUs of a unit have of the network, which options may set.
LinkClass cards_of(const System& system, std::int64_t unit_gpus) {
  return {.name = "network cards",
          .unit_gpus = unit_gpus,
          .capacity = real(unit_gpus) * system.network_bandwidth};
}

/// Of a job that fills the units of its network one after the other.
void add_fabric(const JobOnNetwork& on, std::int64_t gpus, LinkClass cards,
                std::vector<Tier>& tiers) {
  const auto fabric = routed_fabric(on.design, on.count, on.cluster_gpus, on.node_gpus);
  if (!fabric) throw InputError(no_routing(on));
  LinkClass next = std::move(cards);
  for (std::size_t i = 0; i < fabric->tiers.size(); ++i) {
    const FabricTier& tier = fabric->tiers[i];
    if (tier.unit_gpus <= tiers.back().unit_gpus) continue;  // within an HB domain
    tiers.push_back({.name = tier.between_zones ? "zone"
                             : i == 0           ? "leaf"
                                                : "pod",
                     .unit_gpus = tier.unit_gpus,
                     .links = std::move(next)});
    next = {.name = tier.name,
            .unit_gpus = tier.unit_gpus,
            .capacity = real(tier.unit_gpus) / tier.rho * on.nominal};
    if (tier.unit_gpus >= gpus) return;
  }
  if (tiers.back().unit_gpus >= gpus) return;
  tiers.push_back({.name = "cluster", .unit_gpus = gpus, .links = std::move(next)});
}

std::vector<Tier> tiers_of(const Workload& workload, const std::optional<JobOnNetwork>& on,
                           const std::optional<Node>& node) {
  const System& system = workload.system;
  const std::int64_t domain = usable_hb_domain(system.hb_domain, workload.gpus);
  std::vector<Tier> tiers{
      {.name = "HB domain",
       .unit_gpus = domain,
       .links = {.name = "HB ports", .unit_gpus = 1, .capacity = system.hb_bandwidth}}};
  if (node) add_node(system, *node, tiers);
  if (tiers.back().unit_gpus >= workload.gpus) return tiers;
  LinkClass cards = cards_of(system, tiers.back().unit_gpus);
  if (on) {
    add_fabric(*on, workload.gpus, std::move(cards), tiers);
  } else {
    tiers.push_back({.name = "network", .unit_gpus = workload.gpus, .links = std::move(cards)});
  }
  return tiers;
}

using network::BytesByType;

/// Of those of a machine: flows of groups in one HB domain load its ports alone, whatever stands
/// below a leaf; all others what lies beyond the domain.
struct Flows {
  std::vector<TrafficPhase> inside, beyond, of_gpus;  ///< beyond: by GPUs

  Flows(std::span<const TrafficPhase> phases, std::int64_t domain) {
    for (const TrafficPhase& phase : phases) {
      const bool leaves = phase.groups.period() > domain;
      (leaves ? beyond : inside).push_back(phase);
      if (leaves && !phase.from_hosts) of_gpus.push_back(phase);
    }
  }
};

/// Out of the busiest unit of so many GPUs.
BytesByType busiest_out(std::span<const TrafficPhase> phases, std::int64_t gpus,
                        std::int64_t unit) {
  return network::traffic_by_level(phases, gpus, {&unit, 1}).front().busiest;
}

/// Out of the busiest HB port: what groups in a domain send, what those of several domains send in
/// their own, and with rails apart what is first moved to its rail.
BytesByType out_of_port(const Flows& flows, std::int64_t gpus, std::int64_t domain,
                        std::int64_t rails_apart) {
  BytesByType out = busiest_out(flows.inside, gpus, 1);
  for (const TrafficPhase& phase : flows.of_gpus) {
    const double networks = networks_of(
        real(phase.mixed_ranks), {.parts = real(phase.mixed_stride), .rails_apart = rails_apart});
    network::of(out, phase.type) += (networks - 1) / networks * phase.sent;
    const bool next_inside = phase.groups.kind == FlowKind::ring &&
                             cut(phase.groups, gpus, domain).all < cut(phase.groups, gpus, 1).all;
    if (next_inside) network::of(out, phase.type) += phase.sent;
  }
  return out;
}

/// Of the bandwidth of HB ports, what groups that do not reach each other alike can use: each its
/// links, one kind of group after the other.
double usable_share(std::span<const TrafficPhase> inside, std::int64_t gpus,
                    const DomainLinks& links) {
  double sent = 0, on_all_links = 0;
  for (const TrafficPhase& phase : inside) {
    const Bytes busiest = total(busiest_out({&phase, 1}, gpus, 1));
    sent += busiest.si();
    on_all_links += busiest.si() / links.share(phase.groups);
  }
  return sent > 0 ? sent / on_all_links : 1;
}

/// Copies of HFReduce out of an HB domain to the CPUs; as many come back (Fire-Flyer AI-HPC, arXiv
/// 2408.14158, §IV-B): of a pair of GPUs that reduced among themselves each half of the sum once.
void add_copies(std::span<const SumByCpus> sums, const Node& node, std::int64_t domain,
                BytesByType& out) {
  for (const auto& [type, reduced, on] : sums) {
    const double joined = on.nvlink_pairs ? real(node.nvlink_bridges->gpus) : 1;
    network::of(out, type) += real(domain) / joined * reduced;
  }
}

std::vector<TierTraffic> traffic_of_tiers(std::span<const TrafficPhase> phases, std::int64_t gpus,
                                          std::vector<Tier> tiers,
                                          std::span<const SumByCpus> by_cpus,
                                          const std::optional<Node>& node, const DomainLinks& links,
                                          std::int64_t rails_apart, Seconds iteration) {
  const std::int64_t domain = tiers.front().unit_gpus;
  const Flows flows(phases, domain);
  if (!links.alike()) {
    BytesPerSecond& ports = tiers.front().links.capacity;
    ports = usable_share(flows.inside, gpus, links) * ports;
  }
  std::vector<std::int64_t> units;
  for (const Tier& tier : tiers) units.push_back(tier.unit_gpus);
  std::vector<network::LevelTraffic> levels = network::traffic_by_level(flows.beyond, gpus, units);
  const BytesByType sent = network::sent_by_type(phases, gpus);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    levels.front().inside[i] = sent[i] - levels.front().leaving[i];
  }
  if (!by_cpus.empty() && node) {
    levels.front().busiest = busiest_out(flows.of_gpus, gpus, domain);
    add_copies(by_cpus, *node, domain, levels.front().busiest);
  }

  BytesByType busiest = out_of_port(flows, gpus, domain, rails_apart);
  std::vector<TierTraffic> found;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    TierTraffic tier{.name = std::move(tiers[i].name),
                     .unit_gpus = tiers[i].unit_gpus,
                     .bytes = levels[i].inside,
                     .links = std::move(tiers[i].links),
                     .busiest = busiest};
    tier.utilisation = total(busiest) / (tier.links.capacity * iteration);
    busiest = levels[i].busiest;
    found.push_back(std::move(tier));
  }
  return found;
}

/// The host bridge that most GPUs share, where it can bind, and the memory of a node, which only
/// sums by its CPUs load: in their operations on it.
std::vector<HostTraffic> traffic_of_host(std::span<const TrafficPhase> phases,
                                         const Workload& workload,
                                         std::span<const SumByCpus> by_cpus, Seconds iteration) {
  const System& system = workload.system;
  const std::int64_t domain = usable_hb_domain(system.hb_domain, workload.gpus);
  const auto tier = host_tier(system, domain);
  if (!tier) return {};
  const Node& node = *system.host;
  std::vector<HostTraffic> found;
  const auto add = [&](HostTraffic one) {
    one.utilisation = total(one.bytes) / (one.capacity * iteration);
    found.push_back(std::move(one));
  };
  // So many of the bytes that a GPU's gradients have, by the bound that they set.
  const auto of_sums = [&](ReduceResource resource, BytesPerSecond capacity, BytesByType& bytes) {
    for (const auto& [type, reduced, on] : by_cpus) {
      const auto bound = hfreduce_bounds(node, on).of(resource);
      if (bound) network::of(bytes, type) += capacity / *bound * reduced;
    }
  };
  if (tier->bridge) {
    std::vector<TrafficPhase> through;
    for (const TrafficPhase& phase : Flows(phases, domain).of_gpus) {
      if (tier->load(phase.groups).bridge > 0) through.push_back(phase);
    }
    HostTraffic bridge{
        .name = "host bridge", .unit_gpus = tier->bridge_gpus, .capacity = *tier->bridge};
    bridge.bytes = busiest_out(through, workload.gpus, tier->bridge_gpus);
    for (Bytes& bytes : bridge.bytes) bytes = 2 * bytes;  // as much comes in as goes out
    of_sums(ReduceResource::host_bridge, bridge.capacity, bridge.bytes);
    add(std::move(bridge));
  }
  if (!by_cpus.empty()) {
    HostTraffic memory{.name = "host memory",
                       .unit_gpus = node.accelerators,
                       .capacity = *node.host_memory_bandwidth};
    of_sums(ReduceResource::host_memory, memory.capacity, memory.bytes);
    add(std::move(memory));
  }
  return found;
}

Bytes leaving(std::span<const TrafficPhase> phases, std::int64_t gpus,
              const std::vector<std::int64_t>& zones,
              std::vector<network::BytesByType>* each = nullptr) {
  Bytes all{};
  std::int64_t first = 0;
  for (const std::int64_t zone : zones) {
    const network::BytesByType out = network::bytes_out(phases, gpus, first, first + zone);
    all += total(out);
    if (each != nullptr) each->push_back(out);
    first += zone;
  }
  return all;
}

/// How much longer an iteration takes where rails share no path: what changes its place in the
/// domain is first moved there over the HB ports (rail-only paper, arXiv 2307.12169, Appendix D).
Seconds time_of_forwarding(Workload workload, const Strategy& strategy) {
  const auto time = [&](std::int64_t rails_apart) {
    workload.rails_apart = rails_apart;
    return evaluate(workload, strategy).time.total();
  };
  const Seconds joined = time(1);
  return time(kRailEach) - joined;
}

ZoneTraffic traffic_of_zones(const Workload& workload, const Plan& plan,
                             const std::vector<std::int64_t>& zones) {
  const Strategy& strategy = plan.strategy;
  const std::int64_t domain = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  const auto ordered = [&](Outermost axis) {
    return Flows(traffic_phases(workload, strategy, axis, plan.sync_by), domain).beyond;
  };
  const auto stages = ordered(Outermost::pipeline), replicas = ordered(Outermost::data);
  ZoneTraffic found{.gpus = zones,
                    .pipeline_outermost = leaving(stages, workload.gpus, zones),
                    .data_outermost = leaving(replicas, workload.gpus, zones)};
  const bool fewer = found.pipeline_outermost <= found.data_outermost;
  found.axis = strategy.outermost.value_or(fewer ? Outermost::pipeline : Outermost::data);
  leaving(found.axis == Outermost::pipeline ? stages : replicas, workload.gpus, zones, &found.out);
  return found;
}

}  // namespace

Traffic traffic_of(const Workload& workload, const Plan& plan,
                   const std::optional<JobOnNetwork>& on, const std::optional<Node>& node,
                   const std::vector<std::int64_t>& zones) {
  const std::vector<TrafficPhase> phases = traffic_phases(workload, plan.strategy, plan.sync_by);
  const std::int64_t gpus = workload.gpus;
  const Seconds iteration = plan.time.total();
  const bool sums = plan.sync_by == GradientSync::hfreduce;
  const std::vector<SumByCpus> by_cpus =
      sums ? sums_by_cpus(workload, plan.strategy) : std::vector<SumByCpus>{};
  const std::int64_t domain = usable_hb_domain(workload.system.hb_domain, gpus);
  Traffic traffic{.gpus = gpus,
                  .hb_domain = domain,
                  .phases = phases,
                  .sent = network::sent_by_type(phases, gpus),
                  .tiers = traffic_of_tiers(phases, gpus, tiers_of(workload, on, node), by_cpus,
                                            node, DomainLinks(workload.system, domain),
                                            workload.rails_apart, iteration),
                  .host = traffic_of_host(phases, workload, by_cpus, iteration),
                  .pairs = network::sending_pairs(phases, gpus),
                  .rows = network::pair_rows(phases, gpus),
                  .by_cpus = sums,
                  .gradient_bytes = gradient_bytes(workload)};
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() <= traffic.hb_domain) continue;
    const Bytes sent = network::sent_by_all(phase, gpus);
    const double mixed = real(phase.mixed_ranks);
    traffic.network += sent;
    traffic.off_rail += (mixed - 1) / mixed * sent;
  }
  if (traffic.off_rail > Bytes{}) {
    traffic.forwarding = time_of_forwarding(workload, plan.strategy);
  }
  if (!zones.empty()) traffic.zones = traffic_of_zones(workload, plan, zones);
  return traffic;
}

std::string rail_only_sentence(const Traffic& traffic, Seconds iteration) {
  if (!(traffic.network > Bytes{})) {
    return "Rail-only is enough: nothing leaves the HB domains.";
  }
  if (!(traffic.off_rail > Bytes{})) {
    return "Rail-only is enough: all that leaves an HB domain goes to GPUs of the same place in "
           "other domains.";
  }
  const double seconds = traffic.forwarding.si();
  const bool long_time = seconds >= 1;
  return fmt::format(
      "Rail-only is enough only with forwarding: {:.1f} % of what leaves HB domains changes rail, "
      "and moving it to its rail inside the domains first takes {:.3g} {}, {:.2g} % of the "
      "iteration.",
      100 * (traffic.off_rail / traffic.network), long_time ? seconds : 1e3 * seconds,
      long_time ? "s" : "ms", 100 * (traffic.forwarding / iteration));
}

}  // namespace planner::job
