// A job on a counted network: what routing leaves of it, and what it refuses.
#include "planner/job/routing.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/diagnostic.hpp"
#include "planner/job/free_gpus.hpp"
#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;
using planner::testing::near;

namespace {

/// A job of `gpus` on all of a network or a part of it, in nodes of 8.
JobOnNetwork on(const FabricDesign& design, std::int64_t gpus, std::int64_t cluster_gpus) {
  return {.name = "some",
          .design = design,
          .count = testing::counted(design),
          .cluster_gpus = cluster_gpus,
          .node_gpus = 8,
          .job_gpus = gpus,
          .nominal = 50 * units::GBps};
}

/// 32 leaves of 32 cards with 32 uplinks each.
JobOnNetwork two_tiers(std::int64_t gpus = 1024) {
  return on({.gpus = 1024, .radix = 64, .topology = FatTree{}}, gpus, 1024);
}
/// 32 pods of 1,024 GPUs.
JobOnNetwork three_tiers(std::int64_t gpus = 32768) {
  return on({.gpus = 32768, .radix = 64, .topology = FatTree{}}, gpus, 32768);
}

bool assumes(const RoutingResult& result, std::string_view text) {
  return std::ranges::any_of(result.assumptions,
                             [&](const std::string& one) { return one.starts_with(text); });
}

/// Of rings of which every card leaves its leaf.
double slowdown_of(const RoutingFactors& factors) {
  return factors.slowdown({FlowKind::ring, 512, 2});
}

std::string refusal(const RoutingSettings& asked, const JobOnNetwork& job) {
  try {
    route_job(asked, job);
  } catch (const UsageError& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

}  // namespace

TEST_CASE("what nobody says is ECMP with one queue pair, and told") {
  const RoutingResult result = route_job({}, two_tiers());
  CHECK(result.routing.scheme == RoutingScheme::ecmp);
  CHECK(result.placement == Placement::whole);
  CHECK(assumes(result, "scheme ecmp, not given"));
  CHECK(assumes(result, "1 queue pair per pair of ports, not given"));
  CHECK(assumes(result, "an all-to-all sends to 1 remote rank at a time"));
  CHECK(result.traffic == "all_rings, pod");
  CHECK(result.nominal == 50 * units::GBps);
  REQUIRE(result.stages.size() == 1);
  CHECK(result.binding == result.stages.front().stage.name);
  CHECK(result.slowdown.mean > 1);
  CHECK(result.slowdown.quantile > result.slowdown.mean);
  const RoutingResult told =
      route_job({.scheme = RoutingScheme::ecmp, .qps = 1, .peers = 1}, two_tiers());
  CHECK(told.slowdown.mean == result.slowdown.mean);
  CHECK_FALSE(assumes(told, "scheme"));
  CHECK_FALSE(assumes(told, "1 queue pair"));
  CHECK_FALSE(assumes(told, "an all-to-all"));
}

TEST_CASE("sprayed links are even: a quarter of failed uplinks takes a quarter") {
  const RoutingResult whole = route_job({.scheme = RoutingScheme::spray}, two_tiers());
  CHECK(whole.slowdown.mean == near(1));
  CHECK(whole.binding.empty());
  CHECK(slowdown_of(whole.factors) == 1);
  CHECK(slowdown_of(whole.balanced) == 1);
  CHECK(whole.qps_needed.empty());
  const RoutingResult broken =
      route_job({.scheme = RoutingScheme::spray, .fail = Fault{.count = 8}}, two_tiers());
  CHECK(broken.slowdown.mean == near(32.0 / 24));
  CHECK(slowdown_of(broken.balanced) == 1);
  CHECK_FALSE(whole.whole);
  CHECK(slowdown_of(*broken.whole) == 1);
}

TEST_CASE("an unlucky draw is slower than the mean, more queue pairs are luckier") {
  const RoutingResult one = route_job({.scheme = RoutingScheme::ecmp_qp}, two_tiers());
  const RoutingResult many = route_job({.scheme = RoutingScheme::ecmp_qp, .qps = 16}, two_tiers());
  CHECK(slowdown_of(one.balanced) == 1);
  CHECK(slowdown_of(one.factors) > 1.5);
  CHECK(slowdown_of(one.unlucky) > slowdown_of(one.factors));
  CHECK(slowdown_of(many.factors) < slowdown_of(one.factors));
  CHECK(slowdown_of(many.unlucky) < slowdown_of(one.unlucky));
}

TEST_CASE("queue pairs that an evenness takes hold it, and fewer would not") {
  const RoutingResult result = route_job({.scheme = RoutingScheme::ecmp_qp}, two_tiers());
  REQUIRE(result.qps_needed.size() == 3);
  CHECK(result.qps_needed[0].first == 2);
  CHECK(result.qps_needed[2].first == 1.25);
  std::int64_t fewer = 0;
  for (const auto& [ratio, qps] : result.qps_needed) {
    CHECK(*qps > fewer);
    fewer = *qps;
    const auto loaded = [&, ratio = ratio](std::int64_t pairs) {
      return route_job({.scheme = RoutingScheme::ecmp_qp, .qps = pairs}, two_tiers())
          .stages.front()
          .mmr_mean;
    };
    CHECK(loaded(*qps) <= 1.01 * ratio);
    CHECK(loaded(*qps / 2) > ratio);
  }
}

TEST_CASE("of free GPUs the job takes the fewest pods") {
  RoutingSettings asked{.free_gpus = {{512, 1024, 1024}}};
  CHECK(route_job(asked, three_tiers(1536)).taken.size() == 2);
  CHECK(refusal({.free_gpus = {{2000}}}, three_tiers(1536)) ==
        "--free-gpus: 2000 are free in a unit of 1024 GPUs");
  CHECK(refusal({.free_gpus = {{512, 512}}}, three_tiers(1536)) ==
        "--free-gpus: 1024 are free, the job needs 1536");
  CHECK(refusal({.free_gpus = std::vector<std::int64_t>(33, 512)}, three_tiers(1536)) ==
        "--free-gpus: the network has 32 units of 1024 GPUs, not 33");
  asked.placement = Placement::random;
  CHECK(refusal(asked, three_tiers(1536)) ==
        "--free-gpus: placement random is no choice among free units");
  const auto one_switch = on({.gpus = 32, .radix = 64, .topology = FatTree{}}, 32, 32);
  CHECK(refusal({.free_gpus = {{32}}}, one_switch) == "--free-gpus: the network is one switch");
}

TEST_CASE("a node stands in one unit: of free GPUs those in whole nodes, with words") {
  const RoutingSettings asked{.free_gpus = {{516, 1024, 7}}};
  const RoutingResult result = route_job(asked, three_tiers(1536));
  CHECK(result.taken == std::vector<std::int64_t>{1024, 512});
  CHECK(assumes(result, "of the free GPUs those in whole nodes of 8"));
  const RoutingResult whole = route_job({.free_gpus = {{512, 1024}}}, three_tiers(1536));
  CHECK_FALSE(assumes(whole, "of the free GPUs"));
  CHECK(refusal({.free_gpus = {{519, 1020}}}, three_tiers(1536)) ==
        "--free-gpus: 1528 are free in whole nodes of 8, the job needs 1536");
  CHECK(job::in_whole_nodes({100, 668}, 8, 768) == std::vector<std::int64_t>{96, 664});
  CHECK(job::in_whole_nodes({100, 668}, 8, 700) == std::vector<std::int64_t>{100, 668});
}

TEST_CASE("pipelines alone cross the core of a placement that keeps all else in its pod") {
  const RoutingResult result = route_job({.placement = Placement::pp_across_pods}, three_tiers());
  CHECK(result.traffic == "p2p, cluster");
  CHECK(result.stage_limit == 1024);
  CHECK(assumes(result, "only pipeline transfers cross the core"));
  CHECK_FALSE(route_job({}, three_tiers()).stage_limit);
}

TEST_CASE("a job larger than its share of all racks takes more of each, and says so") {
  const RoutingSettings asked{.placement = Placement::partial, .rack_share = 0.5};
  CHECK(assumes(route_job(asked, two_tiers(1024)), "a share of 0.5 of every rack is 512 GPUs"));
  CHECK_FALSE(assumes(route_job(asked, two_tiers(512)), "a share of"));
  CHECK(assumes(route_job(asked, two_tiers(512)), "the rest of every rack belongs to other jobs"));
}

TEST_CASE("settings that contradict each other or the network are refused, each in its words") {
  const JobOnNetwork plain = two_tiers();
  CHECK(refusal({.rack_share = 0.5}, plain) == "--rack-share goes with --placement partial");
  CHECK(refusal({.efficiency = 0.9}, plain) == "--path-efficiency has no meaning for ecmp");
  CHECK(refusal({.scheme = RoutingScheme::spray, .striping = Striping::adaptive}, plain) ==
        "--striping has no meaning for spray");
  CHECK(refusal({.striping = Striping::adaptive}, plain) ==
        "--striping adaptive: all bytes of a pair have one path");
  CHECK(refusal({.fail = Fault{.count = 32}}, plain) ==
        "--fail uplink:32: 32 cannot fail and leave a path, there are 32");
  CHECK(refusal({.fail = Fault{.kind = FaultKind::core}}, plain) ==
        "--fail core: the network has no core");
  CHECK(refusal({.fail = Fault{.kind = FaultKind::nic_link}}, plain) ==
        "--fail nic-link: cards have one port, and without it the job ends");
  CHECK(refusal({.fail = Fault{.kind = FaultKind::plane}}, plain) ==
        "--fail plane: the network has one plane, without which nothing is sent");
  CHECK(refusal({.fail = Fault{.kind = FaultKind::aggregation, .count = 16}}, plain) ==
        "--fail agg:16: 16 cannot fail and leave a path, there are 16");
  CHECK(refusal({.channels = Channels::fixed}, plain) == "--port-down goes with --fail");
  CHECK(refusal({.placement = Placement::zone_pair}, plain) ==
        "--placement zone-pair is that of a two-zone-fat-tree");
  CHECK(refusal({.scheme = RoutingScheme::dual_plane}, plain) ==
        "dual-plane: the cluster's network has one plane");
  const auto graph = on(default_design(Topology::dragonfly, 1024), 1024, 1024);
  CHECK_THROWS_WITH_AS(route_job({}, graph), "some: how flows cross a dragonfly is not modelled",
                       InputError);
}

TEST_CASE("against a measured network its own routing is no slowdown") {
  Calibration measured;
  measured.name = "own";
  measured.routing = RoutingSettings{.scheme = RoutingScheme::ecmp_qp, .qps = 4};
  const JobOnNetwork job = two_tiers();
  RoutingResult same = route_job(*measured.routing, job);
  relate_to_measured(measured, job, same);
  CHECK(slowdown_of(same.factors) == near(1));
  CHECK(slowdown_of(same.unlucky) > 1);
  CHECK(slowdown_of(same.balanced) < 1);
  CHECK(same.assumptions.back() ==
        "slowdowns in the timing are against ecmp-qp, by which the runs of calibration own were "
        "routed");
  const RoutingResult alone = route_job({}, job);
  RoutingResult worse = alone;
  relate_to_measured(measured, job, worse);
  const double reference = slowdown_of(route_job(*measured.routing, job).factors);
  CHECK(slowdown_of(worse.factors) == near(slowdown_of(alone.factors) / reference));
}

TEST_CASE("cards send together by node, or by an HB domain of several whole nodes") {
  const auto together = [](std::int64_t hb_domain, std::int64_t node) {
    return gpus_sending_together({.hb_domain = hb_domain}, {.accelerators = node});
  };
  CHECK(together(8, 8) == 8);
  CHECK(together(256, 8) == 256);
  CHECK(together(72, 72) == 72);
  CHECK(together(2, 8) == 8);
  CHECK(together(12, 8) == 8);
}

TEST_CASE("a job of 8,192 GPUs stands on all 9,216 of its 128 domains of 72") {
  System system = a100_cluster();
  system.hb_domain = 72;
  JobOnNetwork on{.cluster_gpus = 9216, .node_gpus = 72, .job_gpus = 8192};
  on.used_gpus = used_gpus(on, system, 64);
  CHECK(on.used_gpus == 64);
  CHECK(gpus_of_nodes(on) == 9216);
  // In 114 domains it has what there is, and all of a node that is several domains.
  on.cluster_gpus = 8208;
  CHECK(used_gpus(on, system, 64) == 72);
  system.hb_domain = 2;
  on.node_gpus = 8;
  CHECK(used_gpus(on, system, 1) == 8);
  on.used_gpus = 8;
  CHECK(gpus_of_nodes(on) == 8192);
}

TEST_CASE("of free domains a job has those GPUs that it uses") {
  JobOnNetwork job{.name = "some",
                   .design = {.gpus = 9216, .radix = 64, .topology = FatTree{}},
                   .cluster_gpus = 9216,
                   .node_gpus = 72,
                   .job_gpus = 640,
                   .nominal = 50 * units::GBps,
                   .used_gpus = 64};
  job.count = testing::counted(job.design);
  // Ten domains: seven and a half of one pod, ten of another.
  const RoutingResult result = route_job({.free_gpus = {{540, 720}}}, job);
  CHECK(result.taken == std::vector<std::int64_t>{640});
  CHECK(assumes(result, "of the free GPUs those in whole nodes of 72"));
  CHECK(route_job({.free_gpus = {{504, 216}}}, job).taken == std::vector<std::int64_t>{448, 192});
  CHECK(refusal({.free_gpus = {{504, 200}}}, job) ==
        "--free-gpus: 648 are free in whole nodes of 72, the job needs 720");
}

TEST_CASE("what fails away from a job changes nothing, what the network has not is refused") {
  const GroupFlows halves{FlowKind::ring, 16, 2};
  const auto of = [&](std::optional<Fault> fault) {
    return route_job({.fail = fault}, two_tiers(32)).factors.slowdown(halves);
  };
  // All of the job below one of the leaves.
  CHECK(of(Fault{FaultKind::uplink, 31}) == of({}));
  const FabricDesign one{.gpus = 64, .radix = 64, .topology = FatTree{}};
  CHECK(refusal({.fail = Fault{FaultKind::uplink, 1}}, on(one, 32, 64)) ==
        "--fail uplink:1: the network is one tier of switches, with no links between them");
}
