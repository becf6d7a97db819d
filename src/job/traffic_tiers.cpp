#include "planner/job/traffic_tiers.hpp"

#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/machine/host_tier.hpp"

namespace planner::job {

namespace {

using network::BytesByType;

/// What all GPUs of a unit have of the network, which options may set.
LinkClass cards_of(const System& system, std::int64_t unit_gpus) {
  return {.name = "network cards",
          .unit_gpus = unit_gpus,
          .capacity = real(unit_gpus) * system.network_bandwidth};
}

/// Units of a tier of the network with GPUs of a job: what leaves all of them, and the one whose
/// links are busiest.
struct UsedUnits {
  BytesByType leaving{}, busiest{};
  std::int64_t busiest_gpus = 1;
  double share = 1;  ///< of its links, that the job has
};

class Placed {
 public:
  Placed(const JobSlowdowns& job, std::span<const TrafficPhase> phases)
      : job_(job), phases_(phases), gpus_(job.job().gpus) {}

  [[nodiscard]] UsedUnits units(std::size_t tier) const {
    const auto& runs = job_.runs(tier);
    UsedUnits found;
    double most = -1;
    std::int64_t unit = 0;
    const auto add = [&](const BytesByType& out, std::int64_t gpus, std::int64_t times) {
      for (std::size_t i = 0; i < out.size(); ++i) found.leaving[i] += real(times) * out[i];
      const double share = job_.share_of_unit(tier, unit, gpus);
      unit += times;
      const double load = total(out).si() / share;
      if (load <= most) return;
      most = load;
      found.busiest = out;
      found.busiest_gpus = gpus;
      found.share = share;
    };
    if (job_.job().placement == Placement::random) {
      for (const auto& run : runs) add(out_at_random(run.size), run.size, run.units);
      return found;
    }
    const auto out = [&](std::int64_t first, std::int64_t size) {
      return network::bytes_out(phases_, first, first + size);
    };
    const bool tail = runs.size() == 2 && runs[1].units == 1 && runs[1].size < runs[0].size;
    if (runs.size() == 1 || tail) {  // alike but for a smaller last one: in closed form
      const std::int64_t size = runs.front().size;
      const auto level = network::traffic_of_level(phases_, gpus_, size);
      add(level.busiest, size, runs.front().units);
      if (tail) add(out(runs[1].first, runs[1].size), runs[1].size, 1);
      found.leaving = level.leaving;
      return found;
    }
    for (const auto& run : runs) {
      for (std::int64_t i = 0; i < run.units; ++i) {
        add(out(run.first + i * run.size, run.size), run.size, 1);
      }
    }
    return found;
  }

 private:
  // Of a group whose ranks are on hosts in random order each hop may leave.
  [[nodiscard]] BytesByType out_at_random(std::int64_t gpus) const {
    const std::int64_t node = std::min(job_.fabric().gpus_per_node, gpus_);
    const auto of_nodes = network::traffic_of_level(phases_, gpus_, node).leaving;
    const double leaving = share_leaving_at_random(ceil_div(gpus_, node), ceil_div(gpus, node));
    BytesByType out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = real(gpus) / real(gpus_) * leaving * of_nodes[i];
    }
    return out;
  }

  const JobSlowdowns& job_;
  std::span<const TrafficPhase> phases_;
  std::int64_t gpus_;
};

}  // namespace

std::vector<TrafficPhase> beyond_domains(std::span<const TrafficPhase> phases,
                                         std::int64_t domain) {
  std::vector<TrafficPhase> beyond;
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() > domain) beyond.push_back(phase);
  }
  return beyond;
}

// Flows of groups in one HB domain load its ports alone, whatever stands below a leaf; all others
// what lies beyond the domain.
TrafficOnLinks::TrafficOnLinks(const Workload& workload, std::span<const TrafficPhase> phases,
                               std::vector<SumByCpus> sums, Seconds iteration)
    : workload_(workload),
      gpus_(workload.gpus),
      domain_(usable_hb_domain(workload.system.hb_domain, workload.gpus)),
      all_(phases.begin(), phases.end()),
      beyond_(beyond_domains(phases, domain_)),
      sums_(std::move(sums)),
      iteration_(iteration) {
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() <= domain_) inside_.push_back(phase);
  }
  for (const TrafficPhase& phase : beyond_) {
    if (!phase.from_hosts) of_gpus_.push_back(phase);
  }
}

void TrafficOnLinks::add_node(const Node& node, std::vector<Row>& rows) const {
  // Between the domains of a server without a switch: PCIe.
  if (!node.pcie || node.accelerators <= workload_.system.hb_domain) return;
  rows.push_back({.name = "node",
                  .unit_gpus = node.accelerators,
                  .links = {.name = "PCIe",
                            .unit_gpus = domain_,
                            .capacity = real(domain_) * node.pcie->gpu_bandwidth}});
}

// Of a job that is placed nowhere units are filled one after the other.
void TrafficOnLinks::add_fabric(const JobOnNetwork& on, LinkClass cards, const JobSlowdowns* placed,
                                std::vector<Row>& rows) const {
  const auto fabric = fabric_of_job(on);
  if (!fabric) throw InputError(no_routing(on));
  const std::int64_t together = rows.back().unit_gpus;
  LinkClass next = std::move(cards);
  std::optional<std::size_t> links_of;
  for (std::size_t i = 0; i < fabric->tiers.size(); ++i) {
    const FabricTier& tier = fabric->tiers[i];
    rows.push_back({.name = tier.between_zones ? "zone"
                            : i == 0           ? "leaf"
                                               : "pod",
                    .unit_gpus = tier.unit_gpus,
                    .links = std::move(next),
                    .links_of = links_of,
                    .tier = i});
    next = {.name = tier.name,
            .unit_gpus = tier.unit_gpus,
            .capacity = real(tier.unit_gpus) / tier.rho * on.nominal};
    links_of = i;
    const bool one = placed != nullptr
                         ? placed->runs(i).size() == 1 && placed->runs(i).front().units == 1
                         : tier.unit_gpus >= gpus_;
    if (one) return;
  }
  if (fabric->tiers.empty() && together >= gpus_) return;
  rows.push_back(
      {.name = "cluster", .unit_gpus = gpus_, .links = std::move(next), .links_of = links_of});
}

std::vector<TrafficOnLinks::Row> TrafficOnLinks::rows(const std::optional<JobOnNetwork>& on,
                                                      const std::optional<Node>& node,
                                                      const JobSlowdowns* placed) const {
  const System& system = workload_.system;
  std::vector<Row> rows{
      {.name = "HB domain",
       .unit_gpus = domain_,
       .links = {.name = "HB ports", .unit_gpus = 1, .capacity = system.hb_bandwidth}}};
  if (node) add_node(*node, rows);
  if (rows.back().unit_gpus >= gpus_) return rows;
  // Of one card without a port its own links, which set the pace.
  const bool one_card = placed != nullptr && placed->one_card_slow();
  LinkClass cards =
      cards_of(system, one_card ? placed->fabric().gpus_per_card : rows.back().unit_gpus);
  if (one_card) cards.name = "network card";
  if (placed != nullptr) cards.capacity = cards.capacity / placed->slowdown_of_cards();
  if (on) {
    add_fabric(*on, std::move(cards), placed, rows);
  } else {
    rows.push_back({.name = "network", .unit_gpus = gpus_, .links = std::move(cards)});
  }
  return rows;
}

BytesByType TrafficOnLinks::busiest_out(std::span<const TrafficPhase> phases,
                                        std::int64_t unit) const {
  return network::traffic_of_level(phases, gpus_, unit).busiest;
}

/// Out of the busiest HB port: what groups in a domain send, what those of several domains send in
/// their own, and with rails apart what is first moved to its rail.
BytesByType TrafficOnLinks::out_of_port() const {
  BytesByType out = busiest_out(inside_, 1);
  for (const TrafficPhase& phase : of_gpus_) {
    const double networks =
        networks_of(real(phase.mixed_ranks),
                    {.parts = real(phase.mixed_stride), .rails_apart = workload_.rails_apart});
    network::of(out, phase.type) += (networks - 1) / networks * phase.sent;
    const bool next_inside =
        phase.groups.kind == FlowKind::ring &&
        cut(phase.groups, gpus_, domain_).all < cut(phase.groups, gpus_, 1).all;
    if (next_inside) network::of(out, phase.type) += phase.sent;
  }
  return out;
}

// As flows that leave every unit of a node.
template <class PerByte>
std::vector<TrafficPhase> TrafficOnLinks::copies(PerByte&& per_byte) const {
  std::vector<TrafficPhase> phases;
  for (const SumByCpus& sum : sums_) {
    std::vector<Sending> sends;
    for (const std::vector<RankPlace>& stage : sum.on) sends.push_back({gpus_, stage});
    phases.push_back({.type = sum.type,
                      .groups = {FlowKind::ring, gpus_, 2},
                      .sent = per_byte(sum) * sum.reduced,
                      .sends = std::move(sends)});
  }
  return phases;
}

/// Besides what its GPUs send, copies of HFReduce to the CPUs; as many come back (Fire-Flyer
/// AI-HPC, arXiv 2408.14158, §IV-B): of a pair of GPUs that reduced among themselves each half of
/// the sum once.
BytesByType TrafficOnLinks::out_over_pcie(const Node& node) const {
  std::vector<TrafficPhase> out = copies([&](const SumByCpus& sum) {
    return sum.options.nvlink_pairs ? 1 / real(node.nvlink_bridges->gpus) : 1;
  });
  out.insert(out.end(), of_gpus_.begin(), of_gpus_.end());
  return busiest_out(out, domain_);
}

/// Of the bandwidth of HB ports, what groups that do not reach each other alike can use: each its
/// links, one kind of group after the other.
double TrafficOnLinks::usable_share(const DomainLinks& links) const {
  double sent = 0, on_all_links = 0;
  for (const TrafficPhase& phase : inside_) {
    const Bytes busiest = total(busiest_out({&phase, 1}, 1));
    sent += busiest.si();
    on_all_links += busiest.si() / links.share(phase.groups);
  }
  return sent > 0 ? sent / on_all_links : 1;
}

std::vector<TierTraffic> TrafficOnLinks::tiers(const std::optional<JobOnNetwork>& on,
                                               const std::optional<Node>& node,
                                               const JobSlowdowns* placed) const {
  std::vector<TierTraffic> found;
  BytesByType below = network::sent_by_type(all_, gpus_), busiest = out_of_port();
  BytesByType leaving{};      // the units of the row before
  std::int64_t together = 0;  // GPUs of a domain or node
  const auto look_at = [&](const Row& row) {
    if (row.tier && placed != nullptr) {
      const UsedUnits of = Placed(*placed, beyond_).units(*row.tier);
      leaving = of.leaving;
      return of;
    }
    const auto level = network::traffic_of_level(beyond_, gpus_, row.unit_gpus);
    leaving = level.leaving;
    return UsedUnits{.busiest = level.busiest, .busiest_gpus = row.unit_gpus};
  };
  UsedUnits before;
  for (Row& row : rows(on, node, placed)) {
    TierTraffic tier{.name = std::move(row.name), .unit_gpus = row.unit_gpus, .links = row.links};
    if (row.links_of && placed != nullptr) {
      const double left = placed->share_left(*row.links_of);
      tier.links.unit_gpus = before.busiest_gpus;
      tier.links.capacity = before.share * left * tier.links.capacity;
    }
    if (found.empty()) {
      const DomainLinks ports(workload_.system, domain_);
      if (!ports.alike()) tier.links.capacity = usable_share(ports) * tier.links.capacity;
    }
    tier.busiest = busiest;
    // What leaves a node is dealt out over its cards, evenly.
    if (!found.empty() && tier.links.unit_gpus < before.busiest_gpus) {
      for (Bytes& bytes : tier.busiest) {
        bytes = real(tier.links.unit_gpus) / real(before.busiest_gpus) * bytes;
      }
    }
    tier.utilisation = total(tier.busiest) / (tier.links.capacity * iteration_);
    before = look_at(row);
    // In a leaf of a part of an HB domain nothing ends that does not end in the domain.
    if (!row.tier || row.unit_gpus > together) {
      for (std::size_t i = 0; i < below.size(); ++i) tier.bytes[i] = below[i] - leaving[i];
      below = leaving;
    }
    if (!row.tier) together = row.unit_gpus;
    found.push_back(std::move(tier));
    const bool over_pcie = found.size() == 1 && !sums_.empty() && node;
    busiest = over_pcie ? out_over_pcie(*node) : before.busiest;
  }
  return found;
}

// The host bridge that most GPUs share, where it can bind, and the memory of a node, which only
// sums by its CPUs load: in their operations on it.
std::vector<HostTraffic> TrafficOnLinks::host() const {
  const auto tier = host_tier(workload_.system, domain_);
  if (!tier) return {};
  const Node& node = *workload_.system.host;
  std::vector<HostTraffic> found;
  const auto add = [&](HostTraffic one) {
    one.utilisation = total(one.bytes) / (one.capacity * iteration_);
    found.push_back(std::move(one));
  };
  // So many of the bytes that a GPU's gradients have, by the bound that they set.
  const auto of_sums = [&](ReduceResource resource, BytesPerSecond capacity, double parts) {
    return copies([&](const SumByCpus& sum) {
      const auto bound = hfreduce_bounds(node, sum.options).of(resource);
      return bound ? capacity / *bound / parts : 0;
    });
  };
  if (tier->bridge) {
    HostTraffic bridge{
        .name = "host bridge", .unit_gpus = tier->bridge_gpus, .capacity = *tier->bridge};
    // As much comes in as goes out.
    std::vector<TrafficPhase> through =
        of_sums(ReduceResource::host_bridge, bridge.capacity, 2 * real(tier->bridge_gpus));
    for (const TrafficPhase& phase : of_gpus_) {
      if (tier->load(phase.groups).bridge > 0) through.push_back(phase);
    }
    bridge.bytes = busiest_out(through, tier->bridge_gpus);
    for (Bytes& bytes : bridge.bytes) bytes = 2 * bytes;
    add(std::move(bridge));
  }
  if (!sums_.empty()) {
    HostTraffic memory{.name = "host memory",
                       .unit_gpus = node.accelerators,
                       .capacity = *node.host_memory_bandwidth};
    memory.bytes =
        busiest_out(of_sums(ReduceResource::host_memory, memory.capacity, real(node.accelerators)),
                    node.accelerators);
    add(std::move(memory));
  }
  return found;
}

}  // namespace planner::job
