// Traffic volumes of the rail-only paper (arXiv 2307.12169), §3.
#include <doctest/doctest.h>

#include "planner/perf/traffic.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// GPT-1T as in Table 2: 3072 GPUs, tp 8 inside the domain, pp 64, dp 6 (Narayanan et al. 2021).
Workload gpt_1t_on_3072() {
  return {.model = gpt_1t(),
          .system = a100_cluster(),
          .run = {.global_batch = 3072, .sequence = 2048},
          .gpus = 3072};
}

constexpr Strategy kTable2{.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 6}};

}  // namespace

TEST_CASE("§3: what GPT-1T moves per GPU and iteration on 3072 GPUs") {
  const Traffic traffic = traffic_per_iteration(gpt_1t_on_3072(), kTable2);
  // 8·(l/p)·(B/d)·((t-1)/t)·2hs = 8·2·512·(7/8)·104,857,600
  CHECK(traffic.tensor_per_gpu.si() == 751619276800.0);
  CHECK(traffic.tensor_per_gpu.in(units::GB) == near(752, 0.001));
  // 2·((d-1)/d)·2·l·12·h²/(p·t) = 2·(5/6)·3,932,160,000
  CHECK(traffic.data_per_gpu.in(units::GB) == near(6.5536));
  // (B/d)·2hs/t = 512·13,107,200
  CHECK(traffic.pipeline_per_gpu.si() == 6710886400.0);
}

TEST_CASE("§3: over 99 % of all pairs of GPUs carry no traffic") {
  // Each GPU sends to one ring neighbour of its tensor and one of its data group, and the 64 stages
  // have 63 boundaries in both directions: 1 + 1 + 2·63/64 of 3071 others.
  const Traffic traffic = traffic_per_iteration(gpt_1t_on_3072(), kTable2);
  CHECK(traffic.silent_pair_share == near(1 - 3.96875 / 3071));
  CHECK(100 * traffic.silent_pair_share == near(99.87, 5e-5));
}

TEST_CASE("§3: 98 % of GH200's all-reduce stays inside the HB domain") {
  // Data parallelism of 64 over 32 GPUs of each domain and two domains: 62 / 63.
  CHECK(100 * share_inside_hb_domain({32, 2}) == near(98.41, 5e-5));
  CHECK(share_inside_hb_domain({32, 2}) == near(62.0 / 63));
}
