#include "planner/report/json_plan.hpp"

#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/report/json_forecast.hpp"
#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Strategy& strategy, std::int64_t microbatches) {
  return {{"tp", strategy.tp.total()},
          {"pp", strategy.pp.total()},
          {"dp", strategy.dp.total()},
          {"cp", strategy.cp.total()},
          {"ep", strategy.ep.total()},
          {"interleave", strategy.interleave},
          {"micro_batch", strategy.micro_batch},
          {"microbatches", microbatches},
          {"recompute", name_of(strategy.recompute)},
          {"zero", strategy.zero},
          {"shard_ranks", strategy.zero == 3 ? Json(strategy.ranks_per_replica()) : Json()},
          {"sequence_parallel", strategy.sequence_parallel},
          {"expert_tp", strategy.expert_tp},
          {"schedule", name_of(strategy.schedule())},
          {"placement",
           {{"tp_hb", strategy.tp.hb},
            {"tp_net", strategy.tp.net},
            {"pp_hb", strategy.pp.hb},
            {"pp_net", strategy.pp.net},
            {"dp_hb", strategy.dp.hb},
            {"dp_net", strategy.dp.net},
            {"cp_hb", strategy.cp.hb},
            {"cp_net", strategy.cp.net},
            {"ep_hb", strategy.ep.hb},
            {"ep_net", strategy.ep.net}}}};
}

Json breakdown(const Plan& plan) {
  Json json = Json::object();
  for (const TimePart& part : time_parts()) {
    if (plan.timing == Timing::closed_form && part.calibrated_only()) continue;
    json[std::string{part.key}] = (plan.time.*part.amount).si();
  }
  return json;
}

Json memory(const Plan& plan) {
  Json json{{"total_bytes", plan.memory.total().si()}, {"capacity_bytes", plan.capacity.si()}};
  for (const MemoryPart& part : memory_parts()) {
    if (plan.timing == Timing::closed_form && part.calibrated_only()) continue;
    json[std::string{part.key}] = (plan.memory.*part.amount).si();
  }
  return json;
}

Json to_json(const TimeInterval& interval) {
  return {{"share", kIntervalShare}, {"low", interval.low.si()}, {"high", interval.high.si()}};
}

/// The errors that intervals rest on.
Json to_json(const MeasuredRange& range) {
  const ResidualClass& of = *range.nearest;
  return {{"generation", of.generation ? Json(name_of(*of.generation)) : Json(nullptr)},
          {"mixture_of_experts", of.mixture_of_experts},
          {"rows", of.rows},
          {"sources", of.sources},
          {"most_gpus", of.most_gpus},
          {"longest_sequence", of.longest_sequence},
          {"widened_by", range.widening()}};
}

Json to_json(const TrainingTotals& training) {
  return {{"iterations", training.iterations},
          {"days", training.time.in(units::day)},
          {"gpu_hours", training.gpu_hours}};
}

Json to_json(const std::vector<ExplainedTerm>& terms) {
  Json list = Json::array();
  for (const ExplainedTerm& term : terms) {
    Json inputs = Json::object();
    for (const Symbol& symbol : term.inputs) inputs[symbol.name] = symbol.value;
    list.push_back({{"symbol", term.symbol},
                    {"meaning", term.meaning},
                    {"equation", term.equation},
                    {"formula", term.formula},
                    {"inputs", inputs},
                    {"value", term.value},
                    {"unit", term.unit}});
  }
  return list;
}

Json to_json(const Sensitivity& sensitivity) {
  return {{"resource", sensitivity.resource},
          {"larger_by", kSensitivityStep},
          {"iteration_time_s", sensitivity.time.si()},
          {"change", sensitivity.change}};
}

Json to_json(const Software& software) {
  return {{"class", name_of(software.stack)},
          {"attention", name_of(software.attention)},
          {"gradient_reduce_bytes", software.gradient_reduce_bytes},
          {"tp_overlap", software.tp_overlap},
          {"micro_batches_per_flush", software.micro_batches_per_flush},
          {"expert_overlap", software.expert_overlap},
          {"expert_domain_limit", software.expert_domain_limit},
          {"dispatch_bytes", software.dispatch_bytes},
          {"communication_sm_share", software.communication_sm_share}};
}

/// `name`_usd, and the range where there is one.
void add_dollars(Json& json, const std::string& name, const Estimate<Usd>& amount) {
  json[name + "_usd"] = amount.expected.in(units::usd);
  json[name + "_usd_range"] = amount.exact() ? Json(nullptr) : dollars(amount);
}

Json to_json(const PaidPlan& paid) {
  const GpuPrice& price = paid.price;
  Json json = Json::object();
  const auto hour = [](UsdPerSecond rate) { return rate * units::hour; };
  add_dollars(json, "gpu_hour",
              {hour(price.rate.low), hour(price.rate.expected), hour(price.rate.high)});
  json["economics"] = text_or_null(price.economics);
  json["source"] = price.origin.source;
  json["as_of"] = text_or_null(price.origin.as_of);
  json["verified"] = price.origin.verified;
  add_dollars(json, "per_iteration", paid.cost.per_iteration);
  add_dollars(json, "per_million_tokens", paid.cost.per_million_tokens);
  if (paid.cost.per_run) add_dollars(json, "per_run", *paid.cost.per_run);
  json["includes"] = "everything charged for a GPU-hour, power among it";
  json["node_energy_kWh_per_iteration"] =
      paid.node_energy ? Json(paid.node_energy->in(units::kWh)) : Json(nullptr);
  return json;
}

Json to_json(const GpuCount& count) {
  Json json{{"gpus", count.gpus},
            {"iteration_time_s", nullptr},
            {"per_iteration_usd", nullptr},
            {"per_run_usd", nullptr}};
  if (count.plan) json["iteration_time_s"] = count.plan->time.total().si();
  if (!count.cost) return json;
  json["per_iteration_usd"] = count.cost->per_iteration.expected.in(units::usd);
  if (count.cost->per_run) json["per_run_usd"] = count.cost->per_run->expected.in(units::usd);
  return json;
}

/// What `optimize` and `estimate` may add to their plans.
void add_extras(Json& json, const std::optional<TrainingTotals>& training,
                const std::optional<PaidPlan>& paid, const std::optional<Forecast>& forecast,
                const std::vector<ExplainedTerm>& explanation) {
  if (training) json["training"] = to_json(*training);
  if (paid) json["cost"] = to_json(*paid);
  if (forecast) json["expected"] = to_json(*forecast);
  if (!explanation.empty()) json["explanation"] = to_json(explanation);
}

}  // namespace

Json to_json(const Plan& plan) {
  Json json{{"strategy", to_json(plan.strategy, plan.microbatches)},
            {"iteration_time_s", plan.time.total().si()}};
  if (plan.interval) json["iteration_time_interval_s"] = to_json(*plan.interval);
  json.update({{"breakdown_s", breakdown(plan)},
               {"memory", memory(plan)},
               {"fits", plan.fits()},
               {"mfu", plan.mfu},
               {"hfu", plan.hfu},
               {"flops_convention",
                "model FLOPs with full (not causal) attention over the dense datasheet peak"},
               {"model_tflops_per_gpu", plan.model_flops_per_gpu.in(units::TFLOPs)},
               {"tokens_per_s", plan.tokens_per_second},
               {"tokens_per_s_per_gpu", plan.tokens_per_second_per_gpu}});
  return json;
}

Json to_json(const ResolvedInputs& inputs) {
  const Workload& workload = inputs.workload;
  Json json{{"model", catalog::to_json(workload.model)},
            {"parameters", total_parameters(workload.model, workload.run.sequence)},
            {"system", catalog::to_json(workload.system)},
            {"gpus", workload.gpus},
            {"hb_domain_used", inputs.usable_hb_domain},
            {"global_batch", workload.run.global_batch},
            {"sequence", workload.run.sequence},
            {"precision", name_of(workload.run.precision)},
            {"bytes_per_parameter", workload.run.bytes_per_parameter},
            {"timing", name_of(workload.timing.kind())},
            {"objective", name_of(inputs.objective)}};
  if (workload.timing.calibrated()) {
    json["calibration"] = workload.timing.constants().name;
    json["software"] = to_json(workload.software);
    const MeasuredRange range = measured_range(workload.timing.constants().residuals, workload);
    if (range.nearest != nullptr) json["measured_range"] = to_json(range);
  }
  if (workload.run.tokens) json["tokens"] = *workload.run.tokens;
  json["assumed"] = inputs.assumed;
  return json;
}

Json to_json(const OptimizeResult& result) {
  Json json{{"best", to_json(result.best)},
            {"search", {{"strategies", result.strategies}, {"feasible", result.feasible}}},
            {"top", Json::array()},
            {"what_binds", Json::array()}};
  for (const Plan& plan : result.top) json["top"].push_back(to_json(plan));
  for (const Sensitivity& sensitivity : result.what_binds) {
    json["what_binds"].push_back(to_json(sensitivity));
  }
  for (const GpuCount& count : result.gpu_counts) json["gpu_counts"].push_back(to_json(count));
  if (!result.pareto.empty()) {
    json["pareto"] = Json::array();
    for (const Plan& plan : result.pareto) json["pareto"].push_back(to_json(plan));
  }
  add_extras(json, result.training, result.paid, result.forecast, result.explanation);
  return json;
}

Json to_json(const EstimateResult& result) {
  Json json = to_json(result.plan);
  add_extras(json, result.training, result.paid, result.forecast, result.explanation);
  return json;
}

}  // namespace planner
