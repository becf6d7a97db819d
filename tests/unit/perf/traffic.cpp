// Traffic beyond the paper's example, which is in published/perf/traffic_volumes.cpp.
#include "planner/perf/traffic.hpp"

#include <doctest/doctest.h>

#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr Strategy kStrategy{.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 6}};

Traffic traffic(const Strategy& strategy) {
  return traffic_per_iteration(
      {.model = gpt_1t(),
       .system = a100_cluster(),
       .run = {.global_batch = 3072, .sequence = 2048},
       .gpus = strategy.tp.total() * strategy.pp.total() * strategy.dp.total()},
      strategy);
}

Traffic changed(void (*change)(Strategy&)) {
  Strategy strategy = kStrategy;
  change(strategy);
  return traffic(strategy);
}

/// Average number of GPUs that a GPU sends to.
double neighbours(const Strategy& strategy) {
  const double others =
      static_cast<double>(strategy.tp.total() * strategy.pp.total() * strategy.dp.total() - 1);
  return (1 - traffic(strategy).silent_pair_share) * others;
}

}  // namespace

TEST_CASE("full recomputation repeats the forward's collectives (traps.md 5)") {
  const Traffic full = changed([](Strategy& s) { s.recompute = Recompute::full; });
  CHECK(full.tensor_per_gpu / traffic(kStrategy).tensor_per_gpu == near(1.5));
  CHECK(full.data_per_gpu == traffic(kStrategy).data_per_gpu);
}

TEST_CASE("interleaving sends v times, without SP each rank sends everything (traps.md 7)") {
  const Bytes plain = traffic(kStrategy).pipeline_per_gpu;
  CHECK(changed([](Strategy& s) { s.interleave = 2; }).pipeline_per_gpu / plain == near(2));
  CHECK(changed([](Strategy& s) { s.sequence_parallel = false; }).pipeline_per_gpu / plain ==
        near(8));
}

TEST_CASE("a degree of one moves nothing") {
  CHECK(changed([](Strategy& s) { s.tp = {1, 1}; }).tensor_per_gpu == Bytes{});
  CHECK(changed([](Strategy& s) { s.pp = {1, 1}; }).pipeline_per_gpu == Bytes{});
  CHECK(changed([](Strategy& s) { s.dp = {1, 1}; }).data_per_gpu == Bytes{});
  CHECK(traffic({}).silent_pair_share == 1);  // a single GPU
}

TEST_CASE("one ring inside the domain, one along the rail, and both adjacent stages") {
  CHECK(neighbours({.tp = {8, 1}}) == near(1, 1e-9));
  CHECK(neighbours({.tp = {8, 2}}) == near(2, 1e-9));
  CHECK(neighbours({.tp = {8, 1}, .dp = {1, 6}}) == near(2, 1e-9));
  CHECK(neighbours({.tp = {8, 1}, .dp = {2, 3}}) == near(3, 1e-9));
  CHECK(neighbours({.pp = {1, 4}}) == near(2 * 3.0 / 4, 1e-9));
  CHECK(neighbours({.pp = {1, 4}, .interleave = 2}) == near(2, 1e-9));  // last to first as well
  CHECK(neighbours({.pp = {1, 2}, .interleave = 2}) == near(1, 1e-9));  // there is only one other
}

TEST_CASE("share of an all-reduce inside the HB domain") {
  CHECK(share_inside_hb_domain({8, 1}) == 1);
  CHECK(share_inside_hb_domain({1, 8}) == 0);
  CHECK(share_inside_hb_domain({1, 1}) == 1);
  CHECK(share_inside_hb_domain({2, 2}) == near(2.0 / 3));
}
