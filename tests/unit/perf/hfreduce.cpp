#include "planner/perf/hfreduce/hfreduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planner/perf/hfreduce/what_if.hpp"
#include "support/fire_flyer.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::fire_flyer_node;
using planner::testing::near;

TEST_CASE("memory operations follow the node: four GPUs on one NUMA node") {
  Node node = fire_flyer_node();
  node.accelerators = 4;
  node.numa_nodes = 1;
  // 4 D2H writes, 4 + 1 to add, 5 of the network, 1 read back.
  CHECK(memory_operations(node, {}).total() == 15);
  CHECK(memory_operations(node, {.memcpy_h2d = true}).total() == 18);
  node.accelerators = 1;
  node.numa_nodes = 4;  // one GPU reads once
  CHECK(memory_operations(node, {}).h2d_reads == 1);
}

TEST_CASE("CPUs that add slowly set the rate, where their rate is known") {
  Node node = fire_flyer_node();
  node.cpu_reduce_bandwidth = 72 * units::GBps;  // 8 operands in the node, 1 from the network
  const HfReduceBounds bounds = hfreduce_bounds(node, {});
  CHECK(bounds.bottleneck == ReduceResource::cpu_reduce);
  CHECK(bounds.bandwidth.in(units::GBps) == near(8));
}

TEST_CASE("a slow link between zones carries one unit per direction") {
  const HfReduceBounds bounds =
      hfreduce_bounds(fire_flyer_node(), {.zone_bandwidth = 5 * units::GBps});
  CHECK(bounds.bottleneck == ReduceResource::zone_link);
  CHECK(bounds.bandwidth.in(units::GBps) == near(5));
}

TEST_CASE("a PCIe switch with one NIC helps NCCL and not HFReduce") {
  const Node switched = changed(fire_flyer_node(), {.nics = 1, .gpus_per_switch = 2});
  // The rings pass from switch to switch, in and out over one host bridge: 37.5/(2·2).
  CHECK(nccl_ring(switched, {})->in(units::GBps) == near(37.5 / 4));
  // Two GPUs and the NIC share one bridge: 2·(2 + 2) units.
  const HfReduceBounds bounds = hfreduce_bounds(switched, {});
  CHECK(bounds.of(ReduceResource::host_bridge)->in(units::GBps) == near(37.5 / 8));
  CHECK(bounds.of(ReduceResource::pcie)->in(units::GBps) == near(27.0 / 4));
}

TEST_CASE("PCIe switches bring a NIC each, and more NICs than switches add nothing to a port") {
  const Node switched = changed(fire_flyer_node(), {.gpus_per_switch = 2});
  CHECK(switched.nics == 4);
  // Two GPUs and a quarter of the two units of network: 2·2.5.
  const auto bridge = [](const Node& node) {
    return hfreduce_bounds(node, {}).of(ReduceResource::host_bridge)->in(units::GBps);
  };
  CHECK(bridge(switched) == near(37.5 / 5));
  CHECK(bridge(changed(fire_flyer_node(), {.nics = 5, .gpus_per_switch = 2})) == near(37.5 / 5));
}

TEST_CASE("NCCL: a ring per NIC, and the link between zones 2(n-1)/n times") {
  const Node two = changed(fire_flyer_node(), {.nics = 2});
  CHECK(nccl_ring(two, {})->in(units::GBps) == near(9.663676416));
  const Node many = changed(fire_flyer_node(), {.nics = 8});
  CHECK(nccl_ring(many, {})->in(units::GBps) == near(27.0 / 2));  // PCIe of each GPU
  const auto zoned = nccl_ring(two, {.nodes = 2, .zone_bandwidth = 3 * units::GBps});
  CHECK(zoned->in(units::GBps) == near(3 / (2 * 15.0 / 16)));
}

TEST_CASE("NCCL: rings side by side have the ranks of their group alone, as the timing model's") {
  const Node node = fire_flyer_node();
  // Two groups on 16 nodes: 64 ranks each, 2·63/64 of what it sums on each of its links.
  const auto rate = nccl_ring(node, {.nodes = 16, .groups = 2});
  CHECK(rate->in(units::GBps) == near(9.663676416 / (2 * 63.0 / 64)));
  CHECK(rate->in(units::GBps) == near(4.908, 1e-3));
}

TEST_CASE("Genoa's memory at the share of its peak that Rome's reaches") {
  CHECK(genoa_memory(fire_flyer_node())->in(units::GBps) == near(921.6 * 320 / 409.6));
  Node unknown = fire_flyer_node();
  unknown.host_memory_peak.reset();
  CHECK_FALSE(genoa_memory(unknown));
}

TEST_CASE("every what-if moves the bound of what its name says") {
  const Node built = fire_flyer_node();
  const std::vector<WhatIf> list = what_ifs(built, {}, {});
  REQUIRE(list.size() == 6);
  const auto check = [&](std::size_t i, const char* flag, ReduceResource resource, double bound) {
    CHECK(list[i].flag == flag);
    CHECK(list[i].bounds.of(resource)->in(units::GBps) == near(bound));
  };
  using R = ReduceResource;
  check(0, "--nvlink-pairs", R::host_bridge, 18.75);
  check(1, "--memcpy-h2d", R::host_memory, 320.0 / 30);
  check(2, "--nics 2", R::network, 25);
  check(3, "--genoa-memory", R::host_memory, 720.0 / 24);
  check(4, "--pcie 5", R::pcie, 54);
  check(5, "--pcie-switch 2", R::host_bridge, 7.5);
  CHECK(list.front().bounds.bandwidth.in(units::GBps) == near(12.5));
}

TEST_CASE("what-ifs start from the node as it was built, and offer nothing twice") {
  const auto flags = [](const Node& built, const NodeChange& change) {
    std::vector<std::string> found;
    for (const WhatIf& what_if : what_ifs(built, change, {})) found.push_back(what_if.flag);
    return found;
  };
  using Flags = std::vector<std::string>;
  const Node built = fire_flyer_node();
  CHECK(flags(built, {.nics = kMostNics, .genoa_memory = true, .pcie_generation = kNewestPcie}) ==
        Flags{"--nvlink-pairs", "--memcpy-h2d", "--pcie-switch 2"});
  CHECK(flags(built, {.host_memory = 50 * units::GBps, .gpus_per_switch = 4}) ==
        Flags{"--nvlink-pairs", "--memcpy-h2d", "--nics 3", "--pcie 5"});
  Node odd = built;
  odd.accelerators = 7;
  odd.pcie->gpus_per_host_bridge = {7};
  odd.nvlink_bridges.reset();
  CHECK(flags(odd, {}) == Flags{"--memcpy-h2d", "--nics 2", "--genoa-memory", "--pcie 5"});
  // 2 sockets of Genoa at Rome's share, however often it is asked for.
  const NodeChange genoa{.genoa_memory = true};
  CHECK(changed(changed(built, genoa), genoa) == changed(built, genoa));
}

TEST_CASE("no ring rate within one node, nor without the rate between GPU and NIC") {
  CHECK_FALSE(nccl_ring(fire_flyer_node(), {.nodes = 1}));
  Node unknown = fire_flyer_node();
  unknown.pcie->gpu_to_nic_bandwidth.reset();
  CHECK_FALSE(nccl_ring(unknown, {.nodes = 2}));
}

TEST_CASE("the pipeline's number of chunks is the best one, by trying all") {
  for (const std::int64_t nodes : {2, 16, 180}) {
    for (const double mib : {0.01, 1.0, 186.0}) {
      CAPTURE(nodes);
      CAPTURE(mib);
      const double data = mib * 1048576, bandwidth = 9.375e9, latency = 14e-6;
      const double steps = 2.0 * static_cast<double>(tree_depth(static_cast<double>(nodes))) + 2;
      double best = 1e300;
      for (double k = 1; k <= 5000; ++k) {
        best = std::min(best, (k + steps - 1) * (latency + data / (k * bandwidth)));
      }
      const PipelinedReduce reduce =
          pipelined_reduce(Bytes{data}, nodes, BytesPerSecond{bandwidth}, Seconds{latency});
      CHECK(reduce.time.si() == near(best));
    }
  }
}

TEST_CASE("without a latency the pipeline runs at its bandwidth") {
  const PipelinedReduce reduce = pipelined_reduce(1 * units::GB, 1024, 10 * units::GBps, Seconds{});
  CHECK(reduce.bandwidth.in(units::GBps) == near(10, 1e-6));
}
