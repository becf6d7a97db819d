#include "planner/commands/compare/compare.hpp"

#include <fmt/format.h>

#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

constexpr std::size_t kMostClusters = 1000;  // a report of each is kept: about 0.1 MB

const json::FieldTable<CompareResult>& result_table() {
  using namespace json;
  using R = CompareResult;
  const auto verdict = [](auto& result) -> auto& {
    return result.verdict;
  };
  static const FieldTable<R> kTable{
      .type = "comparison",
      .doc = "clusters side by side",
      .fields = {lifted<R, job::Verdict>(
                     verdict, required("verdict", &job::Verdict::sentence, any_text(),
                                       "each cluster against the first, in one sentence")),
                 lifted<R, job::Verdict>(verdict,
                                         required("what_would_change_it", &job::Verdict::turns,
                                                  list(any_text()), "when it stops being true")),
                 required("clusters", &R::clusters, list(object(cluster_fields())),
                          "in the order asked for; the first is the reference")},
      .checks = {{.keys = {"clusters"},
                  .holds = [](const R& result) { return !result.clusters.empty(); },
                  .message = [](const R&) { return "must not be empty"; }}},
      .open = true};
  return kTable;
}

std::vector<SweepLine> lines(const CompareAnswer& answer) {
  const Clusters& clusters = answer.result.clusters;
  const std::vector<std::string> names = short_names(clusters);
  std::vector<SweepLine> lines;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    lines.push_back({present::words(names[i]), cluster_figures(clusters[i])});
  }
  return lines;
}

}  // namespace

CompareAnswer compare_clusters(const ClusterRequest& request, Context& context) {
  const std::size_t files = request.files.size();
  if (files < 2) usage_error("compare takes two or more cluster files");
  if (files > kMostClusters) {
    usage_error(fmt::format("{} cluster files are more than the {} that compare takes", files,
                            kMostClusters));
  }
  std::vector<job::ClusterReport> reports;
  for (const std::string& file : request.files) {
    reports.push_back(report_cluster(file, request, context));
    remark_on(reports.back(), request.require_prices, context);
  }
  job::compute_performance(reports);
  const auto money = [](Money amount) { return present::money(amount).text; };
  CompareAnswer answer{{.verdict = job::verdict(reports, money), .clusters = {}}};
  for (const job::ClusterReport& report : reports) {
    answer.result.clusters.push_back(summary_of(report));
    answer.result.clusters.back().cost_performance =
        job::cost_performance_of(report, reports.front());
  }
  find_nearest_runs(reports, context.catalog, answer.result.clusters);
  return answer;
}

const json::FieldTable<CompareAnswer>& compare_fields() {
  using namespace json;
  using A = CompareAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of compare",
      .fields = {required("result", &A::result, object(result_table()), "the comparison")},
      .open = true};
  return kTable;
}

Command compare() {
  return erased(CommandOf<ClusterRequest, CompareAnswer>{
      .name = "compare",
      .summary = "clusters side by side, the first as the reference",
      .arguments = "FILES",
      .shows_money = true,
      .options = cluster_options(),
      .positional = &ClusterRequest::files,
      .run = compare_clusters,
      .fields = compare_fields,
      .view = compare_view,
      .lines = lines,
      .part = "cluster"});
}

}  // namespace planner::commands
