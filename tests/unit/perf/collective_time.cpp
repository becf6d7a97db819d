// The collective library on links of 100 GB/s inside a domain and 10 GB/s between domains.
#include "planner/perf/collective_time.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr CollectiveLinks kLinks{.hb = 100 * units::GBps,
                                 .net = 10 * units::GBps,
                                 .hb_in_switch = 90 * units::GBps,
                                 .launch = 5 * units::us,
                                 .hb_hop = 1 * units::us,
                                 .net_hop = 3 * units::us,
                                 .net_tree_hop = 4 * units::us,
                                 .hb_in_switch_latency = 20 * units::us,
                                 .net_in_switch_latency = 30 * units::us};
constexpr CollectiveGroup kDomain{.hb = 8, .net = 1};
constexpr CollectiveGroup kCluster{.hb = 8, .net = 4};
constexpr Bytes kSize = 32 * units::MB;

CollectiveTime time_of(Kind kind, Algorithm algorithm, const CollectiveGroup& group,
                       InSwitchReduction can = {}) {
  return collective_time(kind, algorithm, kSize, group, kLinks, can).value();
}

}  // namespace

TEST_CASE("bus bandwidth, nccl-tests PERFORMANCE.md") {
  const auto bus = [](Kind kind, double ranks) {
    return bus_bandwidth(kind, 8 * units::GB, ranks, units::second).in(units::GBps);
  };
  CHECK(algorithm_bandwidth(8 * units::GB, 2 * units::second).in(units::GBps) == near(4));
  CHECK(bus(Kind::all_reduce, 16) == near(15));  // 2(n-1)/n
  CHECK(bus(Kind::all_gather, 16) == near(7.5));
  CHECK(bus(Kind::reduce_scatter, 16) == near(7.5));
  CHECK(bus(Kind::all_to_all, 16) == near(7.5));
  CHECK(bus(Kind::broadcast, 16) == near(8));
  CHECK(bus(Kind::point_to_point, 2) == near(8));
}

TEST_CASE("a ring's bus bandwidth is that of its slowest link, all cards of a domain together") {
  const auto bus = [](Kind kind, const CollectiveGroup& group) {
    const Seconds transfer = time_of(kind, Algorithm::ring, group).transfer();
    return bus_bandwidth(kind, kSize, group.ranks(), transfer).in(units::GBps);
  };
  CHECK(bus(Kind::all_reduce, kDomain) == near(100));
  CHECK(bus(Kind::all_reduce, kCluster) == near(80));  // 8 cards of 10 GB/s
  CHECK(bus(Kind::all_gather, kCluster) == near(80));
  CHECK(bus(Kind::all_gather, {.hb = 16, .net = 4}) == near(100));  // 160 GB/s of cards
  CHECK(bus(Kind::broadcast, {.hb = 1, .net = 5}) == near(10));
}

TEST_CASE("a tree's chain inside a domain: an inner GPU sends the data up and down") {
  const auto hb = [](double x) {
    const CollectiveGroup group{.hb = x, .net = 4};
    return time_of(Kind::all_reduce, Algorithm::tree, group).hb_transfer.si();
  };
  const double once = kSize.si() / 100e9;
  CHECK(hb(1) == 0);
  CHECK(hb(2) == near(once));
  CHECK(hb(3) == near(2 * once));
  CHECK(hb(8) == near(2 * once));
}

TEST_CASE("latencies: hops of each kind") {
  const auto latencies = [](Kind kind, Algorithm algorithm, const CollectiveGroup& group) {
    const CollectiveTime time = time_of(kind, algorithm, group);
    return std::pair{time.hb_latency.in(units::us), time.net_latency.in(units::us)};
  };
  using Pair = std::pair<double, double>;
  const auto check = [](const Pair& got, double hb, double net) {
    CHECK(got.first == near(hb));
    CHECK(got.second == near(net));
  };
  check(latencies(Kind::all_gather, Algorithm::ring, kDomain), 7, 0);
  check(latencies(Kind::all_gather, Algorithm::ring, kCluster), 31 - 4, 4 * 3);
  check(latencies(Kind::all_reduce, Algorithm::ring, kCluster), 2 * 27, 2 * 4 * 3);
  check(latencies(Kind::all_gather, Algorithm::hierarchical, kCluster), 7, 3 * 3);
  check(latencies(Kind::all_gather, Algorithm::recursive, kCluster), 3, 2 * 3);
  check(latencies(Kind::all_reduce, Algorithm::tree, kCluster), 2 * 7, 2 * 2 * 4);
  check(latencies(Kind::broadcast, Algorithm::ring, kCluster), 4 * 7, 3 * 3);
  check(latencies(Kind::all_to_all, Algorithm::direct, kCluster), 7, 24 * 3);
  check(latencies(Kind::all_to_all, Algorithm::hierarchical, kCluster), 7, 3 * 3);
  check(latencies(Kind::point_to_point, Algorithm::direct, kCluster), 0, 3);
  check(latencies(Kind::point_to_point, Algorithm::direct, kDomain), 1, 0);
}

TEST_CASE("in-switch reduction: (n+1)/n in the domain, 1 in the network, and only where it is") {
  const auto all_reduce = [](const CollectiveGroup& group, InSwitchReduction can) {
    return collective_time(Kind::all_reduce, Algorithm::in_switch, kSize, group, kLinks, can);
  };
  const double D = kSize.si();
  CHECK(all_reduce(kDomain, {.hb = true})->total().si() == near(9.0 / 8 * D / 90e9 + 20e-6));
  const CollectiveTime both = all_reduce(kCluster, {.hb = true, .network = true}).value();
  CHECK(both.net_transfer.si() == near(D / 80e9));
  CHECK(both.total().si() == near(9.0 / 8 * D / 90e9 + 50e-6));
  const CollectiveTime domain_only = all_reduce(kCluster, {.hb = true}).value();
  CHECK(domain_only.net_transfer.si() == near(2 * D / 80e9));  // the tree
  CHECK_FALSE(all_reduce(kDomain, {}));
  CHECK_FALSE(all_reduce(kDomain, {.network = true}));
  CHECK_FALSE(all_reduce({.hb = 1, .net = 4}, {.hb = true}));
  // It moves no fewer bytes of an all-gather (HPN paper, section 9.2).
  CHECK(time_of(Kind::all_gather, Algorithm::in_switch, kDomain, {.hb = true}).transfer() >
        time_of(Kind::all_gather, Algorithm::ring, kDomain).transfer());
}

TEST_CASE("an algorithm that does not do a collective says so") {
  CHECK_FALSE(collective_time(Kind::all_gather, Algorithm::tree, kSize, kDomain, kLinks));
  CHECK_FALSE(collective_time(Kind::all_to_all, Algorithm::ring, kSize, kDomain, kLinks));
  for (int kind = 0; kind < 6; ++kind) {
    for (int algorithm = 0; algorithm < 6; ++algorithm) {
      const auto k = static_cast<Kind>(kind);
      const auto a = static_cast<Algorithm>(algorithm);
      const auto formula = collective_formula(k, a);
      if (collective_time(k, a, kSize, kCluster, kLinks, {.hb = true, .network = true})) {
        CHECK_FALSE(formula.transfer.empty());
        CHECK_FALSE(formula.source.empty());
      }
    }
  }
}

TEST_CASE("the fastest algorithm and protocol change with the size, and the order is stable") {
  const CollectiveLibrary library{.hb_in_switch = 20 * units::us,
                                  .network_in_switch = 20 * units::us,
                                  .protocols = {{.name = "small",
                                                 .bandwidth_share = 0.5,
                                                 .hb_hop = units::us,
                                                 .net_hop = units::us,
                                                 .net_tree_hop = units::us},
                                                {.name = "large",
                                                 .bandwidth_share = 1,
                                                 .hb_hop = 5 * units::us,
                                                 .net_hop = 5 * units::us,
                                                 .net_tree_hop = 5 * units::us}}};
  const auto best = [&](Bytes size) {
    return collective_options(Kind::all_reduce, size, {.hb = 2, .net = 64}, library,
                              100 * units::GBps, 50 * units::GBps);
  };
  CHECK(best(1 * units::KB).front().algorithm == Algorithm::tree);
  CHECK(best(1 * units::KB).front().protocol == "small");
  CHECK(best(10 * units::GB).front().algorithm == Algorithm::ring);
  CHECK(best(10 * units::GB).front().protocol == "large");
  CHECK(best(1 * units::KB).size() == 4);  // in-switch reduction is not assumed
}
