// S of collectives from the flows of their own groups: against flows hashed one by one elsewhere,
// HPN's planes and faults (SIGCOMM'24, sections 6 and 9, appendix A), Meta's zones, C4's shares.
#include <algorithm>

#include "planner/domain/cut.hpp"
#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "support/fabrics.hpp"
#include "support/near.hpp"
#include "support/traffic_cases.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

namespace {

double mean_slowdown(const RoutedFabric& fabric, const RoutedJob& job, std::int64_t qps,
                     const GroupFlows& groups) {
  return JobSlowdowns(fabric, job, {.scheme = RoutingScheme::ecmp_qp, .qps = qps}).of(groups).mean;
}

json of_stage(const json& in) {
  const LinkStage stage{
      .flows = in["flows"], .links = in["links"], .rho = in["rho"], .groups = in["groups"]};
  return {{"S", slowdown({stage}, {.scheme = RoutingScheme::ecmp_qp}).mean}};
}

/// Leaves with one link to each of so many spines, links as fast as cards.
json of_leaves(const json& in) {
  const std::int64_t gpus = in["gpus"], leaf = in["leaf_gpus"], uplinks = in["uplinks"];
  const RoutedFabric fabric{
      .tiers = {{.name = "leaf – spine",
                 .unit_gpus = leaf,
                 .cards = leaf,
                 .links = uplinks,
                 .rho = static_cast<double>(leaf) / static_cast<double>(uplinks),
                 .groups = static_cast<double>(gpus / leaf),
                 .switches_above = uplinks}},
      .gpus = gpus,
      .gpus_per_node = in["node_gpus"]};
  const GroupFlows groups{flow_kind(in["kind"]), in["stride"], in["ranks"]};
  return {
      {"S", mean_slowdown(fabric, {.gpus = gpus, .peers = groups.ranks - 1}, in["qps"], groups)}};
}

/// So many of HPN's segments of 1,024 GPUs; of a whole pod each ToR has one link to each of 60
/// aggregation switches.
RoutedFabric hpn_segments(std::int64_t planes, std::int64_t segments) {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).planes = planes;
  design.gpus = 1024 * segments;
  const auto fabric = routed_fabric(design, counted(design), *design.gpus, 8);
  REQUIRE(fabric);
  REQUIRE(fabric->tiers.front().links == 60);
  return *fabric;
}

/// A ring of which so many cards of each rail cross between two segments that the job has to
/// itself.
double hpn_crossing(const RoutedFabric& fabric, std::int64_t qps_per_nic, std::int64_t crossing,
                    std::optional<Fault> fault = {}) {
  const std::int64_t in_segment = 8 * crossing;
  return mean_slowdown(fabric,
                       {.gpus = 2 * in_segment,
                        .fault = fault,
                        .uplinks = UplinkUse::alone,
                        .free_gpus = {in_segment, in_segment}},
                       qps_per_nic / fabric.ports_per_card, {FlowKind::ring, in_segment, 2});
}

double in_hpn_pod(std::int64_t planes, std::int64_t qps_per_nic, std::int64_t crossing,
                  std::optional<Fault> fault = {}) {
  const RoutedFabric pod = hpn_segments(planes, planes == 1 ? 7 : 15);
  REQUIRE(pod.tiers.front().switches_above == 60);
  return hpn_crossing(pod, qps_per_nic, crossing, fault);
}

double planes_gain(std::int64_t qps_per_nic, std::int64_t crossing) {
  return 100 * (in_hpn_pod(1, qps_per_nic, crossing) / in_hpn_pod(2, qps_per_nic, crossing) - 1);
}

json of_planes(const json& in) {
  if (!in.contains("gpus")) {
    return {{"gain_percent", planes_gain(in["qps_per_nic"], in["nics_crossing_per_rail"])}};
  }
  json gains = json::array();
  for (const std::int64_t gpus : in["gpus"]) {
    gains.push_back(planes_gain(in["qps_per_nic"], gpus / 16));
  }
  return {{"gain_percent", gains}};
}

json of_fault(const json& in) {
  const std::string what = in["fault"];
  if (in.contains("rails")) {
    return {{"S", slowdown_of_cards(fault_named(what)->kind, Channels::rebalanced, in["ports"],
                                    in["rails"])}};
  }
  // One card of each rail, as a ring over many nodes has it.
  return {{"S", in_hpn_pod(in["planes"], in["qps_per_nic"], 1, fault_named(what))}};
}

/// Rings over hosts that fill segments of two ToRs, ranks in the order of hosts or at random: of
/// these as many hops leave a full segment as random_ring_cut() has.
json of_multi_all_reduce(const json& in) {
  const std::int64_t hosts = in["hosts"], of_segment = in["segment_hosts"];
  const std::int64_t uplinks = in["uplinks_of_tor"];
  const RoutedFabric fabric{.tiers = {{.name = "tor – agg",
                                       .unit_gpus = 8 * of_segment,
                                       .cards = 8 * of_segment,
                                       .links = uplinks,
                                       .groups_of_unit = 2,
                                       .switches_above = uplinks}},
                            .gpus = 8 * 4 * of_segment,
                            .gpus_per_node = 8,
                            .ports_per_card = 2,
                            .bonded = true};
  const GroupFlows rings{FlowKind::ring, 8, hosts};
  RoutedJob job{.gpus = 8 * hosts, .uplinks = UplinkUse::alone};
  json in_order = json::array(), at_random = json::array();
  std::vector<double> anywhere;
  for (const std::int64_t per_nic : in["qps_per_nic"]) {
    const std::int64_t qps = per_nic / 2;
    job.placement = Placement::whole;
    in_order.push_back(mean_slowdown(fabric, job, qps, rings));
    const double out = 8 * random_ring_cut(hosts, of_segment).mean;
    const double rho = out / 2 / static_cast<double>(uplinks);  // a port has half a link's rate
    const std::int64_t flows = std::llround(out);
    const std::int64_t receiving =
        std::llround(out / static_cast<double>(of_segment * 8) * static_cast<double>(8 * hosts));
    const LinkStage up{.flows = flows, .links = uplinks, .rho = rho, .groups = 8};
    const LinkStage down{.flows = 2 * flows, .links = 2 * uplinks, .rho = rho, .groups = 4};
    const LinkStage port{.flows = 2, .links = 2, .groups = receiving, .receive_port = true};
    at_random.push_back(
        slowdown({up, down, port}, {.scheme = RoutingScheme::ecmp_qp, .qps = qps}).mean);
    job.placement = Placement::random;
    anywhere.push_back(mean_slowdown(fabric, job, qps, rings));
  }
  // What was measured lies between those of nodes dealt out at random, far above those in order.
  const double measured = in["published"];
  CHECK(anywhere.front() > measured);
  CHECK(anywhere.back() < measured);
  CHECK(in_order.front().get<double>() < 0.8 * measured);
  return {{"host_order", in_order}, {"random_hosts", at_random}};
}

/// Of the uplinks of zones of which the job has as large a part each.
json of_zone_uplinks(const json& in) {
  const std::int64_t gpus = in["job_gpus"], zones = in["zones"], each = gpus / zones;
  const bool shared = in["uplinks"] == "shared";
  FabricDesign design = default_design(Topology::meta_ai_zone);
  design.gpus = zones * in["zone_gpus"].get<std::int64_t>();
  auto& meta = std::get<MetaAiZone>(design.topology);
  meta.zone_oversubscription = {in["oversubscription"], 1};
  meta.racks_per_zone = in["zone_gpus"].get<std::int64_t>() / meta.gpus_per_rack;
  const auto fabric = routed_fabric(design, counted(design), *design.gpus, 8);
  REQUIRE(fabric);
  const FabricTier& zone = fabric->tiers.back();
  REQUIRE(zone.unit_gpus == in["zone_gpus"]);
  const auto rho = [&](const GroupFlows& groups, Placement placement = Placement::whole) {
    RoutedJob job{.gpus = gpus,
                  .placement = placement,
                  .uplinks = shared ? UplinkUse::shared : UplinkUse::alone};
    if (placement == Placement::whole) {
      job.free_gpus = std::vector<std::int64_t>(static_cast<std::size_t>(zones), each);
    }
    double most = 0;
    for (const LinkStage& stage : JobSlowdowns(*fabric, job, {}).stages(groups)) {
      if (stage.name == zone.name) most = std::max(most, stage.rho);
    }
    return most;
  };
  const GroupFlows ring{FlowKind::ring, 8, gpus / 8};
  // The case counts flows at the rate of a card; a card in the middle of a pipeline has two, to the
  // next stage and to the one before, at half of its rate each, as in the plans on leaves.
  json found{{"ring_ranked", rho(ring)},
             {"all_to_all", rho({FlowKind::all_to_all, 1, gpus})},
             {"pipeline_t8_p64", 2 * rho({FlowKind::line, gpus / 64, 64})}};
  if (shared) found["ring_random_hosts"] = rho(ring, Placement::random);
  return found;
}

json of_exposed_shares(const json& in) {
  json shares = json::array();
  for (const json& pair : in["samples_per_s"]) {
    shares.push_back(exposed_share(pair[1].get<double>() / pair[0].get<double>(), in["faster"]));
  }
  return {{"f_ecmp", shares}};
}

json work_out_slowdown(const std::string& id, const json& in) {
  const auto starts = [&](const char* with) { return id.starts_with(with); };
  if (starts("S-")) return of_stage(in);
  if (starts("plan-S-")) return of_leaves(in);
  if (starts("hpn-plane-")) return of_planes(in);
  if (starts("hpn-1-") || starts("hpn-2-")) {
    return {{"S", in_hpn_pod(in["planes"], in["qps_per_nic"], in["nics_crossing_per_rail"])}};
  }
  if (starts("fault-")) return of_fault(in);
  if (id == "dcn-multi-allreduce") return of_multi_all_reduce(in);
  if (starts("zones-")) return of_zone_uplinks(in);
  if (id == "c4-accounting") return of_exposed_shares(in);
  return nullptr;
}

}  // namespace

TEST_CASE("cases of slowdowns, faults and zones") {
  check_traffic_cases("slowdowns", work_out_slowdown);
}

TEST_CASE("two planes and few queue pairs: loads down are those up where no links are bundled") {
  // Sixteen cards of a rail, a path for each port. Hashed flow by flow, 6,000 times: 1.602, and
  // 1.691 where two segments have six links to each of ten switches, which hash once more.
  CHECK(hpn_crossing(hpn_segments(2, 15), 2, 16) == near(1.6012, 1e-3));
  const RoutedFabric bundled = hpn_segments(2, 2);
  REQUIRE(bundled.tiers.front().switches_above == 10);
  CHECK(hpn_crossing(bundled, 2, 16) == near(1.691, 5e-3));
}
