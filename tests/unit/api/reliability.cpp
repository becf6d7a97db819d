// Failures of a cluster's jobs: the nodes that fail, and the money they cost.
#include "planner/job/reliability.hpp"

#include <doctest/doctest.h>

#include "planner/api/commands.hpp"
#include "planner/job/reliability.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

ReliabilityResult of_cluster(const std::string& cluster, const std::string& rates,
                             std::optional<std::int64_t> gpus = {}) {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  Request request{.command = Command::reliability};
  request.arguments = {cluster};
  request.gpus = gpus;
  request.reliability.rates = rates;
  return std::get<ReliabilityResult>(reliability(request, catalog).result);
}

}  // namespace

TEST_CASE("racks of 72 GPUs fail as the nodes of 8 that their rates are for") {
  const ReliabilityResult all = of_cluster("nvl72-9216", "meta-rsc-1");
  CHECK(all.job.counts.nodes == 128);
  // 6.5 failures in 1,000 node-days of 8 GPUs: 1,152 such nodes, 3.2 h between failures.
  CHECK(all.load.rate * units::hour == near(9216 / 8 * 6.5e-3 / 24, 1e-5));
}

TEST_CASE("a smaller job has the cluster's nodes") {
  const ReliabilityResult all = of_cluster("nvl72-9216", "meta-rsc-1");
  const ReliabilityResult most = of_cluster("nvl72-9216", "meta-rsc-1", 9144);
  CHECK(most.job.counts.nodes == 127);
  CHECK(most.job.counts.nics == 9144);
  CHECK(most.load.rate / all.load.rate == near(9144.0 / 9216));
}

TEST_CASE("nodes with one network card have that one to lose") {
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  const Node fire_flyer = catalog.load_node("fire-flyer-2");
  const ReliabilitySettings settings = in_nodes({}, fire_flyer, 1000);
  CHECK(settings.gpus_per_node == 8);
  CHECK(settings.nics == 125);
  CHECK(in_nodes({.nics = 7}, fire_flyer, 1000).nics == 7);
}
