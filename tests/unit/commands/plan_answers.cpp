// Plans as `optimize` and `estimate` answer them: what a saved answer is read back into, what a
// price survives, what is refused beside the answer.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/commands/estimate/estimate.hpp"
#include "planner/commands/optimize/optimize.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/present/terminal/terminal.hpp"
#include "support/examples.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

/// GPT 22B on 64 GPUs in nodes of 8.
PlanRequest of_eight_nodes() {
  PlanRequest request{.model = "gpt22b", .gpus = {64}};
  request.strategy.pins.tp = {8};
  return request;
}

struct Estimated {
  EstimateAnswer answer;
  ExitCode exit_code;
  std::vector<Diagnostic> errors;
  std::vector<std::string> warnings;
};

Estimated estimated(const PlanRequest& request) {
  Context context{.catalog = shipped()};
  EstimateAnswer answer = estimate_plan(request, context);
  return {std::move(answer), context.exit_code, context.errors, context.warnings};
}

OptimizeAnswer optimized(const PlanRequest& request) {
  Context context{.catalog = shipped()};
  return optimize_plan(request, context);
}

/// What is refused, in its words; empty: nothing.
std::string refusal(const PlanRequest& request) {
  try {
    estimated(request);
  } catch (const UsageError& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

template <class T>
std::string text_of(const json::FieldTable<T>& table, const T& value) {
  json::Json out;
  json::write_object(table, value, out);
  return out.dump();
}

template <class T>
T read_back(const json::FieldTable<T>& table, const std::string& text) {
  json::Problems problems({"saved.json", text});
  auto read = json::read_object(table, json::parse_json({"saved.json", text}),
                                {problems, "answer", "", true});
  problems.throw_if_any();
  return *std::move(read);
}

/// The plans of an answer: what a strategy, its time and its memory are is the same value again.
void check_same(const Plan& read, const Plan& plan) {
  CHECK(read.strategy == plan.strategy);
  CHECK(read.microbatches == plan.microbatches);
  CHECK(read.time == plan.time);
  CHECK(read.memory == plan.memory);
  CHECK(read.capacity == plan.capacity);
  CHECK(read.interval == plan.interval);
  CHECK(read.timing == plan.timing);
  CHECK(read.mfu == plan.mfu);
  CHECK(read.tokens_per_second == plan.tokens_per_second);
}

}  // namespace

TEST_CASE("a saved plan is the same strategy, time and memory again") {
  std::vector<PlanRequest> requests(7, of_eight_nodes());
  requests[1].strategy.zero = {3};
  requests[2].strategy.zero = {3};
  requests[2].strategy.pins.shard_ranks = {4};
  requests[3].strategy.zero = {3};
  requests[3].strategy.pins.shard_ranks = {8};  // all of them
  requests[4].strategy.pins.pp = {2};
  requests[4].strategy.schedule = Schedule::zero_bubble_2p;
  requests[5].strategy.pins.pp = {2};
  requests[5].strategy.pins.interleave = {4};
  requests[5].strategy.recompute = {Recompute::full};
  requests[6].timing = Timing::closed_form;
  // What its file says of the driver's memory is about another GPU then.
  requests[6].machine = {.system = "dgx-a100", .network_bandwidth_GBps = 1e-12, .memory_GB = 64};
  for (const PlanRequest& request : requests) {
    const EstimateAnswer answer = estimated(request).answer;
    REQUIRE(answer.result);
    const std::string text = text_of(estimate_fields(), answer);
    const EstimateAnswer read = read_back(estimate_fields(), text);
    check_same(read.result->plan, answer.result->plan);
    CHECK(read.inputs.model == answer.inputs.model);
    CHECK(read.inputs.system == answer.inputs.system);
    CHECK(read.inputs.software.has_value() == (request.timing != Timing::closed_form));
  }
}

TEST_CASE("prices, days and forecasts are written again to the last digit, whatever they are") {
  Random random(7);
  PlanRequest request = of_eight_nodes();
  request.run.tokens = 1e11;
  request.gpu_hour_price = 2;
  request.routing.how.scheme = RoutingScheme::ecmp;
  request.failures = {.rates = "llama-3", .how = {.stall = Seconds{30}}};
  EstimateAnswer answer = estimated(request).answer;
  PlanExtras& extras = answer.result->extras;
  const auto spread = [&](auto unit) {
    const auto amount = [&] { return random.scale(1e-3, 1e9) * unit; };
    Estimate<decltype(amount())> all{amount(), amount(), amount()};
    return random.coin() ? all : decltype(all)::exactly(all.expected);
  };
  const auto time = [&] { return Seconds{random.scale(1, 1e9)}; };
  for (int round = 0; round < 300; ++round) {
    extras.training->totals.time = time();
    extras.paid->price.rate = spread(units::usd / units::hour);
    extras.paid->cost.per_million_tokens = spread(units::usd);
    extras.paid->cost.per_run = spread(units::usd);
    extras.paid->node_energy = random.scale(1, 1e12) * units::kWh;
    ForecastSummary& forecast = *extras.forecast;
    forecast.days->mean = time();
    forecast.days->guaranteed = time();
    for (auto& [cause, lost] : *forecast.lost) lost = time();
    forecast.cost->range = spread(units::usd);
    FailureSummary& failures = forecast.failures->summary;
    failures.interval = time();
    failures.days->p95 = time();
    forecast.failures->inputs.rates.components.front().rate =
        random.scale(1e-9, 1e-3) * units::per_hour;
    answer.result->plan.model_flops_per_gpu = random.scale(1, 1e4) * units::TFLOPs;
    const std::string text = text_of(estimate_fields(), answer);
    REQUIRE(text_of(estimate_fields(), read_back(estimate_fields(), text)) == text);
  }
}

TEST_CASE("an answer says what it is, and what nobody gave") {
  PlanRequest request = of_eight_nodes();
  request.run.global_batch = 128;
  request.strategy.pins.pp = {2};
  const auto assumed = estimated(request).answer.inputs.assumed;
  const auto has = [&](const char* name) {
    return std::find(assumed.begin(), assumed.end(), name) != assumed.end();
  };
  for (const char* name : {"system", "seq", "timing", "dp", "zero", "recompute"}) CHECK(has(name));
  for (const char* name : {"global-batch", "tp", "pp", "ep", "bytes-per-param", "topology"}) {
    CHECK_FALSE(has(name));
  }
}

TEST_CASE("a strategy that is not legal has no result, one that does not fit has") {
  PlanRequest request = of_eight_nodes();
  request.strategy.pins.tp = {7};
  const Estimated illegal = estimated(request);
  CHECK_FALSE(illegal.answer.result);
  CHECK(illegal.exit_code == ExitCode::infeasible);
  CHECK(illegal.errors.front().code == "illegal-strategy");
  const std::string text = text_of(estimate_fields(), illegal.answer);
  CHECK(text_of(estimate_fields(), read_back(estimate_fields(), text)) == text);

  request = of_eight_nodes();
  request.machine.memory_GB = 10;
  const Estimated large = estimated(request);
  REQUIRE(large.answer.result);
  CHECK_FALSE(large.answer.result->plan.fits());
  CHECK(large.exit_code == ExitCode::infeasible);
  CHECK(large.errors.front().code == "does-not-fit");
}

TEST_CASE("of several numbers of GPUs the one whose tokens are cheapest is answered in full") {
  PlanRequest request{.model = "gpt22b", .gpus = {8, 16, 64}, .objective = Objective::cost};
  const OptimizeAnswer answer = optimized(request);
  const std::vector<GpuCount>& counts = answer.result->gpu_counts;
  REQUIRE(counts.size() == 3);
  const RentCost& cost = answer.result->extras.paid->cost;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    CHECK(counts[i].gpus == request.gpus[i]);
    request.gpus = {counts[i].gpus};
    const OptimizeAnswer alone = optimized(request);
    request.gpus = {8, 16, 64};
    CHECK(counts[i].iteration.has_value() == alone.result.has_value());
    if (!alone.result) continue;
    CHECK(alone.result->gpu_counts.empty());
    CHECK(*counts[i].iteration == alone.result->best.time.total());
    CHECK(*counts[i].per_iteration == alone.result->extras.paid->cost.per_iteration.expected);
    CHECK(*counts[i].per_iteration >= cost.per_iteration.expected);
    if (counts[i].gpus == answer.inputs.gpus) {
      CHECK(counts[i].per_iteration == cost.per_iteration.expected);
      CHECK(alone.result->best == answer.result->best);
    }
  }
}

TEST_CASE("the front falls in time as it grows in memory, from the least to the fastest") {
  PlanRequest request{.model = "gpt22b", .gpus = {64}, .top = 3, .pareto = true};
  const OptimizeAnswer answer = optimized(request);
  const OptimizeResult& result = *answer.result;
  REQUIRE(result.top.size() == 3);
  CHECK(result.best == result.top.front());
  CHECK(result.top[0].time.total() <= result.top[1].time.total());
  REQUIRE(result.front.size() > 2);
  for (std::size_t i = 1; i < result.front.size(); ++i) {
    CHECK(result.front[i].memory.total() > result.front[i - 1].memory.total());
    CHECK(result.front[i].time.total() < result.front[i - 1].time.total());
  }
  CHECK(result.front.back().time == result.fastest->time);
  const OptimizeAnswer read = read_back(optimize_fields(), text_of(optimize_fields(), answer));
  REQUIRE(read.result->front.size() == result.front.size());
  for (std::size_t i = 0; i < result.front.size(); ++i) {
    check_same(read.result->front[i], result.front[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) check_same(read.result->top[i], result.top[i]);
}

TEST_CASE("settings are handed over alone, and told again from a saved answer") {
  for (const handover::TrainingStack stack : handover::kTrainingStacks) {
    PlanRequest request = of_eight_nodes();
    request.emit = stack;
    const EstimateAnswer answer = estimated(request).answer;
    REQUIRE(answer.emitted);
    const std::string page = present::to_terminal(estimate_view(answer), {});
    CHECK(page.find(answer.emitted->text.substr(0, 40)) != std::string::npos);
    CHECK(page.find("Where the time goes") == std::string::npos);
    const EstimateAnswer read = read_back(estimate_fields(), text_of(estimate_fields(), answer));
    CHECK(present::to_terminal(estimate_view(read), {}) == page);
    CHECK(read.emitted->remarks == answer.emitted->remarks);
  }
}

TEST_CASE("options without what they are about are refused, each in its words") {
  PlanRequest request = of_eight_nodes();
  request.routing.how.qps = 4;
  CHECK(refusal(request) == "the options of routing need --routing");
  request = of_eight_nodes();
  request.fabric.topology = Topology::fat_tree;
  CHECK(refusal(request) == "the options of the network need --routing");
  request = of_eight_nodes();
  request.failures.how.stall = Seconds{30};
  CHECK(refusal(request) == "the options of failures, checkpoints and spares need --rates");
  request = of_eight_nodes();
  request.gpu_hour_price = 2;
  request.economics = "us-2026";
  CHECK(refusal(request) == "--gpu-hour-price and --economics exclude each other");
  request = of_eight_nodes();
  request.routing = {.how = {.scheme = RoutingScheme::ecmp}, .cluster_gpus = 32};
  CHECK(refusal(request) == "--cluster-gpus: the job alone has 64, not 32");
  request = of_eight_nodes();
  request.gpus = {64, 128};
  CHECK(refusal(request) == "--gpus takes one number here");
  CHECK(refusal({.gpus = {64}}) == "--model is missing");
  CHECK(refusal({.model = "gpt22b"}) == "--gpus is missing");
}

TEST_CASE("what only the other timing model knows is refused, but for what asks for nothing") {
  PlanRequest request = of_eight_nodes();
  request.timing = Timing::closed_form;
  request.machine.system = "dgx-a100";
  CHECK(refusal(request).empty());
  request.strategy.pins.cp = {1};
  CHECK(refusal(request).empty());
  request.strategy.pins.cp = {2};
  CHECK(refusal(request).starts_with("--cp"));
  request.strategy.pins.cp.clear();
  request.strategy.zero = {3};
  CHECK(refusal(request).starts_with("--zero 3"));
  request.strategy.zero = {2};
  CHECK(refusal(request).empty());
  request.strategy.schedule = Schedule::zero_bubble_1p;
  CHECK(refusal(request).starts_with("--schedule zb-1p"));
  request = of_eight_nodes();
  request.run.bytes_per_parameter = 16;
  CHECK(refusal(request).starts_with("--bytes-per-param"));
}
