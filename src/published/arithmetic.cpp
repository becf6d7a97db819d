// Arithmetic on published figures; where one of our counts takes part, it is used.

#include "planner/published/cases.hpp"
#include "planner/published/published.hpp"
#include "planner/published/sources.hpp"

namespace planner::published {

namespace {

double ceiling(double a, double b) {
  return std::ceil(a / b);
}

Cases fire_flyer_cases() {
  return {
      {.name = "fireflyer_T3_cost",
       .source = kFireFlyer,
       .figures = {{"ours, total", 11600, 11250 + 350},
                   {"PCIe with 3 layers, total", 11850, 11250 + 600},
                   {"DGX, total", 23000, 19000 + 4000},
                   {"network saving, %", 40, std::round(100 * (1 - 350 / 600.0)), true},
                   {"total ratio, %", 50, std::round(100 * 11600 / 23000.0)}},
       .why = "41.7 % in price, 39 % in switches: the paper rounds to 40 %"},
      {.name = "fireflyer_T2_ratios",
       .source = kFireFlyer,
       .figures = {{"cost-performance", 1.38, std::round(100 * 0.83 / 0.60) / 100},
                   {"power ratio, %", 60, std::round(100 * 2500 / 4200.0)}}},
      {.name = "fireflyer_power",
       .source = kFireFlyer,
       .figures = {{"MW, 'just over'", 3, std::floor(1250 * 2500 / 1e6)}}},
  };
}

Cases hpn_scale_cases() {
  const auto scale = [](const char* name, double published, double ours) {
    return Case{
        .name = name, .source = place_in(kHpn, "Table 2"), .figures = {{"GPUs", published, ours}}};
  };
  Case clos = scale("hpn_T2_51T_clos_tier2", 2048, 128 * 128 / 4.0);
  clos.figures.front().at_odds = true;
  clos.why = "k²/4 with 128 × 400G is 4,096; 2,048 takes 800G between ToR and aggregation";
  return {scale("hpn_T2_51T_clos_tier1", 64, 128 / 2.0),
          clos,
          scale("hpn_T2_dualtor_tier1", 128, 25600 / 200.0),
          scale("hpn_T2_dualtor_tier2", 4096, 64 / 2.0 * 128),
          scale("hpn_T2_rail_tier1", 1024, 128 * 8),
          scale("hpn_T2_dualplane_tier2", 8192, 64 / 8.0 * 1024),
          scale("hpn_T2_oversub15_tier2", 15360, 120 / 8.0 * 1024),
          {.name = "hpn_release_87pct",
           .source = kHpn,
           .figures = {{"% more ports", 87.5, 100 * (120 / 64.0 - 1)}}}};
}

Cases hpn_path_cases() {
  const double fat_tree = real(counted({.radix = 48, .topology = FatTree{}}).endpoints);
  const auto paths = [](const char* name, double published, double ours) {
    return Case{
        .name = name, .source = place_in(kHpn, "Table 1"), .figures = {{"value", published, ours}}};
  };
  Case fat_tree_paths = paths("hpn_T1_fat_tree_k48_paths", 2304, 24 * 24);
  fat_tree_paths.figures.front().at_odds = true;
  fat_tree_paths.why = "a 48-port switch has 24 uplinks: 24 · 24 choices, not 48 · 48";
  return {paths("hpn_T1_fat_tree_k48_gpus", 27648, fat_tree), fat_tree_paths,
          paths("hpn_T1_superpod_paths", 4096, 32 * 32 * 4),
          paths("hpn_T1_jupiter_paths", 2048, 8 * 256), paths("hpn_T1_hpn_paths", 60, 60)};
}

Cases hpn_other_cases() {
  FabricDesign with_core = default_design(Topology::hpn);
  std::get<Hpn>(with_core.topology).core_layer = true;
  const FabricCount pod = counted(with_core);
  const double front_end = 2 * real(pod.endpoints + pod.backup_endpoints) / 8;
  const double crossing = front_end + real(pod.links_named("agg_core"));
  const double all = front_end + real(pod.total_links());
  return {
      {.name = "hpn_job_2300_segments",
       .source = kHpn,
       .figures = {{"DCN+ segments", 19, ceiling(2300, 128), true},
                   {"HPN segments", 3, ceiling(2300, 1024)}},
       .why = "2,300 GPUs fit 18 segments of 128; 19 begin at 2,305"},
      {.name = "hpn_building",
       .source = kHpn,
       .figures = {{"GPUs, about", 15000, 1000 * std::floor(real(pod.endpoints) / 1000)}}},
      {.name = "hpn_cross_building_12_9",
       .source = kHpn,
       .figures = {{"% of links between buildings", 12.9, std::round(1000 * crossing / all) / 10,
                    true}},
       .why = "the paper does not give the links of its front-end tiers; without them 9.7 %"},
  };
}

Cases other_cases() {
  FabricDesign dcn_pod = default_design(Topology::dcn_plus);
  dcn_pod.gpus = 512;
  const FabricCount chassis = counted({.radix = 64, .topology = FatTree{.max_tiers = 2}});
  // Slim fly with q = 28: no field of 28 elements exists, so there is nothing to count.
  const double q = 28;
  const double network_radix = 3 * q / 2;
  const double hosts = network_radix / 2;
  const auto thousands = [](double million_usd, double endpoints, double digits) {
    return std::round(million_usd * 1000 / endpoints * digits) / digits;
  };
  return {
      {.name = "c4_pod_512",
       .source = "C4 paper",
       .figures = {{"GPUs per pod", 512, real(counted(dcn_pod).endpoints)}}},
      {.name = "c4_backup",
       .source = "C4 paper",
       .figures = {{"servers", 128, 1024.0 / 8},
                   {"backup servers", 8, 64.0 / 8},
                   {"pool", 136, (1024 + 64) / 8.0},
                   {"backup, %", 6.25, 100 * 64 / 1024.0}}},
      {.name = "deepseek_SF",
       .source = kDeepSeekNetworks,
       .figures = {{"endpoints", 32928, 2 * q * q * hosts},
                   {"switches", 1568, 2 * q * q},
                   {"links", 32928, q * q * network_radix}}},
      {.name = "deepseek_cost_per_endpoint",
       .source = kDeepSeekNetworks,
       .figures = {{"FT2, k$", 4.39, thousands(9, 2048, 100)},
                   {"MPFT, k$", 4.39, thousands(72, 16384, 100)},
                   {"FT3, k$", 7.5, thousands(491, 65536, 10)},
                   {"SF, k$", 4.4, thousands(146, 32928, 10)},
                   {"DF, k$", 5.8, thousands(1522, 261632, 10)}}},
      {.name = "modular_cs9500",
       .source = "NVIDIA Quantum-2 CS9500 (secondary copy)",
       .figures = {{"ports", 2048, real(chassis.max_endpoints)}}},
  };
}

}  // namespace

Checks networks() {
  return checks(joined<Case>({networks_of_the_papers(), networks_of_others()}), Kind::computed);
}

Checks arithmetic() {
  return checks(joined<Case>({fire_flyer_cases(), hpn_scale_cases(), hpn_path_cases(),
                              hpn_other_cases(), other_cases()}),
                Kind::arithmetic);
}

}  // namespace planner::published
