// Failures of a cluster's jobs: the nodes that fail, and the money they cost.
#include "planner/commands/reliability/reliability.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "planner/job/reliability.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::commands;
using planner::testing::near;

namespace {

ReliabilityAnswer of_cluster(const std::string& cluster, const std::string& rates,
                             std::vector<std::int64_t> gpus = {}) {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  Context context{.catalog = catalog};
  return meet_failures(
      {.files = {cluster}, .gpus = std::move(gpus), .failures = {.rates = rates, .how = {}}},
      context);
}

}  // namespace

TEST_CASE("racks of 72 GPUs fail as the nodes of 8 that their rates are for") {
  const ReliabilityAnswer all = of_cluster("nvl72-9216", "meta-rsc-1");
  CHECK(all.inputs.counts.nodes == 128);
  // 6.5 failures in 1,000 node-days of 8 GPUs: 1,152 such nodes, 3.2 h between failures.
  CHECK(*all.result.hours_between == near(1 / (9216 / 8 * 6.5e-3 / 24), 1e-5));
}

TEST_CASE("several numbers of GPUs: a row each, as each is by itself") {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  Context context{.catalog = catalog};
  const auto of = [&](std::vector<std::int64_t> gpus) {
    return meet_failures({.gpus = std::move(gpus), .failures = {.rates = "c4-2023-06", .how = {}}},
                         context);
  };
  const ReliabilityAnswer both = of({2400, 10240});
  REQUIRE(both.counts.size() == 2);
  CHECK(both.counts[1].gpus == 10240);
  CHECK(both.counts[1].availability == of({10240}).result.availability);
  CHECK(both.result.availability == both.counts[0].availability);
  CHECK(of({2400}).counts.empty());
}

TEST_CASE("C4 in June 2023 at four sizes, and where recoveries start over") {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  const auto availability = [&](std::int64_t gpus, const std::string& rates,
                                ReliabilitySettings how = {}) {
    Context context{.catalog = catalog};
    return meet_failures({.gpus = {gpus}, .failures = {.rates = rates, .how = std::move(how)}},
                         context)
        .result.availability;
  };
  for (const auto& [gpus, expected] :
       {std::pair{2400, 0.6907}, {4096, 0.5503}, {8192, 0.3408}, {10240, 0.2748}}) {
    CHECK(std::abs(availability(gpus, "c4-2023-06") - expected) < 5e-5);
  }
  CHECK(std::abs(availability(10240, "c4-2023-06", {.recovery = RecoveryMode::restart}) - 0.2016) <
        5e-5);
  // Llama 3: more than 90 % of the time, and what 100,000 GPUs would leave of it.
  CHECK(availability(16384, "llama-3", {.stall = Seconds{5}}) > 0.9);
  const double large =
      availability(100'000, "llama-3",
                   {.checkpoint = Seconds{300}, .stall = Seconds{0}, .restart = Seconds{960}});
  CHECK(large > 0.57);
  CHECK(large < 0.60);
  CHECK(std::abs(availability(16384, "meta-rsc-1", {.checkpoint = Seconds{300}}) - 0.8742) < 1e-4);
}

TEST_CASE("a smaller job has the cluster's nodes") {
  const ReliabilityAnswer all = of_cluster("nvl72-9216", "meta-rsc-1");
  const ReliabilityAnswer most = of_cluster("nvl72-9216", "meta-rsc-1", {9144});
  CHECK(most.inputs.counts.nodes == 127);
  CHECK(most.inputs.counts.nics == 9144);
  CHECK(*all.result.hours_between / *most.result.hours_between == near(9144.0 / 9216));
}

TEST_CASE("nodes with one network card have that one to lose") {
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  const Node fire_flyer = catalog.load_node("fire-flyer-2");
  const ReliabilitySettings settings = job::in_nodes({}, fire_flyer, 1000);
  CHECK(settings.gpus_per_node == 8);
  CHECK(settings.nics == 125);
  CHECK(job::in_nodes({.nics = 7}, fire_flyer, 1000).nics == 7);
}
