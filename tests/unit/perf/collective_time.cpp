// The collective library on links of 100 GB/s inside a domain and 10 GB/s between domains.
#include <doctest/doctest.h>

#include "planner/perf/collectives/time.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr CollectiveLinks kMachine{.hb = 100 * units::GBps,
                                   .net = 10 * units::GBps,
                                   .hb_in_switch = 90 * units::GBps,
                                   .launch = 5 * units::us,
                                   .hb_hop = 1 * units::us,
                                   .net_hop = 3 * units::us,
                                   .hb_in_switch_latency = 20 * units::us,
                                   .net_in_switch_latency = 30 * units::us};
constexpr CollectiveGroup kDomain{.hb = 8, .net = 1};
constexpr CollectiveGroup kCluster{.hb = 8, .net = 4};
constexpr Bytes kSize = 32 * units::MB;

CollectiveTime time_of(Kind kind, Algorithm algorithm, const CollectiveGroup& group,
                       InSwitchReduction can = {}) {
  return collective_time(kind, algorithm, kSize, group, kMachine, can).value();
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

TEST_CASE("a tree's chains inside a domain, one per rail: 2(x-1)/x of the data per GPU") {
  const auto hb = [](double x) {
    const CollectiveGroup group{.hb = x, .net = 4};
    return time_of(Kind::all_reduce, Algorithm::tree, group).hb_transfer.si();
  };
  const double once = kSize.si() / 100e9;
  CHECK(hb(1) == 0);
  CHECK(hb(2) == near(once));
  CHECK(hb(3) == near(4.0 / 3 * once));
  CHECK(hb(8) == near(7.0 / 4 * once));
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
  // The cards take 2.5 µs longer over a shard than the HB links, which hides their hops.
  check(latencies(Kind::all_gather, Algorithm::ring, kCluster), 0, 3);
  check(latencies(Kind::all_gather, Algorithm::hierarchical, kCluster), 7, 3 * 3);
  check(latencies(Kind::all_gather, Algorithm::recursive, kCluster), 3, 2 * 3);
  check(latencies(Kind::all_reduce, Algorithm::tree, kCluster), 2 * 7, 2 * 2 * 3);
  check(latencies(Kind::broadcast, Algorithm::ring, kCluster), 4 * 7, 3 * 3);
  check(latencies(Kind::all_to_all, Algorithm::direct, kCluster), 1, 3);
  check(latencies(Kind::all_to_all, Algorithm::hierarchical, kCluster), 1, 3);
  check(latencies(Kind::point_to_point, Algorithm::direct, kCluster), 0, 3);
  check(latencies(Kind::point_to_point, Algorithm::direct, kDomain), 1, 0);
}

TEST_CASE("in a torus data goes dimension by dimension: half a ring or a whole line each") {
  // A slice of 16 × 16 × 16: 24 hops, not 4,095 (jax-ml/scaling-book, sharding.md).
  const CollectiveGroup pod{.hb = 4096, .net = 1, .hops = 24};
  const auto hops = [&](Kind kind, Algorithm algorithm) {
    return time_of(kind, algorithm, pod).hb_latency.in(units::us);
  };
  CHECK(hops(Kind::all_gather, Algorithm::ring) == near(24));
  CHECK(hops(Kind::reduce_scatter, Algorithm::ring) == near(24));
  CHECK(hops(Kind::all_reduce, Algorithm::ring) == near(48));
  CHECK(hops(Kind::all_reduce, Algorithm::tree) == near(48));
  CHECK(hops(Kind::all_reduce, Algorithm::hierarchical) == near(48));
  CHECK(hops(Kind::all_gather, Algorithm::recursive) == near(24));
  CHECK(hops(Kind::broadcast, Algorithm::ring) == near(24));
  CHECK(hops(Kind::broadcast, Algorithm::tree) == near(24));
  CHECK(hops(Kind::all_to_all, Algorithm::direct) == near(24));
  CHECK(hops(Kind::point_to_point, Algorithm::direct) == near(1));  // a neighbour
  // The bytes are those of a ring.
  const CollectiveTime time = time_of(Kind::all_reduce, Algorithm::ring, pod);
  CHECK(time.hb_transfer.si() == near(2 * 4095.0 / 4096 * kSize.si() / 100e9));
  // Of two slices each does its part, and rails join them: no ring through 8,192 chips.
  const CollectiveGroup slices{.hb = 4096, .net = 2, .hops = 24};
  const CollectiveTime two = time_of(Kind::all_reduce, Algorithm::ring, slices);
  CHECK(two.hb_latency.in(units::us) == near(48));
  CHECK(two.net_latency.in(units::us) == near(2 * 3));
  CHECK(two.net_transfer.si() == near(kSize.si() / 4096 / 10e9));
}

TEST_CASE("a ring's hops count where no transfer hides them") {
  const auto latency = [](Kind kind, Bytes size) {
    const auto time = collective_time(kind, Algorithm::ring, size, kCluster, kMachine);
    return std::pair{time->hb_latency.in(units::us), time->net_latency.in(units::us)};
  };
  const auto [hb, net] = latency(Kind::all_gather, Bytes{});
  CHECK(hb == near(31 - 4));
  CHECK(net == near(4 * 3));
  const auto [hb_twice, net_twice] = latency(Kind::all_reduce, Bytes{});
  CHECK(hb_twice == near(2 * 27));
  CHECK(net_twice == near(2 * 4 * 3));
  // 0.1 µs of a hop's 1 µs pass while the card before it is busy.
  const auto [hb_part, net_part] = latency(Kind::all_gather, kSize / 25);
  CHECK(hb_part == near(0.9 * 27));
  CHECK(net_part == near(4 * 3));
}

TEST_CASE(
    "domains that are not equally full: the cards of the emptiest, the links of the fullest") {
  const CollectiveGroup uneven = group_over(11, 8);
  CHECK(uneven.hb == 5.5);
  CHECK(uneven.net == 2);
  CHECK(group_over(12, 8).hb == 6);
  CHECK(group_over(5, 8).net == 1);
  const double D = kSize.si();
  const auto ring = time_of(Kind::all_gather, Algorithm::ring, uneven);
  CHECK(ring.net_transfer.si() == near(10.0 / 11 * D / 50e9));
  const auto two_phases = time_of(Kind::all_gather, Algorithm::hierarchical, uneven);
  CHECK(two_phases.net_transfer.si() == near(6.0 / 11 * D / 50e9));
  CHECK(two_phases.hb_transfer.si() == near(5.0 / 6 * D / 100e9));
  const auto direct = time_of(Kind::all_to_all, Algorithm::direct, uneven);
  CHECK(direct.net_transfer.si() == near(6.0 / 11 * D / 10e9));
  CHECK(direct.hb_transfer.si() == near(5.0 / 11 * D / 100e9));
}

TEST_CASE("in-switch reduction: (n+1)/n in the domain, 1 in the network, and only where it is") {
  const auto all_reduce = [](const CollectiveGroup& group, InSwitchReduction can) {
    return collective_time(Kind::all_reduce, Algorithm::in_switch, kSize, group, kMachine, can);
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
  CHECK_FALSE(collective_time(Kind::all_gather, Algorithm::tree, kSize, kDomain, kMachine));
  CHECK_FALSE(collective_time(Kind::all_to_all, Algorithm::ring, kSize, kDomain, kMachine));
}

namespace {

CollectiveMethod method(Algorithm algorithm, const char* protocol, std::vector<Kind> kinds,
                        double share, double hop_us) {
  return {.algorithm = algorithm,
          .protocol = protocol,
          .kinds = std::move(kinds),
          .bandwidth_share = share,
          .hb_hop = hop_us * units::us,
          .net_hop = hop_us * units::us};
}

/// A ring and a tree for an all-reduce, of a small and a large protocol each; the ring gathers too.
CollectiveLibrary small_library() {
  const std::vector<Kind> ring{Kind::all_reduce, Kind::all_gather}, tree{Kind::all_reduce};
  return {.methods = {method(Algorithm::ring, "small", ring, 0.5, 1),
                      method(Algorithm::ring, "large", ring, 1, 5),
                      method(Algorithm::tree, "small", tree, 0.5, 1),
                      method(Algorithm::tree, "large", tree, 1, 5)}};
}

constexpr CollectiveGroup kPairs{.hb = 2, .net = 64};

std::vector<TimedAlgorithm> timed(const CollectiveLibrary& library, Kind kind, Bytes size) {
  return timed_algorithms(kind, size, kPairs, library, 100 * units::GBps, 50 * units::GBps,
                          {.hb = true, .network = true});
}

}  // namespace

TEST_CASE("the fastest algorithm and protocol change with the size") {
  const auto best = [](Bytes size) {
    return timed(small_library(), Kind::all_reduce, size).front().method;
  };
  CHECK(best(1 * units::KB).algorithm == Algorithm::tree);
  CHECK(best(1 * units::KB).protocol == "small");
  CHECK(best(10 * units::GB).algorithm == Algorithm::ring);
  CHECK(best(10 * units::GB).protocol == "large");
}

TEST_CASE("a library has the algorithms that it lists, for the collectives that it lists") {
  CHECK(timed(small_library(), Kind::all_reduce, units::GB).size() == 2);
  CHECK(timed(small_library(), Kind::all_gather, units::GB).size() == 1);
  CHECK(timed(small_library(), Kind::all_to_all, units::GB).empty());
  CollectiveLibrary alone = small_library();
  alone.methods[0].one_gpu_per_domain = alone.methods[1].one_gpu_per_domain = true;
  CHECK(timed(alone, Kind::all_gather, units::GB).empty());
}

TEST_CASE("another algorithm is timed by the ring's protocols, and said not to be the library's") {
  const auto asked = timed_algorithm(Kind::all_gather, Algorithm::hierarchical, units::GB, kPairs,
                                     small_library(), 100 * units::GBps, 50 * units::GBps);
  REQUIRE(asked);
  CHECK_FALSE(asked->of_library);
  CHECK(asked->method.protocol == "large");
  CHECK(asked->method.algorithm == Algorithm::hierarchical);
}

TEST_CASE("a method's bus bandwidth stays below its limit in one, two and more domains") {
  CollectiveLibrary library = small_library();
  library.methods.resize(1);
  library.methods.front().most = {30 * units::GBps, 20 * units::GBps, 10 * units::GBps};
  library.methods.front().hb_hop = library.methods.front().net_hop = Seconds{};
  const auto bus = [&](double domains) {
    const CollectiveGroup group{.hb = 8, .net = domains};
    const auto all = timed_algorithms(Kind::all_reduce, units::GB, group, library,
                                      100 * units::GBps, 50 * units::GBps);
    return bus_bandwidth(Kind::all_reduce, units::GB, group.ranks(), all.front().time.total())
        .in(units::GBps);
  };
  CHECK(bus(1) == near(30));
  CHECK(bus(2) == near(20));
  CHECK(bus(3) == near(10));
  CHECK(bus(50) == near(10));
}
