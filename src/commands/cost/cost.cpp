#include "planner/commands/cost/cost.hpp"

#include <fmt/format.h>

namespace planner::commands {

CostAnswer cost_of_cluster(const ClusterRequest& request, Context& context) {
  if (request.files.size() != 1) usage_error("cost takes one cluster file");
  const job::ClusterReport report = report_cluster(request.files.front(), request, context);
  remark_on(report, request.require_prices, context);
  CostAnswer answer{summary_of(report)};
  find_nearest_runs({&report, 1}, context.catalog, {&answer.cluster, 1});
  return answer;
}

const json::FieldTable<CostAnswer>& cost_fields() {
  using namespace json;
  using A = CostAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of cost",
      .fields = {required("result", &A::cluster, object(cluster_fields()), "the cluster")},
      .open = true};
  return kTable;
}

Command cost() {
  return erased(CommandOf<ClusterRequest, CostAnswer>{
      .name = "cost",
      .summary = "one cluster's parts, capex, opex, total cost and training",
      .arguments = "FILE",
      .shows_money = true,
      .options = cluster_options(),
      .positional = &ClusterRequest::files,
      .run = cost_of_cluster,
      .fields = cost_fields,
      .view = cost_view,
      .lines = [](const CostAnswer& answer) -> std::vector<SweepLine> {
        return {{.figures = cluster_figures(answer.cluster)}};
      }});
}

}  // namespace planner::commands
