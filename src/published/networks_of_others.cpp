// Networks of other sources: DeepSeek-V3, NVIDIA's reference architectures, torus, slim fly.

#include "planner/published/cases.hpp"
#include "planner/published/sources.hpp"

namespace planner::published {

namespace {

constexpr const char* kB200 = "DGX B200 SuperPOD reference architecture, network fabrics, Table 4";
constexpr const char* kB200Large = "DGX B200 SuperPOD reference architecture, larger SuperPODs";
Cases deepseek_cases() {
  const FabricCount two_tiers = counted({.radix = 64, .topology = FatTree{.max_tiers = 2}});
  const FabricCount planes = counted({.radix = 64, .topology = MultiPlane{.planes = 8}});
  const Dragonfly dragonfly{
      .hosts_per_router = 16, .routers_per_group = 32, .global_per_router = 16};
  const FabricCount canonical = counted({.radix = 64, .topology = dragonfly});
  Dragonfly smaller = dragonfly;
  smaller.groups = 511;
  const FabricCount printed = counted({.radix = 64, .topology = smaller});
  std::int64_t router_ports = 0;
  for (const PortUse& use : canonical.switches.front().groups.front().ports)
    router_ports += use.ports;
  const auto row = [](const char* name, const FabricCount& count, double endpoints, double switches,
                      double links) {
    return Case{.name = name,
                .source = kDeepSeekNetworks,
                .figures = {{"endpoints", endpoints, real(count.endpoints)},
                            {"switches", switches, real(count.total_switches())},
                            {"links", links, real(count.inter_switch_links())}}};
  };
  Case canonical_row = row("deepseek_DF", canonical, 261632, 16352, 384272);
  for (Figure& figure : canonical_row.figures) figure.at_odds = true;
  canonical_row.why = "the canonical g = a·h + 1 = 513; the printed row is exact for g = 511";
  return {row("deepseek_FT2", two_tiers, 2048, 96, 2048),
          row("deepseek_MPFT", planes, 16384, 768, 16384),
          canonical_row,
          row("deepseek_DF_g511", printed, 261632, 16352, 384272),
          {.name = "dragonfly_radix63",
           .source = "Kim et al., ISCA 2008: N = 4h⁴ + 2h², k = 4h - 1",
           .figures = {{"endpoints", 262656, real(canonical.endpoints)},
                       {"router ports", 63, real(router_ports)},
                       {"groups", 513, real(canonical.units)}}}};
}

Cases other_networks() {
  const FabricCount q3400 = counted({.radix = 144, .topology = FatTree{.max_tiers = 2}});
  const FabricCount al_fares = counted({.radix = 48, .topology = FatTree{}});
  const FabricCount cscs = counted({.radix = 36, .topology = SlimFly{.q = 5}});
  const FabricCount tpu = counted(default_design(Topology::torus));
  // NVL72: a switch chip reaches every GPU once, so it is a plane of one 72-port switch.
  const FabricCount nvlink =
      counted({.gpus = 72, .radix = 72, .topology = MultiPlane{.planes = 18, .ports_per_gpu = 18}});
  const auto gb200 = [](std::int64_t units) {
    return counted(
        {.radix = 64,
         .topology = SuperPod{.scalable_units = units, .nodes_per_unit = 8, .gpus_per_node = 72}});
  };
  return {
      {.name = "q3400_two_level",
       .source = "NVIDIA Quantum-X800 (secondary copy)",
       .figures = {{"max endpoints", 10368, real(q3400.max_endpoints)}}},
      {.name = "al_fares_k48",
       .source = "Al-Fares et al. 2008, HPN paper Table 1",
       .figures = {{"max endpoints", 27648, real(al_fares.max_endpoints)},
                   {"switches", 2880, real(al_fares.total_switches())}}},
      {.name = "slimfly_cscs_200",
       .source = "Blach et al., NSDI'24",
       .figures = {{"endpoints", 200, real(cscs.endpoints)}}},
      {.name = "tpu_v4_pod",
       .source = "Jouppi et al., ISCA'23",
       .figures = {{"chips", 4096, real(tpu.endpoints)},
                   {"optical links", 6144, real(tpu.links_named("chip_ocs"))},
                   {"OCS", 48, real(tpu.switches_named("ocs"))}}},
      {.name = "gb200_nvl72_nvlink",
       .source = "DGX GB200 SuperPOD reference architecture, network fabrics",
       .figures = {{"switch chips", 18, real(nvlink.total_switches())},
                   {"links", 1296, real(nvlink.host_links())},
                   {"TB/s per GPU, both directions", 1.8, 18 * 2 * 50 / 1000.0}}},
      {.name = "gb200_su",
       .source = "DGX GB200 SuperPOD reference architecture",
       .figures = {{"GPUs per unit", 576, real(gb200(1).endpoints)},
                   {"racks", 128, real(gb200(16).endpoints) / 72},
                   {"GPUs", 9216, real(gb200(16).endpoints)},
                   {"kW per rack", 150, 1200.0 / 8}}},
  };
}

Case superpod_row(const char* name, const char* source, std::int64_t units, std::int64_t ufm,
                  double nodes, double gpus, double leaf, double spine, double node_leaf,
                  double leaf_spine) {
  const FabricCount count = counted(
      {.radix = 64, .topology = SuperPod{.scalable_units = units, .fabric_manager_ports = ufm}});
  return {.name = name,
          .source = source,
          .figures = {{"nodes", nodes, real(count.endpoints) / 8},
                      {"GPUs", gpus, real(count.endpoints)},
                      {"leaf", leaf, real(count.switches_named("leaf"))},
                      {"spine", spine, real(count.switches_named("spine"))},
                      {"core", 0, real(count.switches_named("core"))},
                      {"node-leaf cables", node_leaf, real(count.host_links())},
                      {"leaf-spine cables", leaf_spine, real(count.links_named("leaf_spine"))}}};
}

Cases superpod_cases() {
  return {superpod_row("superpod_b200_1SU", kB200, 1, 4, 31, 248, 8, 4, 252, 256),
          superpod_row("superpod_b200_2SU", kB200, 2, 4, 63, 504, 16, 8, 508, 512),
          superpod_row("superpod_b200_4SU", kB200, 4, 4, 127, 1016, 32, 16, 1020, 1024),
          superpod_row("superpod_b200_large_2SU", kB200Large, 2, 0, 64, 512, 16, 8, 512, 512),
          superpod_row("superpod_b200_large_4SU", kB200Large, 4, 0, 128, 1024, 32, 16, 1024, 1024),
          superpod_row("superpod_b200_large_8SU", kB200Large, 8, 0, 256, 2048, 64, 32, 2048, 2048)};
}

}  // namespace

Cases networks_of_others() {
  return joined<Case>({deepseek_cases(), other_networks(), superpod_cases()});
}

}  // namespace planner::published
