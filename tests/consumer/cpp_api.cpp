// The C++ interface through the shared library.
#include <doctest/doctest.h>

#include <planner/planner.hpp>

using namespace planner;

namespace {

const Library library;

/// GPT-1T on 32,768 GPUs in domains of 256.
Workload gpt_1t() {
  return make_workload(library.model("gpt1t"), library.system("gh200-256"), 32768);
}

/// The first finding of the InputError that `action` throws.
template <class Action>
Diagnostic problem_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.diagnostics().front();
  }
  FAIL("nothing is thrown");
  return {};
}

}  // namespace

TEST_CASE("the fastest plan, and the same by an objective of one's own") {
  const std::vector<Plan> plans = optimize(gpt_1t(), {}, SearchOptions{.top = 3});
  REQUIRE(plans.size() == 3);
  const auto by_time = [](const Plan& plan) { return plan.time.total().si(); };
  const std::vector<ScoredPlan> scored = optimize(gpt_1t(), {}, by_time, 3);
  REQUIRE(scored.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(scored[i].plan == plans[i]);
  const auto again = plan_for(gpt_1t(), plans.front().strategy);
  REQUIRE(std::holds_alternative<Plan>(again));
  CHECK(std::get<Plan>(again) == plans.front());
}

TEST_CASE("an illegal strategy names the rules it breaks") {
  Strategy strategy;
  strategy.tp.net = 3;
  const auto answer = plan_for(gpt_1t(), strategy);
  REQUIRE(std::holds_alternative<std::vector<Violation>>(answer));
  CHECK(std::get<std::vector<Violation>>(answer).front().constraint == Constraint::gpu_count);
}

TEST_CASE("the rail-only paper's network costs what its Table 2 says") {
  FabricDesign design = default_design(Topology::rail_only);
  design.gpus = 32768;
  const CountResult counted = count_fabric(design);
  REQUIRE(std::holds_alternative<FabricCount>(counted));
  const BillResult bill =
      price(design, std::get<FabricCount>(counted), library.prices("rail-only-paper"));
  REQUIRE(std::holds_alternative<BillOfMaterials>(bill));
  const auto total = capex(std::get<BillOfMaterials>(bill));
  REQUIRE(total);
  CHECK(total->amount.expected.dollars() == 122552320);
  CHECK_FALSE(total->at_least());
}

TEST_CASE("bad input is an InputError that the caller can catch") {
  const auto unknown = problem_of([] { static_cast<void>(library.model("lama2-7b")); });
  CHECK(unknown.code == "unknown-name");
  CHECK(unknown.hint.find("llama2-7b") != std::string::npos);
  CHECK(problem_of([] { Library("/no/such/folder"); }).code == "no-such-directory");
  Workload workload = gpt_1t();
  workload.gpus = 0;
  CHECK(problem_of([&] { static_cast<void>(optimize(workload)); }).code == "bad-value");
  workload = gpt_1t();
  workload.run.precision = Precision::fp32;
  CHECK(problem_of([&] { job::check(workload); }).code == "usage");
}
