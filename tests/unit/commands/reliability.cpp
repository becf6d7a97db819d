// Failures of a cluster's jobs: the nodes that fail, and the money they cost.
#include "planner/commands/reliability/reliability.hpp"

#include <doctest/doctest.h>

#include "planner/job/reliability.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::commands;
using planner::testing::near;

namespace {

ReliabilityAnswer of_cluster(const std::string& cluster, const std::string& rates,
                             std::optional<std::int64_t> gpus = {}) {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  Context context{.catalog = catalog};
  return meet_failures({.files = {cluster}, .gpus = gpus, .failures = {.rates = rates, .how = {}}},
                       context);
}

}  // namespace

TEST_CASE("racks of 72 GPUs fail as the nodes of 8 that their rates are for") {
  const ReliabilityAnswer all = of_cluster("nvl72-9216", "meta-rsc-1");
  CHECK(all.inputs.counts.nodes == 128);
  // 6.5 failures in 1,000 node-days of 8 GPUs: 1,152 such nodes, 3.2 h between failures.
  CHECK(*all.result.hours_between == near(1 / (9216 / 8 * 6.5e-3 / 24), 1e-5));
}

TEST_CASE("a smaller job has the cluster's nodes") {
  const ReliabilityAnswer all = of_cluster("nvl72-9216", "meta-rsc-1");
  const ReliabilityAnswer most = of_cluster("nvl72-9216", "meta-rsc-1", 9144);
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
