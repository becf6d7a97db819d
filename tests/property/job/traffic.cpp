// Where a plan's bytes go on networks whose leaves hold any number of GPUs: nothing but what the
// tiers carry, and nothing of what stays in HB domains; held against a walk over single flows.
#include "planner/job/traffic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/network/count.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"
#include "support/fire_flyer.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"
#include "support/near.hpp"
#include "support/walked_flows.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kRounding = 1e-9;

Workload traffic_workload(std::int64_t gpus, std::int64_t domain) {
  Workload workload{.model = gpt_1t(),
                    .system = a100_cluster(),
                    .run = {.global_batch = gpus, .sequence = 2048},
                    .gpus = gpus};
  workload.system.hb_domain = domain;
  return workload;
}

job::JobOnNetwork on_tree(const FabricDesign& design, std::int64_t gpus, std::int64_t node) {
  return {.name = "tree",
          .design = design,
          .count = counted(design),
          .cluster_gpus = gpus,
          .node_gpus = node,
          .job_gpus = gpus,
          .nominal = 50 * units::GBps};
}

FabricDesign any_tree(std::int64_t gpus, std::int64_t domain) {
  const Ratio ratio{any(1, 5), any(1, 2)};
  FabricDesign design{.gpus = gpus, .radix = 2 * any(10, 40), .port_gbps = 400, .topology = {}};
  switch (any(0, 3)) {
    case 0:
      design.topology = FatTree{.oversubscription = ratio, .pod_aligned = any(0, 1) == 1};
      break;
    case 1:
      design.topology = RailOptimized{.rails = domain, .oversubscription = ratio};
      break;
    case 2:
      design.topology = RailOnly{.rails = domain, .oversubscription = ratio};
      break;
    default:
      design.topology = MultiPlane{.planes = 8, .oversubscription = ratio, .max_tiers = 3};
  }
  return design;
}

/// Bytes both ends of which lie in one unit, flow by flow.
Bytes walked_inside(const std::vector<TrafficPhase>& phases, std::int64_t gpus, std::int64_t domain,
                    std::int64_t unit) {
  Bytes inside{};
  for (const TrafficPhase& phase : phases) {
    const bool of_domain = phase.groups.period() <= domain;
    for (const auto& [from, to, amount] : flows_of(phase, gpus)) {
      if (of_domain || from / unit == to / unit) inside += amount * phase.sent;
    }
  }
  return inside;
}

}  // namespace

TEST_CASE(
    "bytes between the GPUs of HB domains are on no link beyond, and no tier has fewer than 0") {
  int trees = 0;
  for (int i = 0; i < 120; ++i) {
    const std::int64_t domain = any(0, 1) == 0 ? 8 : 16, nodes = 6 * any(4, 24);
    const std::int64_t gpus = domain * nodes;
    const Workload workload = traffic_workload(gpus, domain);
    const std::int64_t p = any(0, 1) == 0 ? 2 : 3;
    const Plan plan = make_plan(workload, {.tp = {domain, 1}, .pp = {1, p}, .dp = {1, nodes / p}});
    const FabricDesign design = any_tree(gpus, domain);
    if (std::holds_alternative<FabricProblem>(count_fabric(design))) continue;
    const job::JobOnNetwork on = on_tree(design, gpus, 8);
    CAPTURE(gpus);
    CAPTURE(domain);
    CAPTURE(design.radix);
    CAPTURE(design.topology.index());
    const job::Traffic traffic = job::traffic_of(workload, plan, on, std::nullopt);
    Bytes all{}, below{};
    for (const job::TierTraffic& tier : traffic.tiers) {
      CAPTURE(tier.name);
      CAPTURE(tier.unit_gpus);
      for (const TrafficType type : kTrafficTypes) {
        CHECK(of(tier.bytes, type) >= -kRounding * total(traffic.sent));
        if (&tier != &traffic.tiers.front() && type == TrafficType::tensor) {
          CHECK(of(tier.bytes, type) == Bytes{});
          CHECK(of(tier.busiest, type) == Bytes{});
        }
      }
      const Bytes inside = walked_inside(traffic.phases, gpus, domain, tier.unit_gpus);
      const double off = total(tier.bytes).si() - (inside - below).si();
      CHECK(std::abs(off) <= kRounding * total(traffic.sent).si());
      below = inside;
      all += total(tier.bytes);
    }
    CHECK(all.si() == near(total(traffic.sent).si(), kRounding));
    trees += traffic.tiers.size() > 2 ? 1 : 0;
  }
  CHECK(trees > 40);
}

namespace {

/// Eight GPUs a node in NVLink pairs, one NIC: Fire-Flyer 2, gradients of two bytes.
Workload pairs_workload(std::int64_t gpus) {
  Workload workload = traffic_workload(gpus, 2);
  workload.model = gpt_22b();
  workload.system.host = fire_flyer_node();
  workload.system.node = "fire-flyer-2";
  workload.system.network_bandwidth = 3.125 * units::GBps;
  workload.timing = prior_calibration();
  workload.software.gradient_reduce_bytes = 2;
  return workload;
}

/// Every copy of a token by itself, to experts of two domains.
Workload mixture_workload() {
  Workload workload = traffic_workload(64, 8);
  workload.model = mixtral_8x7b();
  workload.timing = prior_calibration();
  workload.software.dispatcher = Dispatcher::alltoall;
  workload.system.accelerator.memory_bandwidth = 2000 * units::GBps;
  return workload;
}

Strategy spread_experts() {
  return {.dp = {8, 8}, .ep = {4, 2}, .zero = 1};
}

job::Traffic summed_traffic(const Workload& workload, const Strategy& strategy,
                            std::optional<GradientSync> by) {
  Plan plan{.strategy = strategy, .time = {.last_stage_compute = Seconds{1}}, .sync_by = by};
  return job::traffic_of(workload, plan, std::nullopt, workload.system.host);
}

/// 16-bit gradients of a GPU, by what a ring of `n` sends of them: 2·(n - 1)/n.
double ring_gradients(const Workload& workload, const Strategy& strategy, double n) {
  double sent = 0;
  for (const TrafficPhase& phase : job::traffic_phases(workload, strategy, GradientSync::nccl)) {
    const bool gradients = phase.type == TrafficType::data || phase.type == TrafficType::vocabulary;
    if (gradients) sent += phase.sent.si();
  }
  return sent * n / (n - 1) / 2;
}

}  // namespace

TEST_CASE("HFReduce copies all gradients to the CPUs and back, however many nodes there are") {
  for (const std::int64_t nodes : {1, 2, 8, 64}) {
    CAPTURE(nodes);
    const std::int64_t gpus = 8 * nodes;
    const Workload workload = pairs_workload(gpus);
    const Strategy strategy{.dp = {2, 4 * nodes}, .zero = 0};
    const double gradients = ring_gradients(workload, strategy, static_cast<double>(gpus));
    const job::Traffic traffic = summed_traffic(workload, strategy, GradientSync::hfreduce);
    REQUIRE(traffic.tiers.size() >= 2);
    // A pair that reduced among themselves: each GPU half of the sum, arXiv 2408.14158, §IV-B.
    CHECK(traffic.tiers[1].links.name == "PCIe");
    CHECK(total(traffic.tiers[1].busiest).si() == near(gradients, 1e-9));
    REQUIRE(traffic.host.size() == 2);
    CHECK(traffic.host[0].name == "host bridge");
    CHECK(total(traffic.host[0].bytes).si() == near(2 * gradients, 1e-9));
    // §IV-D3 with pairs: 4 + 4 + 1 + 1 operations on one node, 5 more for the messages of many.
    const double operations = nodes == 1 ? 10 : nodes == 2 ? 12.5 : 15;
    CHECK(traffic.host[1].name == "host memory");
    CHECK(total(traffic.host[1].bytes).si() == near(operations * gradients, 1e-9));
    CHECK(traffic.host[1].utilisation == near(operations * gradients / 320e9, 1e-9));
  }
}

TEST_CASE("with tensor parallelism on the pair each of its GPUs copies gradients of its own") {
  const Workload workload = pairs_workload(64);
  const Strategy strategy{.tp = {2, 1}, .dp = {1, 32}, .zero = 0};
  const double gradients = ring_gradients(workload, strategy, 32);
  const job::Traffic traffic = summed_traffic(workload, strategy, GradientSync::hfreduce);
  CHECK(of(traffic.tiers[1].busiest, TrafficType::data).si() +
            of(traffic.tiers[1].busiest, TrafficType::vocabulary).si() ==
        near(2 * gradients, 1e-9));
  CHECK(total(traffic.host[1].bytes).si() == near(30 * gradients, 1e-9));
}

TEST_CASE("rings of the GPUs load the host bridge and no memory") {
  const Workload workload = pairs_workload(64);
  const Strategy strategy{.dp = {2, 32}, .zero = 0};
  const job::Traffic traffic = summed_traffic(workload, strategy, GradientSync::nccl);
  REQUIRE(traffic.host.size() == 1);
  // One flow in and one out of the two GPUs behind it.
  CHECK(total(traffic.host[0].bytes).si() ==
        near(2 * 2 * 63.0 / 64 * ring_gradients(workload, strategy, 64), 1e-9));
}

TEST_CASE("the NICs of a node have what is asked of the network") {
  for (const double each : {1.0, 3.125, 100.0}) {
    Workload workload = pairs_workload(64);
    workload.system.network_bandwidth = each * units::GBps;
    const job::Traffic traffic =
        summed_traffic(workload, {.dp = {2, 32}, .zero = 0}, GradientSync::nccl);
    CHECK(traffic.tiers.back().links.capacity.in(units::GBps) == near(8 * each));
  }
}

TEST_CASE("rings of GPUs that share network cards pass bytes on inside their HB domains") {
  const Workload workload = pairs_workload(64);
  const Strategy strategy{.dp = {2, 32}, .zero = 0};
  const job::Traffic traffic = summed_traffic(workload, strategy, GradientSync::nccl);
  // Every second GPU of a ring sends all that it has to its neighbour on the pair.
  CHECK(total(traffic.tiers[0].busiest).si() ==
        near(2 * 63.0 / 64 * ring_gradients(workload, strategy, 64), 1e-9));
}

TEST_CASE("what changes rail takes as long as an iteration is longer where rails are apart") {
  Workload workload = mixture_workload();
  const Strategy strategy = spread_experts();
  const auto traffic = [&] {
    const Plan plan{.strategy = strategy, .time = evaluate(workload, strategy).time};
    return job::traffic_of(workload, plan, std::nullopt, workload.system.host);
  };
  const job::Traffic joined = traffic();
  const Seconds before = evaluate(workload, strategy).time.total();
  workload.rails_apart = kRailEach;
  const job::Traffic apart = traffic();
  CHECK(joined.off_rail.si() > 0);
  CHECK(joined.forwarding == apart.forwarding);
  CHECK(joined.forwarding == evaluate(workload, strategy).time.total() - before);
  // And it passes the ports of the domain.
  const double moved = joined.off_rail.si() / static_cast<double>(workload.gpus);
  CHECK(total(apart.tiers[0].busiest).si() ==
        near(total(joined.tiers[0].busiest).si() + moved, 1e-9));
}

namespace {

/// Bytes out of GPUs [first, last), flow by flow.
double walked_out(const std::vector<TrafficPhase>& phases, std::int64_t gpus, std::int64_t domain,
                  std::int64_t first, std::int64_t last) {
  const auto here = [&](std::int64_t rank) { return first <= rank && rank < last; };
  double out = 0;
  for (const TrafficPhase& phase : phases) {
    if (phase.groups.period() <= domain) continue;
    for (const auto& [from, to, amount] : flows_of(phase, gpus)) {
      if (here(from) && !here(to)) out += amount * phase.sent.si();
    }
  }
  return out;
}

}  // namespace

TEST_CASE("tables are those of the job where it stands, with what is down") {
  int uneven = 0, small_leaves = 0, failed = 0;
  for (int i = 0; i < 150; ++i) {
    const std::int64_t p = any(2, 3), nodes = p * any(3, 16), gpus = 8 * nodes;
    const Workload workload = traffic_workload(gpus, 8);
    const Plan plan = make_plan(workload, {.tp = {8, 1}, .pp = {1, p}, .dp = {1, nodes / p}});
    const FabricDesign design{
        .gpus = 4 * gpus, .radix = 2 * any(4, 20), .port_gbps = 400, .topology = FatTree{}};
    if (std::holds_alternative<FabricProblem>(count_fabric(design))) continue;
    const job::JobOnNetwork on = on_tree(design, 4 * gpus, 8);
    const RoutedFabric fabric = *routed_fabric(design, on.count, 4 * gpus, 8);
    if (fabric.tiers.empty()) continue;
    RoutedJob at{.gpus = gpus, .uplinks = any(0, 1) == 0 ? UplinkUse::shared : UplinkUse::alone};
    const FabricTier& widest = fabric.tiers.back();
    if (any(0, 2) > 0 && widest.unit_gpus >= 8) {
      for (std::int64_t left = gpus; left > 0; left -= at.free_gpus.back()) {
        at.free_gpus.push_back(8 * any(1, widest.unit_gpus / 8));
      }
    }
    if (any(0, 1) == 0 && fabric.tiers.front().links > 1) {
      at.fault = Fault{FaultKind::uplink, any(1, fabric.tiers.front().links - 1)};
    }
    const JobSlowdowns placed(fabric, at, {.scheme = RoutingScheme::spray});
    const job::Traffic traffic = job::traffic_of(workload, plan, on, std::nullopt, &placed);
    CAPTURE(gpus);
    CAPTURE(design.radix);
    Bytes all{};
    for (const job::TierTraffic& tier : traffic.tiers) all += total(tier.bytes);
    CHECK(all.si() == near(total(traffic.sent).si(), kRounding));
    for (std::size_t t = 0; t < fabric.tiers.size(); ++t) {
      const FabricTier& tier = fabric.tiers[t];
      double busiest = 0;
      std::int64_t units = 0;
      for (const auto& run : placed.runs(t)) {
        for (std::int64_t unit = 0; unit < run.units; ++unit, ++units) {
          const std::int64_t first = run.first + unit * run.size;
          const double share = at.uplinks == UplinkUse::alone
                                   ? 1
                                   : std::min(1.0, real(run.size) / real(tier.unit_gpus));
          const double left = t == 0 && at.fault ? 1 - real(at.fault->count) / real(tier.links) : 1;
          const double capacity = share * left * real(tier.unit_gpus) / tier.rho * on.nominal.si();
          const double out = walked_out(traffic.phases, gpus, 8, first, first + run.size);
          busiest = std::max(busiest, out / capacity);
          uneven += run.size != placed.runs(t).front().size ? 1 : 0;
        }
      }
      const auto row =
          std::find_if(traffic.tiers.begin(), traffic.tiers.end(),
                       [&](const job::TierTraffic& one) { return one.links.name == tier.name; });
      if (units == 1) continue;
      CAPTURE(tier.name);
      // Leaves no larger than an HB domain have uplinks as well.
      REQUIRE(row != traffic.tiers.end());
      CHECK(row->utilisation == near(busiest / plan.time.total().si(), 1e-9));
      small_leaves += t == 0 && tier.unit_gpus <= 8 ? 1 : 0;
      failed += t == 0 && at.fault ? 1 : 0;
    }
  }
  CHECK(uneven > 100);
  CHECK(small_leaves > 5);
  CHECK(failed > 20);
}

TEST_CASE("what one HB domain sends over PCIe is that of one stage, tables of the ends included") {
  for (const std::int64_t p : {2, 3, 4}) {
    for (const std::int64_t in : {1, 2}) {
      CAPTURE(p);
      CAPTURE(in);
      const std::int64_t gpus = 32 * p;
      const Workload workload = pairs_workload(gpus);
      const Strategy strategy{.pp = {in, p}, .dp = {2 / in, 16}, .zero = 0};
      const job::Traffic traffic = summed_traffic(workload, strategy, GradientSync::hfreduce);
      const auto sums = job::sums_by_cpus(workload, strategy);
      double busiest = 0;
      for (std::int64_t pair = 0; pair < gpus; pair += 2) {
        std::vector<TrafficPhase> of_gpus;
        for (const TrafficPhase& phase : traffic.phases) {
          if (!phase.from_hosts) of_gpus.push_back(phase);
        }
        double out = walked_out(of_gpus, gpus, 2, pair, pair + 2);
        const bool end = pair < 32 || pair >= gpus - 32;
        for (const job::SumByCpus& sum : sums) {
          // Of a pair that sums among itself each half; tables on one of two stages of a pair.
          const double copies = (sum.options.nvlink_pairs ? 1 : 2) * sum.reduced.si();
          if (sum.type == TrafficType::data) out += copies;
          if (sum.type == TrafficType::vocabulary && end) out += copies / static_cast<double>(in);
        }
        busiest = std::max(busiest, out);
      }
      CHECK(traffic.tiers[1].links.name == "PCIe");
      CHECK(total(traffic.tiers[1].busiest).si() == near(busiest, 1e-9));
      CHECK(total(traffic.host[0].bytes).si() <= 2 * busiest * (1 + 1e-9));
    }
  }
}
