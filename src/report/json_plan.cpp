#include "planner/report/json_plan.hpp"

#include <nlohmann/json.hpp>

#include "planner/domain/names.hpp"
#include "planner/io/documents.hpp"
#include "planner/report/plan_parts.hpp"

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
    if (!plan.calibrated && part.equation.empty()) continue;
    json[std::string{part.key}] = (plan.time.*part.time).si();
  }
  return json;
}

Json memory(const Plan& plan) {
  Json json{{"total_bytes", plan.memory.total().si()}, {"capacity_bytes", plan.capacity.si()}};
  for (const MemoryPart& part : memory_parts()) {
    if (!plan.calibrated && part.calibrated_only) continue;
    json[std::string{part.key}] = (plan.memory.*part.size).si();
  }
  return json;
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
          {"larger_by", 0.1},
          {"iteration_time_s", sensitivity.time.si()},
          {"change", sensitivity.change}};
}

Json to_json(const Software& software) {
  return {{"class", name_of(software.stack)},
          {"attention", name_of(software.attention)},
          {"gradient_reduce_bytes", software.gradient_reduce_bytes}};
}

/// What `optimize` and `estimate` may add to their plans.
void add_extras(Json& json, const std::optional<TrainingTotals>& training,
                const std::vector<ExplainedTerm>& explanation) {
  if (training) json["training"] = to_json(*training);
  if (!explanation.empty()) json["explanation"] = to_json(explanation);
}

}  // namespace

Json to_json(const Plan& plan) {
  return {{"strategy", to_json(plan.strategy, plan.microbatches)},
          {"iteration_time_s", plan.time.total().si()},
          {"breakdown_s", breakdown(plan)},
          {"memory", memory(plan)},
          {"fits", plan.fits()},
          {"mfu", plan.mfu},
          {"hfu", plan.hfu},
          {"flops_convention",
           "model FLOPs with full (not causal) attention over the dense datasheet peak"},
          {"model_tflops_per_gpu", plan.model_flops_per_gpu.in(units::TFLOPs)},
          {"tokens_per_s", plan.tokens_per_second},
          {"tokens_per_s_per_gpu", plan.tokens_per_second_per_gpu}};
}

Json to_json(const ResolvedInputs& inputs) {
  const Workload& workload = inputs.workload;
  Json json{{"model", io::to_json(workload.model)},
            {"parameters", total_parameters(workload.model, workload.run.sequence)},
            {"system", io::to_json(workload.system)},
            {"gpus", workload.gpus},
            {"hb_domain_used", inputs.usable_hb_domain},
            {"global_batch", workload.run.global_batch},
            {"sequence", workload.run.sequence},
            {"precision", name_of(workload.run.precision)},
            {"bytes_per_parameter", workload.run.bytes_per_parameter},
            {"timing", workload.calibration ? "calibrated" : "closed-form"},
            {"objective", inputs.objective == Objective::time ? "time" : "memory"}};
  if (workload.calibration) {
    json["calibration"] = workload.calibration->name;
    json["software"] = to_json(workload.software);
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
  add_extras(json, result.training, result.explanation);
  return json;
}

Json to_json(const EstimateResult& result) {
  Json json = to_json(result.plan);
  add_extras(json, result.training, result.explanation);
  return json;
}

}  // namespace planner
