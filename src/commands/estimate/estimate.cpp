#include "planner/commands/estimate/estimate.hpp"

#include <fmt/format.h>

#include "planner/commands/parts/explanation.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

std::vector<SweepLine> lines(const EstimateAnswer& answer) {
  if (!answer.result) return {};
  return {{.figures = plan_figures(answer.result->plan, answer.result->extras)}};
}

const json::FieldTable<EstimateResult>& result_table() {
  using R = EstimateResult;
  static const json::FieldTable<R> kTable = [] {
    json::FieldTable<R> table{.type = "estimate", .doc = "a plan", .open = true};
    for (const json::Field<Plan>& field : plan_fields().fields) {
      table.fields.push_back(json::lifted<R, Plan>(
          [](auto& result) -> auto& { return result.plan; }, field));
    }
    for (const json::Field<PlanExtras>& field : plan_extras_fields().fields) {
      table.fields.push_back(json::lifted<R, PlanExtras>(
          [](auto& result) -> auto& { return result.extras; }, field));
    }
    return table;
  }();
  return kTable;
}

}  // namespace

EstimateAnswer estimate_plan(const PlanRequest& request, Context& context) {
  PlanJob planned = plan_job(request, context.catalog, context.warnings);
  const Workload& workload = planned.workload;
  const Strategy asked = asked_strategy(request, planned);
  EstimateAnswer answer{.inputs = plan_inputs(planned, Objective::time)};
  const Workload before = workload;
  const std::optional<Plan> placed = placed_plan(request, planned, asked, context);
  answer.inputs.hb_domain_used = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  if (!placed) return answer;
  const Plan& plan = *placed;
  answer.result =
      EstimateResult{.plan = plan, .extras = plan_extras(request, planned, plan, context)};
  answer.emitted = handed_over(request, planned, plan);
  if (!plan.fits()) {
    context.fail(
        ExitCode::infeasible,
        {.code = "does-not-fit",
         .message = fmt::format("does not fit: needs {}, has {}, {} short",
                                memory_words(plan.memory.total()), memory_words(plan.capacity),
                                memory_words(plan.memory.total() - plan.capacity)),
         .hint = "planner optimize finds the strategies that do"});
  }
  job::warn_about_idle_gpus(before, domain_use(planned).as_one, context.warnings);
  job::warn_about_domain_use(before, workload, context.warnings);
  job::warn_about_measured_range(workload, plan, context.warnings);
  return answer;
}

const json::FieldTable<EstimateAnswer>& estimate_fields() {
  using namespace json;
  using A = EstimateAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of estimate",
      .fields = {required("inputs", &A::inputs, object(plan_inputs_fields()), "what it is for"),
                 optional("result", &A::result, object(result_table()), "the plan"),
                 optional("emitted", &A::emitted, object(handed_over_fields()),
                          "the plan as settings of a training stack")},
      .open = true};
  return kTable;
}

present::Document estimate_view(const EstimateAnswer& answer) {
  if (!answer.result) return plan_document(answer.inputs, "Plan");
  const auto& [plan, extras] = *answer.result;
  present::Document document = answer.emitted
                                   ? handed_over_view(*answer.emitted, answer.inputs, plan)
                                   : plan_document(answer.inputs, "Plan");
  if (answer.emitted) {
    add_plan_charts({plan}, {}, extras, document);
    return document;
  }
  add_headline("Plan", plan, document);
  add_extras(extras, answer.inputs, document);
  document.detail(present::Section{"The strategy"});
  document.detail(strategy_table({plan}));
  add_plan_charts({plan}, {}, extras, document);
  add_breakdown(plan, extras, answer.inputs, document);
  add_explanation(extras.explanation, document);
  return document;
}

Command estimate() {
  return erased(CommandOf<PlanRequest, EstimateAnswer>{
      .name = "estimate",
      .summary = "time and memory of one strategy",
      .plans = true,
      .shows_money = true,
      .options = plan_options(PlanUse::one),
      .run = estimate_plan,
      .fields = estimate_fields,
      .view = estimate_view,
      .lines = lines,
      .has_result = [](const EstimateAnswer& answer) { return answer.result.has_value(); }});
}

}  // namespace planner::commands
