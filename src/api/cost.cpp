#include <fmt/format.h>

#include "planner/api/commands.hpp"

namespace planner {

namespace {

/// What the user should know about a cluster: its own warnings and lines without a price.
void add_warnings(const ClusterReport& report, Response& response) {
  const std::string& name = report.cluster.name;
  for (const std::string& warning : report.warnings) {
    response.warnings.push_back(fmt::format("{}: {}", name, warning));
  }
  const std::int64_t unpriced = report.cost.capex.missing;
  if (unpriced > 0) {
    response.warnings.push_back(
        fmt::format("{}: {} no price: every total is a lower bound", name, lines_have(unpriced)));
  }
}

void require_prices(const Request& request, const std::vector<ClusterReport>& reports,
                    Response& response) {
  for (const ClusterReport& report : reports) {
    if (!request.require_prices || report.cost.capex.missing == 0) continue;
    response.exit_code = ExitCode::limit_exceeded;
    response.errors.push_back(
        {.code = "unpriced",
         .message = fmt::format("{}: {} no price", report.cluster.name,
                                lines_have(report.cost.capex.missing)),
         .hint = "add them to the price book (--prices), or leave --require-prices out"});
  }
}

}  // namespace

std::string lines_have(std::int64_t lines) {
  return lines == 1 ? "1 line has" : fmt::format("{} lines have", lines);
}

Response cost(const Request& request, const io::Catalog& catalog, const Control& control) {
  if (request.arguments.size() != 1) usage_error("cost takes one cluster file");
  Response response{.command = Command::cost};
  ClusterReport report = report_cluster(request.arguments.front(), request, catalog, control);
  add_warnings(report, response);
  require_prices(request, {report}, response);
  response.result = std::move(report);
  return response;
}

Response compare(const Request& request, const io::Catalog& catalog, const Control& control) {
  if (request.arguments.size() < 2) usage_error("compare takes two or more cluster files");
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
