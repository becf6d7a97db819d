// How many of the GPUs that are there a job uses.
#include "planner/job/used_gpus.hpp"

#include <doctest/doctest.h>

#include "planner/job/cluster.hpp"
#include "planner/job/strategy.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

GpuSupply racks(std::int64_t bought, std::int64_t most = 0) {
  return {.bought = bought, .hb_domain = 72, .most = most == 0 ? bought : most};
}

Workload gpt22b() {
  return {
      .model = gpt_22b(), .system = a100_cluster(), .run = {.global_batch = 64, .sequence = 2048}};
}

}  // namespace

TEST_CASE("whole domains are needed: 1,024 GPUs at 64 of 72 take 16 racks, not 15") {
  CHECK(use_of_domains(racks(16 * 72), 1024, 64) ==
        GpuUse{.gpus = 1024, .as_one = 64, .per_domain = 64, .domains = 16});
  CHECK_FALSE(use_of_domains(racks(15 * 72), 1024, 64));
  // Nine parts of 8 in each: all 72 are used.
  CHECK(use_of_domains(racks(15 * 72), 1024, 8) ==
        GpuUse{.gpus = 1024, .as_one = 8, .per_domain = 72, .domains = 15});
  CHECK(use_of_domains(racks(9216), 8192, 64)->domains == 128);
  CHECK_FALSE(use_of_domains(racks(9216), 9216, 64));
  // The last domain may be a part of one.
  CHECK(use_of_domains(racks(72 + 16), 80, 8)->domains == 2);
  CHECK_FALSE(use_of_domains(racks(72 + 4), 80, 8));
  CHECK(use_of_domains({.bought = 4, .hb_domain = 72, .most = 4}, 4, 4)->domains == 1);
}

TEST_CASE("a job pays for what it leaves idle in its domains") {
  const auto paid = [](std::int64_t gpus, std::int64_t domain, std::int64_t as_one,
                       std::optional<std::int64_t> node) {
    return occupied_gpus(use_of(gpus, domain, as_one), domain, node);
  };
  CHECK(paid(1024, 72, 64, 72) == 16 * 72);
  CHECK(paid(1024, 72, 8, 72) == 15 * 72);  // nine parts of 8 in each; of the last rack two
  CHECK(paid(1008, 72, 72, 72) == 1008);
  CHECK(paid(100, 8, 5, 8) == 20 * 8);
  // Of the last domain whole nodes, or single GPUs.
  CHECK(paid(1000, 256, 200, 8) == 5 * 256);
  CHECK(paid(1004, 256, 4, 8) == 3 * 256 + 240);
  CHECK(paid(1004, 256, 4, std::nullopt) == 1004);
  // Within one domain others can have the rest.
  CHECK(paid(64, 72, 64, 72) == 64);
  CHECK(paid(1, 8, 1, 8) == 1);
}

TEST_CASE("a cluster's racks are bought whole, so its job can have the same part of each") {
  System system;
  system.hb_domain = 72;
  const Node rack{.accelerators = 72};
  Cluster cluster{.gpus = 256};
  CHECK(use_of_domains(supply_of(cluster, system, rack), 256, 64)->domains == 4);
  CHECK(supply_of(cluster, system, rack).most == 256);
  // Rented one by one: three racks and 40.
  CHECK_FALSE(use_of_domains(supply_of(cluster, system, std::nullopt), 256, 64));
}

TEST_CASE("tiers of the network count the GPUs that are used") {
  Workload workload = gpt22b();
  workload.network_tiers = {{.gpus = 144, .bandwidth_share = 0.5}};
  const GpuSupply supply = racks(288);
  CHECK(on_used(workload, supply, *use_of_domains(supply, 256, 64)).network_tiers.front().gpus ==
        128);
  CHECK(on_used(workload, supply, *use_of_domains(supply, 288, 72)).network_tiers.front().gpus ==
        144);
  CHECK(on_used(workload, supply, *use_of_domains(supply, 64, 64)).system.hb_domain == 64);
}

TEST_CASE("the best use is the fastest of all counts and parts, by trying every one") {
  const Workload workload = gpt22b();
  const SearchSpace space = search_space({}, workload);
  for (const std::int64_t bought : {7, 30, 72, 100}) {
    CAPTURE(bought);
    GpuSupply supply{.bought = bought, .hb_domain = 12, .most = bought};
    const auto best = best_use(workload, supply, space, {.top = 1});
    Seconds least{1e300};
    for (std::int64_t gpus = 1; gpus <= bought; ++gpus) {
      for (std::int64_t as_one = 1; as_one <= std::min<std::int64_t>(12, gpus); ++as_one) {
        if (gpus % as_one != 0) continue;
        const auto use = use_of_domains(supply, gpus, as_one);
        if (!use) continue;
        const auto found = search_all(on_used(workload, supply, *use), space, {.top = 1});
        if (!found.best.empty()) least = std::min(least, found.best.front().time);
      }
    }
    REQUIRE(best.has_value() == (least < Seconds{1e300}));
    if (best) CHECK(best->found.best.front().time <= least * (1 + 1e-9));
  }
}

TEST_CASE("just so many where that is asked for") {
  const Workload workload = gpt22b();
  GpuSupply supply{.bought = 72, .hb_domain = 8, .most = 24};
  const SearchSpace space = search_space({}, workload);
  CHECK(best_use(workload, supply, space, {.top = 1})->use.gpus <= 24);
  supply.exact = true;
  supply.most = 16;
  CHECK(best_use(workload, supply, space, {.top = 1})->use.gpus == 16);
  supply.most = 17;
  CHECK_FALSE(best_use(workload, supply, space, {.top = 1}));
}
