// Collectives on networks with hash collisions, as `collective --topology --routing` times them,
// beside the bandwidths that HPN (Fig. 17) and C4 (Figs. 9 and 10) measured, and what a transport
// keeps in flight (Meta, § 6.1). Queue pairs, the order of hosts and the sizes of messages are not
// published: what rests on them is shown, and says so.

#include <algorithm>
#include <cmath>

#include "planner/job/collective.hpp"
#include "planner/job/routing.hpp"
#include "planner/network/count.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "planner/published/published.hpp"
#include "planner/published/rows.hpp"
#include "planner/published/sources.hpp"

namespace planner::published {

namespace {

/// One collective of H800 nodes on one of the networks that the papers compare.
struct Routed {
  Topology topology = Topology::dcn_plus;
  RoutingScheme scheme = RoutingScheme::ecmp_qp;
  std::int64_t qps = 1;  ///< for each port of a card
  std::int64_t gpus = 448, cluster_gpus = 448;
  Placement placement = Placement::whole;
  std::optional<Fault> fault{};
};

job::CollectiveJob job_of(const catalog::Catalog& catalog, const Routed& asked,
                          CollectiveKind kind) {
  job::CollectiveJob job{.kind = kind,
                         .system = catalog.load_system("hpn-h800"),
                         .gpus = asked.gpus,
                         .library = catalog.load_collectives("nccl")};
  FabricDesign design = default_design(asked.topology);
  design.gpus = asked.cluster_gpus;
  RoutingSettings how{.scheme = asked.scheme, .fail = asked.fault, .placement = asked.placement};
  if (hashes(asked.scheme)) how.qps = asked.qps;
  const job::JobOnNetwork on{.name = std::string{name_of(asked.topology)},
                             .design = design,
                             .count = std::get<FabricCount>(count_fabric(design)),
                             .cluster_gpus = asked.cluster_gpus,
                             .node_gpus = job.system.hb_domain,
                             .job_gpus = asked.gpus,
                             .nominal = job.system.network_bandwidth};
  job.routing = job::route_job(how, on).factors;
  return job;
}

/// The fastest algorithm's; switches of the nodes may add up (NVLS).
Seconds time_of(const catalog::Catalog& catalog, const Routed& asked, CollectiveKind kind) {
  job::CollectiveJob job = job_of(catalog, asked, kind);
  job.in_switch.hb = kind == CollectiveKind::all_reduce;
  const job::TimedSize timed = job::timed(job, 0x1p30 * units::byte);
  return timed.algorithms[timed.chosen].time.total();
}

/// What a card keeps in a ring of nodes along each rail, Gb/s.
double card_Gbps(const catalog::Catalog& catalog, const Routed& asked) {
  return job_of(catalog, asked, CollectiveKind::all_reduce).network().in(units::Gbps);
}

Checks hpn_fig17(const catalog::Catalog& catalog) {
  const std::string source = place_in(kHpn, "Fig. 17");
  const Routed hpn{.topology = Topology::hpn};
  const Routed ranked{}, random{.placement = Placement::random};
  const auto over = [&](const Routed& dcn, CollectiveKind kind) {
    return gain(time_of(catalog, dcn, kind).si(), time_of(catalog, hpn, kind).si());
  };
  const auto cards_over = [&](const Routed& dcn) {
    return gain(card_Gbps(catalog, hpn), card_Gbps(catalog, dcn));
  };
  const std::string queue_pairs =
      "1 queue pair for a port is ours; collective --system hpn-h800 --gpus 448 --routing ecmp-qp "
      "--topology dcn-plus, and hpn";
  return {shown("hpn_fig17", source, "all-reduce of 448 GPUs, NVLS, hosts in order, up to", "%",
                59.3, over(ranked, CollectiveKind::all_reduce), "[F] " + queue_pairs),
          shown("hpn_fig17", source, "the same, hosts at random", "%", 59.3,
                over(random, CollectiveKind::all_reduce),
                "[F] " + queue_pairs + ", --placement random"),
          shown("hpn_fig17", source, "all-gather of 448 GPUs, hosts in order, \"similar\"", "%", 0,
                over(ranked, CollectiveKind::all_gather),
                "[P] bounded by NVLink on both networks, whatever the queue pairs"),
          shown("hpn_fig17", source, "Multi-AllReduce, hosts in order, up to", "%", 158.2,
                cards_over(ranked), "[E] what a card keeps of the network: " + queue_pairs),
          shown("hpn_fig17", source, "the same, hosts at random", "%", 158.2, cards_over(random),
                "[E] only an order of hosts that ignores segments gives as much; with 2 queue "
                "pairs for a port 140")};
}

Checks c4_figures(const catalog::Catalog& catalog) {
  const std::string ports = place_in(kC4, "Fig. 9"), jobs = place_in(kC4, "Fig. 10");
  // Hosts of one job below different leaves.
  const auto job = [](std::int64_t gpus, std::int64_t qps) {
    return Routed{.qps = qps, .gpus = gpus, .cluster_gpus = 1024, .placement = Placement::random};
  };
  Routed planned = job(64, 1);
  planned.scheme = RoutingScheme::c4p;
  const double by_plan = std::min(kC4Ceiling, card_Gbps(catalog, planned));
  // "We intentionally reduced the number of active spine switches by half": 4 of 8.
  Routed half = job(16, 3), half_planned = half;
  half.fault = Fault{.kind = FaultKind::aggregation, .count = 4};
  half_planned.fault = half.fault;
  half_planned.scheme = RoutingScheme::c4p;
  const char* const ceiling = "[E] the ceiling of 362 Gb/s that NVLink sets is an input";
  return {
      shown("c4_fig9", ports, "bonded ports, one job of 64 GPUs, below", "Gb/s", 240,
            card_Gbps(catalog, job(64, 8)),
            "[F] 8 queue pairs for a port and hosts below different leaves are ours (4: 172); "
            "collective --system hpn-h800 --topology dcn-plus --cluster-gpus 1024 --placement "
            "random --routing ecmp-qp --qps 8"),
      shown("c4_fig9", ports, "the same with planned paths, about", "Gb/s", 360, by_plan, ceiling),
      shown("c4_fig9", ports, "gain of planned paths", "%", 50,
            gain(by_plan, card_Gbps(catalog, job(64, 8))), "[F] as above"),
      shown("c4_fig10", jobs, "(a) 1:1, eight jobs of two nodes, mean", "Gb/s", 209.6,
            card_Gbps(catalog, job(16, 3)),
            "[X] not reproduced: 3 queue pairs for a port, and as if the rest of each leaf "
            "were as busy; how the testbed's 16 nodes are cabled, and the queue pairs, are not "
            "published"),
      shown("c4_fig10", jobs, "(a) with planned paths, worst of eight", "Gb/s", kC4WorstPlanned,
            by_plan, ceiling),
      shown("c4_fig10", jobs, "(b) 2:1, gain of planned paths", "%", 65.55,
            gain(card_Gbps(catalog, half_planned), card_Gbps(catalog, half)),
            "[X] not reproduced, with what (a) has: collective --system hpn-h800 --gpus 16 "
            "--cluster-gpus 1024 --topology dcn-plus --placement random --routing ecmp-qp --qps 3 "
            "--fail agg:4, and c4p; half of the spine switches are off, as in the paper")};
}

/// What § 6.1 did to the time that a sender waits between two messages of a channel.
Checks meta_transport() {
  const auto limit = [](double clear_to_send_us) {
    return job::Transport{.channels = 1,
                          .channel_buffer = 1e6 * units::byte,
                          .round_trip = 22 * units::us,
                          .clear_to_send = clear_to_send_us * units::us}
        .limit(50 * units::GBps)
        .si();
  };
  return {shown("meta_transport", place_in(kMeta, "§6.1"),
                "bytes in flight, P90 of the clear-to-send 43 → 4 µs at 22 µs, rate up to", "x",
                std::nan(""), limit(4) / limit(43),
                "[E] the channels, their buffers and the rate are not published: the limit of any "
                "of them grows by this; collective --channels N --channel-buffer SIZE --round-trip "
                "22 --clear-to-send 4"),
          shown("meta_transport", place_in(kMeta, "§6.1"),
                "hierarchical collectives of small sizes by faster credits, up to", "%", 15,
                std::nan(""), "[X] neither sizes nor round trips are published")};
}

}  // namespace

Checks routed_collectives(const catalog::Catalog& catalog) {
  return joined<Check>({hpn_fig17(catalog), c4_figures(catalog), meta_transport()});
}

}  // namespace planner::published
