// Several runs one after the other on one cluster: each is what `cost` says of the cluster with
// that run.
#include <doctest/doctest.h>

#include "planner/commands/design/design.hpp"
#include "support/designs.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

TEST_CASE(
    "of several runs each is what cost says of its file with that run, and all are their sum") {
  Brief asked = brief(R"(, "limits": {"days": 120}, "lead_weeks": {"gb200-nvl72": 2})");
  asked.runs.push_back(
      {.name = "small", .model = "llama3.1-8b", .tokens = 1e11, .global_batch = {64, 96, 128}});
  for (const bool failing : {false, true}) {
    CAPTURE(failing);
    if (failing) {
      asked.rates = "c4-2023-06";
      asked.recovery = ReliabilitySettings{.stall = Seconds{5}, .repair = 24 * units::hour};
      asked.choices.systems = {"dgx-h100"};
    }
    const DesignAnswer answer = answer_to(asked);
    REQUIRE(answer.best.has_value());
    CHECK(answer.rent.empty());
    std::vector<DesignSummary> designs = answer.front;
    designs.push_back(*answer.best);
    CHECK(designs.size() > 5);
    int apart = 0;
    for (const DesignSummary& design : designs) {
      REQUIRE(design.runs.size() == 2);
      apart += design.runs[0].used_gpus != design.runs[1].used_gpus ? 1 : 0;
      Seconds time{}, late{};
      std::int64_t cents = 0;
      double joules = 0;
      for (const RunSummary& run : design.runs) {
        const bool small = run.name == "small";
        DesignSummary alone = design;
        alone.runs.clear();
        alone.cluster.run = ClusterRun{.model = small ? "llama3.1-8b" : "gpt22b",
                                       .global_batch = run.global_batch,
                                       .tokens = 1e11,
                                       .gpus = run.used_gpus,
                                       .gpus_exact = true};
        alone.plan = run.plan;
        alone.used_gpus = run.used_gpus;
        alone.time = run.time;
        alone.without_failures = run.without_failures;
        alone.run_cost = run.cost;
        alone.energy = run.energy;
        alone.co2_kg = run.co2_kg;
        if (failing) {
          const std::int64_t nodes = run.used_gpus / 8;
          alone.cluster.recovery->spares = std::min(design.nodes - nodes, nodes);
        }
        if (!failing || run.used_gpus % 8 == 0) check_cost(alone);
        time += run.time;
        late += run.confident_time;
        cents += run.cost.in_cents();
        joules += run.energy.si();
      }
      CHECK(design.time == time);
      CHECK(design.at_confidence.time == late);
      CHECK(design.run_cost.in_cents() == cents);
      CHECK(design.energy.si() == joules);
      CHECK((design.lead + late).in(units::day) <= 120);
      // The longest is the one that is told, and the one in its file.
      const RunSummary& longest =
          design.runs[0].time < design.runs[1].time ? design.runs[1] : design.runs[0];
      CHECK(design.plan == longest.plan);
      CHECK(design.cluster.run->global_batch == longest.global_batch);
      CHECK(design.cluster.run->gpus == longest.used_gpus);
      CHECK(design.cluster.notes.size() == 1);
    }
    CHECK(apart > 0);
  }
}
