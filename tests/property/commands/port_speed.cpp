// Clusters on networks of several speeds, against the same GPUs with other network cards.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "planner/commands/cost/cost.hpp"
#include "planner/commands/optimize/optimize.hpp"
#include "support/designs.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

/// A cluster's run on a network of full bisection.
ClusterSummary::Training on_ports(const std::string& topology, std::int64_t gbps,
                                  const std::string& routing) {
  const TemporaryFile file(
      "ports.json",
      fmt::format(R"({{"name": "ports", "title": "64 H100", "system": "dgx-h100", "gpus": 64,
                      "prices": "{}", "run": {{"model": "llama3.1-8b"}}{},
                      "fabric": {{"topology": {}, "radix": 64, "port_gbps": {}}}}})",
                  prices(), routing, topology, gbps));
  Context context{.catalog = shipped()};
  const ClusterSummary cluster = cost_of_cluster({.files = {file.path()}}, context).cluster;
  REQUIRE(cluster.training->use.gpus == 64);
  return *cluster.training;
}

/// The same run on cards of so many GB/s a GPU.
Plan on_cards(double bandwidth) {
  Context context{.catalog = shipped()};
  PlanRequest request{.model = "llama3.1-8b", .gpus = {64}};
  request.machine.network_bandwidth_GBps = bandwidth;
  return optimize_plan(request, context).result->best;
}

}  // namespace

TEST_CASE("ports of half the speed are network cards of half the bandwidth, to the last bit") {
  struct Ports {
    std::string topology;
    std::int64_t gbps;
    double bandwidth;
  };
  for (const Ports& one : {Ports{R"("fat-tree")", 800, 50}, Ports{R"("fat-tree")", 400, 50},
                           Ports{R"("fat-tree")", 200, 25}, Ports{R"("fat-tree")", 50, 6.25},
                           Ports{R"("rail-optimized", "rails": 8, "planes": 2)", 200, 50},
                           Ports{R"("rail-optimized", "rails": 8, "planes": 2)", 100, 25},
                           Ports{R"("multi-plane", "planes": 4, "ports_per_gpu": 4)", 25, 12.5}}) {
    CAPTURE(one.topology);
    CAPTURE(one.gbps);
    const Plan ports = on_ports(one.topology, one.gbps, "").plan, cards = on_cards(one.bandwidth);
    CHECK(ports.strategy == cards.strategy);
    CHECK(ports.time.total() == cards.time.total());
  }
}

TEST_CASE("a faster port is never slower, whatever routes its flows") {
  for (const char* const routing : {"", R"(, "routing": {"scheme": "ecmp"})"}) {
    Seconds before{1e9};
    for (const std::int64_t gbps : {25, 50, 100, 200, 400}) {
      CAPTURE(gbps);
      const Seconds now = on_ports(R"("fat-tree")", gbps, routing).plan.time.total();
      CHECK(now < before);
      before = now;
    }
    CHECK(on_ports(R"("fat-tree")", 800, routing).plan.time.total() == before);
  }
}
