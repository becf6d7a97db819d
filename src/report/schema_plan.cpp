#include "planner/api/request.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

Json strategy() {
  Json placement = Json::object();
  for (const char* degree : {"tp", "pp", "dp", "cp", "ep"}) {
    placement[degree + std::string{"_hb"}] = count();
    placement[degree + std::string{"_net"}] = count();
  }
  return object({{"tp", count()},
                 {"pp", count()},
                 {"dp", count()},
                 {"cp", count()},
                 {"ep", count()},
                 {"interleave", count()},
                 {"micro_batch", count()},
                 {"microbatches", count()},
                 {"recompute", word()},
                 {"zero", count()},
                 {"shard_ranks", or_null(count())},
                 {"sequence_parallel", flag()},
                 {"expert_tp", count()},
                 {"schedule", word()},
                 {"placement", object(placement)}});
}

/// The parts of both timing models, from the table that the writer goes through.
Json breakdown() {
  Json always = Json::object(), calibrated = Json::object();
  for (const TimePart& part : time_parts()) {
    (part.calibrated_only() ? calibrated : always)[std::string{part.key}] = figure();
  }
  return object(always, calibrated);
}

Json memory() {
  Json always{{"total_bytes", figure()}, {"capacity_bytes", figure()}};
  Json calibrated = Json::object();
  for (const MemoryPart& part : memory_parts()) {
    (part.calibrated_only() ? calibrated : always)[std::string{part.key}] = figure();
  }
  return object(always, calibrated);
}

/// Dollars, and their range where there is one.
void add_dollars(Json& properties, const std::string& name) {
  properties[name + "_usd"] = figure();
  properties[name + "_usd_range"] = or_null(range_of(figure()));
}

Json paid() {
  Json always = Json::object(), sometimes = Json::object();
  add_dollars(always, "gpu_hour");
  always.update(Json{{"economics", or_null(word())},
                     {"source", word()},
                     {"as_of", or_null(word())},
                     {"verified", flag()}});
  add_dollars(always, "per_iteration");
  add_dollars(always, "per_million_tokens");
  always["includes"] = word();
  always["node_energy_kWh_per_iteration"] = or_null(figure());
  add_dollars(sometimes, "per_run");
  return object(always, sometimes);
}

Json explanation() {
  return list_of(object({{"symbol", word()},
                         {"meaning", word()},
                         {"equation", word()},
                         {"formula", word()},
                         {"inputs", map_of(figure())},
                         {"value", figure()},
                         {"unit", word()}}));
}

/// The measured runs that an interval rests on.
Json measured_range() {
  return object({{"generation", or_null(word())},
                 {"mixture_of_experts", flag()},
                 {"rows", count()},
                 {"sources", count()},
                 {"most_gpus", count()},
                 {"longest_sequence", count()},
                 {"widened_by", figure()}});
}

/// What `optimize` and `estimate` may add to their plans.
Json extras() {
  return {
      {"training", object({{"iterations", figure()}, {"days", figure()}, {"gpu_hours", figure()}})},
      {"cost", paid()},
      {"expected", see("forecast")},
      {"explanation", explanation()}};
}

}  // namespace

Json plan_inputs() {
  return object({{"model", see("model")},
                 {"parameters", figure()},
                 {"system", see("system")},
                 {"gpus", count()},
                 {"hb_domain_used", count()},
                 {"global_batch", count()},
                 {"sequence", count()},
                 {"precision", word()},
                 {"bytes_per_parameter", figure()},
                 {"timing", one_of(kTimings)},
                 {"objective", one_of(kObjectives)},
                 {"assumed", list_of(word())}},
                {{"calibration", word()},
                 {"software", object({{"class", word()},
                                      {"attention", word()},
                                      {"gradient_reduce_bytes", count()},
                                      {"tp_overlap", flag()},
                                      {"micro_batches_per_flush", count()},
                                      {"expert_overlap", flag()},
                                      {"expert_domain_limit", count()},
                                      {"dispatch_bytes", count()},
                                      {"communication_sm_share", figure()}})},
                 {"measured_range", measured_range()},
                 {"tokens", figure()}});
}

Json plan() {
  return object({{"strategy", strategy()},
                 {"iteration_time_s", figure()},
                 {"breakdown_s", described(breakdown(), "the parts sum to iteration_time_s")},
                 {"memory", described(memory(), "the parts sum to total_bytes")},
                 {"fits", flag()},
                 {"mfu", figure()},
                 {"hfu", figure()},
                 {"flops_convention", word()},
                 {"model_tflops_per_gpu", figure()},
                 {"tokens_per_s", figure()},
                 {"tokens_per_s_per_gpu", figure()}},
                {{"iteration_time_interval_s",
                  object({{"share", figure()}, {"low", figure()}, {"high", figure()}})}});
}

Json optimize() {
  Json sometimes = extras();
  sometimes["pareto"] = list_of(see("plan"));
  sometimes["gpu_counts"] = list_of(object({{"gpus", count()},
                                            {"iteration_time_s", or_null(figure())},
                                            {"per_iteration_usd", or_null(figure())},
                                            {"per_run_usd", or_null(figure())}}));
  return object({{"best", see("plan")},
                 {"search", object({{"strategies", count()}, {"feasible", count()}})},
                 {"top", list_of(see("plan"))},
                 {"what_binds", list_of(object({{"resource", word()},
                                                {"larger_by", figure()},
                                                {"iteration_time_s", figure()},
                                                {"change", figure()}}))}},
                sometimes);
}

Json estimate() {
  return with(plan(), Json::object(), extras());
}

Json emitted() {
  return object(
      {{"stack", word()}, {"file", word()}, {"text", word()}, {"remarks", list_of(word())}});
}

}  // namespace planner::result_schemas
