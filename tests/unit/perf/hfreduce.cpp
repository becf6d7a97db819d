#include "planner/perf/hfreduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "planner/perf/hfreduce_what_if.hpp"
#include "support/fire_flyer.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::fire_flyer_node;
using planner::testing::near;

namespace {

/// Parent of a rank in a binary tree whose odd ranks are leaves; -1 for the root, rank 0.
std::int64_t parent_of(std::int64_t rank, std::int64_t ranks) {
  if (rank == 0) return -1;
  const std::int64_t bit = rank & -rank;
  const std::int64_t up = (rank ^ bit) | (bit << 1);
  return up < ranks ? up : rank ^ bit;
}

struct Counted {
  double total = -1;
  TreeLoad load;
  std::int64_t depth = 0;
};

/// The busiest node of two such trees, the second with ranks mirrored (even number) or shifted by
/// one (odd), counted edge by edge.
Counted two_trees(std::int64_t ranks) {
  std::vector<TreeLoad> loads(static_cast<std::size_t>(ranks));
  Counted counted;
  for (const bool second : {false, true}) {
    const auto node = [&](std::int64_t rank) -> TreeLoad& {
      const std::int64_t other = ranks % 2 == 0 ? ranks - 1 - rank : (rank + 1) % ranks;
      return loads[static_cast<std::size_t>(second ? other : rank)];
    };
    for (std::int64_t rank = 1; rank < ranks; ++rank) {
      TreeLoad& child = node(rank);
      TreeLoad& parent = node(parent_of(rank, ranks));
      child.sent += 0.5;  // up: half of the data
      parent.received += 0.5;
      parent.added += 0.5;
      parent.sent += 0.5;  // down
      child.received += 0.5;
      std::int64_t edges = 0;
      for (std::int64_t at = rank; at != 0; at = parent_of(at, ranks)) ++edges;
      counted.depth = std::max(counted.depth, edges);
    }
  }
  for (const TreeLoad& load : loads) {
    const double total = load.sent + load.received + load.added;
    if (total > counted.total) {
      counted.total = total;
      counted.load = load;
    }
  }
  return counted;
}

}  // namespace

TEST_CASE("the busiest node and the depth are those of a double binary tree, counted") {
  for (std::int64_t nodes = 1; nodes <= 600; ++nodes) {
    CAPTURE(nodes);
    const Counted counted = two_trees(nodes);
    const TreeLoad load = busiest_node(nodes);
    CHECK(load.sent == counted.load.sent);
    CHECK(load.received == counted.load.received);
    CHECK(load.added == counted.load.added);
    CHECK(tree_depth(nodes) == counted.depth);
  }
  CHECK(tree_depth(1'000'000'000'000) == 40);
}

TEST_CASE("memory operations follow the node: four GPUs on one NUMA node") {
  Node node = fire_flyer_node();
  node.accelerators = 4;
  node.numa_nodes = 1;
  // 4 D2H writes, 4 + 1 to add, 5 of the network, 1 read back.
  CHECK(memory_operations(node, {}).total() == 15);
  CHECK(memory_operations(node, {.memcpy_h2d = true}).total() == 18);
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

TEST_CASE("a PCIe switch helps NCCL and not HFReduce") {
  const Node node = fire_flyer_node();
  const Node switched = changed(node, {.gpus_per_switch = 2});
  // The NIC, no longer the path to it, bounds the ring: 25 GB/s.
  CHECK(nccl_ring(switched, std::nullopt)->in(units::GBps) == near(12.5));
  // Two GPUs and the NIC share one bridge: 2·(2 + 2) units.
  const HfReduceBounds bounds = hfreduce_bounds(switched, {});
  CHECK(bounds.of(ReduceResource::host_bridge)->in(units::GBps) == near(37.5 / 8));
  CHECK(bounds.of(ReduceResource::pcie)->in(units::GBps) == near(27.0 / 4));
}

TEST_CASE("Genoa's memory at the share of its peak that Rome's reaches") {
  CHECK(genoa_memory(fire_flyer_node())->in(units::GBps) == near(921.6 * 320 / 409.6));
  Node unknown = fire_flyer_node();
  unknown.host_memory_peak.reset();
  CHECK_FALSE(genoa_memory(unknown));
}

TEST_CASE("every what-if changes what its name says") {
  const std::vector<WhatIf> list = what_ifs(fire_flyer_node(), {}, std::nullopt);
  REQUIRE(list.size() == 6);
  for (const WhatIf& what_if : list) CHECK(what_if.bounds.bandwidth > BytesPerSecond{});
  CHECK(list.front().flag == "--nvlink-pairs");
  CHECK(list.front().bounds.bandwidth.in(units::GBps) == near(12.5));
}

TEST_CASE("no ring rate within one node, nor without the rate between GPU and NIC") {
  CHECK_FALSE(nccl_ring(fire_flyer_node(), 8));
  Node unknown = fire_flyer_node();
  unknown.pcie->gpu_to_nic_bandwidth.reset();
  CHECK_FALSE(nccl_ring(unknown, 16));
}

TEST_CASE("the pipeline's number of chunks is the best one, by trying all") {
  for (const std::int64_t nodes : {2, 16, 180}) {
    for (const double mib : {0.01, 1.0, 186.0}) {
      CAPTURE(nodes);
      CAPTURE(mib);
      const double data = mib * 1048576, bandwidth = 9.375e9, latency = 14e-6;
      const double steps = 2.0 * static_cast<double>(tree_depth(nodes)) + 2;
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
