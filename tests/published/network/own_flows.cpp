// S of collectives from the flows of their own groups: against flows hashed one by one elsewhere,
// and HPN's planes (SIGCOMM'24, appendix A and section 6.1).
#include <doctest/doctest.h>

#include "planner/domain/cut.hpp"
#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Leaves of `unit` GPUs with one link to each of so many spines, links as fast as cards.
RoutedFabric leaf_spine(std::int64_t gpus, std::int64_t unit, std::int64_t uplinks,
                        std::int64_t node) {
  return {.tiers = {{.name = "leaf – spine",
                     .unit_gpus = unit,
                     .cards = unit,
                     .links = uplinks,
                     .rho = static_cast<double>(unit) / static_cast<double>(uplinks),
                     .groups = static_cast<double>(gpus / unit),
                     .switches_above = uplinks}},
          .gpus = gpus,
          .gpus_per_node = node};
}

double mean(const RoutedFabric& fabric, const RoutedJob& job, std::int64_t qps,
            const GroupFlows& groups) {
  return JobSlowdowns(fabric, job, {.scheme = RoutingScheme::ecmp_qp, .qps = qps}).of(groups).mean;
}

/// Two segments of HPN with so many GPUs of the job each, all by themselves.
double hpn(std::int64_t planes, std::int64_t qps_of_port, std::int64_t in_segment,
           const GroupFlows& groups, std::optional<Fault> fault = {}) {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).planes = planes;
  design.gpus = 2048;
  const auto fabric = routed_fabric(design, counted(design), 2048, 8);
  REQUIRE(fabric);
  return mean(*fabric,
              {.gpus = 2 * in_segment,
               .fault = fault,
               .uplinks = UplinkUse::alone,
               .free_gpus = {in_segment, in_segment}},
              qps_of_port, groups);
}

}  // namespace

TEST_CASE("E[max(1, 0.9·fullest/mean)] over groups: Monte Carlo 7.5759, 3.1336, 1.5293") {
  const auto of = [](std::int64_t flows, std::int64_t links, std::int64_t groups) {
    const LinkStage stage{.flows = flows, .links = links, .rho = 0.9, .groups = groups};
    return slowdown({stage}, {.scheme = RoutingScheme::ecmp_qp}).mean;
  };
  CHECK(of(16, 60, 2) == near(7.5646, 1e-4));
  CHECK(of(128, 60, 6) == near(3.137, 1e-3));
  CHECK(of(8, 2, 16) == near(1.5305, 1e-4));
}

TEST_CASE("plans on leaves and spines, all flows hashed 300 times elsewhere") {
  // Tolerance of the simulations; the figure itself is the formula's.
  struct Case {
    FlowKind kind;
    std::int64_t stride, ranks, gpus, unit, uplinks, qps, node;
    double formula, simulated;
  };
  for (const Case& one : {Case{FlowKind::ring, 8, 8, 256, 32, 32, 4, 8, 1.1642, 1.1542},
                          Case{FlowKind::line, 32, 8, 256, 64, 64, 2, 8, 1.7363, 1.6967},
                          Case{FlowKind::ring, 4, 16, 128, 16, 8, 8, 4, 1.1196, 1.1117},
                          Case{FlowKind::all_to_all, 8, 8, 128, 32, 32, 1, 8, 1.4192, 1.4190},
                          Case{FlowKind::all_to_all, 8, 8, 128, 16, 16, 1, 8, 1.9463, 1.9310},
                          Case{FlowKind::line, 32, 4, 128, 32, 4, 4, 8, 9.5889, 9.5725}}) {
    CAPTURE(one.formula);
    const double found = mean(leaf_spine(one.gpus, one.unit, one.uplinks, one.node),
                              {.gpus = one.gpus, .peers = one.ranks - 1}, one.qps,
                              {one.kind, one.stride, one.ranks});
    CHECK(found == near(one.formula, 1e-3));
    CHECK(found == near(one.simulated, 0.04));
  }
}

TEST_CASE("HPN: one plane hashes at the aggregation and at the card, two do not") {
  // NICs of a rail that cross: as many GPUs of a ring's stride per segment over 8.
  const auto ring = [](std::int64_t crossing) {
    return GroupFlows{FlowKind::ring, 8 * crossing, 2048 / (8 * crossing)};
  };
  // Flow by flow, 400 times: 1.5163, 1.6250, 1.7266, 1.0000, 2.0025.
  CHECK(hpn(1, 8, 1024, ring(1)) == near(1.5079, 1e-3));
  CHECK(hpn(1, 8, 1024, ring(4)) == near(1.6264, 1e-3));
  CHECK(hpn(1, 8, 1024, ring(16)) == near(1.7232, 1e-3));
  CHECK(hpn(2, 8, 1024, ring(16)) == near(1.0, 0.02));
  CHECK(hpn(1, 1, 96, {FlowKind::ring, 96, 2}) == near(2.0024, 2e-2));
}

TEST_CASE("HPN appendix A: +50.1 %, section 6.1: up to 71.6 %, with one number of queue pairs") {
  // 16 per pair of cards is not published; it serves both figures.
  const GroupFlows ring{FlowKind::ring, 8, 256};
  CHECK(100 * (hpn(1, 8, 1024, ring) / hpn(2, 8, 1024, ring) - 1) == near(50.8, 0.03));
  const double gains[] = {57.0, 62.6, 67.7, 72.3};
  std::int64_t gpus = 32;
  for (const double gain : gains) {
    const GroupFlows all{FlowKind::ring, gpus / 2, 2};
    CHECK(100 * (hpn(1, 8, gpus / 2, all) / hpn(2, 8, gpus / 2, all) - 1) == near(gain, 0.03));
    gpus *= 2;
  }
}

TEST_CASE(
    "HPN: a link, a ToR or a plane that is down halves a card, an aggregation switch nothing") {
  const GroupFlows ring{FlowKind::ring, 8, 256};
  CHECK(hpn(2, 8, 1024, ring, Fault{FaultKind::nic_link}) == near(2, 1e-6));
  CHECK(hpn(2, 8, 1024, ring, Fault{FaultKind::plane}) == near(2, 1e-6));
  CHECK(hpn(2, 8, 1024, ring, Fault{FaultKind::aggregation}) == near(1, 1e-6));
  CHECK(slowdown_of_cards(FaultKind::nic_link, Channels::rebalanced, 2, 8) == near(16.0 / 15));
}

TEST_CASE("uplinks of Meta's zones against what leaves them, in network cards") {
  // 6,144 GPUs of GPT-1T, tp 8, pp 64, dp 12 in eight zones of 3,072, 7:1 towards the others.
  FabricDesign design = default_design(Topology::meta_ai_zone);
  const auto fabric = routed_fabric(design, counted(design), *design.gpus, 8);
  REQUIRE(fabric);
  REQUIRE(fabric->tiers.back().unit_gpus == 3072);
  const auto rho = [&](UplinkUse use, const GroupFlows& groups) {
    const RoutedJob job{
        .gpus = 6144, .uplinks = use, .free_gpus = std::vector<std::int64_t>(8, 768)};
    double most = 0;
    for (const LinkStage& stage : JobSlowdowns(*fabric, job, {}).stages(groups)) {
      if (stage.name == fabric->tiers.back().name) most = std::max(most, stage.rho);
    }
    return most;
  };
  const GroupFlows ring{FlowKind::ring, 8, 768}, all{FlowKind::all_to_all, 1, 6144},
      line{FlowKind::line, 96, 64};
  CHECK(rho(UplinkUse::shared, ring) == near(0.073, 5e-3));
  CHECK(7 * 8 * random_ring_cut(768, 96).mean / 768 == near(6.133, 5e-3));
  CHECK(rho(UplinkUse::shared, all) == near(6.126, 5e-3));
  CHECK(rho(UplinkUse::alone, ring) == near(0.018, 2e-2));  // two digits are given
  CHECK(rho(UplinkUse::alone, all) == near(1.531, 5e-3));
  // 1.75 and 0.438 are of flows at the rate of a card; a card in the middle of a pipeline has two,
  // to the next stage and to the one before, at half of its rate each, as in the plans above.
  CHECK(2 * rho(UplinkUse::shared, line) == near(1.75, 5e-3));
  CHECK(2 * rho(UplinkUse::alone, line) == near(0.438, 5e-3));
}
