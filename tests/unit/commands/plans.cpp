// What is told of a plan: its charts, and what an option's record says of it.
#include "planner/commands/plans/plans.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/core/diagnostic.hpp"
#include "planner/present/charts/charts.hpp"

using namespace planner;
using namespace planner::commands;
using Json = nlohmann::ordered_json;

namespace {

Plan plan_of(std::int64_t tp, double compute, double sync) {
  Plan plan;
  plan.strategy.tp.hb = tp;
  plan.strategy.dp.net = 4;
  plan.time.last_stage_compute = Seconds{compute};
  plan.time.sync = Seconds{sync};
  plan.memory.weights = 30 * units::GB;
  plan.memory.activations = 10 * units::GB;
  plan.capacity = 80 * units::GB;
  return plan;
}

Json charts_of(const std::vector<Plan>& plans) {
  present::Document document;
  add_plan_charts(plans, {}, {}, document);
  return present::charts_of(document);
}

const Json& chart_named(const Json& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Json& chart) { return chart["name"] == name; });
  REQUIRE(found != list.end());
  return *found;
}

double sum_of_strategy(const Json& chart, const std::string& strategy) {
  double total = 0;
  for (const Json& row : chart["spec"]["data"]["values"]) {
    if (row["strategy"] == strategy) total += row["value"].get<double>();
  }
  return total;
}

const OptionInfo& option(const std::vector<OptionOf<PlanRequest>>& options,
                         const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const auto& one) { return one.info.name == name; });
  REQUIRE(found != options.end());
  return found->info;
}

}  // namespace

TEST_CASE("plans show where time and memory go, best first") {
  const Json list = charts_of({plan_of(8, 3, 1), plan_of(1, 3, 2)});
  REQUIRE(list.size() == 2);
  const Json& time = chart_named(list, "time_by_term");
  CHECK(time["title"] == "compute: 75 % of the iteration time of the best strategy");
  CHECK(sum_of_strategy(time, "1. TP 8 · DP 4") == 4);
  CHECK(sum_of_strategy(time, "2. DP 4") == 5);
  const Json& memory = chart_named(list, "memory_by_part");
  CHECK(memory["title"] == "weights: 75 % of the memory in use with the best strategy");
  CHECK(sum_of_strategy(memory, "2. DP 4") == 4e10);
  CHECK(charts_of({plan_of(8, 3, 1)})[0]["title"] == "compute: 75 % of the iteration time");
}

TEST_CASE("a plan that does not fit says so, and strategies of the same degrees are told apart") {
  Plan too_large = plan_of(8, 3, 1), interleaved = plan_of(8, 3, 1);
  too_large.memory.optimizer = 60 * units::GB;
  interleaved.strategy.interleave = 2;
  interleaved.strategy.pp.hb = 1;
  const Json list = charts_of({too_large, interleaved, plan_of(1, 3, 2)});
  CHECK(chart_named(list, "memory_by_part")["title"] ==
        "Does not fit: 100 GB are more than the 80.0 GB of a GPU");
  const Json& time = chart_named(list, "time_by_term");
  CHECK(sum_of_strategy(time, "1. TP 8 · DP 4, vp 1, schedule 1f1b") == 4);
  CHECK(sum_of_strategy(time, "2. TP 8 · DP 4, vp 2, schedule interleaved") == 4);
  CHECK(sum_of_strategy(time, "3. DP 4") == 5);
}

TEST_CASE("help, what is assumed and what is refused come from one record") {
  const auto options = plan_options(PlanUse::search);
  CHECK(option(options, "system").told() == "GPU, HB domain, network (default dgx-h100)");
  CHECK(option(options, "timing").told() == "calibrated (default) or closed-form");
  CHECK(option(options, "recompute").told() == "none, selective (default) or full");

  PlanRequest request;
  CHECK(assumed_inputs(request) == std::vector<std::string>{"system", "global-batch", "seq",
                                                            "precision", "timing", "software"});
  request.timing = Timing::closed_form;
  request.run.global_batch = 8;
  CHECK(assumed_inputs(request) ==
        std::vector<std::string>{"system", "seq", "precision", "bytes-per-param"});

  const auto refusal = [](const PlanRequest& asked) -> std::string {
    try {
      refuse_other_timing(asked);
    } catch (const UsageError& error) {
      return error.diagnostics().front().message;
    }
    return {};
  };
  CHECK(refusal(request).empty());
  request.strategy.pins.cp = {1};
  CHECK(refusal(request).empty());
  request.strategy.pins.cp = {2};
  CHECK(refusal(request) == "--cp is not in the closed-form timing model");
  request.strategy.pins.cp.clear();
  request.strategy.zero = {3};
  CHECK(refusal(request) == "--zero 3 is not in the closed-form timing model");
  request = {};
  request.run.bytes_per_parameter = 18;
  CHECK(refusal(request).starts_with("--bytes-per-param is not in the calibrated timing model"));
}

TEST_CASE("one of two switches that contradict each other is refused") {
  PlanRequest request;
  const auto options = plan_options(PlanUse::one);
  const auto read = [&](const std::string& name) {
    return std::find_if(options.begin(), options.end(),
                        [&](const auto& one) { return one.info.name == name; })
        ->read("", request);
  };
  CHECK(!read("sequence-parallel"));
  CHECK(read("no-sequence-parallel") == "contradicts --sequence-parallel: give one of them");
}
