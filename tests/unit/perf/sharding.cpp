// Hybrid sharding: what crosses which links.
#include "planner/perf/model/sharding.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "planner/perf/calibrated/calibrated.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// 32 GPUs in domains of 8, all of them data parallel.
Calibrated on_network(const TransformerSpec& model, BytesPerSecond network) {
  Workload workload{.model = model,
                    .system = a100_cluster(),
                    .run = {.global_batch = 256, .sequence = 2048},
                    .gpus = 32};
  workload.system.hb_domain = 8;
  workload.system.accelerator.memory_bandwidth = 2039 * units::GBps;
  workload.system.network_bandwidth = network;
  Calibration constants = prior_calibration();
  constants.values[static_cast<std::size_t>(Constant::network_latency)] = 0;
  workload.timing = std::move(constants);
  return Calibrated(workload);
}

Calibrated::Synchronisation synchronisation(const TransformerSpec& model, BytesPerSecond network,
                                            const Strategy& strategy) {
  return on_network(model, network).synchronisation(strategy);
}

constexpr Strategy kSharded{.dp = {8, 4}, .zero = 3};

}  // namespace

TEST_CASE("shards of one HB domain leave its replicas' sums alone to the network") {
  Strategy hybrid = kSharded;
  hybrid.shard_ranks = 8;
  const auto fast = synchronisation(gpt_22b(), 50 * units::GBps, hybrid);
  const auto slow = synchronisation(gpt_22b(), 5 * units::GBps, hybrid);
  CHECK(slow.per_micro == fast.per_micro);
  CHECK(slow.replicas.si() == near(10 * fast.replicas.si()));
  const auto all = synchronisation(gpt_22b(), 5 * units::GBps, kSharded);
  CHECK(all.per_micro > slow.per_micro);
  CHECK(all.replicas == Seconds{});
  CHECK(all.optimizer.si() == near(slow.optimizer.si() / 4));
}

TEST_CASE("experts that every replica has once are gathered by nobody") {
  Strategy hybrid = kSharded;
  hybrid.ep = {8, 1};
  hybrid.shard_ranks = 8;  // four replicas, and four ranks with the same experts
  const auto whole = synchronisation(mixtral_8x7b(), 50 * units::GBps, hybrid);
  const auto slow = synchronisation(mixtral_8x7b(), 5 * units::GBps, hybrid);
  CHECK(slow.per_micro == whole.per_micro);
  CHECK(slow.replicas.si() == near(10 * whole.replicas.si()));
}

TEST_CASE("sums between replicas hide behind no more than there is") {
  Strategy hybrid = kSharded;
  hybrid.shard_ranks = 8;
  for (const double network : {50.0, 5.0, 0.5, 0.05}) {
    const Calibrated model = on_network(gpt_22b(), network * units::GBps);
    CHECK(model.evaluate(hybrid).time.total() > model.synchronisation(hybrid).replicas);
  }
}

TEST_CASE("groups that do not line up with HB domains are spread over more of them") {
  const auto placed = [](const Split& dp, const Split& cp, std::int64_t ranks) {
    const Strategy strategy{.dp = dp, .cp = cp, .zero = 3, .shard_ranks = ranks};
    return dense_shards(strategy);
  };
  CHECK(placed({4, 24}, {1, 1}, 4).sharing == 4);
  CHECK(placed({8, 12}, {1, 1}, 4).replicas == 2);
  CHECK(placed({4, 24}, {1, 1}, 8).sharing == 4);  // two domains
  CHECK(placed({4, 24}, {1, 1}, 3).sharing == 1);  // {3 | 4, 5}
  CHECK(placed({4, 24}, {1, 1}, 6).sharing == 2);  // {0 … 3 | 4, 5}
  CHECK(placed({4, 24}, {1, 1}, 3).replicas == 1);
  CHECK(placed({2, 8}, {1, 2}, 2).sharing == 1);  // context-parallel ranks come first
  CHECK(placed({1, 16}, {2, 1}, 2).sharing == 2);
  CHECK(placed({2, 8}, {2, 2}, 8).sharing == 4);  // 2 · 2 of them, in each of two domains
}
