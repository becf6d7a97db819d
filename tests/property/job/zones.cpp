// Iteration times of jobs between zones, with the order of ranks that is fastest on each: fewer
// bytes between zones are never slower.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/fabrics.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

std::mt19937 random_source(18);

template <class T>
T pick(std::initializer_list<T> values) {
  return values
      .begin()[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random_source)];
}

constexpr std::int64_t kGpus = 6144;

RoutedFabric zones() {
  FabricDesign design = default_design(Topology::meta_ai_zone);
  design.gpus = 24576;
  return *routed_fabric(design, counted(design), 24576, 8);
}

}  // namespace

TEST_CASE("two whole zones are never slower than eight, in the order that is fastest on each") {
  const RoutedFabric fabric = zones();
  int slower = 0, by_replica = 0;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t p = pick({2L, 4L, 8L, 16L, 32L, 64L}), t = pick({1L, 2L, 4L, 8L});
    Strategy strategy{.tp = {t, 1}, .pp = {1, p}, .dp = {8 / t, kGpus / (8 * p)}};
    strategy.micro_batch = pick({1L, 2L});
    const Workload workload{
        .model = gpt_1t(),
        .system = a100_cluster(),
        .run = {.global_batch = strategy.dp.total() * pick({2L, 8L, 32L}), .sequence = 2048},
        .gpus = kGpus};
    const Routing routing{.scheme = pick({RoutingScheme::ecmp, RoutingScheme::ecmp_qp,
                                          RoutingScheme::te, RoutingScheme::spray}),
                          .qps = 4};
    const auto time = [&](std::vector<std::int64_t> free) {
      Workload routed = workload;
      const RoutedJob job{.gpus = kGpus, .free_gpus = std::move(free)};
      routed.routing = routing_factors(std::make_shared<const JobSlowdowns>(fabric, job, routing));
      const Strategy best = in_best_order(routed, strategy);
      by_replica += best.replicas_outermost() ? 1 : 0;
      return evaluate(routed, best).time.total();
    };
    const Seconds two = time({3072, 3072}), eight = time(std::vector<std::int64_t>(8, 768));
    CAPTURE(p);
    CAPTURE(t);
    CHECK(two <= eight * (1 + 1e-9));
    slower += eight > two * (1 + 1e-6) ? 1 : 0;
  }
  CHECK(slower > 10);
  CHECK(by_replica > 0);
}
