#include "planner/job/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/perf/machine/torus.hpp"

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

LinkClass cards_of(const System& system, const std::optional<Node>& node, std::int64_t unit_gpus) {
  LinkClass cards{.name = "network cards",
                  .unit_gpus = unit_gpus,
                  .capacity = real(unit_gpus) * system.network_bandwidth};
  if (node && node->accelerators == unit_gpus) {
    cards.capacity = std::min(cards.capacity, real(node->nics) * node->nic_bandwidth);
  }
  return cards;
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
  LinkClass cards = cards_of(system, node, tiers.back().unit_gpus);
  if (on) {
    add_fabric(*on, workload.gpus, std::move(cards), tiers);
  } else {
    tiers.push_back({.name = "network", .unit_gpus = workload.gpus, .links = std::move(cards)});
  }
  return tiers;
}

/// Of the bandwidth of HB ports, what groups that do not reach each other alike can use: each its
/// links, one kind of group after the other.
double usable_share(std::span<const TrafficPhase> inside, std::int64_t gpus,
                    const DomainLinks& links) {
  const std::int64_t one = 1;
  double sent = 0, on_all_links = 0;
  for (const TrafficPhase& phase : inside) {
    const Bytes busiest =
        total(network::traffic_by_level({&phase, 1}, gpus, {&one, 1}).front().busiest);
    const std::int64_t reached = phase.groups.kind == FlowKind::line ? 2 : phase.groups.ranks;
    sent += busiest.si();
    on_all_links += busiest.si() / links.share(reached, phase.groups.stride);
  }
  return sent > 0 ? sent / on_all_links : 1;
}

std::vector<TierTraffic> traffic_of_tiers(std::span<const TrafficPhase> phases, std::int64_t gpus,
                                          std::vector<Tier> tiers, Seconds iteration,
                                          const DomainLinks& links) {
  std::vector<std::int64_t> units;
  for (const Tier& tier : tiers) units.push_back(tier.unit_gpus);
  const std::vector<network::LevelTraffic> levels = network::traffic_by_level(phases, gpus, units);
  // Flows within a domain load its ports, the others all that lies beyond.
  std::vector<TrafficPhase> inside;
  std::copy_if(phases.begin(), phases.end(), std::back_inserter(inside),
               [&](const TrafficPhase& phase) { return phase.groups.period() <= units.front(); });
  const std::int64_t one = 1;
  network::BytesByType busiest = network::traffic_by_level(inside, gpus, {&one, 1}).front().busiest;
  if (!links.alike()) {
    BytesPerSecond& ports = tiers.front().links.capacity;
    ports = usable_share(inside, gpus, links) * ports;
  }

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

Bytes leaving(std::span<const TrafficPhase> phases, const std::vector<std::int64_t>& zones,
              std::vector<network::BytesByType>* each = nullptr) {
  Bytes all{};
  std::int64_t first = 0;
  for (const std::int64_t zone : zones) {
    const network::BytesByType out = network::bytes_out(phases, first, first + zone);
    all += total(out);
    if (each != nullptr) each->push_back(out);
    first += zone;
  }
  return all;
}

ZoneTraffic traffic_of_zones(const Workload& workload, const Plan& plan,
                             const std::vector<std::int64_t>& zones) {
  const Strategy& strategy = plan.strategy;
  const auto stages = traffic_phases(workload, strategy, Outermost::pipeline, plan.sync_by);
  const auto replicas = traffic_phases(workload, strategy, Outermost::data, plan.sync_by);
  ZoneTraffic found{.gpus = zones,
                    .pipeline_outermost = leaving(stages, zones),
                    .data_outermost = leaving(replicas, zones)};
  const bool fewer = found.pipeline_outermost <= found.data_outermost;
  found.axis = strategy.outermost.value_or(fewer ? Outermost::pipeline : Outermost::data);
  leaving(found.axis == Outermost::pipeline ? stages : replicas, zones, &found.out);
  return found;
}

}  // namespace

Traffic traffic_of(const Workload& workload, const Plan& plan,
                   const std::optional<JobOnNetwork>& on, const std::optional<Node>& node,
                   const std::vector<std::int64_t>& zones) {
  const std::vector<TrafficPhase> phases = traffic_phases(workload, plan.strategy, plan.sync_by);
  const std::int64_t gpus = workload.gpus;
  Traffic traffic{
      .gpus = gpus,
      .hb_domain = usable_hb_domain(workload.system.hb_domain, gpus),
      .phases = phases,
      .sent = network::sent_by_type(phases, gpus),
      .tiers = traffic_of_tiers(
          phases, gpus, tiers_of(workload, on, node), plan.time.total(),
          DomainLinks(workload.system, usable_hb_domain(workload.system.hb_domain, gpus))),
      .pairs = network::sending_pairs(phases, gpus),
      .rows = network::pair_rows(phases, gpus),
      .by_cpus = plan.sync_by == GradientSync::hfreduce,
      .gradient_bytes = gradient_bytes(workload)};
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() <= traffic.hb_domain) continue;
    const Bytes sent = network::sent_by_all(phase, gpus);
    const double mixed = real(phase.mixed_ranks);
    traffic.network += sent;
    traffic.off_rail += (mixed - 1) / mixed * sent;
  }
  // What changes its place in the domain is first moved there over the HB ports (rail-only paper,
  // arXiv 2307.12169, Appendix D).
  traffic.forwarding = traffic.off_rail / real(gpus) / workload.system.hb_bandwidth;
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
      "iteration, if nothing hides it.",
      100 * (traffic.off_rail / traffic.network), long_time ? seconds : 1e3 * seconds,
      long_time ? "s" : "ms", 100 * (traffic.forwarding / iteration));
}

}  // namespace planner::job
