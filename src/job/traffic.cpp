#include "planner/job/traffic.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "planner/core/real.hpp"
#include "planner/domain/senders.hpp"
#include "planner/domain/topology.hpp"
#include "planner/job/traffic_tiers.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::job {

namespace {

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

/// Of what a phase sends that is no all-to-all, what stays in HB domains, and what leaves them for
/// another place than its own: the last stage of an odd number of domains, where several are in
/// each, sends to the first from another place; rings of all ranks go from domain to domain.
struct OffRail {
  Bytes inside{}, mixed{};
};
OffRail off_rail(const TrafficPhase& phase, std::int64_t domain, std::int64_t gpus) {
  OffRail found;
  for (const Sending& one : phase.sends.empty() ? sendings(phase.groups) : phase.sends) {
    const std::int64_t apart = std::abs(one.offset);
    if (apart % domain == 0) continue;
    const std::int64_t all = ranks_below(one.who, gpus);
    std::int64_t leaving = all;
    if (apart < domain) {
      std::vector<RankPlace> at_end = one.who;
      add_place(at_end, one.offset > 0 ? RankPlace{domain, domain - apart, domain}
                                       : RankPlace{domain, 0, apart});
      leaving = ranks_below(at_end, gpus);
    }
    found.mixed += real(leaving) * phase.sent;
    found.inside += real(all - leaving) * phase.sent;
  }
  return found;
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
    return beyond_domains(traffic_phases(workload, strategy, axis, plan.sync_by), domain);
  };
  const auto stages = ordered(Outermost::pipeline), replicas = ordered(Outermost::data);
  ZoneTraffic found{.gpus = zones,
                    .pipeline_outermost = leaving(stages, zones),
                    .data_outermost = leaving(replicas, zones)};
  // Times without routing know no order: then it is that of which fewer bytes leave zones.
  const bool fewer = workload.routing || found.pipeline_outermost <= found.data_outermost;
  found.axis = strategy.outermost.value_or(fewer ? Outermost::pipeline : Outermost::data);
  leaving(found.axis == Outermost::pipeline ? stages : replicas, zones, &found.out);
  return found;
}

}  // namespace

Traffic traffic_of(const Workload& workload, const Plan& plan,
                   const std::optional<JobOnNetwork>& on, const std::optional<Node>& node,
                   const JobSlowdowns* placed, const std::vector<std::int64_t>& zones) {
  const std::vector<TrafficPhase> phases = traffic_phases(workload, plan.strategy, plan.sync_by);
  const std::int64_t gpus = workload.gpus;
  const Seconds iteration = plan.time.total();
  const bool sums = plan.sync_by == GradientSync::hfreduce;
  const std::int64_t domain = usable_hb_domain(workload.system.hb_domain, gpus);
  const TrafficOnLinks links(
      workload, phases, sums ? sums_by_cpus(workload, plan.strategy) : std::vector<SumByCpus>{},
      iteration);
  Traffic traffic{.gpus = gpus,
                  .hb_domain = domain,
                  .phases = phases,
                  .sent = network::sent_by_type(phases, gpus),
                  .tiers = links.tiers(on, node, placed),
                  .host = links.host(),
                  .pairs = network::sending_pairs(phases, gpus),
                  .rows = network::pair_rows(phases, gpus),
                  .by_cpus = sums,
                  .gradient_bytes = gradient_bytes(workload)};
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() <= traffic.hb_domain) continue;
    const Bytes sent = network::sent_by_all(phase, gpus);
    if (phase.groups.kind == FlowKind::all_to_all) {
      const double mixed = real(phase.mixed_ranks);
      traffic.network += sent;
      traffic.off_rail += (mixed - 1) / mixed * sent;
    } else {
      const OffRail of = off_rail(phase, traffic.hb_domain, gpus);
      traffic.network += sent - of.inside;
      traffic.off_rail += of.mixed;
    }
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
  if (!(traffic.forwarding > Seconds{})) {
    return fmt::format(
        "Rail-only is enough only with forwarding: {:.3g} % of what leaves HB domains changes "
        "rail; "
        "the time to move it to its rail inside the domains first is not counted.",
        100 * (traffic.off_rail / traffic.network));
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
