#include "planner/network/topologies/topologies.hpp"

#include <doctest/doctest.h>

#include "support/fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

FailureImpact failure_of(const FabricCount& count, std::string_view part) {
  for (const FailureImpact& failure : count.failures) {
    if (failure.part == part) return failure;
  }
  FAIL("no such part");
  return {};
}

TEST_CASE("topology names round-trip") {
  for (std::size_t i = 0; i < all_topologies().size(); ++i) {
    const auto topology = static_cast<Topology>(i);
    CHECK(topology_named(name_of(topology)) == topology);
    CHECK(topology_of(default_design(topology)) == topology);
  }
  CHECK_FALSE(topology_named("fattree"));
}

TEST_CASE("no path between ranks of a domain on rails alone, or on one plane of several each") {
  CHECK(rails_apart(RailOnly{}) == kRailEach);
  CHECK(rails_apart(RailOptimized{}) == 1);
  CHECK(rails_apart(MultiPlane{.planes = 8, .ports_per_gpu = 1}) == 8);
  CHECK(rails_apart(MultiPlane{.planes = 8, .ports_per_gpu = 4}) == 2);
  CHECK(rails_apart(MultiPlane{.planes = 8, .ports_per_gpu = 8}) == 1);
  CHECK(rails_apart(Hpn{}) == 1);
  CHECK(rails_apart(Hpn{.rail_only_tier2 = true}) == kRailEach);
}

TEST_CASE("every default design is the paper's cluster and can be built") {
  const auto of = [](Topology topology) { return counted(default_design(topology)); };
  CHECK(of(Topology::fat_tree).total_switches() == 2560);
  CHECK(of(Topology::rail_optimized).total_switches() == 2560);
  CHECK(of(Topology::superpod).endpoints == 1016);
  CHECK(of(Topology::rail_only).total_switches() == 1536);
  CHECK(of(Topology::multi_plane).total_switches() == 768);
  CHECK(of(Topology::hpn).switches_named("tor") == 240);
  CHECK(of(Topology::dcn_plus).switches_named("agg") == 256);
  CHECK(of(Topology::meta_ai_zone).switches_named("rtsw") == 1536);
  CHECK(of(Topology::two_zone_fat_tree).total_switches() == 122);
  CHECK(of(Topology::dragonfly).endpoints == 262656);
  CHECK(of(Topology::slim_fly).total_switches() == 50);
  CHECK(of(Topology::torus).total_switches() == 48);
}

TEST_CASE("rail-only and fat tree at 32,768 GPUs, radix 64") {
  const FabricCount rail = counted({.gpus = 32768, .radix = 64, .topology = RailOnly{}});
  CHECK(rail.total_switches() == 1536);
  CHECK(rail.transceivers == 131072);
  CHECK(rail.transceivers * 374 + rail.total_switches() * 64 * 748 == 122'552'320);
  const FabricCount tree = counted({.gpus = 32768, .radix = 64, .topology = FatTree{}});
  CHECK(tree.total_switches() == 2560);
  CHECK(tree.transceivers == 196608);
  CHECK(tree.transceivers * 374 + tree.total_switches() * 64 * 748 == 196'083'712);
}

TEST_CASE("links are counted by layer, with and without the hosts'") {
  const FabricCount count = counted(default_design(Topology::fat_tree));
  CHECK(count.links_named("host") == 32768);
  CHECK(count.links_named("leaf_spine") == 32768);
  CHECK(count.links_named("spine_core") == 32768);
  CHECK(count.inter_switch_links() == 65536);
  CHECK(count.total_links() == 98304);
  CHECK(count.links_named("agg_core") == 0);
  CHECK(count.tiers == 3);
  CHECK(count.max_hops == 5);
  CHECK(count.bisection_gbps == 32768 / 2 * 400);
}

TEST_CASE("a 3-tier pod-aligned tree of 10,000 endpoints") {
  const FabricCount count =
      counted({.gpus = 10000, .radix = 40, .topology = FatTree{.pod_aligned = true}});
  CHECK(count.switches_named("leaf") == 500);
  CHECK(count.switches_named("spine") == 500);
  CHECK(count.switches_named("core") == 400);
}

TEST_CASE("rails of fewer GPUs than a switch has ports share one") {
  const auto switches = [](std::int64_t gpus, std::int64_t radix, std::int64_t rails) {
    return counted({.gpus = gpus, .radix = radix, .topology = RailOnly{.rails = rails}})
        .total_switches();
  };
  CHECK(switches(32768, 256, 256) == 128);  // two rails of 128
  CHECK(switches(72 * 28, 64, 72) == 36);   // two rails of 28 on 64 ports
  CHECK(switches(72 * 21, 64, 72) == 24);   // three rails of 21
  CHECK(switches(72 * 33, 64, 72) == 72);   // none shares
  CHECK(switches(5 * 21, 64, 5) == 2);      // ⌈5/3⌉
}

TEST_CASE("a partly filled scalable unit still has all its leaves and uplinks") {
  const auto pod = [](std::int64_t gpus) {
    return counted({.gpus = gpus, .radix = 64, .topology = SuperPod{}});
  };
  CHECK(pod(257).switches_named("leaf") == 16);
  CHECK(pod(257).links_named("leaf_spine") == 512);
  CHECK(pod(257).host_links() == 257);
  CHECK(pod(257).units == 2);
  CHECK(pod(600).switches_named("spine") == 16);  // 3 units
  CHECK(pod(2049).tiers == 3);
}

TEST_CASE("the fabric manager takes the place of a node and its own leaf ports") {
  const FabricCount count = counted(default_design(Topology::superpod));
  CHECK(count.endpoints == 1016);
  CHECK(count.links_named("fabric_manager") == 4);
  CHECK(count.host_links() == 1020);
  FabricDesign full = default_design(Topology::superpod);
  full.gpus = 1024;
  CHECK(problem_of(full).max_endpoints == 1016);
}

TEST_CASE("three tiers where whole units do not fill a pod: spines by rail") {
  const auto a100 = [](std::int64_t units) {
    return counted({.radix = 40,
                    .port_gbps = 200,
                    .topology = SuperPod{.scalable_units = units, .nodes_per_unit = 20}});
  };
  CHECK(a100(5).switches_named("spine") == 20);
  CHECK(a100(5).switches_named("core") == 0);
  CHECK(a100(6).switches_named("leaf") == 48);
  CHECK(a100(6).switches_named("spine") == 80);
  CHECK(a100(6).switches_named("core") == 24);
  CHECK(a100(7).switches_named("leaf") == 56);
  CHECK(a100(7).switches_named("spine") == 80);
  CHECK(a100(7).switches_named("core") == 28);
}

TEST_CASE("HPN in full: ports, backup hosts, both oversubscriptions, the core on demand") {
  FabricDesign design = default_design(Topology::hpn);
  const FabricCount pod = counted(design);
  CHECK(pod.switches_named("agg") == 120);
  CHECK(pod.links_named("host") == 30720);
  CHECK(pod.links_named("host_backup") == 1920);
  CHECK(pod.links_named("tor_agg") == 14400);
  CHECK(pod.backup_endpoints == 960);
  CHECK(pod.oversubscription == Ratio{16, 15});
  std::get<Hpn>(design.topology).core_layer = true;
  CHECK(counted(design).links_named("agg_core") == 960);
  CHECK(counted(design).oversubscription == Ratio{15, 1});

  design = default_design(Topology::hpn);
  design.gpus = 15361;
  CHECK(problem_of(design).max_endpoints == 15360);
  std::get<Hpn>(design.topology).max_pods = 2;
  CHECK(counted(design).switches_named("core") ==
        16);  // 2 planes, 1,920 links of 128-port switches
}

TEST_CASE("HPN buys the aggregation that its segments fill: fewer switches, more links to each") {
  FabricDesign design = default_design(Topology::hpn);
  const auto aggs = [&](std::int64_t segments) {
    design.gpus = 1024 * segments;
    const FabricCount count = counted(design);
    CHECK(count.links_named("tor_agg") == 16 * 60 * segments);
    return count.switches_named("agg");
  };
  CHECK(aggs(1) == 2 * 4);  // 480 uplinks of a plane on 120 ports each
  CHECK(aggs(3) == 2 * 12);
  CHECK(aggs(4) == 2 * 20);   // 16 would do, but 60 uplinks do not spread over 16 evenly
  CHECK(aggs(15) == 2 * 60);  // the paper's
  design.gpus = 1024;
  std::get<Hpn>(design.topology).core_layer = true;
  CHECK(counted(design).switches_named("agg") == 120);
}

TEST_CASE("DCN+ buys ToRs with the ports of a segment: 16 of 200 and 8 of 400 Gb/s") {
  FabricDesign design = default_design(Topology::dcn_plus);
  CHECK(counted(design).switches.front().radix == 16);
  std::get<DcnPlus>(design.topology).tors_per_segment = 8;
  CHECK(counted(design).switches.front().radix == 24);
  CHECK(counted(design).switches.back().radix == 128);
}

TEST_CASE("a dual-ToR switch or link takes bandwidth, no GPU") {
  const FabricCount hpn = counted(default_design(Topology::hpn));
  CHECK(failure_of(hpn, "tor") == FailureImpact{"tor", 0, 128, 1, 2});
  CHECK(failure_of(hpn, "agg") == FailureImpact{"agg", 0, 15360, 1, 120});
  CHECK(failure_of(hpn, "host link") == FailureImpact{"host link", 0, 1, 1, 2});
}

TEST_CASE("a failed leaf cuts its GPUs off, a spine slows its pod") {
  const FabricCount tree = counted(default_design(Topology::fat_tree));
  CHECK(failure_of(tree, "leaf") == FailureImpact{"leaf", 32, 0, 32, 32768});
  CHECK(failure_of(tree, "spine") == FailureImpact{"spine", 0, 1024, 32, 1024});
  CHECK(failure_of(tree, "core") == FailureImpact{"core", 0, 32768, 64, 32768});
  CHECK(failure_of(tree, "leaf_spine link") == FailureImpact{"leaf_spine link", 0, 32, 1, 32});
  const FabricCount rails = counted({.gpus = 32768, .radix = 256, .topology = RailOnly{}});
  CHECK(failure_of(rails, "leaf").gpus_cut_off == 256);  // two rails
}

TEST_CASE("copper and backplanes take no transceivers, twin ports share a module") {
  FabricDesign design = default_design(Topology::superpod);
  design.cabling.ports_per_switch_module = 2;
  const FabricCount optical = counted(design);
  CHECK(optical.transceivers == 2 * (1020 + 1024));
  // A leaf has 31 or 32 ports down and 32 up; a spine 64. Endpoints one module each.
  CHECK(optical.modules == 32 * 32 + 16 * 32 + 1020);
  CHECK(optical.cables == CableCount{.fibre = 2044});
  design.cabling.ports_per_nic_module = 2;
  CHECK(counted(design).modules == 32 * 32 + 16 * 32 + 510);

  design.cabling.host = CableKind::copper;
  const FabricCount copper = counted(design);
  CHECK(copper.transceivers == 2048);
  CHECK(copper.modules == 32 * 16 + 16 * 32);
  CHECK(copper.cables == CableCount{.copper = 1020, .fibre = 1024});

  const FabricCount frames = counted(default_design(Topology::two_zone_fat_tree));
  CHECK(frames.links_named("leaf_spine") == 1600);
  CHECK(frames.links_named("storage") == 2 * 180);
  CHECK(frames.transceivers == 2 * (1200 + 360));  // those of the endpoints' links only
  CHECK(frames.cables == CableCount{.fibre = 1560});
  CHECK_FALSE(frames.bisection_gbps);  // the paper gives no number of links between the zones
}

TEST_CASE("a mirror switch has no transceivers of its own") {
  const FabricCount tpu = counted(default_design(Topology::torus));
  CHECK(tpu.transceivers == 6144);
  CHECK(tpu.modules == 6144);
  CHECK(tpu.links_named("within_cube") == 9216);
  CHECK(tpu.bisection_gbps == 2 * 256 * 400);
  CHECK(tpu.max_hops == 24);
  FabricDesign cabled = default_design(Topology::torus);
  cabled.topology = Torus{.ocs = false};
  CHECK(counted(cabled).links_named("between_cubes") == 3072);
  CHECK(counted(cabled).total_switches() == 0);
  cabled.gpus.reset();
  CHECK(problem_of(cabled).subject == "gpus");
}

TEST_CASE("Meta's under-subscribed racks need the ports of the 200 Gb/s zone") {
  FabricDesign design = default_design(Topology::meta_ai_zone);
  std::get<MetaAiZone>(design.topology).rtsw_oversubscription = {8, 9};
  const FabricProblem problem = problem_of(design);
  CHECK(problem.rule == FabricRule::too_many_ports);
  CHECK(to_string(problem) == "rtsw: 34 ports needed, 32 there");
}

TEST_CASE("Meta's zones: 7:1 between them rounds to whole links") {
  const FabricCount count = counted(default_design(Topology::meta_ai_zone));
  CHECK(count.switches_named("ctsw") == 64);
  CHECK(count.links_named("ctsw_atsw") == 64 * 55);  // 384/7 = 54.9
  CHECK(count.switches_named("atsw") == 8);
  CHECK(count.oversubscription == Ratio{384, 55});
  CHECK(count.cables.copper == 24576);
}

TEST_CASE("dragonfly without parameters is balanced for its radix") {
  const FabricCount count = counted({.radix = 64, .topology = Dragonfly{}});
  CHECK(count.units == 513);
  CHECK(count.links_named("local") == 513 * 32 * 31 / 2);
  CHECK(count.links_named("global") == 513 * 32 * 16 / 2);
  CHECK(counted({.gpus = 32768, .radix = 64, .topology = Dragonfly{}}).units == 64);
  CHECK(problem_of({.radix = 62,
                    .topology = Dragonfly{.hosts_per_router = 16,
                                          .routers_per_group = 32,
                                          .global_per_router = 16}}) ==
        FabricProblem{.rule = FabricRule::too_many_ports,
                      .subject = "router",
                      .unit = "ports",
                      .need = 63,
                      .have = 62,
                      .max_endpoints = std::nullopt,
                      .hint = "hosts + routers of the group - 1 + global links"});
}

TEST_CASE("slim fly picks the smallest field that holds the GPUs") {
  const auto q = [](std::int64_t gpus) {
    return counted({.gpus = gpus, .radix = 64, .topology = SlimFly{}}).units;
  };
  CHECK(q(1) == 3);
  CHECK(q(54) == 3);
  CHECK(q(55) == 4);
  CHECK(q(200) == 5);
  CHECK(q(201) == 7);  // 6 is no prime power
  CHECK(q(30618) == 27);
  CHECK(problem_of({.gpus = 30619, .radix = 64, .topology = SlimFly{}}).max_endpoints == 30618);
  CHECK(problem_of({.radix = 64, .topology = SlimFly{.q = 29}}).rule == FabricRule::too_many_ports);
}

TEST_CASE("bad values are told apart from networks that do not fit") {
  for (const std::int64_t radix : {-4, 0, 1, 2, 3, 7}) {
    const FabricProblem problem = problem_of({.gpus = 8, .radix = radix, .topology = FatTree{}});
    CHECK(problem.bad_value());
    CHECK(problem.subject == "radix");
    CHECK(problem.have == radix);
  }
  CHECK(to_string(problem_of({.gpus = 8, .radix = 3, .topology = FatTree{}})) ==
        "radix: 3 is out of range, 4 is the nearest usable");
  CHECK(problem_of({.gpus = 0, .topology = FatTree{}}).bad_value());
  CHECK(problem_of({.gpus = 8, .topology = RailOnly{.rails = 0}}).subject == "rails");
  CHECK(problem_of({.gpus = 8, .topology = FatTree{.oversubscription = {0, 1}}}).bad_value());

  const FabricProblem large = problem_of({.gpus = 65537, .radix = 64, .topology = FatTree{}});
  CHECK_FALSE(large.bad_value());
  CHECK(large.max_endpoints == 65536);
  CHECK(to_string(large) == "gpus: 65537 asked for, 65536 fit");
  CHECK(counted({.gpus = std::int64_t{1} << 31, .radix = 1'000'000'000, .topology = FatTree{}})
            .switches_named("leaf") == 5);
}

TEST_CASE("racks and power are counted where given, and limits kept") {
  FabricDesign design = default_design(Topology::superpod);
  design.limits = {.rack_units_per_switch = 1,
                   .rack_units_per_rack = 40,
                   .power_per_switch = 1000 * units::W,
                   .power_per_module = 10 * units::W};
  const FabricCount count = counted(design);
  CHECK(count.racks == 2);
  CHECK(count.power->in(units::kW) == doctest::Approx(48 + 0.01 * 4088));
  CHECK_FALSE(counted(default_design(Topology::superpod)).racks);
  design.limits.racks = 1;
  CHECK(problem_of(design).rule == FabricRule::over_limit);
  design.limits.racks = 2;
  design.limits.power = 50 * units::kW;
  CHECK(problem_of(design).subject == "power of the network");
}

}  // namespace
