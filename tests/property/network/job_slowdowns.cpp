// Placements, cuts and faults against each other over random jobs: less that leaves a unit is never
// slower, nor is a network of which less is down.
#include "planner/network/routing/job_slowdowns.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/domain/cut.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

template <class T>
T pick(std::initializer_list<T> values) {
  return values.begin()[any(0, static_cast<std::int64_t>(values.size()) - 1)];
}

RoutedFabric meta(std::int64_t zones) {
  FabricDesign design = default_design(Topology::meta_ai_zone);
  design.gpus = 3072 * zones;
  return *routed_fabric(design, counted(design), *design.gpus, 8);
}

Routing any_routing() {
  const RoutingScheme scheme =
      pick({RoutingScheme::ecmp, RoutingScheme::ecmp_qp, RoutingScheme::te, RoutingScheme::spray});
  return {.scheme = scheme, .qps = pick({1L, 4L, 16L})};
}

/// An axis of a plan in domains of 8 whose groups make up so many GPUs.
GroupFlows any_groups(std::int64_t gpus) {
  const FlowKind kind = pick({FlowKind::ring, FlowKind::all_to_all, FlowKind::line});
  std::vector<std::int64_t> divisors;
  for (std::int64_t i = 1; i <= gpus / 8; ++i) {
    if (gpus / 8 % i == 0) divisors.push_back(i);
  }
  const std::int64_t stride =
      divisors[static_cast<std::size_t>(any(0, static_cast<std::int64_t>(divisors.size()) - 1))];
  std::vector<std::int64_t> ranks;
  for (const std::int64_t one : divisors) {
    if (gpus / 8 / stride % one == 0) ranks.push_back(one);
  }
  return {kind, 8 * stride,
          ranks[static_cast<std::size_t>(any(0, static_cast<std::int64_t>(ranks.size()) - 1))]};
}

constexpr double kRounding = 1 + 1e-9;

}  // namespace

TEST_CASE("two whole zones are never slower than eight of which the job has a quarter") {
  const RoutedFabric fabric = meta(8);
  int slower = 0;
  for (int i = 0; i < 250; ++i) {
    const Routing routing = any_routing();
    const RoutedJob two{.gpus = 6144, .free_gpus = {3072, 3072}};
    const RoutedJob eight{.gpus = 6144, .free_gpus = std::vector<std::int64_t>(8, 768)};
    const GroupFlows groups = any_groups(6144);
    CAPTURE(static_cast<int>(groups.kind));
    CAPTURE(groups.stride);
    CAPTURE(groups.ranks);
    const double few = JobSlowdowns(fabric, two, routing).of(groups).mean;
    const double many = JobSlowdowns(fabric, eight, routing).of(groups).mean;
    CHECK(few <= many * kRounding);
    slower += many > few * kRounding ? 1 : 0;
  }
  CHECK(slower > 20);
}

TEST_CASE("uplinks shared with jobs as busy are never faster than idle ones") {
  const RoutedFabric fabric = meta(4);
  for (int i = 0; i < 150; ++i) {
    const std::int64_t each = 384 * any(1, 8);
    RoutedJob job{.gpus = 4 * each, .free_gpus = std::vector<std::int64_t>(4, each)};
    const Routing routing = any_routing();
    const GroupFlows groups = any_groups(job.gpus);
    const double shared = JobSlowdowns(fabric, job, routing).of(groups).mean;
    job.uplinks = UplinkUse::alone;
    CHECK(JobSlowdowns(fabric, job, routing).of(groups).mean <= shared * kRounding);
  }
}

TEST_CASE("rings and all-to-alls that send less out of every unit are no slower") {
  const RoutedFabric fabric = meta(4);
  const RoutedJob job{.gpus = 12288};
  for (int i = 0; i < 250; ++i) {
    GroupFlows a = any_groups(job.gpus), b = any_groups(job.gpus);
    const FlowKind kind = pick({FlowKind::ring, FlowKind::all_to_all});
    a.kind = b.kind = kind;
    bool less = true;
    for (const FabricTier& tier : fabric.tiers) {
      less = less &&
             cut(a, job.gpus, tier.unit_gpus).busiest <= cut(b, job.gpus, tier.unit_gpus).busiest;
    }
    if (!less || a.ranks < 2 || b.ranks < 2) continue;
    const Routing routing = any_routing();
    CHECK(JobSlowdowns(fabric, job, routing).of(a).mean <=
          JobSlowdowns(fabric, job, routing).of(b).mean * kRounding);
  }
}

TEST_CASE("more that is down is never better") {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).max_pods = 2;
  design.gpus = 30720;
  const RoutedFabric hpn = *routed_fabric(design, counted(design), 30720, 8);
  for (int i = 0; i < 100; ++i) {
    RoutedJob job{.gpus = 3072 * any(1, 10)};
    const Routing routing = any_routing();
    const GroupFlows groups = any_groups(job.gpus);
    const auto slowdown = [&](std::optional<Fault> fault) {
      job.fault = fault;
      return JobSlowdowns(hpn, job, routing).of(groups).mean;
    };
    const double whole = slowdown(std::nullopt);
    for (const FaultKind kind : {FaultKind::uplink, FaultKind::aggregation, FaultKind::core}) {
      CAPTURE(name_of(kind));
      double before = whole;
      for (const std::int64_t most : {1, 5, 20}) {
        const std::int64_t count =
            kind == FaultKind::core ? std::min(most, hpn.tiers[1].switches_above - 1) : most;
        const double now = slowdown(Fault{kind, count});
        // Whole flows that a controller places on fewer links can fit them by chance no worse.
        CHECK(now >= before / kRounding);
        before = now;
      }
    }
    for (const FaultKind kind : {FaultKind::nic_link, FaultKind::tor, FaultKind::plane}) {
      CHECK(slowdown(Fault{kind}) >= whole / kRounding);
    }
  }
}

TEST_CASE("what is known of groups is what is worked out of them") {
  const RoutedFabric fabric = meta(2);
  const JobSlowdowns job(fabric, {.gpus = 6144}, {.scheme = RoutingScheme::ecmp_qp, .qps = 4});
  for (int i = 0; i < 50; ++i) {
    const GroupFlows groups = any_groups(6144);
    const double first = job.of(groups).mean;
    CHECK(job.of(groups).mean == first);
    CHECK(job.worked_out(groups).mean == first);
    CHECK(JobSlowdowns(fabric, {.gpus = 6144}, {.scheme = RoutingScheme::ecmp_qp, .qps = 4})
              .of(groups)
              .mean == first);
  }
}

TEST_CASE("aggregation switches that fail are as good as never built") {
  for (const std::int64_t gpus : {256, 1024, 2400}) {
    for (const std::int64_t down : {1, 2, 4, 6}) {
      CAPTURE(gpus);
      CAPTURE(down);
      const auto slowdown_of = [&](std::int64_t built, std::optional<Fault> fault) {
        const FabricDesign design{.gpus = gpus,
                                  .radix = 128,
                                  .port_gbps = 400,
                                  .topology = DcnPlus{.tor_uplinks = built, .aggs_per_pod = built}};
        const FabricCount count = std::get<FabricCount>(count_fabric(design));
        const JobSlowdowns job(*routed_fabric(design, count, gpus, 8),
                               {.gpus = gpus, .fault = fault},
                               {.scheme = RoutingScheme::ecmp_qp, .qps = 2});
        return job.of(GroupFlows{FlowKind::ring, gpus / 2, 2}).mean;
      };
      const double fewer = slowdown_of(8 - down, std::nullopt);
      CHECK(slowdown_of(8, Fault{FaultKind::aggregation, down}) ==
            doctest::Approx(fewer).epsilon(1e-9));
      CHECK(fewer > slowdown_of(8, std::nullopt));
    }
  }
}

TEST_CASE("an aggregation switch takes the links of one, however leaves are dealt out") {
  for (const std::int64_t gpus : {1600, 1616, 3200}) {
    CAPTURE(gpus);
    const FabricDesign design{.gpus = gpus, .radix = 40, .port_gbps = 400, .topology = FatTree{}};
    const FabricCount count = std::get<FabricCount>(count_fabric(design));
    const JobSlowdowns job(*routed_fabric(design, count, gpus, 8),
                           {.gpus = gpus, .fault = Fault{FaultKind::aggregation, 1}},
                           {.scheme = RoutingScheme::ecmp_qp, .qps = 2});
    REQUIRE(job.fabric().tiers.size() == 2);
    const FabricTier& pod = job.fabric().tiers[1];
    CHECK(job.links_left(1) == pod.links - pod.links / 20);
  }
}

TEST_CASE("aggregation switches of one zone hold none of its links to the other") {
  const FabricDesign design{.gpus = 1200,
                            .radix = 40,
                            .port_gbps = 200,
                            .topology = TwoZoneFatTree{.inter_zone_links = 4}};
  const FabricCount count = std::get<FabricCount>(count_fabric(design));
  const JobSlowdowns job(*routed_fabric(design, count, 1200, 8),
                         {.gpus = 1200, .fault = Fault{FaultKind::aggregation, 1}},
                         {.scheme = RoutingScheme::ecmp_qp, .qps = 2});
  REQUIRE(job.fabric().tiers.size() == 2);
  CHECK(job.links_left(1) == 4);
}
