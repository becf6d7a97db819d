#include "planner/commands/traffic/traffic.hpp"

#include "planner/json/lifted_field.hpp"
#include "planner/perf/metrics.hpp"

namespace planner::commands {

namespace {

const json::FieldTable<TrafficResult>& result_table() {
  using R = TrafficResult;
  static const json::FieldTable<R> kTable = [] {
    json::FieldTable<R> table{.type = "traffic", .doc = traffic_summary_fields().doc, .open = true};
    for (const json::Field<TrafficSummary>& field : traffic_summary_fields().fields) {
      table.fields.push_back(json::lifted<R, TrafficSummary>(
          [](auto& result) -> auto& { return result.traffic; }, field));
    }
    table.fields.push_back(
        json::required("plan", &R::plan, json::object(plan_fields()), "whose traffic it is"));
    return table;
  }();
  return kTable;
}

std::vector<SweepLine> lines(const TrafficAnswer& answer) {
  if (!answer.result) return {};
  const TrafficSummary& traffic = answer.result->traffic;
  std::vector<SweepFigure> figures{
      {"sent_GB", "sent per GPU (GB)", present::number(traffic.per_gpu_GB.total())},
      {"in_domain", "in HB domains (%)", present::number(100 * traffic.tiers.front().share)},
      {"silent", "silent pairs (%)", present::number(100 * traffic.pairs.silent_share)}};
  double most = 0;
  for (const TrafficSummary::Tier& tier : traffic.tiers) most = std::max(most, tier.utilisation);
  figures.push_back({"utilisation", "busiest links (%)", present::number(100 * most)});
  return {{.figures = std::move(figures)}};
}

}  // namespace

TrafficAnswer count_traffic(PlanRequest request, Context& context) {
  request.traffic = true;
  PlanJob planned = plan_job(request, context.catalog, context.warnings);
  const Strategy asked = asked_strategy(request, planned);
  TrafficAnswer answer{.inputs = plan_inputs(planned, Objective::time)};
  const std::optional<Plan> plan = placed_plan(request, planned, asked, context);
  const System& system = planned.workload.system;
  answer.inputs.hb_domain_used = usable_hb_domain(system.hb_domain, planned.workload.gpus);
  if (!plan) return answer;
  answer.result =
      TrafficResult{.plan = *plan, .traffic = plan_traffic(request, planned, *plan, context)};
  if (!plan->fits()) {
    context.warnings.push_back("the plan does not fit the memory: needs " +
                               memory_words(plan->memory.total()) + ", has " +
                               memory_words(plan->capacity));
  }
  return answer;
}

const json::FieldTable<TrafficAnswer>& traffic_fields() {
  using namespace json;
  using A = TrafficAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of traffic",
      .fields = {required("inputs", &A::inputs, object(plan_inputs_fields()), "what it is for"),
                 optional("result", &A::result, object(result_table()), "the traffic")},
      .open = true};
  return kTable;
}

present::Document traffic_view(const TrafficAnswer& answer) {
  present::Document document = plan_document(answer.inputs, "Traffic");
  if (!answer.result) return document;
  const auto& [plan, traffic] = *answer.result;
  add_headline("Plan", plan, document);
  add_traffic(traffic, document);
  document.add(present::Charts{[traffic = traffic] {
    std::vector<present::Chart> charts;
    add_traffic_charts(traffic, charts);
    return charts;
  }});
  return document;
}

Command traffic() {
  return erased(CommandOf<PlanRequest, TrafficAnswer>{
      .name = "traffic",
      .summary = "what a plan sends, and what links carry of it",
      .options = plan_options(PlanUse::traffic),
      .run = [](const PlanRequest& request,
                Context& context) { return count_traffic(request, context); },
      .fields = traffic_fields,
      .view = traffic_view,
      .lines = lines,
      .has_result = [](const TrafficAnswer& answer) { return answer.result.has_value(); }});
}

}  // namespace planner::commands
