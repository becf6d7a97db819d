#include <algorithm>
#include <vector>

#include "planner/commands/clusters/clusters.hpp"

namespace planner::commands {

void find_nearest_runs(std::span<const job::ClusterReport> reports, const catalog::Catalog& catalog,
                       std::span<ClusterSummary> clusters) {
  const auto has_like = [](const job::ClusterReport& report) {
    return report.training && report.training->workload.timing.calibrated();
  };
  if (std::none_of(reports.begin(), reports.end(), has_like)) return;
  const std::vector<MeasuredRow> rows = catalog.load_shipped_measured("runs");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (!has_like(reports[i])) continue;
    std::vector<NearestRow> found = nearest_rows(rows, reports[i].training->workload, 1);
    if (!found.empty()) clusters[i].training->nearest = std::move(found.front());
  }
}

void add_nearest_runs(const Clusters& clusters, present::Document& document) {
  std::vector<NearestRow> rows;
  for (const ClusterSummary& cluster : clusters) {
    if (!cluster.training || !cluster.training->nearest) continue;
    const NearestRow& near = *cluster.training->nearest;
    const auto same = [&near](const NearestRow& row) { return row.id == near.id; };
    if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(near);
  }
  if (rows.empty()) return;
  document.add(present::Section{rows.size() == 1 ? "The measured run most like it"
                                                 : "Measured runs most like them"});
  add_nearest(rows, document);
}

}  // namespace planner::commands
