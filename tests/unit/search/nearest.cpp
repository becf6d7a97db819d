#include <doctest/doctest.h>

#include "planner/search/search.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload gpt_1t_on(std::int64_t gpus) {
  Workload workload = gpt_1t_on_gh200();
  workload.gpus = gpus;
  return workload;
}

/// The nearest counts by searching every GPU count around N.
NearestCounts one_by_one(Workload workload, const SearchSpace& space, std::int64_t most) {
  const std::int64_t N = workload.gpus;
  const auto has = [&](std::int64_t gpus) {
    workload.gpus = gpus;
    return rank_strategies(workload, space, {.threads = 1}).strategies > 0;
  };
  NearestCounts nearest;
  for (std::int64_t n = N - 1; n >= 1 && nearest.below == 0; --n) nearest.below = has(n) ? n : 0;
  for (std::int64_t n = N + 1; n <= most && nearest.above == 0; ++n) {
    nearest.above = has(n) ? n : 0;
  }
  return nearest;
}

}  // namespace

TEST_CASE("GPT-1T has no strategy for 1,000 GPUs, but for 512 and 1,024") {
  const NearestCounts nearest = nearest_gpu_counts(gpt_1t_on(1000), {});
  CHECK(nearest.below == 512);
  CHECK(nearest.above == 1024);
}

TEST_CASE("the count itself is not its own neighbour") {
  const NearestCounts nearest = nearest_gpu_counts(gpt_1t_on(1024), {});
  CHECK(nearest.below == 512);
  CHECK(nearest.above == 2048);
}

TEST_CASE("pinned degrees are obeyed, however far the nearest count") {
  // tp 8 and pp 1 leave 8·d; with dp 1 it is 8 GPUs and no other.
  const SearchSpace space{.pins = {.tp = {8}, .pp = {1}, .dp = {1}}};
  CHECK(nearest_gpu_counts(gpt_1t_on(30000), space).below == 8);
  CHECK(nearest_gpu_counts(gpt_1t_on(30000), space).above == 0);
  CHECK(nearest_gpu_counts(gpt_1t_on(3), space).below == 0);
  CHECK(nearest_gpu_counts(gpt_1t_on(3), space).above == 8);
}

TEST_CASE("none at all when the pins divide nothing") {
  const NearestCounts nearest = nearest_gpu_counts(gpt_1t_on(1000), {.pins = {.tp = {3}}});
  CHECK(nearest.below == 0);
  CHECK(nearest.above == 0);
}

TEST_CASE("beyond the largest count there is none above") {
  // t ≤ 1,024, p ≤ 128, d ≤ 4,096.
  const NearestCounts nearest = nearest_gpu_counts(gpt_1t_on(2'000'000'000), {});
  CHECK(nearest.below == std::int64_t{1024} * 128 * 4096);
  CHECK(nearest.above == 0);
}

TEST_CASE("the nearest counts, against a search of every count") {
  Workload workload{.model = gpt(12, 96, 6), .system = a100_cluster()};
  workload.run = {.global_batch = 20, .sequence = 48};
  workload.system.hb_domain = 4;
  const std::vector<SearchSpace> spaces = {{},
                                           {.pins = {.dp = {1, 5}}},
                                           {.pins = {.tp_hb = {4}}},
                                           {.pins = {.pp = {3}, .pp_hb = {3}}},
                                           {.pins = {.max_tp = 2}}};
  const std::int64_t most = 48 * 12 * 20;
  for (const SearchSpace& space : spaces) {
    for (const std::int64_t gpus : {1, 2, 7, 11, 25, 97, 113, 500}) {
      CAPTURE(gpus);
      workload.gpus = gpus;
      const NearestCounts found = nearest_gpu_counts(workload, space);
      const NearestCounts expected = one_by_one(workload, space, most);
      CHECK(found.below == expected.below);
      CHECK(found.above == expected.above);
    }
  }
}
