#include <fmt/format.h>

#include "planner/api/commands.hpp"
#include "planner/api/verdict.hpp"

namespace planner {

namespace {

constexpr std::size_t kMostClusters = 1000;  // a report of each is kept: about 0.1 MB

/// What the user should know about a cluster: its own warnings and lines without a price.
void add_warnings(const ClusterReport& report, Response& response) {
  const std::string& name = report.cluster.name;
  for (const std::string& warning : report.warnings) {
    response.warnings.push_back(fmt::format("{}: {}", name, warning));
  }
  const std::int64_t missing = report.cost.capex.missing;
  if (missing > 0) {
    response.warnings.push_back(
        fmt::format("{}: {}: every total is a lower bound", name, job::unpriced(missing)));
  }
}

void require_prices(const Request& request, const std::vector<ClusterReport>& reports,
                    Response& response) {
  for (const ClusterReport& report : reports) {
    if (!request.require_prices || report.cost.capex.missing == 0) continue;
    response.exit_code = ExitCode::limit_exceeded;
    response.errors.push_back(
        job::unpriced_error(report.cluster.name + ": " + job::unpriced(report.cost.capex.missing)));
  }
}

}  // namespace

Response cost(const Request& request, const catalog::Catalog& catalog, const Control& control) {
  if (request.arguments.size() != 1) usage_error("cost takes one cluster file");
  Response response{.command = Command::cost};
  ClusterReport report = report_cluster(request.arguments.front(), request, catalog, control);
  add_warnings(report, response);
  if (const auto share = oversubscription(report)) {
    response.warnings.push_back(fmt::format("{}: {}", report.cluster.name, *share));
  }
  require_prices(request, {report}, response);
  response.result = std::move(report);
  return response;
}

Response compare(const Request& request, const catalog::Catalog& catalog, const Control& control) {
  const std::size_t files = request.arguments.size();
  if (files < 2) usage_error("compare takes two or more cluster files");
  if (files > kMostClusters) {
    usage_error(fmt::format("{} cluster files are more than the {} that compare takes", files,
                            kMostClusters));
  }
  Response response{.command = Command::compare};
  CompareResult result;
  for (const std::string& file : request.arguments) {
    result.clusters.push_back(report_cluster(file, request, catalog, control));
    add_warnings(result.clusters.back(), response);
  }
  require_prices(request, result.clusters, response);
  result.verdict = verdict(result.clusters);
  response.result = std::move(result);
  return response;
}

}  // namespace planner
