// A plan whose GPUs are paid by the hour.
#include "planner/job/rent.hpp"

#include <doctest/doctest.h>

#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using planner::testing::near;

namespace {

/// Ten seconds an iteration, of 64 sequences of 2,048 tokens.
Plan ten_seconds() {
  Plan plan;
  plan.time.last_stage_compute = Seconds{10};
  return plan;
}

Workload of(std::int64_t gpus, std::optional<double> tokens = {}) {
  return {.model = testing::gpt_22b(),
          .system = testing::a100_cluster(),
          .run = {.global_batch = 64, .sequence = 2048, .tokens = tokens},
          .gpus = gpus};
}

GpuPrice two_dollars() {
  return {.rate = Estimate<UsdPerSecond>::exactly(2 * units::usd / units::hour),
          .origin = {.source = "a list"}};
}

}  // namespace

TEST_CASE("a run is paid for in whole iterations") {
  const Workload workload = of(72, 1e6);  // 7.6 iterations of 131,072 tokens
  const PaidPlan paid = paid_plan(workload, ten_seconds(), two_dollars(), 72, std::nullopt);
  CHECK(paid.cost.per_iteration.expected.in(units::usd) == near(72 * 2 * 10 / 3600.0));
  CHECK(paid.cost.per_run->expected.in(units::usd) == near(8 * 72 * 2 * 10 / 3600.0));
  CHECK(paid.price.origin.source == "a list");
  CHECK_FALSE(paid_plan(of(72), ten_seconds(), two_dollars(), 72, std::nullopt).cost.per_run);
}

// Eight iterations of ten seconds are far from a year: all its hours are paid, 72 · 8,760 · 2.
TEST_CASE("a run on GPUs that are rented for a term pays for whole terms") {
  GpuPrice price = two_dollars();
  price.term = RentTerm::one_year;
  const PaidPlan paid = paid_plan(of(72, 1e6), ten_seconds(), price, 72, std::nullopt);
  CHECK(paid.years_paid == 1);
  CHECK(paid.cost.per_run->expected.in(units::usd) == near(72 * 8760 * 2.0));
  CHECK(paid.cost.per_iteration.expected.in(units::usd) == near(72 * 8760 * 2.0 / 8));
  price.term = RentTerm::three_years;
  CHECK(paid_plan(of(72, 1e6), ten_seconds(), price, 72, std::nullopt).years_paid == 3);
  CHECK_FALSE(paid_plan(of(72), ten_seconds(), price, 72, std::nullopt).years_paid);
}

TEST_CASE("the energy is that of whole nodes, where their power is known") {
  Node node{.accelerators = 8, .power = Watts{10'000}};
  const auto energy = [&](const std::optional<Node>& of_node) {
    return paid_plan(of(65), ten_seconds(), two_dollars(), 65, of_node).node_energy;
  };
  CHECK(energy(node)->si() == near(9 * 10'000 * 10.0));
  CHECK_FALSE(energy(std::nullopt));
  node.power.reset();
  CHECK_FALSE(energy(node));
}

TEST_CASE("GPUs that stand idle in the job's HB domains are paid for, and their nodes draw power") {
  const Node rack{.accelerators = 72, .power = Watts{120'000}};
  const PaidPlan paid = paid_plan(of(1024, 1e6), ten_seconds(), two_dollars(), 16 * 72, rack);
  CHECK(paid.cost.per_iteration.expected.in(units::usd) == near(16 * 72 * 2 * 10 / 3600.0));
  CHECK(paid.node_energy->si() == near(16 * 120'000 * 10.0));
}
