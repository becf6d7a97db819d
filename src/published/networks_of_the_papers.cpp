// Networks of the five papers, by general formulas.

#include "planner/published/cases.hpp"
#include "planner/published/published.hpp"
#include "planner/published/sources.hpp"

namespace planner::published {

namespace {

constexpr const char* kRailOnlyNetworks =
    "rail-only paper (arXiv 2307.12169), Table 2 and its footnote";

// $374 per transceiver, $748 per 400 Gb/s switch port, all ports of a switch paid.
double cost(const FabricCount& count) {
  return 374 * real(count.transceivers) + 748 * real(count.total_switches() * count.radix);
}

Case rail_only_row(std::int64_t gpus, std::int64_t radix, double sota_switches,
                   double rail_switches, double sota_transceivers, double rail_transceivers,
                   double reduction) {
  const FabricCount sota = counted({.gpus = gpus, .radix = radix, .topology = FatTree{}});
  const FabricCount rail =
      counted({.gpus = gpus, .radix = radix, .topology = RailOnly{.rails = 256}});
  return {.name = "railonly_T2_N" + std::to_string(gpus) + "_k" + std::to_string(radix),
          .source = kRailOnlyNetworks,
          .figures = {{"SOTA switches", sota_switches, real(sota.total_switches())},
                      {"rail-only switches", rail_switches, real(rail.total_switches())},
                      {"SOTA transceivers", sota_transceivers, real(sota.transceivers)},
                      {"rail-only transceivers", rail_transceivers, real(rail.transceivers)},
                      {"reduction, truncated %", reduction,
                       std::floor(100 * (1 - cost(rail) / cost(sota)))}}};
}

Cases rail_only_cases() {
  return {rail_only_row(32768, 64, 2560, 1536, 196608, 131072, 37),
          rail_only_row(32768, 128, 1280, 256, 196608, 65536, 75),
          rail_only_row(32768, 256, 384, 128, 131072, 65536, 60),
          rail_only_row(65536, 64, 5120, 3072, 393216, 262144, 37),
          rail_only_row(65536, 128, 2560, 1536, 393216, 262144, 37),
          rail_only_row(65536, 256, 1280, 256, 393216, 131072, 75)};
}

Cases fire_flyer_networks() {
  const FabricCount zone =
      counted({.gpus = 800, .radix = 40, .port_gbps = 200, .topology = FatTree{.max_tiers = 2}});
  FabricDesign two_zones = default_design(Topology::two_zone_fat_tree);
  std::get<TwoZoneFatTree>(two_zones.topology).zone_switches = 0;
  const FabricCount trees = counted(two_zones);
  const FabricCount dgx = counted({.gpus = 10000, .radix = 40, .topology = FatTree{}});
  const FabricCount pcie = counted({.gpus = 1600, .radix = 40, .topology = FatTree{}});
  const FabricCount planes = counted({.radix = 128, .topology = MultiPlane{.planes = 4}});
  // Fire-Flyer has one NIC per node: 1,250 compute endpoints, 180 storage nodes on each zone.
  const FabricProblem filled = problem_of(
      {.gpus = 1250, .radix = 40, .topology = TwoZoneFatTree{.storage_ports_per_zone = 180}});
  return {
      {.name = "fireflyer_zone_800",
       .source = kFireFlyer,
       .figures = {{"leaf", 40, real(zone.switches_named("leaf"))},
                   {"spine", 20, real(zone.switches_named("spine"))},
                   {"max endpoints", 800, real(zone.max_endpoints)},
                   {"inter-switch links", 800, real(zone.inter_switch_links())}}},
      {.name = "fireflyer_two_zones_122",
       .source = kFireFlyer,
       .figures = {{"switches", 122, real(trees.total_switches()), true}},
       .why = "two zones of 40 + 20; the paper does not explain the other two: zone_switches = 2"},
      {.name = "fireflyer_3tier_10000",
       .source = kFireFlyer,
       .figures = {{"leaf", 500, real(dgx.switches_named("leaf"))},
                   {"spine", 500, real(dgx.switches_named("spine"))},
                   {"core", 320, real(dgx.switches_named("core")), true},
                   {"switches", 1320, real(dgx.total_switches()), true}},
       .why = "10,000/40 = 250 core switches; 320 are those of 12,800 endpoints (32 pods of 400)"},
      {.name = "fireflyer_3tier_1600",
       .source = kFireFlyer,
       .figures = {{"leaf + spine", 160,
                    real(pcie.switches_named("leaf") + pcie.switches_named("spine"))},
                   {"core", 40, real(pcie.switches_named("core"))},
                   {"switches", 200, real(pcie.total_switches())}}},
      {.name = "fireflyer_4plane_32768",
       .source = kFireFlyer,
       .figures = {{"max GPUs", 32768, real(planes.max_endpoints)}}},
      {.name = "fireflyer_zone_fill",
       .source = kFireFlyer,
       .figures = {{"ports per zone", 800, real(filled.need), true}},
       .why = "1,250 / 2 nodes and 180 storage servers are 805 ports; a zone has 800"},
  };
}

Cases hpn_cases() {
  const FabricCount pod = counted(default_design(Topology::hpn));
  FabricDesign rail_only = default_design(Topology::hpn);
  rail_only.gpus.reset();
  std::get<Hpn>(rail_only.topology).rail_only_tier2 = true;
  const FabricCount tier2 = counted(rail_only);
  FabricDesign with_core = default_design(Topology::hpn);
  std::get<Hpn>(with_core.topology).core_layer = true;
  const FabricCount core = counted(with_core);
  FabricDesign one = default_design(Topology::hpn);
  one.gpus = 1024;
  const FabricCount segment = counted(one);
  double tor_tbps = 0;
  for (const PortUse& use : segment.switches.front().groups.front().ports) {
    tor_tbps += real(use.ports * segment.layers[use.layer].gbps) / 1000;
  }
  const FabricCount dcn = counted(default_design(Topology::dcn_plus));
  FabricDesign c4 = default_design(Topology::dcn_plus);
  std::get<DcnPlus>(c4.topology).tors_per_segment = 8;
  FabricDesign dcn_pod = default_design(Topology::dcn_plus);
  dcn_pod.gpus.reset();
  std::get<DcnPlus>(dcn_pod.topology).max_pods = 1;
  return {
      {.name = "hpn_tor",
       .source = kHpn,
       .figures = {{"ToR oversubscription (1.067 printed)", 1.067,
                    std::round(1000 * share(oversubscription_of(pod, "tor"))) / 1000},
                   {"ToR bandwidth, Tb/s", 51.2, tor_tbps}}},
      {.name = "hpn_segment",
       .source = kHpn,
       .figures = {{"ToRs per segment", 16, real(segment.switches_named("tor"))},
                   {"GPUs per segment", 1024, real(segment.endpoints)},
                   {"backup GPUs per segment", 64, real(segment.backup_endpoints)}}},
      {.name = "hpn_pod",
       .source = kHpn,
       .figures = {{"segments", 15, real(pod.units)},
                   {"aggregation switches per plane", 60,
                    real(pod.switches_named("agg") / pod.planes)},
                   {"tier-2 planes", 2, real(pod.planes)},
                   {"GPUs per pod", 15360, real(pod.max_endpoints)},
                   {"aggregation-core oversubscription", 15,
                    share(oversubscription_of(core, "agg"))}}},
      {.name = "hpn_rail_only_tier2",
       .source = kHpn,
       .figures = {{"tier-2 planes", 16, real(tier2.planes)},
                   {"GPUs per pod", 122880, real(tier2.max_endpoints)}}},
      {.name = "dcnplus_pod",
       .source = kHpn,
       .figures = {{"GPUs per pod", 512, real(counted(dcn_pod).max_endpoints)},
                   {"max GPUs", 16384, real(dcn.max_endpoints)}}},
      {.name = "c4_leaf_capacity",
       .source = "C4 paper, § IV-A",
       .figures = {{"leaf oversubscription", 1, share(oversubscription_of(counted(c4), "tor")),
                    true}},
       .why = "128 GPUs of 400 Gb/s over 8 leaves of 8 × 400 Gb/s up are 2:1; 1:1 takes 16 leaves"},
  };
}

Cases meta_cases() {
  FabricDesign zone = default_design(Topology::meta_ai_zone);
  zone.gpus = 3072;
  const FabricCount pod = counted(zone);
  const FabricCount all = counted(default_design(Topology::meta_ai_zone));
  // The zone of § 6.2 runs at 200 Gb/s: twice the RTSW ports.
  const FabricCount stage4 = counted({.gpus = 3072,
                                      .radix = 64,
                                      .port_gbps = 200,
                                      .topology = MetaAiZone{.rtsw_oversubscription = {8, 9}}});
  const double uplinks = real(stage4.links_named("rtsw_ctsw") / stage4.switches_named("rtsw"));
  return {
      {.name = "meta_ai_zone_pod",
       .source = "Meta RoCE paper (SIGCOMM'24), Llama 3 paper § 3.3",
       .figures = {{"GPUs", 3072, real(pod.endpoints)},
                   {"RTSW", 192, real(pod.switches_named("rtsw"))}}},
      {.name = "meta_24k",
       .source = "Meta RoCE paper (SIGCOMM'24), Llama 3 paper § 3.3",
       .figures = {{"GPUs", 24576, real(all.max_endpoints)},
                   {"RTSW", 1536, real(all.switches_named("rtsw"))}}},
      {.name = "meta_undersub_1_125",
       .source = "Meta RoCE paper (SIGCOMM'24), § 6.2",
       .figures = {{"up : down", 1.125, 1 / share(oversubscription_of(stage4, "rtsw"))},
                   {"spare links", 2, uplinks - 16}}},
  };
}

}  // namespace

Cases networks_of_the_papers() {
  return joined<Case>({rail_only_cases(), fire_flyer_networks(), hpn_cases(), meta_cases()});
}

}  // namespace planner::published
