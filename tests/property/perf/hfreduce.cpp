#include "planner/perf/hfreduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "planner/perf/hai_scale.hpp"
#include "planner/perf/hfreduce_what_if.hpp"
#include "planner/perf/storage.hpp"
#include "support/fire_flyer.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

class Random {
 public:
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  BytesPerSecond bandwidth() { return real(1, 500) * units::GBps; }

  Node node() {
    Node node = planner::testing::fire_flyer_node();
    node.nics = whole(1, 4);
    node.nic_bandwidth = bandwidth();
    node.host_memory_bandwidth = bandwidth();
    node.pcie->gpu_bandwidth = bandwidth();
    node.pcie->host_bridge_bandwidth = bandwidth();
    node.pcie->gpu_to_nic_bandwidth = bandwidth();
    node.nvlink_bridges->bandwidth = bandwidth();
    if (whole(0, 1) == 1) node.cpu_reduce_bandwidth = bandwidth();
    return node;
  }
  HfReduceOptions options() {
    HfReduceOptions options{.nvlink_pairs = whole(0, 1) == 1, .memcpy_h2d = whole(0, 1) == 1};
    if (whole(0, 1) == 1) options.nodes = whole(1, 2000);
    if (whole(0, 1) == 1) options.zone_bandwidth = bandwidth();
    return options;
  }

 private:
  std::mt19937_64 engine_{7};
};

constexpr int kRounds = 2000;

}  // namespace

TEST_CASE("more of any resource is never slower") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const Node node = random.node();
    const HfReduceOptions options = random.options();
    const BytesPerSecond before = hfreduce_bounds(node, options).bandwidth;
    const double more = random.real(1, 3);
    const auto check = [&](auto grow) {
      Node larger = node;
      grow(larger);
      CHECK(hfreduce_bounds(larger, options).bandwidth >= before);
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
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    Node node = random.node();
    const HfReduceOptions options = random.options();
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
        continue;
    }
    CHECK(hfreduce_bounds(node, options).bandwidth == bounds.gains.front().bandwidth);
    CHECK(hfreduce_bounds(node, options).bottleneck == *bounds.next);
  }
}

TEST_CASE("one node costs no network") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    HfReduceOptions options = random.options();
    options.nodes = 1;
    const HfReduceBounds bounds = hfreduce_bounds(random.node(), options);
    CHECK_FALSE(bounds.of(ReduceResource::network));
    CHECK_FALSE(bounds.of(ReduceResource::zone_link));
    CHECK(bounds.operations.network_reads == 0);
    CHECK(bounds.operations.network_writes == 0);
  }
}

TEST_CASE("more nodes are never faster") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const Node node = random.node();
    HfReduceOptions options = random.options();
    const std::int64_t nodes = random.whole(1, 500);
    const auto at = [&](std::int64_t count) {
      options.nodes = count;
      return pipelined_reduce(100 * units::MB, count, hfreduce_bounds(node, options).bandwidth,
                              kTreeStepLatency)
          .time;
    };
    CHECK(at(nodes) <= at(nodes + random.whole(1, 500)));
  }
}

TEST_CASE("exposed time is between none and all of the communication") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    OverlapInputs inputs{.backward = random.real(0, 5) * units::second,
                         .gradients = random.real(0.01, 100) * units::GB,
                         .bandwidth = random.bandwidth(),
                         .buckets = random.whole(1, 100),
                         .kernel_share = random.whole(0, 1) == 1 ? random.real(0, 0.9) : 0};
    const Overlap overlap = overlapped(inputs);
    const double slack = 1e-12 * (overlap.communication.si() + inputs.backward.si());
    CHECK(overlap.exposed.si() >= 0);
    CHECK(overlap.exposed.si() <= overlap.communication.si() + slack);

    OverlapInputs other = inputs;
    other.bandwidth = inputs.bandwidth * random.real(1, 3);
    CHECK(overlapped(other).exposed.si() <= overlap.exposed.si() + slack);
    other = inputs;
    other.kernel_share = 0;
    CHECK(overlapped(other).exposed.si() <= overlap.exposed.si() + slack);
  }
}

TEST_CASE("the overlap's closed form is what a small simulation of it gives") {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const OverlapInputs inputs{.backward = random.real(0.1, 2) * units::second,
                               .gradients = random.real(0.1, 20) * units::GB,
                               .bandwidth = 10 * units::GBps,
                               .buckets = random.whole(1, 12),
                               .kernel_share = random.whole(0, 1) == 1 ? random.real(0, 0.9) : 0};
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
  Random random;
  const Node client = planner::testing::fire_flyer_node();
  for (int i = 0; i < kRounds; ++i) {
    StorageSystem storage = planner::testing::fire_flyer_storage();
    storage.ssd_read_bandwidth = random.real(0.1, 8) * units::GBps;
    storage.ssd_write_bandwidth = random.real(0.1, 8) * units::GBps;
    storage.copies = random.whole(1, 3);
    const std::int64_t clients = random.whole(1, 2000);
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
