#include "planner/perf/hfreduce/hfreduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/perf/derivation/formula.hpp"
#include "planner/perf/hfreduce/what_if.hpp"
#include "planner/perf/model/overlap.hpp"
#include "planner/perf/model/storage.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/fire_flyer.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using planner::testing::near;
using planner::testing::Random;

namespace {

BytesPerSecond random_bandwidth(Random& random) {
  return random.uniform(1, 500) * units::GBps;
}

Node random_node(Random& random) {
  Node node = planner::testing::fire_flyer_node();
  node.nics = 1 + random.below(9);
  node.nic_bandwidth = random_bandwidth(random);
  node.host_memory_bandwidth = random_bandwidth(random);
  node.pcie->gpu_bandwidth = random_bandwidth(random);
  node.pcie->host_bridge_bandwidth = random_bandwidth(random);
  node.pcie->gpu_to_nic_bandwidth = random_bandwidth(random);
  node.nvlink_bridges->bandwidth = random_bandwidth(random);
  if (random.coin()) node.cpu_reduce_bandwidth = random_bandwidth(random);
  if (random.coin()) {
    node = changed(node, {.nics = node.nics, .gpus_per_switch = random.pick({1, 2, 4, 8})});
  }
  return node;
}

HfReduceOptions random_options(Random& random) {
  HfReduceOptions options{.nvlink_pairs = random.coin(), .memcpy_h2d = random.coin()};
  if (random.coin()) options.nodes = 1 + random.below(2000);
  if (random.coin()) options.zone_bandwidth = random_bandwidth(random);
  return options;
}

constexpr int kRounds = 2000;

}  // namespace

TEST_CASE("more of any resource is never slower") {
  Random random(4501);
  for (int i = 0; i < kRounds; ++i) {
    const Node node = random_node(random);
    const HfReduceOptions options = random_options(random);
    const BytesPerSecond before = hfreduce_bounds(node, options).bandwidth;
    const double more = random.uniform(1, 3);
    const auto check = [&](auto grow) {
      Node larger = node;
      grow(larger);
      CHECK(hfreduce_bounds(larger, options).bandwidth >= before);
      const auto ring = nccl_ring(node, options);
      if (ring) CHECK(*nccl_ring(larger, options) >= *ring);
    };
    check([&](Node& n) { n.nic_bandwidth = n.nic_bandwidth * more; });
    check([&](Node& n) { ++n.nics; });
    check([&](Node& n) { n.host_memory_bandwidth = *n.host_memory_bandwidth * more; });
    check([&](Node& n) { n.pcie->gpu_bandwidth = n.pcie->gpu_bandwidth * more; });
    check([&](Node& n) { n.pcie->host_bridge_bandwidth = *n.pcie->host_bridge_bandwidth * more; });
    check([&](Node& n) { n.nvlink_bridges->bandwidth = n.nvlink_bridges->bandwidth * more; });
    check([&](Node& n) {
      if (n.cpu_reduce_bandwidth) n.cpu_reduce_bandwidth = *n.cpu_reduce_bandwidth * more;
    });
  }
}

TEST_CASE("lifting the bottleneck gives exactly the next bound") {
  Random random(4502);
  for (int i = 0; i < kRounds; ++i) {
    Node node = random_node(random);
    HfReduceOptions options = random_options(random);
    const HfReduceBounds bounds = hfreduce_bounds(node, options);
    REQUIRE(bounds.next);
    const BytesPerSecond endless = 1e9 * units::GBps;
    switch (bounds.bottleneck) {
      case ReduceResource::host_memory:
        node.host_memory_bandwidth = endless;
        break;
      case ReduceResource::network:
        node.nic_bandwidth = endless;
        break;
      case ReduceResource::host_bridge:
        node.pcie->host_bridge_bandwidth = endless;
        break;
      case ReduceResource::pcie:
        node.pcie->gpu_bandwidth = endless;
        break;
      case ReduceResource::cpu_reduce:
        node.cpu_reduce_bandwidth = endless;
        break;
      case ReduceResource::nvlink:
        node.nvlink_bridges->bandwidth = endless;
        break;
      case ReduceResource::zone_link:
        options.zone_bandwidth = endless;
        break;
    }
    CHECK(hfreduce_bounds(node, options).bandwidth == bounds.gains.front().bandwidth);
    CHECK(hfreduce_bounds(node, options).bottleneck == *bounds.next);
  }
}

TEST_CASE("one node costs no network") {
  Random random(4503);
  for (int i = 0; i < kRounds; ++i) {
    HfReduceOptions options = random_options(random);
    options.nodes = 1;
    const HfReduceBounds bounds = hfreduce_bounds(random_node(random), options);
    CHECK_FALSE(bounds.of(ReduceResource::network));
    CHECK_FALSE(bounds.of(ReduceResource::zone_link));
    CHECK(bounds.operations.network_reads == 0);
    CHECK(bounds.operations.network_writes == 0);
  }
}

TEST_CASE("more nodes are never faster") {
  Random random(4504);
  for (int i = 0; i < kRounds; ++i) {
    const Node node = random_node(random);
    HfReduceOptions options = random_options(random);
    const std::int64_t nodes = 1 + random.below(500);
    const auto at = [&](std::int64_t count) {
      options.nodes = count;
      return pipelined_reduce(100 * units::MB, count, hfreduce_bounds(node, options).bandwidth,
                              kTreeStepLatency)
          .time;
    };
    CHECK(at(nodes) <= at(nodes + 1 + random.below(500)));
  }
}

TEST_CASE("as an algorithm of an all-reduce: the pipeline's time, in terms of its formula") {
  Random random(4508);
  const CollectiveFormula formula =
      collective_formula(CollectiveKind::all_reduce, CollectiveAlgorithm::hfreduce, {}, {});
  for (int i = 0; i < kRounds; ++i) {
    const Node node = random_node(random);
    const std::int64_t nodes = 1 + random.below(2000);
    const Bytes data{random.scale(1, 1e12)};
    const Seconds step{random.scale(1e-7, 1e-4)};
    const HfReduceOptions options{.nvlink_pairs = random.coin()};
    const TimedAlgorithm timed = timed_hfreduce(node, options, nodes, data, step);
    const PipelinedReduce reduce = reduce_at(node, options, nodes, data, step);
    CHECK(timed.time.total().si() == near(reduce.time.si()));
    const std::vector<Symbol> values{{"D", data.si()},
                                     {"B", reduce.step_rate.si()},
                                     {"a", step.si()},
                                     {"s", static_cast<double>(reduce.steps)},
                                     {"k", static_cast<double>(reduce.chunks)}};
    CHECK(timed.time.latency().si() == near(formula_value(formula.latency, values), 1e-6));
    CHECK(timed.time.transfer().si() == near(formula_value(formula.transfer, values)));
  }
}

TEST_CASE("exposed time is between none and all of the communication") {
  Random random(4505);
  for (int i = 0; i < kRounds; ++i) {
    OverlapInputs inputs{.backward = random.uniform(0, 5) * units::second,
                         .gradients = random.uniform(0.01, 100) * units::GB,
                         .bandwidth = random_bandwidth(random),
                         .buckets = 1 + random.below(100),
                         .kernel_share = random.coin() ? random.uniform(0, 0.9) : 0};
    const Overlap overlap = overlapped(inputs);
    const double slack = 1e-12 * (overlap.communication.si() + inputs.backward.si());
    CHECK(overlap.exposed.si() >= 0);
    CHECK(overlap.exposed.si() <= overlap.communication.si() + slack);

    OverlapInputs other = inputs;
    other.bandwidth = inputs.bandwidth * random.uniform(1, 3);
    CHECK(overlapped(other).exposed.si() <= overlap.exposed.si() + slack);
    other = inputs;
    other.kernel_share = 0;
    CHECK(overlapped(other).exposed.si() <= overlap.exposed.si() + slack);
  }
}

TEST_CASE("the overlap's closed form is what a small simulation of it gives") {
  Random random(4506);
  for (int i = 0; i < 200; ++i) {
    const OverlapInputs inputs{.backward = random.uniform(0.1, 2) * units::second,
                               .gradients = random.uniform(0.1, 20) * units::GB,
                               .bandwidth = 10 * units::GBps,
                               .buckets = 1 + random.below(12),
                               .kernel_share = random.coin() ? random.uniform(0, 0.9) : 0};
    const auto buckets = static_cast<double>(inputs.buckets);
    const double step = inputs.backward.si() / buckets;
    const double message = inputs.gradients / inputs.bandwidth / units::second / buckets;
    // Compute and communication side by side: an event is a bucket ready, or one sent.
    double now = 0, computed = 0, sent = 0, ready = 0;
    while (ready < buckets || sent < buckets * message * (1 - 1e-12)) {
      const bool sending = sent < ready * message * (1 - 1e-12);
      const double speed = sending ? 1 - inputs.kernel_share : 1;
      double until = 1e300;
      if (ready < buckets) until = ((ready + 1) * step - computed) / speed;
      if (sending) until = std::min(until, ready * message - sent);
      now += until;
      if (sending) sent += until;
      if (ready < buckets) {
        computed += until * speed;
        if (computed >= (ready + 1) * step * (1 - 1e-12)) ++ready;
      }
    }
    CHECK(now - inputs.backward.si() ==
          doctest::Approx(overlapped(inputs).exposed.si()).epsilon(1e-6));
  }
}

TEST_CASE("storage: more NICs, SSDs or clients are never slower, more copies never faster") {
  Random random(4507);
  const Node client = planner::testing::fire_flyer_node();
  for (int i = 0; i < kRounds; ++i) {
    StorageSystem storage = planner::testing::fire_flyer_storage();
    storage.ssd_read_bandwidth = random.uniform(0.1, 8) * units::GBps;
    storage.ssd_write_bandwidth = random.uniform(0.1, 8) * units::GBps;
    storage.copies = 1 + random.below(3);
    const std::int64_t clients = 1 + random.below(2000);
    const StorageRates rates = storage_rates(storage, client, clients);
    StorageSystem larger = storage;
    ++larger.nics;
    ++larger.ssds;
    CHECK(storage_rates(larger, client, clients).read.bandwidth >= rates.read.bandwidth);
    CHECK(storage_rates(larger, client, clients).write.bandwidth >= rates.write.bandwidth);
    CHECK(storage_rates(storage, client, clients + 1).read.bandwidth >= rates.read.bandwidth);
    ++storage.copies;
    CHECK(storage_rates(storage, client, clients).write.bandwidth <= rates.write.bandwidth);
  }
}

TEST_CASE("of the ways to sum gradients the one is chosen and named of which less shows") {
  planner::testing::Random random(64);
  int by_cpus = 0, by_library = 0;
  for (int i = 0; i < 3000; ++i) {
    Workload workload = planner::testing::random_calibrated_workload(random);
    planner::testing::put_in_shared_nodes(random, workload);
    const Strategy strategy = planner::testing::random_strategy(random, workload);
    const auto by = [&](GradientSync how) {
      workload.software.gradient_sync = how;
      return evaluate(workload, strategy);
    };
    const Prediction nccl = by(GradientSync::nccl), hfreduce = by(GradientSync::hfreduce);
    const Prediction automatic = by(GradientSync::automatic);
    const bool cpus = hfreduce.time.total() < nccl.time.total();
    CHECK(automatic.time == (cpus ? hfreduce : nccl).time);
    CHECK(automatic.sync_by == (cpus ? hfreduce : nccl).sync_by);
    CHECK(communication_times(workload, strategy).dp.exposed == automatic.time.sync);
    (cpus ? by_cpus : by_library) += 1;
  }
  CHECK(by_cpus > 30);
  CHECK(by_library > 30);
}
