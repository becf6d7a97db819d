// Times of collectives on two tiers and on the tree of links of nodes whose GPUs share a NIC: the
// rail-only paper (arXiv 2307.12169), Fire-Flyer AI-HPC (arXiv 2408.14158).
#include "planner/domain/cut.hpp"
#include "planner/domain/topology.hpp"
#include "planner/perf/calibrated/synchronisation.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "support/fire_flyer.hpp"
#include "support/traffic_cases.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

namespace {

Bytes bytes_of(const json& one) {
  return one.get<double>() * units::byte;
}
BytesPerSecond rate_of(const json& one) {
  return one.get<double>() * units::byte / units::second;
}

HostTier pairs_of_fire_flyer() {
  const System system{.node = "fire-flyer-2",
                      .host = fire_flyer_node(),
                      .hb_domain = 2,
                      .hb_bandwidth = 300 * units::GBps,
                      .network_bandwidth = 3.125 * units::GBps};
  return host_tier(system, 2).value();
}

json of_two_tiers(const json& in) {
  const Seconds alpha{in["alpha"].get<double>()};
  const Links links{
      .hb = rate_of(in["CF"]), .net = rate_of(in["CS"]), .hb_latency = alpha, .net_latency = alpha};
  return {{"seconds", hierarchical_all_gather(bytes_of(in["D"]), in["x"], in["y"], links).si()}};
}

/// One flow leaves each HB domain, on one of its NICs.
json of_flat_ring(const json& in) {
  const GroupFlows ring{FlowKind::ring, in["stride"], in["ranks"]};
  REQUIRE(cut(ring, ring.period(), in["hb_domain"]).busiest == 1);
  const double parameters = in["V"].get<double>() / 2;  // gathered once in 16 bits
  return {{"seconds", kFlatRing(parameters, 1, 0, rate_of(in["nic"])).si()}};
}

/// An all-to-all of a megabyte for each, one copy per expert, beside what the network alone takes.
json of_rails_apart(const json& in) {
  const double x = in["x"], y = in["y"];
  const Bytes each = 1 * units::MB;
  const Links links{.hb = in["hb_GBps"].get<double>() * units::GBps,
                    .net = in["network_GBps"].get<double>() * units::GBps};
  const Seconds apart = expert_all_to_all(each,
                                          {.top_k = static_cast<std::int64_t>(x * y),
                                           .experts = x * y,
                                           .one_copy = false,
                                           .rails_apart = kRailEach},
                                          {.hb = x, .net = y}, links);
  return {{"slowdown", apart / (x * (y - 1) * each / links.net)}};
}

json of_reduction_bounds(const json& in, bool operations) {
  HfReduceOptions options{.nvlink_pairs = in["pairs"]};
  if (in.contains("nodes")) options.nodes = in["nodes"].get<std::int64_t>();
  if (in.contains("groups")) options.groups = in["groups"];
  const HfReduceBounds bounds = hfreduce_bounds(fire_flyer_node(), options);
  json found;
  for (const auto& [name, resource] :
       {std::pair{"host_memory", ReduceResource::host_memory},
        std::pair{"pcie", ReduceResource::pcie}, std::pair{"bridge", ReduceResource::host_bridge},
        std::pair{"network", ReduceResource::network},
        std::pair{"nvlink", ReduceResource::nvlink}}) {
    if (const auto bound = bounds.of(resource)) found[name] = bound->in(units::GBps);
  }
  if (operations) found["operations"] = bounds.operations.total();
  return found;
}

json of_synchronisation(const json& in) {
  const Bytes data = in["GB"].get<double>() * units::GB;
  const std::int64_t ranks = in["ranks"];
  const HostTier host = pairs_of_fire_flyer();
  const double n = static_cast<double>(ranks);
  const BytesPerSecond ring = host.rate(host.load(GroupFlows{FlowKind::ring, 1, ranks}), 1);
  const Links two_tiers{.hb = 300 * units::GBps, .net = 3.125 * units::GBps};
  const PipelinedReduce reduce =
      reduce_at(fire_flyer_node(), {.nvlink_pairs = in["pairs"]},
                ranks / in["in_node"].get<std::int64_t>(), data, kTreeStepLatency);
  return {{"ring", (2 * (n - 1) / n * data / ring).si()},
          {"hfreduce", reduce.time.si()},
          {"two_tier", (2 * hierarchical_all_gather(data, 2, ranks / 2, two_tiers)).si()}};
}

json of_sends(const json& in) {
  const Bytes message = in["MB"].get<double>() * units::MB;
  const HostTier::Send send = pairs_of_fire_flyer().send(64, 4, 1, 1);
  REQUIRE(send.senders == in["senders"]);
  const Seconds alone = message / send.alone;
  const Seconds together = message / kShared(fire_flyer_node().nic_bandwidth, send.senders);
  const Seconds staggered = kStaggeredSend(alone, together, together, in["chunks"].get<double>(),
                                           in["stage_s"].get<double>() * units::second);
  return {{"together", together.in(units::ms)}, {"staggered", staggered.in(units::ms)}};
}

json work_out_time(const std::string& id, const json& in) {
  if (id.starts_with("two-tier")) return of_two_tiers(in);
  if (id == "flat-ring") return of_flat_ring(in);
  if (id == "rail-only-tier2") return of_rails_apart(in);
  if (id == "ff-ops") {
    json operations = json::array();
    for (const bool pairs : in["pairs"]) {
      operations.push_back(memory_operations(fire_flyer_node(), {.nvlink_pairs = pairs}).total());
    }
    return {{"operations", operations}};
  }
  if (id.starts_with("ff-bounds")) return of_reduction_bounds(in, false);
  if (id == "ff-groups") return of_reduction_bounds(in, true);
  if (id == "ff-sync") return of_synchronisation(in);
  if (id == "ff-send") return of_sends(in);
  if (id == "ff-fsdp") {
    // Where all shows and bandwidth binds, a GPU's gathers grow as (n - 1)/n; where none shows,
    // not.
    const auto gather = [](double ranks) {
      return kAlongRails(1 * units::GB, 1.0, ranks, 1 * units::GBps);
    };
    return {{"least", gather(16) / gather(128)}, {"most", 1}};
  }
  return nullptr;
}

}  // namespace

TEST_CASE("cases of collectives' times") {
  check_traffic_cases("times", work_out_time);
}
